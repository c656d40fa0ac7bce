"""Bytes on their way to text: which encodings can be read, byte order marks, UTF-16 and UTF-32 as UTF-8.

Text may start with a byte order mark (removed, noted). UTF-16 and UTF-32 with a mark or named by `encoding` are
turned into UTF-8 on the way in, so that readers only ever split bytes at ASCII line ends.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from ...errors import InputError, InvalidSetting, UnknownName
from .decompression import Readable, Stream

__all__ = ["Opened", "as_text", "text_encoding"]

WIDE = {"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}
# These decoders give lone surrogates, run in quadratic time, or are no character sets at all.
REFUSED = {"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined", "mbcs", "oem"}
PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def text_encoding(name: str) -> str:
    """The canonical name of a character encoding that readers can use; otherwise UnknownName or InvalidSetting."""
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
        raise InvalidSetting(f"encoding={name!r} cannot be read line by line; convert the input to UTF-8 first (iconv)")
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
