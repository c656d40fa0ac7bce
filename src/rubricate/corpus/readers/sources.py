"""What a person named, opened: a file or standard input, as bytes, as text, as lines, or as a file to jump about in.

Text may start with a byte order mark (removed, noted). UTF-16 and UTF-32 with a mark or named by `encoding` are turned into
UTF-8 on the way in, so that readers only ever split bytes at ASCII line ends: LF, CR LF or CR alone, which lines keep. A line
longer than the limit is not held in memory: its beginning stands for it, and reading goes on after its end.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ...errors import BadChoice, InputError, MissingData, TooLarge, UnknownName
from ..tally import printable_path
from .decompression import BLOCK, Limits, Readable, Stream, unpacked
from .western import Verdict, WesternLines, looked_through

WIDE = {"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}
# These decoders give lone surrogates, run in quadratic time, or are no character sets at all.
REFUSED = {"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined", "mbcs", "oem"}
PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def text_encoding(name: str) -> str:
    """The canonical name of a character encoding that readers can use; otherwise UnknownName or BadChoice."""
    try:
        known = codecs.lookup(name).name.replace("_", "-")
        if known == "utf-8-sig":
            return "utf-8"
        if known in WIDE:
            return known
        plain = known not in REFUSED and PRINTABLE.decode(known) == PRINTABLE.decode("ascii")
    except (LookupError, ValueError):
        raise UnknownName(
            "encoding", name, ["auto", "utf-8", "latin-1", "cp1252", "utf-16", "shift_jis", "gb18030"]
        ) from None
    if not plain:
        raise BadChoice(f"encoding={name!r} cannot be read line by line; convert the input to UTF-8 first (iconv)")
    return known


class _Recoded:
    """UTF-16 or UTF-32 as UTF-8. What is broken becomes bytes that are not UTF-8, so that its row is rejected."""

    def __init__(self, inner: Readable, name: str, encoding: str) -> None:
        self._inner, self._name, self._encoding = inner, name, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        self._done = False

    def read(self, size: int, /) -> bytes:
        while not self._done:
            data = self._inner.read(size)
            self._done = not data
            try:
                out = self._decoder.decode(data, final=False).encode("utf-8", "surrogatepass")
            except UnicodeError as error:
                what = f"is not valid {self._encoding} ({error})"
                raise InputError(self._name, what, "name the right encoding=") from error
            if self._done and self._decoder.getstate()[0]:
                return out + b"\xff"
            if out:
                return out
        return b""

    def close(self) -> None:
        self._inner.close()


@dataclass(slots=True)
class Opened:
    """Text as bytes in `encoding`, an encoding whose line ends are ASCII; `notes` are repairs made on the way."""

    stream: Stream
    encoding: str
    notes: list[str] = field(default_factory=list)

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()


def as_text(stream: Stream, name: str, encoding: str) -> Opened:
    """Look at the first bytes: take off a byte order mark, turn UTF-16 and UTF-32 into UTF-8."""
    head = stream.peek(4096)
    wide = encoding if encoding in WIDE else None
    if encoding == "utf-8" or wide:
        if head.startswith(codecs.BOM_UTF8):
            stream.read(len(codecs.BOM_UTF8))
            return Opened(stream, "utf-8", ["UTF-8 byte order mark removed"])
        if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            return Opened(Stream(_Recoded(stream, name, "utf-32")), "utf-8", ["read as UTF-32 (byte order mark)"])
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return Opened(Stream(_Recoded(stream, name, "utf-16")), "utf-8", ["read as UTF-16 (byte order mark)"])
    if wide:
        return Opened(Stream(_Recoded(stream, name, wide)), "utf-8")
    if encoding == "utf-8" and len(head) >= 4:
        for offset, guess in ((1, "utf-16-le"), (0, "utf-16-be")):
            half, other = head[offset::2], head[1 - offset :: 2]
            if half.count(0) > 0.6 * len(half) and other.count(0) < 0.2 * len(other):
                raise InputError(name, "looks like UTF-16 without a byte order mark", f'say encoding="{guess}"')
    return Opened(stream, encoding)


class Overlong(bytes):
    """The beginning of a line beyond the limit. `quotes`: how many double quotes the whole line had."""

    quotes: int = 0


def lines(stream: Readable, limit: int) -> Iterator[bytes]:
    """The lines of a stream. What comes out is `bytes`, or `Overlong` in place of a line of more than `limit` bytes."""
    parts: list[bytes] = []  # the pieces so far of a line that crosses blocks
    held = 0
    overlong: Overlong | None = None
    while block := stream.read(BLOCK):
        while block.endswith(b"\r") and (more := stream.read(1)):  # CR LF must not be cut in two
            block += more
        if overlong is not None and b"\n" not in block and b"\r" not in block:
            overlong.quotes += block.count(b'"')
            continue
        pieces, tail = _cut(block)
        if pieces and (parts or overlong is not None):
            first = pieces[0]
            if overlong is None and held + len(first) > limit:
                overlong = _begin(parts)
            if overlong is not None:
                overlong.quotes += first.count(b'"')
                yield overlong
            else:
                yield b"".join((*parts, first))
            parts, held, overlong = [], 0, None
            del pieces[0]
        if limit < len(block):
            for piece in pieces:
                yield piece if len(piece) <= limit else _begin([piece])
        else:
            yield from pieces
        if tail:
            held += len(tail)
            if overlong is not None:
                overlong.quotes += tail.count(b'"')
            elif held > limit:
                overlong = _begin([*parts, tail])
                parts = []
            else:
                parts.append(tail)
    if overlong is not None:
        yield overlong
    elif parts:
        yield b"".join(parts)


def _cut(block: bytes) -> tuple[list[bytes], bytes]:
    """The lines of a block, and what follows the last end of a line. Where there is no CR, LF alone is found much faster."""
    if b"\r" not in block:
        *pieces, tail = block.split(b"\n")
        return [piece + b"\n" for piece in pieces], tail
    pieces = block.splitlines(keepends=True)
    return pieces, b"" if pieces[-1].endswith((b"\n", b"\r")) else pieces.pop()


def _begin(parts: list[bytes]) -> Overlong:
    whole = b"".join(parts)
    overlong = Overlong(whole[:4096])
    overlong.quotes = whole.count(b'"')
    return overlong


class File:
    """A file whose reading errors are ours."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        try:
            return self._file.read(size)
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise InputError(self._name, what, "check the disk or share") from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _Remembered:
    """Standard input that can be looked at again from its start until `settle` is called."""

    def __init__(self, raw: Any) -> None:
        self.raw, self.kept, self.settled = raw, bytearray(), False

    def again(self) -> _View:
        return _View(self)


class _View:
    def __init__(self, whole: _Remembered) -> None:
        self._whole, self._at = whole, 0

    def read(self, size: int, /) -> bytes:
        whole = self._whole
        if self._at < len(whole.kept):
            out = bytes(whole.kept[self._at : self._at + size])
            self._at += len(out)
            return out
        if whole.settled:
            whole.kept, self._at = bytearray(), 0
        try:
            data: bytes = whole.raw.read1(size)
        except OSError as error:
            raise InputError("-", f"standard input cannot be read ({error.strerror or error})") from error
        if not whole.settled:
            whole.kept += data
            self._at += len(data)
        return data

    def close(self) -> None:
        """Standard input is not ours to close."""


class Source:
    """One input a person named; `name` is what they called it. It can be opened again and again, standard input too.
    western: text that is not UTF-8 may be cp1252, see `western`."""

    def __init__(self, path: str | os.PathLike[str], *, limits: Limits, encoding: str, western: bool = False) -> None:
        self.limits, self.encoding = limits, encoding
        self._verdict = Verdict() if western else None
        self._lines: WesternLines | None = None
        self.standard = os.fspath(path) == "-"
        self.name = "-" if self.standard else printable_path(path)
        self.path = Path(path)
        self._input = _Remembered(sys.stdin.buffer) if self.standard else None
        self._spooled: IO[bytes] | None = None

    @property
    def is_folder(self) -> bool:
        """Whether this is a folder. A path that does not exist raises MissingData."""
        return not self.standard and stat.S_ISDIR(self._status().st_mode)

    def _status(self) -> os.stat_result:
        try:
            return self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise MissingData(self.name, "there is no such file or folder", "check the path") from None
        except (OSError, ValueError) as error:
            raise InputError(self.name, f"cannot be opened ({getattr(error, 'strerror', None) or error})") from error

    def _raw(self) -> Readable:
        if self._input is not None:
            return self._input.again()
        mode = self._status().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(self.name, "is a folder where a file is wanted", 'name its files, or say format="folders"')
        if not stat.S_ISREG(mode):
            raise InputError(self.name, "is a pipe, socket or device, not a file", "pipe it in and read -")
        try:
            return File(self.path.open("rb", buffering=0), self.name)
        except PermissionError:
            raise InputError(self.name, "may not be read by you", "ask for read permission (chmod +r)") from None
        except OSError as error:
            raise InputError(self.name, f"cannot be opened ({error.strerror or error})") from error

    def open(self) -> Stream:
        """The bytes, unpacked."""
        raw = self._raw()
        try:
            return unpacked(raw, self.name, self.limits)
        except BaseException:
            raw.close()
            raise

    def text(self) -> Opened:
        """The bytes, unpacked, ready to be split into lines; cp1252 as UTF-8, where nobody named the encoding."""
        opened = self.marked_text()
        verdict = self._verdict
        if verdict is None or opened.notes:  # a byte order mark is believed
            return opened
        try:
            if verdict.western is None and not self.standard:
                with self.open() as stream:
                    verdict.western = looked_through(stream)
        except BaseException:
            opened.stream.close()
            raise
        self._lines = WesternLines(opened.stream, verdict)
        return Opened(Stream(self._lines), opened.encoding)

    def marked_text(self) -> Opened:
        """The bytes, unpacked, without a byte order mark; no other encoding is looked for."""
        stream = self.open()
        try:
            return as_text(stream, self.name, self.encoding)
        except BaseException:
            stream.close()
            raise

    @property
    def western_lines(self) -> int:
        """How many lines were read as cp1252 since the text was last opened."""
        return 0 if self._lines is None else self._lines.lines

    def seekable(self) -> IO[bytes]:
        """A file to jump about in; packed and standard input goes through a temporary file first."""
        if self._spooled is not None:
            self._spooled.seek(0)
            return self._spooled
        with self.open() as stream:
            if not self.standard and not stream.packed:
                return self.path.open("rb")
            copy = tempfile.TemporaryFile()  # noqa: SIM115 -- its life is longer than this function
            written = 0
            while data := stream.read(BLOCK):
                copy.write(data)
                written += len(data)
                if written > self.limits.max_bytes:
                    copy.close()
                    raise TooLarge(self.name, f"has more than {self.limits.max_bytes:,} bytes", "raise max_bytes=")
        copy.seek(0)
        if self.standard:  # it cannot be had again: the copy lives as long as the source
            self._spooled = copy
            weakref.finalize(self, copy.close)
        return copy

    def done_with(self, file: IO[bytes]) -> None:
        """Close what `seekable` gave, unless it is needed for a further reading."""
        if self._input is None or self._input.settled:
            file.close()

    def settle(self) -> None:
        """The last reading begins: what was remembered of standard input may be forgotten as it passes."""
        if self._input is not None:
            self._input.settled = True
