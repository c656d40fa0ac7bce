"""Writing and reading the file; the layout is told in the package."""

from __future__ import annotations

import errno
import hashlib
import mmap
import os
import re
import stat
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DamagedFile, InvalidSetting, MissingData, TooLarge
from ..foundation.arrays import Array
from ..stored import write_atomically
from .manifest import FORMAT, Manifest, as_manifest, made_manifest
from .plain import from_json, to_json
from .tables import LINE, Place, flat, places_in, table_for, view_of

__all__ = ["Stored", "read", "write"]

HEAD = 320
LARGEST = 16 * 2**20  # bytes of the manifest, and of the table of arrays
FIRST_LINE = re.compile(rb"rubricate model ([1-9][0-9]{0,8})\n")
OTHER_LINES = re.compile(rb"manifest ([0-9]{16}) ([0-9a-f]{64})\narrays   ([0-9]{16}) ([0-9a-f]{64})\n")
THREADS = 4
WORTH_A_THREAD = 2**20  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What a file holds. The arrays are read-only and lie in the file; `digest` names the whole of it."""

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
        """The first three lines."""
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

    manifest: the fields of `Manifest` but `format`, `rubricate` and `arrays`. arrays: numbers and booleans by name.
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
    """The manifest as it is written."""
    from .. import __version__

    own = {"format": FORMAT, "rubricate": __version__, "arrays": of_arrays}
    if given := own.keys() & manifest.keys():
        raise InvalidSetting(f"manifest: {', '.join(sorted(given))} is filled in when it is written; leave it out")
    text = to_json({**manifest, **own})
    made_manifest(from_json(text, "manifest"))  # what could not be read is not written
    return text + b" " * (-len(text) % LINE)


def read(path: str | Path) -> Stored:
    """A model file, checked from the first byte to the last and mapped into memory."""
    path = Path(path)
    held = mapped(path)
    head = head_of(held, path)
    manifest_end = HEAD + head.manifest
    text = held[HEAD:manifest_end]
    if sha256(text) != head.manifest_digest:
        raise changed(path, "the manifest")
    manifest = as_manifest(from_json(text, str(path)), head.format, str(path))
    first = manifest_end + 8 + table_size(held, manifest_end, head, path)
    table = held[manifest_end:first]
    if sha256(table) != head.table_digest:
        raise changed(path, "the table of arrays")
    places = places_in(table[8:], len(held) - first, str(path))
    if places.keys() != manifest.arrays.keys():
        raise DamagedFile(f"{path}: the manifest and the table name different arrays")
    view = memoryview(held)
    found = digests({name: view[first + at.start : first + at.end] for name, at in places.items()})
    for name, digest in manifest.arrays.items():
        if found[name] != digest:
            raise changed(path, f"array {name!r}")
    return Stored(manifest, views(held, places, first, path), head.digest)


# -- parts


def mapped(path: Path) -> mmap.mmap:
    """The file, mapped into memory for reading."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a named pipe must not keep us waiting
    except FileNotFoundError:
        raise MissingData(str(path), "there is no such file", "check the name") from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise DamagedFile(f"{path}: not a file of rubricate; it is no ordinary file at all")
        if found.st_size < HEAD:
            raise not_ours(path, os.read(handle, HEAD))
        return mmap.mmap(handle, found.st_size, access=mmap.ACCESS_READ)
    except OSError as problem:
        if problem.errno != errno.ENOMEM:
            raise
        what = f"{found.st_size:,} bytes do not fit in the memory this process may use"
        raise TooLarge(str(path), what, "raise its limit") from None
    finally:
        os.close(handle)


def head_of(held: mmap.mmap, path: Path) -> Head:
    """The head, if all of it is as it was written and the file is as long as it says."""
    start = held[:HEAD]
    first = FIRST_LINE.match(start)
    if first is None:
        raise not_ours(path, start)
    if int(first[1]) > FORMAT:
        raise DamagedFile(
            f"{path}: made by a newer rubricate (format {int(first[1])}, this one reads {FORMAT}): upgrade"
        )
    lines = OTHER_LINES.match(start, first.end())
    if lines is None:
        raise changed(path, "the head")
    head = Head(int(first[1]), int(lines[1]), lines[2].decode(), int(lines[3]), lines[4].decode())
    if bytes(head) != start:
        raise changed(path, "the head")
    if head.manifest > LARGEST:
        raise TooLarge(
            str(path), f"a manifest of {head.manifest:,} bytes, more than {LARGEST:,}", "it is not one of ours"
        )
    size = HEAD + head.manifest + head.arrays
    if len(held) != size:
        what = "cut off" if len(held) < size else "longer than it was written"
        raise DamagedFile(f"{path}: {what}: {len(held):,} of {size:,} bytes; copy it again, or write the model anew")
    return head


def table_size(held: mmap.mmap, start: int, head: Head, path: Path) -> int:
    """The bytes of the table of arrays, within what there is."""
    size = int.from_bytes(held[start : start + 8], "little")
    if head.arrays < 8 or not size <= min(head.arrays - 8, LARGEST):
        raise DamagedFile(f"{path}: a table of arrays of {size:,} bytes, in {head.arrays:,}")
    return size


def views(held: mmap.mmap, places: dict[str, Place], first: int, path: Path) -> dict[str, Array]:
    """All arrays, where they lie."""
    arrays = {name: view_of(held, place, first) for name, place in sorted(places.items())}
    for name, array in arrays.items():
        if array.dtype == bool and array.size and array.view(np.uint8).max() > 1:
            raise DamagedFile(f"{path}: array {name!r} holds what is neither true nor false")
    return arrays


def sha256(data: Any) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digests(pieces: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 of each piece; large ones side by side, the largest first."""
    large = sorted((name for name in pieces if len(pieces[name]) >= WORTH_A_THREAD), key=lambda n: -len(pieces[n]))
    found = {name: sha256(piece) for name, piece in pieces.items() if len(piece) < WORTH_A_THREAD}
    if large:
        with ThreadPoolExecutor(THREADS) as pool:
            found |= zip(large, pool.map(lambda name: sha256(pieces[name]), large), strict=True)
    return found


def changed(path: Path, what: str) -> DamagedFile:
    """A part whose digest does not match."""
    return DamagedFile(
        f"{path}: {what} is not what was written (SHA-256 differs); copy the file again, or write the model anew"
    )


def not_ours(path: Path, start: bytes) -> DamagedFile:
    """What has no head of ours."""
    words = start.split(b"\n")[0].split()
    if len(words) == 3 and words[0] == b"rubricate" and words[1].isalpha() and words[1] != b"model":
        return DamagedFile(f"{path}: holds {words[1].decode()}, not a model")
    if start.startswith(b"rubricate model "):
        return DamagedFile(f"{path}: cut off, or its head is damaged; copy it again, or write the model anew")
    return DamagedFile(f"{path}: not a model of rubricate")
