"""The files of a collection, from a folder or straight out of a tar archive (xz, gz, bz2 or plain), one at a time.

An archive is streamed and nothing is ever written to disk. Only plain files are opened: links, devices, and names that
lead out of the archive are rejected, with the reason. An archive that is cut short or damaged is an error that names it, also
where Python's tarfile would quietly stop; so is one that unpacks to far more than its size lets expect.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from ...errors import InputError, MissingData, TooLarge
from .. import Tally
from ..tally import printable_path

MEMBER_BYTES = 64 << 20
HEADER_BYTES = 4096
ARCHIVE_BYTES = 4 << 30
FREE_BYTES = 256 << 20
RATIO = 200


_OPENERS: dict[bytes, Callable[..., Any]] = {b"\xfd7zXZ\0": lzma.open, b"\x1f\x8b": gzip.open, b"BZh": bz2.open}


class Member(NamedTuple):
    """A file of a collection: the parts of its path, made safe to use as an id, and its bytes."""

    parts: tuple[str, ...]
    data: bytes


PathFilter = Callable[[tuple[str, ...]], bool]


def members(path: Path, *, select: PathFilter, tally: Tally) -> Iterator[Member]:
    """The wanted files below a folder or in an archive, in no promised order."""
    return _folder_members(path, select, tally) if path.is_dir() else _archive_members(path, select, tally)


def safe_parts(name: str) -> tuple[str, ...]:
    """The parts of a path, with bytes that are no UTF-8 and control characters written as %XX.

    Characters that some systems cannot have in names travel as U+F0xx (the colon of `http:` as U+F03A): they are put
    back.
    """
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if not (text.isascii() and text.isprintable()):
        text = "".join(chr(ord(c) - 0xF000) if 0xF000 < ord(c) < 0xF080 else c for c in text)
        text = "".join(f"%{ord(c):02X}" if ord(c) < 32 or ord(c) == 127 else c for c in text)
    return tuple(part for part in text.split("/") if part not in ("", "."))


def _folder_members(folder: Path, select: PathFilter, tally: Tally) -> Iterator[Member]:
    def unreadable(error: OSError) -> None:
        what = f"a folder that cannot be read: {error.strerror}"
        tally.reject(printable_path(error.filename), what, "give read permission")

    for parent, _, names in os.walk(folder, onerror=unreadable):
        for name in names:
            path = Path(parent, name)
            parts = safe_parts(path.relative_to(folder).as_posix())
            if not select(parts):
                continue
            where = printable_path(path)
            try:
                status = path.lstat()
                if not stat.S_ISREG(status.st_mode):
                    tally.reject(where, "no plain file", "links and devices are never opened")
                elif status.st_size > MEMBER_BYTES:
                    tally.reject(where, f"a file of more than {MEMBER_BYTES >> 20} MB")
                else:
                    yield Member(parts, path.read_bytes())
            except OSError as error:
                tally.reject(where, f"cannot be read: {error.strerror}")


class _DamagedArchive(tarfile.TarError):
    """A header that tarfile would take for the end of the archive."""


class _Header(tarfile.TarInfo):
    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Like tarfile's, but an archive ends with its end mark and in no other way."""
        if len(buf) != tarfile.BLOCKSIZE:
            raise _DamagedArchive("it has no end mark")
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.TarError as error:
            if not any(buf):
                raise
            raise _DamagedArchive(str(error)) from error
        extended = header.type in (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
        extended |= header.type in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
        # Sizes that make tarfile loop for ever, or search a header in quadratic time.
        if not 0 <= header.size <= (HEADER_BYTES if extended else ARCHIVE_BYTES):
            raise _DamagedArchive(f"a header says it has {header.size} bytes")
        return header


class _UnpackedFile:
    """A file's bytes without their compression, which its first bytes tell; no more than its size lets expect."""

    def __init__(self, path: Path) -> None:
        self._name = printable_path(path)
        try:
            with path.open("rb") as file:
                magic = file.read(6)
                self._remaining = max(FREE_BYTES, RATIO * os.fstat(file.fileno()).st_size)
        except FileNotFoundError:
            raise MissingData(self._name, "no such file", "check the path") from None
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise InputError(self._name, what, "check the path and its permissions") from error
        openers = (opener for signature, opener in _OPENERS.items() if magic.startswith(signature))
        self._file: IO[bytes] = next(openers, open)(path, "rb")

    def read(self, size: int) -> bytes:
        try:
            data = self._file.read(size)
        except (lzma.LZMAError, zlib.error, EOFError, OSError) as error:
            raise InputError(self._name, f"damaged or cut short ({error})", "get it again") from error
        self._remaining -= len(data)
        if self._remaining < 0:
            raise TooLarge(self._name, f"it unpacks to more than {RATIO} times its size", "unpack it yourself")
        return data

    def close(self) -> None:
        self._file.close()


def _archive_members(path: Path, select: PathFilter, tally: Tally) -> Iterator[Member]:
    try:
        with closing(_UnpackedFile(path)) as stream:
            with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|", bufsize=1 << 18, tarinfo=_Header) as tar:
                while (member := tar.next()) is not None:
                    if not 0 <= member.size <= ARCHIVE_BYTES:  # an extended header may have changed it
                        raise _DamagedArchive(f"{printable_path(member.name)} is said to have {member.size} bytes")
                    tar.members = []  # type: ignore[attr-defined]  # or it would keep every header
                    file = _member_of(tar, member, path, select, tally)
                    if file is not None:
                        yield file
            while stream.read(1 << 16):
                pass  # the compression's own checksum stands at its end
    except (tarfile.TarError, ValueError, LookupError) as error:  # the last two from headers that make no sense
        what = f"the archive is damaged or cut short ({error})"
        raise InputError(printable_path(path), what, "get it again") from error


def _member_of(
    tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path, select: PathFilter, tally: Tally
) -> Member | None:
    where = f"{printable_path(path)}: {printable_path(member.name)}"
    parts = safe_parts(member.name)
    if member.name.startswith("/") or ".." in parts:
        tally.reject(where, "a name that leads out of the archive", "it was not opened")
    elif member.isdir():
        pass
    elif not member.isreg() or member.issparse():
        tally.reject(where, "a link, device or sparse file in the archive", "it was not opened")
    elif parts and select(parts):
        if member.size > MEMBER_BYTES:
            tally.reject(where, f"a file of more than {MEMBER_BYTES >> 20} MB")
        elif (file := tar.extractfile(member)) is not None:
            return Member(parts, file.read())
    return None
