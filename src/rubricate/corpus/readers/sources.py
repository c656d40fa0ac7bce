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
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ...errors import InputError, InvalidSetting, MissingData, TooLarge, UnknownName
from ..tally import printable_path
from .decompression import BLOCK, Limits, Readable, Stream, decompressed_stream
from .western import Verdict, WesternLines, is_cp1252

WIDE = {"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}
# UTF-32 first: its little-endian mark begins with that of UTF-16
WIDE_MARKS = {
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
# These decoders give lone surrogates, run in quadratic time, or are no character sets at all.
REFUSED = {"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined", "mbcs", "oem"}
ENCODING_CURE = 'name the encoding, e.g. encoding="latin-1"'
LIMIT_CURE = "raise max_row_bytes="
PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def text_encoding(name: str) -> str:
    """The canonical name of a character encoding that readers can use; otherwise UnknownName or InvalidSetting."""
    try:
        codec = codecs.lookup(name).name.replace("_", "-")
        if codec == "utf-8-sig":
            return "utf-8"
        if codec in WIDE:
            return codec
        ascii_compatible = codec not in REFUSED and PRINTABLE.decode(codec) == PRINTABLE.decode("ascii")
    except (LookupError, ValueError):
        some = ("auto", "utf-8", "latin-1", "cp1252", "utf-16", "shift_jis", "gb18030")
        raise UnknownName("encoding", name, some) from None
    if not ascii_compatible:
        raise InvalidSetting(f"encoding={name!r} cannot be read line by line; convert the input to UTF-8 first (iconv)")
    return codec


class _Utf8Recoder:
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
class EncodedText:
    """Text as bytes in `encoding`, an encoding whose line ends are ASCII; `notes` are repairs made on the way."""

    stream: Stream
    encoding: str
    notes: list[str] = field(default_factory=list)

    def __enter__(self) -> EncodedText:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()


def encoded_text(stream: Stream, name: str, encoding: str) -> EncodedText:
    """Look at the first bytes: take off a byte order mark, turn UTF-16 and UTF-32 into UTF-8."""
    head = stream.peek(4096)
    wide_encoding = encoding if encoding in WIDE else None
    if encoding == "utf-8" or wide_encoding:
        if head.startswith(codecs.BOM_UTF8):
            stream.read(len(codecs.BOM_UTF8))
            return EncodedText(stream, "utf-8", ["UTF-8 byte order mark removed"])
        for wide, marks in WIDE_MARKS.items():
            if head.startswith(marks):
                note = f"read as {wide.upper()} (byte order mark)"
                return EncodedText(Stream(_Utf8Recoder(stream, name, wide)), "utf-8", [note])
    if wide_encoding:
        return EncodedText(Stream(_Utf8Recoder(stream, name, wide_encoding)), "utf-8")
    if encoding == "utf-8" and len(head) >= 4:
        for offset, guess in ((1, "utf-16-le"), (0, "utf-16-be")):
            high_bytes, low_bytes = head[offset::2], head[1 - offset :: 2]
            if high_bytes.count(0) > 0.6 * len(high_bytes) and low_bytes.count(0) < 0.2 * len(low_bytes):
                raise InputError(name, "looks like UTF-16 without a byte order mark", f'say encoding="{guess}"')
    return EncodedText(stream, encoding)


class Overlong(bytes):
    """The beginning of a line beyond the limit. `quotes`: how many double quotes the whole line had."""

    quotes: int = 0


def lines(stream: Readable, limit: int) -> Iterator[bytes]:
    """The lines of a stream. What comes out is `bytes`, or `Overlong` in place of a line of more than `limit` bytes."""
    parts: list[bytes] = []  # the pieces so far of a line that crosses blocks
    size = 0
    overlong: Overlong | None = None
    while block := stream.read(BLOCK):
        while block.endswith(b"\r") and (more := stream.read(1)):  # CR LF must not be cut in two
            block += more
        if overlong is not None and b"\n" not in block and b"\r" not in block:
            overlong.quotes += block.count(b'"')
            continue
        pieces, tail = split_lines(block)
        if pieces and (parts or overlong is not None):
            first = pieces[0]
            if overlong is None and size + len(first) > limit:
                overlong = overlong_line(parts)
            if overlong is not None:
                overlong.quotes += first.count(b'"')
                yield overlong
            else:
                yield b"".join((*parts, first))
            parts, size, overlong = [], 0, None
            del pieces[0]
        if limit < len(block):
            for piece in pieces:
                yield piece if len(piece) <= limit else overlong_line([piece])
        else:
            yield from pieces
        if tail:
            size += len(tail)
            if overlong is not None:
                overlong.quotes += tail.count(b'"')
            elif size > limit:
                overlong = overlong_line([*parts, tail])
                parts = []
            else:
                parts.append(tail)
    if overlong is not None:
        yield overlong
    elif parts:
        yield b"".join(parts)


def split_lines(block: bytes) -> tuple[list[bytes], bytes]:
    """The lines of a block, and what follows the last end of a line. Where there is no CR, LF alone is found much faster."""
    if b"\r" not in block:
        *pieces, tail = block.split(b"\n")
        return [piece + b"\n" for piece in pieces], tail
    pieces = block.splitlines(keepends=True)
    return pieces, b"" if pieces[-1].endswith((b"\n", b"\r")) else pieces.pop()


def overlong_line(parts: list[bytes]) -> Overlong:
    """The beginning of a line that came in parts."""
    data = b"".join(parts)
    overlong = Overlong(data[:4096])
    overlong.quotes = data.count(b'"')
    return overlong


class GuardedFile:
    """A file whose reading errors become an InputError that names it."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name

    def read(self, size: int, /) -> bytes:
        try:
            return self._file.read(size)
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise InputError(self._name, what, "check the disk or share") from error

    def close(self) -> None:
        self._file.close()


class _StandardInput:
    """Standard input, which is rewound for each reading; in the `last_reading` it is no longer buffered."""

    def __init__(self) -> None:
        self._raw: Any = sys.stdin.buffer
        self._buffer, self._position, self.last_reading = bytearray(), 0, False

    def rewind(self) -> _StandardInput:
        self._position = 0
        return self

    def read(self, size: int, /) -> bytes:
        if self._position < len(self._buffer):
            out = bytes(self._buffer[self._position : self._position + size])
            self._position += len(out)
            return out
        if self.last_reading:
            self._buffer, self._position = bytearray(), 0
        try:
            data: bytes = self._raw.read1(size)
        except OSError as error:
            raise InputError("-", f"standard input cannot be read ({error.strerror or error})") from error
        if not self.last_reading:
            self._buffer += data
            self._position += len(data)
        return data

    def close(self) -> None:
        """Standard input stays open for whoever reads it next."""


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
        self._input = _StandardInput() if self.standard else None
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
            return self._input.rewind()
        mode = self._status().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(self.name, "is a folder where a file is wanted", 'name its files, or say format="folders"')
        if not stat.S_ISREG(mode):
            raise InputError(self.name, "is a pipe, socket or device, not a file", "pipe it in and read -")
        try:
            return GuardedFile(self.path.open("rb", buffering=0), self.name)
        except PermissionError:
            raise InputError(self.name, "may not be read by you", "ask for read permission (chmod +r)") from None
        except OSError as error:
            raise InputError(self.name, f"cannot be opened ({error.strerror or error})") from error

    def open(self) -> Stream:
        raw = self._raw()
        try:
            return decompressed_stream(raw, self.name, self.limits)
        except BaseException:
            raw.close()
            raise

    def text(self) -> EncodedText:
        """The bytes, unpacked, ready to be split into lines; cp1252 as UTF-8, where nobody named the encoding."""
        encoded = self.declared_text()
        verdict = self._verdict
        if verdict is None or encoded.notes:  # a byte order mark is believed
            return encoded
        try:
            if verdict.western is None and not self.standard:
                with self.open() as stream:
                    verdict.western = is_cp1252(stream)
        except BaseException:
            encoded.stream.close()
            raise
        self._lines = WesternLines(encoded.stream, verdict)
        return EncodedText(Stream(self._lines), encoded.encoding)

    def declared_text(self) -> EncodedText:
        """The bytes, unpacked, without a byte order mark; no other encoding is looked for."""
        stream = self.open()
        try:
            return encoded_text(stream, self.name, self.encoding)
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
        from tempfile import TemporaryFile

        with self.open() as stream:
            if not self.standard and not stream.packed:
                return self.path.open("rb")
            spooled = TemporaryFile()  # noqa: SIM115 -- its life is longer than this function
            size = 0
            while data := stream.read(BLOCK):
                spooled.write(data)
                size += len(data)
                if size > self.limits.max_bytes:
                    spooled.close()
                    raise TooLarge(self.name, f"has more than {self.limits.max_bytes:,} bytes", "raise max_bytes=")
        spooled.seek(0)
        if self.standard:  # it cannot be had again: the copy lives as long as the source
            self._spooled = spooled
            weakref.finalize(self, spooled.close)
        return spooled

    def release(self, file: IO[bytes]) -> None:
        """Close a file that `seekable` opened, unless a further reading needs it."""
        if self._input is None or self._input.last_reading:
            file.close()

    def begin_last_reading(self) -> None:
        """What is buffered of standard input need not be held any longer once it has been read."""
        if self._input is not None:
            self._input.last_reading = True
