"""The papers' collections: reader, split, fingerprint, and where a person gets each.

    train, test = load("reuters21578", version="90", data=DIR)
    whole = read("20newsgroups", version="bydate", data=DIR)          # no split; kept columns to split by
    verify("webkb", data=DIR).same                                    # are these the documents the table speaks of?

DIR holds the archives as they are distributed (xz, gz, bz2 or plain tar), or unpacked folders, or is one of these
itself; without it the environment variable RUBRICATE_DATA is asked. Archives and folders give the same documents in the
same order, which needs sorting: a collection (under 60 MB) is held in memory, read once, when first used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InvalidSetting, MissingData, UnknownName
from .. import Corpus, Reject, Tally, batched
from .catalogue import COLLECTIONS, LABEL_NAMES, TEN_TOPICS, Collection, CollectionReader, Version, comparable_name

if TYPE_CHECKING:
    import pyarrow as pa

    from ...foundation.arrays import Array

__all__ = [
    "COLLECTIONS",
    "LABEL_NAMES",
    "TEN_TOPICS",
    "Collection",
    "Verification",
    "available",
    "fingerprint",
    "load",
    "read",
    "verify",
]

Data = str | os.PathLike[str] | None
Sink = Callable[[Reject], None] | None

_READERS = {  # module and name, imported when a collection is read
    "enquiries": ("folders", "enquiries"),
    "reuters21578": ("reuters21578", "reuters21578"),
    "20newsgroups": ("newsgroups", "newsgroups"),
    "ohsumed": ("folders", "ohsumed"),
    "webkb": ("folders", "webkb"),
}
_SUFFIXES = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".gz")
_SPLITTING = frozenset({"test", "seed", "test_university"})


def available() -> tuple[Collection, ...]:
    """The descriptions of all collections."""
    return tuple(COLLECTIONS.values())


def read(
    name: str, *, version: str | None = None, data: Data = None, strict: bool = False, sink: Sink = None, **options: Any
) -> Corpus:
    """A whole collection without a split, with the columns its splits are made of.

    `version` chooses between sets of files (20 Newsgroups has two); the versions of Reuters are splits: use `load`.
    """
    collection, edition = _find_version(name, version)
    if version is not None and len({listed.files for listed in collection.versions}) == 1 < len(collection.versions):
        raise InvalidSetting(f"{collection.name} is read whole: version={version!r} is a split, use load()")
    return _read(collection, edition, data, strict, sink, _settings(collection, edition, options, splitting=False))


def load(
    name: str, *, version: str | None = None, data: Data = None, strict: bool = False, sink: Sink = None, **options: Any
) -> tuple[Corpus, Corpus]:
    """The training and the test part of a collection, as its paper split it; without a version, the first of the table.

    Extra keywords by collection (`COLLECTIONS[name].options`): for 20newsgroups headers=, crossposts= and, for version
    19997, test= and seed=; for webkb test_university=. Rows that could not be read are told in the training part's
    tally.
    """
    collection, edition = _find_version(name, version)
    settings = _settings(collection, edition, options, splitting=True)
    source = _read(collection, edition, data, strict, sink, settings)
    whole = source.in_memory()
    split = _reader(collection).split(whole, edition.name, settings)
    title = f"{collection.name} {edition.name}"
    return (
        _part(whole, split.train, split.labels, name=f"{title} (train)", tally=source.tally),
        _part(whole, split.test, split.labels, name=f"{title} (test)", tally=Tally()),
    )


@dataclass(frozen=True, slots=True)
class Verification:
    """Documents and fingerprint of each part, as found and as the table has them."""

    name: str
    version: str
    found: dict[str, tuple[int, str]]
    expected: dict[str, tuple[int, str]]

    @property
    def same(self) -> bool:
        """Whether these are the documents the table speaks of, to the last letter."""
        return self.found == self.expected


def verify(name: str, version: str | None = None, data: Data = None) -> Verification:
    """Compare what a person has with the table."""
    collection, edition = _find_version(name, version)
    if "all" in edition.parts:
        parts = {"all": read(name, version=edition.name, data=data)}
    else:
        parts = dict(zip(("train", "test"), load(name, version=edition.name, data=data), strict=True))
    found = {part: (len(corpus), fingerprint(corpus)) for part, corpus in parts.items()}
    expected = {name: (part.documents, part.fingerprint) for name, part in edition.parts.items()}
    return Verification(collection.name, edition.name, found, expected)


def fingerprint(corpus: Corpus) -> str:
    """SHA-256 over the documents sorted by id: id, sorted labels, text fields, each with its length before it."""
    import hashlib

    digest = hashlib.sha256()
    for document in sorted(corpus.documents(), key=lambda document: document.id):
        for group in ([document.id], sorted(document.labels), list(document.fields.values())):
            digest.update(b"%d:" % len(group))
            for text in group:
                raw = text.encode()
                digest.update(b"%d:" % len(raw))
                digest.update(raw)
    return digest.hexdigest()


def _find_version(name: str, version: str | None) -> tuple[Collection, Version]:
    compared = comparable_name(name)
    for collection in COLLECTIONS.values():
        if compared in {collection.name, *collection.aliases}:
            break
    else:
        raise UnknownName("collection", name, COLLECTIONS)
    if version is None:
        return collection, collection.versions[0]
    for candidate in collection.versions:
        if comparable_name(str(version)) in map(comparable_name, (candidate.name, *candidate.aliases)):
            return collection, candidate
    raise UnknownName(f"version of {collection.name}", str(version), [listed.name for listed in collection.versions])


def _settings(
    collection: Collection, version: Version, arguments: dict[str, Any], *, splitting: bool
) -> dict[str, Any]:
    random_split = splitting and "all" in version.parts
    allowed = {
        name: default
        for name, default in collection.options.items()
        if name not in _SPLITTING or (splitting and (random_split or isinstance(default, tuple)))
    }
    settings: dict[str, Any] = {}
    for name in arguments.keys() - allowed.keys():
        raise UnknownName(f"option of {collection.name} here", name, allowed)
    for name, default in allowed.items():
        value = arguments.get(name, default[0] if isinstance(default, tuple) else default)
        if isinstance(default, tuple) and value not in default:
            raise UnknownName(name, str(value), default)
        settings[name] = value
    return settings


def _locate(collection: Collection, version: Version, data: Data) -> Path:
    if collection.name == "enquiries":  # ships inside the package
        return Path(__file__).parents[2] / "data" / f"{version.files[0]}.jsonl"
    cure = f"get {version.files[0]} from: {collection.source}. Give its folder as data= or in RUBRICATE_DATA"
    folder = data if data is not None else os.environ.get("RUBRICATE_DATA")
    if not folder:
        raise MissingData(collection.name, "no folder was given", cure)
    root = Path(folder)
    if root.is_file():
        return root
    if not root.is_dir():
        raise MissingData(str(root), "there is no such folder", cure)
    archives = [root / f"{stem}{suffix}" for stem in version.files for suffix in _SUFFIXES]
    places = [path for path in archives if path.is_file()]
    places += [root / stem for stem in version.files if (root / stem).is_dir()]
    if places or (root / version.sign).exists():
        return places[0] if places else root
    raise MissingData(str(root), f"{collection.title} ({version.name}) is not in this folder", cure)


def _reader(collection: Collection) -> CollectionReader:
    module, name = _READERS[collection.name]
    reader: CollectionReader = getattr(import_module(f".{module}", __name__), name)
    return reader


def _read(
    collection: Collection, version: Version, data: Data, strict: bool, sink: Sink, settings: dict[str, Any]
) -> Corpus:
    """A corpus that reads its files when first used, then holds the batches and the account of that reading."""
    path = _locate(collection, version, data)
    reader = _reader(collection)
    columns = reader.columns(settings)
    readings: list[tuple[list[pa.RecordBatch], Tally, list[Reject]]] = []  # the first

    def source(tally: Tally) -> Iterator[pa.RecordBatch]:
        if not readings:
            rejects: list[Reject] = []
            account = Tally(strict=tally.strict, sink=rejects.append)
            rows = reader.rows(path, version.name, settings, account)
            readings.append((list(batched(rows, columns, account)), account, rejects))
        batches, account, rejects = readings[0]
        _copy_account(account, rejects, tally)
        if not account.kept:
            raise MissingData(str(path), f"no document of {collection.title} is in it", f"see {collection.source}")
        tally.keep(account.kept)
        yield from batches

    return Corpus(source, columns=columns, name=f"{collection.name} {version.name}", strict=strict, sink=sink)


def _copy_account(earlier: Tally, rejects: list[Reject], tally: Tally) -> None:
    """Put the rejects and repairs of an earlier reading into a new account."""
    tally.rows_in += earlier.rejected
    tally.rejected += earlier.rejected
    tally.reasons.update(earlier.reasons)
    tally.repairs.update(earlier.repairs)
    tally.first.extend(earlier.first)
    tally.failures.update(earlier.failures)
    tally.first_repairs.update(earlier.first_repairs)
    if tally.sink is not None:
        for reject in rejects:
            tally.sink(reject)


def _part(whole: Corpus, mask: Array, labels: frozenset[str] | None, *, name: str, tally: Tally) -> Corpus:
    """The chosen documents in memory, with the labels that stay."""
    import pyarrow as pa

    batches = []
    for batch in whole.at(mask):
        if labels is not None:
            rows = [[label for label in row if label in labels] for row in batch.column("labels").to_pylist()]
            position = batch.schema.get_field_index("labels")
            batch = batch.set_column(position, batch.schema.field(position), pa.array(rows, pa.list_(pa.string())))
        batches.append(batch)

    def source(account: Tally) -> Iterator[pa.RecordBatch]:
        _copy_account(tally, [], account)
        for batch in batches:
            account.keep(batch.num_rows)
            yield batch

    return Corpus(source, columns=whole.columns, name=name)
