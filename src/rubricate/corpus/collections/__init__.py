"""The papers' collections: reader, split, fingerprint, and where a person gets each.

    train, test = load("reuters21578", version="90", data=DIR)
    whole = read("20newsgroups", version="bydate", data=DIR)          # no split; kept columns to split by
    verify("webkb", data=DIR).same                                    # are these the documents the table speaks of?

DIR holds the archives as they are distributed (xz, gz, bz2 or plain tar), or unpacked folders, or is one of these
itself; without it the environment variable RUBRICATE_DATA is asked. Archives and folders give the same documents in the
same order, which needs sorting: a collection (under 60 MB) is held in memory, read once, when first used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa

from ...errors import BadChoice, MissingData, UnknownName
from ...foundation.arrays import Array
from .. import Corpus, Reject, Tally, batched
from . import enquiries, newsgroups, ohsumed, reuters21578, webkb
from .catalogue import COLLECTIONS, Collection, Version, simple
from .ohsumed import LABEL_NAMES
from .reuters21578 import TEN_TOPICS

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

_MODULES: dict[str, ModuleType] = {
    "enquiries": enquiries,
    "reuters21578": reuters21578,
    "20newsgroups": newsgroups,
    "ohsumed": ohsumed,
    "webkb": webkb,
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
    collection, chosen = _find(name, version)
    if version is not None and len({own.files for own in collection.versions}) == 1 < len(collection.versions):
        raise BadChoice(f"{collection.name} is read whole: version={version!r} is a split, use load()")
    return _read(collection, chosen, data, strict, sink, _options(collection, chosen, options, splitting=False))


def load(
    name: str, *, version: str | None = None, data: Data = None, strict: bool = False, sink: Sink = None, **options: Any
) -> tuple[Corpus, Corpus]:
    """The training and the test part of a collection, as its paper split it; without a version, the first of the table.

    Extra keywords by collection (`COLLECTIONS[name].options`): for 20newsgroups headers=, crossposts= and, for version
    19997, test= and seed=; for webkb test_university=. Rows that could not be read are told in the training part's
    tally.
    """
    collection, chosen = _find(name, version)
    settings = _options(collection, chosen, options, splitting=True)
    source = _read(collection, chosen, data, strict, sink, settings)
    whole = Corpus.from_batches(list(iter(source)), columns=source.columns, name=source.name)
    split = _MODULES[collection.name].split(whole, chosen.name, settings)
    title = f"{collection.name} {chosen.name}"
    return (
        _part(whole, split.train, split.labels, name=f"{title} (train)", told=source.tally),
        _part(whole, split.test, split.labels, name=f"{title} (test)", told=Tally()),
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
    collection, chosen = _find(name, version)
    if "all" in chosen.parts:
        parts = {"all": _read(collection, chosen, data, False, None, _options(collection, chosen, {}, splitting=False))}
    else:
        parts = dict(zip(("train", "test"), load(name, version=chosen.name, data=data), strict=True))
    found = {part: (len(corpus), fingerprint(corpus)) for part, corpus in parts.items()}
    expected = {part: (own.documents, own.fingerprint) for part, own in chosen.parts.items()}
    return Verification(collection.name, chosen.name, found, expected)


def fingerprint(corpus: Corpus) -> str:
    """SHA-256 over the documents sorted by id: id, sorted labels, text fields, each with its length before it."""
    digest = hashlib.sha256()
    for document in sorted(corpus.documents(), key=lambda own: own.id):
        for group in ([document.id], sorted(document.labels), list(document.fields.values())):
            digest.update(b"%d:" % len(group))
            for text in group:
                raw = text.encode()
                digest.update(b"%d:" % len(raw))
                digest.update(raw)
    return digest.hexdigest()


def _find(name: str, version: str | None) -> tuple[Collection, Version]:
    wanted = simple(name)
    for collection in COLLECTIONS.values():
        if wanted in {collection.name, *collection.aliases}:
            break
    else:
        raise UnknownName("collection", name, COLLECTIONS)
    if version is None:
        return collection, collection.versions[0]
    for own in collection.versions:
        if simple(str(version)) in {simple(alias) for alias in (own.name, *own.aliases)}:
            return collection, own
    raise UnknownName(f"version of {collection.name}", str(version), [own.name for own in collection.versions])


def _options(collection: Collection, version: Version, given: dict[str, Any], *, splitting: bool) -> dict[str, Any]:
    """The settings, with defaults, checked against the table."""
    drawn = splitting and "all" in version.parts
    allowed = {
        name: default
        for name, default in collection.options.items()
        if name not in _SPLITTING or (splitting and (drawn or isinstance(default, tuple)))
    }
    settings: dict[str, Any] = {}
    for name in given.keys() - allowed.keys():
        raise UnknownName(f"option of {collection.name} here", name, allowed)
    for name, default in allowed.items():
        value = given.get(name, default[0] if isinstance(default, tuple) else default)
        if isinstance(default, tuple) and value not in default:
            raise UnknownName(name, str(value), default)
        settings[name] = value
    return settings


def _locate(collection: Collection, version: Version, data: Data) -> Path:
    """The archive or folder that holds a version."""
    if collection.name == "enquiries":
        return enquiries.FILES[version.name]
    cure = f"get {version.files[0]} from: {collection.source}. Give its folder as data= or in RUBRICATE_DATA"
    given = data if data is not None else os.environ.get("RUBRICATE_DATA")
    if not given:
        raise MissingData(collection.name, "no folder was given", cure)
    root = Path(given)
    if root.is_file():
        return root
    if not root.is_dir():
        raise MissingData(str(root), "there is no such folder", cure)
    candidates = [root / f"{stem}{suffix}" for stem in version.files for suffix in _SUFFIXES]
    folders = [root / stem for stem in version.files]
    for path in candidates:
        if path.is_file():
            return path
    for path in folders:
        if path.is_dir():
            return path
    if (root / version.sign).exists():
        return root
    raise MissingData(str(root), f"{collection.title} ({version.name}) is not in this folder", cure)


def _read(
    collection: Collection, version: Version, data: Data, strict: bool, sink: Sink, settings: dict[str, Any]
) -> Corpus:
    """A corpus that reads its files when first used, then holds the batches and the account of that reading."""
    path = _locate(collection, version, data)
    module = _MODULES[collection.name]
    columns = module.columns(settings)
    held: list[pa.RecordBatch] = []
    first: list[Tally] = []
    rejects: list[Reject] = []

    def source(tally: Tally) -> Iterator[pa.RecordBatch]:
        if first:
            _retell(first[0], rejects, tally)
            tally.keep(first[0].kept)
        else:
            given, tally.sink = tally.sink, rejects.append
            held.extend(batched(module.rows(path, version.name, settings, tally), columns, tally))
            tally.sink = given
            if given is not None:
                for reject in rejects:
                    given(reject)
            if not tally.kept:
                raise MissingData(str(path), f"no document of {collection.title} is in it", f"see {collection.source}")
            first.append(tally)
        yield from held

    return Corpus(source, columns=columns, name=f"{collection.name} {version.name}", strict=strict, sink=sink)


def _retell(told: Tally, rejects: list[Reject], tally: Tally) -> None:
    """Put the rejects and repairs of an earlier reading into a new account."""
    tally.rows_in += told.rejected
    tally.rejected += told.rejected
    tally.reasons.update(told.reasons)
    tally.repairs.update(told.repairs)
    tally.first.extend(told.first)
    if tally.sink is not None:
        for reject in rejects:
            tally.sink(reject)


def _part(whole: Corpus, chosen: Array, labels: frozenset[str] | None, *, name: str, told: Tally) -> Corpus:
    """The chosen documents in memory, with the labels that stay."""
    batches = []
    for batch in whole.at(chosen):
        if labels is not None:
            own = [[label for label in several if label in labels] for several in batch.column("labels").to_pylist()]
            position = batch.schema.get_field_index("labels")
            batch = batch.set_column(position, batch.schema.field(position), pa.array(own, pa.list_(pa.string())))
        batches.append(batch)

    def source(tally: Tally) -> Iterator[pa.RecordBatch]:
        _retell(told, [], tally)
        for batch in batches:
            tally.keep(batch.num_rows)
            yield batch

    return Corpus(source, columns=whole.columns, name=name)
