"""Files: arrays and a manifest, no code. Refused if a single bit differs.

A model file, `.rub`, is mapped into memory:

    head        320 bytes of text: what it is and its format; sizes and SHA-256 of the next two; SHA-256 of all this
    manifest    JSON, at most 16 MB: what the model is, how it came about, and the SHA-256 of each array; see `manifest`
    arrays      safetensors, as it stands: a table of names, types, shapes and places, then the numbers

Counts and background collections, which are read whole:

    line 1      what it is and its version, e.g. `rubricate counts 1`
    line 2      SHA-256 of everything after this line
    rest        safetensors, with the manifest as JSON in its metadata

Files are written beside and renamed: at any moment the old one or the new one is there whole. Same manifest, same arrays, same
version of rubricate: same bytes. A reader compares sizes with the file before it looks further, and checks every SHA-256 before
it hands anything out. The digests find accidents, not forgers, who can compute digests too: what a file says is checked again
where it becomes a thing (`trees`, `checks`). A model file must not be changed in place while it is mapped; `write` renames.
"""

from __future__ import annotations

import errno
import hashlib
import mmap
import os
import re
import stat
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from ..errors import DamagedFile, InvalidSetting, MissingData, TooLarge
from ..foundation.arrays import Array
from ..foundation.files import write_atomically
from ..foundation.jsonable import from_json, to_json
from .array_table import LINE, METADATA, Place, flat, parsed_table, places_in, table_for, view_of
from .checks import need
from .manifest import FILLED_IN, FORMAT, Manifest, checked_manifest, manifest_in

HEAD = 320
LARGEST = 16 * 2**20  # bytes of the manifest, and of the table of arrays
FIRST_LINE = re.compile(rb"rubricate model ([1-9][0-9]{0,8})\n")
OTHER_LINES = re.compile(rb"manifest ([0-9]{16}) ([0-9a-f]{64})\narrays   ([0-9]{16}) ([0-9a-f]{64})\n")
FIRST_LINE_LIMIT = 170  # bytes, in files of counts and collections
THREADS = 4
WORTH_A_THREAD = 2**20  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What a model file holds. The arrays are read-only and lie in the file; `digest` names the whole of it."""

    manifest: Manifest
    arrays: dict[str, Array]
    digest: str


@dataclass(frozen=True, slots=True)
class Head:
    """Sizes and digests of the manifest and of the table of arrays; the size of the arrays includes their table's."""

    format: int
    manifest: int
    manifest_digest: str
    arrays: int
    table_digest: str

    @property
    def lines(self) -> bytes:
        return (
            f"rubricate model {self.format}\nmanifest {self.manifest:016d} {self.manifest_digest}\n"
            f"arrays   {self.arrays:016d} {self.table_digest}\n"
        ).encode()

    @property
    def digest(self) -> str:
        """SHA-256 of these lines, which name the digests of everything else."""
        return sha256(self.lines)

    def __bytes__(self) -> bytes:
        return (self.lines + f"head {self.digest}".encode()).ljust(HEAD - 1) + b"\n"


def write(path: str | Path, manifest: Mapping[str, Any], arrays: Mapping[str, Array]) -> str:
    """Write a model file, atomically; its digest is returned.

    manifest: the fields of `manifest.FIELDS` but `format`, `rubricate` and `arrays`. arrays: numbers and booleans by name.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise MissingData(str(path.parent), "there is no such folder", "make it first")
    pieces = {name: flat(name, array) for name, array in arrays.items()}
    order, table = table_for(arrays)
    text = manifest_text(manifest, digests(pieces))
    for what, size in (("manifest", len(text)), ("table of arrays", len(table))):
        if size > LARGEST:
            raise InvalidSetting(f"the {what} takes {size:,} bytes, more than {LARGEST:,}: keep long lists as arrays")
    arrays_size = len(table) + sum(len(piece) for piece in pieces.values())
    head = Head(FORMAT, len(text), sha256(text), arrays_size, sha256(table))
    write_atomically(path, [bytes(head), text, table, *(pieces[name].data for name in order)])
    return head.digest


def manifest_text(manifest: Mapping[str, Any], of_arrays: dict[str, str]) -> bytes:
    from .. import __version__

    if filled := manifest.keys() & set(FILLED_IN):
        raise InvalidSetting(f"manifest: {', '.join(sorted(filled))} is filled in when it is written; leave it out")
    text = to_json({**manifest, "format": FORMAT, "rubricate": __version__, "arrays": of_arrays})
    checked_manifest(from_json(text, "manifest"))  # what could not be read is not written
    return text + b" " * (-len(text) % LINE)


def read(path: str | Path) -> Stored:
    """A model file, checked from the first byte to the last and mapped into memory."""
    path = Path(path)
    content = mapped(path)
    head = head_of(content, path)
    manifest_end = HEAD + head.manifest
    text = content[HEAD:manifest_end]
    need_same(sha256(text), head.manifest_digest, path, "the manifest")
    manifest = manifest_in(from_json(text, str(path)), head.format, str(path))
    size = int.from_bytes(content[manifest_end : manifest_end + 8], "little")
    fits = head.arrays >= 8 and size <= min(head.arrays - 8, LARGEST)
    need(fits, f"{path}: a table of arrays of {size:,} bytes, in {head.arrays:,}")
    first = manifest_end + 8 + size
    table = content[manifest_end:first]
    need_same(sha256(table), head.table_digest, path, "the table of arrays")
    places = places_in(parsed_table(table[8:], str(path)), len(content) - first, str(path))
    need(places.keys() == manifest["arrays"].keys(), f"{path}: the manifest and the table name different arrays")
    view = memoryview(content)
    actual = digests({name: view[first + at.start : first + at.end] for name, at in places.items()})
    for name, digest in manifest["arrays"].items():
        need_same(actual[name], digest, path, f"array {name!r}")
    return Stored(manifest, views(content, places, first, path), head.digest)


# -- counts and background collections


def write_arrays(
    path: str | Path, arrays: Mapping[str, Array], manifest: dict[str, Any], *, kind: str, version: int
) -> None:
    """Write named arrays and a manifest under `kind` and `version`, atomically."""
    text = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS).decode()
    pieces = {name: flat(name, array) for name, array in arrays.items()}
    order, table = table_for(arrays, {"manifest": text})
    parts: list[bytes | memoryview] = [table, *(pieces[name].data for name in order)]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    write_atomically(path, [f"rubricate {kind} {version}\n{digest.hexdigest()}\n".encode(), *parts])


def read_arrays(path: str | Path, *, kind: str, version: int) -> tuple[dict[str, Array], dict[str, Any]]:
    """Arrays and manifest of `write_arrays`; anything else is refused with the reason."""
    path = Path(path)
    with opened(path) as handle, os.fdopen(handle, "rb", closefd=False) as file:
        content = file.read()
    first = content[:FIRST_LINE_LIMIT].partition(b"\n")[0]
    words = first.decode("ascii", "replace").split()
    ours = len(words) == 3 and words[0] == "rubricate" and words[2].isdigit()
    need(ours, f"{path}: not a file of rubricate")
    need(words[1] == kind, f"{path}: holds {words[1]}, not {kind}")
    newer = int(words[2]) > version
    need(not newer, f"{path}: format {words[2]} is newer than this rubricate reads ({version}); update rubricate")
    start = len(first) + 1 + 64 + 1
    intact = first == f"rubricate {kind} {int(words[2])}".encode() and content[start - 1 : start] == b"\n"
    need(intact, f"{path}: the first lines are damaged")
    body = content[start:]  # a copy, in which the numbers begin where their types may begin
    unchanged = sha256(body).encode() == content[len(first) + 1 : start - 1]
    need(unchanged, f"{path}: the checksum does not match; the file was changed or cut off")
    end = 8 + int.from_bytes(body[:8], "little")
    table = parsed_table(body[8:end], str(path))
    try:
        manifest = orjson.loads(table.pop(METADATA)["manifest"])
    except (KeyError, TypeError, ValueError) as problem:
        raise DamagedFile(f"{path}: {problem}") from None
    need(isinstance(manifest, dict), f"{path}: the manifest is no object of JSON")
    return views(body, places_in(table, len(body) - end, str(path)), end, path), manifest


# -- parts


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """The handle of an ordinary file, open for reading; a named pipe must not keep us waiting."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise MissingData(str(path), "there is no such file", "check the name") from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DamagedFile(f"{path}: not a file of rubricate; it is no ordinary file at all")
        yield handle
    finally:
        os.close(handle)


def mapped(path: Path) -> mmap.mmap:
    with opened(path) as handle:
        size = os.fstat(handle).st_size
        if size < HEAD:
            raise not_ours(path, os.read(handle, HEAD))
        try:
            return mmap.mmap(handle, size, access=mmap.ACCESS_READ)
        except OSError as problem:
            if problem.errno != errno.ENOMEM:
                raise
            what = f"{size:,} bytes do not fit in the memory this process may use"
            raise TooLarge(str(path), what, "raise its limit") from None


def head_of(content: mmap.mmap, path: Path) -> Head:
    """The head, if all of it is as it was written and the file is as long as it says."""
    start = content[:HEAD]
    first = FIRST_LINE.match(start)
    if first is None:
        raise not_ours(path, start)
    version = int(first[1])
    need(version <= FORMAT, f"{path}: made by a newer rubricate (format {version}, this one reads {FORMAT}): upgrade")
    lines = OTHER_LINES.match(start, first.end())
    sizes_and_digests = lines.groups() if lines else (b"0", b"", b"0", b"")
    manifest, manifest_digest, arrays, table_digest = map(bytes.decode, sizes_and_digests)
    head = Head(version, int(manifest), manifest_digest, int(arrays), table_digest)
    need_same(bytes(head), start, path, "the head")
    if head.manifest > LARGEST:
        raise TooLarge(
            str(path), f"a manifest of {head.manifest:,} bytes, more than {LARGEST:,}", "it is not one of ours"
        )
    size = HEAD + head.manifest + head.arrays
    if len(content) != size:
        what = "cut off" if len(content) < size else "longer than it was written"
        raise DamagedFile(f"{path}: {what}: {len(content):,} of {size:,} bytes; copy it again, or write the model anew")
    return head


def views(buffer: Any, places: dict[str, Place], first: int, where: str | Path) -> dict[str, Array]:
    arrays = {name: view_of(buffer, place, first) for name, place in sorted(places.items())}
    for name, array in arrays.items():
        boolean = array.dtype != bool or not array.size or array.view(np.uint8).max() <= 1
        need(boolean, f"{where}: array {name!r} holds what is neither true nor false")
    return arrays


def sha256(data: Any) -> str:
    return hashlib.sha256(data).hexdigest()


def digests(pieces: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 of each piece; large ones side by side, the largest first."""
    large = sorted((name for name in pieces if len(pieces[name]) >= WORTH_A_THREAD), key=lambda n: -len(pieces[n]))
    by_name = {name: sha256(piece) for name, piece in pieces.items() if len(piece) < WORTH_A_THREAD}
    if large:
        with ThreadPoolExecutor(THREADS) as pool:
            by_name |= zip(large, pool.map(lambda name: sha256(pieces[name]), large), strict=True)
    return by_name


def need_same(actual: str | bytes, expected: str | bytes, path: Path, what: str) -> None:
    cure = "copy the file again, or write the model anew"
    need(actual == expected, f"{path}: {what} is not what was written (SHA-256 differs); {cure}")


def not_ours(path: Path, start: bytes) -> DamagedFile:
    words = start.split(b"\n")[0].split()
    if len(words) == 3 and words[0] == b"rubricate" and words[1].isalpha() and words[1] != b"model":
        return DamagedFile(f"{path}: holds {words[1].decode()}, not a model")
    if start.startswith(b"rubricate model "):
        return DamagedFile(f"{path}: cut off, or its head is damaged; copy it again, or write the model anew")
    return DamagedFile(f"{path}: not a model of rubricate")
