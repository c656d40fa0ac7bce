"""Packed bytes, unpacked block by block within stated limits.

gzip, bzip2, xz and zstd are known by their first bytes, never by the name. Two caps hold for packed input:
`max_bytes` of output, and `max_ratio` of output to input once the first megabytes are through; both raise `TooLarge`.
Damage raises `InputError` when it is reached, after the bytes before it were handed on. Archives (zip, tar, ...) are
never opened: the error says to unpack them.
"""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from typing import Any, Protocol

from ...errors import InputError, InvalidSetting, TooLarge

BLOCK = 1 << 18
HEAD = 512
RATIO_FROM_BYTES = 8 << 20  # below so many bytes of output no ratio is too high
XZ_MEMORY = 256 << 20  # `xz -9` needs 65 MB; a crafted header may ask for 4 GB

PACKED = {
    "gzip": (b"\x1f\x8b\x08",),
    "bzip2": tuple(b"BZh%d" % level + mark for level in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")),
    "xz": (b"\xfd7zXZ\x00",),
    "zstd": (b"\x28\xb5\x2f\xfd", *(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60))),
}
ARCHIVES = {
    "a zip archive": (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"),
    "a 7z archive": (b"7z\xbc\xaf\x27\x1c",),
    "a rar archive": (b"Rar!\x1a\x07",),
    "a PDF": (b"%PDF-",),
}


class Readable(Protocol):
    """The part of a binary file that reading needs."""

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a row, the whole unpacked input, and its ratio to the packed one may become."""

    max_row_bytes: int = 64 << 20
    max_bytes: int = 4 << 30
    max_ratio: float = 200

    def __post_init__(self) -> None:
        for name in ("max_row_bytes", "max_bytes", "max_ratio"):
            if not getattr(self, name) > 0:
                raise InvalidSetting(f"{name}={getattr(self, name)}: give a number above 0")

    def check(self, name: str, unpacked: int, packed: int) -> None:
        """Raise TooLarge when so many bytes out of so many bytes in are beyond what was allowed."""
        cure = "if you trust the file, raise max_"
        if unpacked > self.max_bytes:
            raise TooLarge(name, f"unpacks to more than {self.max_bytes:,} bytes", f"{cure}bytes=")
        if unpacked > RATIO_FROM_BYTES and unpacked > self.max_ratio * max(packed, 1):
            what = f"unpacks to more than {self.max_ratio:g} times its size, as compression bombs do"
            raise TooLarge(name, what, f"{cure}ratio=")


class Stream:
    """Bytes with a look ahead."""

    def __init__(self, inner: Readable, *, packed: bool = False) -> None:
        self._inner, self._ahead = inner, b""
        self.packed = packed

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end; they stay to be read."""
        while len(self._ahead) < size and (more := self._inner.read(size - len(self._ahead))):
            self._ahead += more
        return self._ahead[:size]

    def read(self, size: int, /) -> bytes:
        if self._ahead:
            out, self._ahead = self._ahead[:size], self._ahead[size:]
            return out
        return self._inner.read(size)

    def close(self) -> None:
        self._inner.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Gzip:
    """zlib with the interface of the bz2 and lzma decompressors."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(31)
        self.needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        out = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = not self._zlib.unconsumed_tail and len(out) < max_length
        return out

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data


def _decompressor(packing: str) -> Any:
    if packing == "gzip":
        return _Gzip()
    if packing == "bzip2":
        from bz2 import BZ2Decompressor

        return BZ2Decompressor()
    from lzma import FORMAT_XZ, LZMADecompressor

    return LZMADecompressor(FORMAT_XZ, memlimit=XZ_MEMORY)


class _MemberStream:
    """The output of gzip, bzip2 or xz, one bounded block at a time, over one or several members."""

    def __init__(self, raw: Readable, name: str, packing: str, limits: Limits) -> None:
        self._raw, self._name, self._packing, self._limits = raw, name, packing, limits
        self._member: Any = _decompressor(packing)
        self._pending = b""
        self._bytes_in = self._bytes_out = 0

    def _more(self) -> bytes:
        if self._pending:
            data, self._pending = self._pending, b""
            return data
        data = self._raw.read(BLOCK)
        self._bytes_in += len(data)
        return data

    def _next_member(self) -> bool:
        """Start on a further member; False at the end of the file. Zeros are padding, anything else is junk."""
        data = b""
        while len(data) < 16 and (more := self._more()):
            data = (data + more).lstrip(b"\x00")
        if not data:
            return False
        if not data.startswith(PACKED[self._packing]):
            what = f"something that is not {self._packing} follows the compressed data ({data[:8].hex(' ')} ...)"
            raise InputError(self._name, what, "unpack and repack the file, or get it again")
        self._pending, self._member = data, _decompressor(self._packing)
        return True

    def read(self, size: int, /) -> bytes:
        while True:
            if self._member is None and not self._next_member():
                return b""
            data = self._more() if self._member.needs_input else b""
            if self._member.needs_input and not data:
                raise InputError(self._name, f"the {self._packing} data ends in the middle", "get the file again")
            try:
                out: bytes = self._member.decompress(data, size)
            except Exception as error:  # each library has its own, and is imported only when its packing is met
                what = f"the {self._packing} data is damaged ({error})"
                raise InputError(self._name, what, "get the file again") from error
            if self._member.eof:
                self._pending, self._member = self._member.unused_data, None
            if out:
                self._bytes_out += len(out)
                self._limits.check(self._name, self._bytes_out, self._bytes_in)
                return out

    def close(self) -> None:
        self._raw.close()


class _CountingReader(io.RawIOBase):
    """A raw stream for Arrow that knows how much was taken from it."""

    def __init__(self, raw: Readable) -> None:
        self._raw, self.bytes_read = raw, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._raw.read(len(buffer))
        buffer[: len(data)] = data
        self.bytes_read += len(data)
        return len(data)


class _Zstd:
    """The output of zstd by way of Arrow's codec."""

    def __init__(self, raw: Readable, name: str, limits: Limits) -> None:
        import pyarrow as pa

        self._raw, self._name, self._limits = raw, name, limits
        self._input = _CountingReader(raw)
        self._stream = pa.CompressedInputStream(pa.PythonFile(self._input, mode="r"), "zstd")
        self._bytes_out = 0

    def read(self, size: int, /) -> bytes:
        try:
            out: bytes = self._stream.read(size)
        except (OSError, ValueError, MemoryError) as error:
            raise InputError(self._name, f"the zstd data is damaged ({error})", "get the file again") from error
        self._bytes_out += len(out)
        self._limits.check(self._name, self._bytes_out, self._input.bytes_read)
        return out

    def close(self) -> None:
        self._raw.close()


def _find_packing(head: bytes, table: dict[str, tuple[bytes, ...]]) -> str | None:
    return next((kind for kind, beginnings in table.items() if head.startswith(beginnings)), None)


def decompressed_stream(raw: Readable, name: str, limits: Limits) -> Stream:
    """The bytes inside, whatever they are packed with; archives and doubly packed files are refused."""
    stream = Stream(raw)
    packing = _find_packing(stream.peek(HEAD), PACKED)
    if packing is not None:
        inner = _Zstd(stream, name, limits) if packing == "zstd" else _MemberStream(stream, name, packing, limits)
        stream = Stream(inner, packed=True)
        if (inner_packing := _find_packing(stream.peek(HEAD), PACKED)) is not None:
            raise InputError(name, f"is {inner_packing} inside {packing}", "unpack it once")
    head = stream.peek(HEAD)
    archive = "a tar archive" if head[257:262] == b"ustar" else _find_packing(head, ARCHIVES)
    if archive is not None:
        cure = "take the text out of it first" if archive == "a PDF" else "unpack it, then read the files or the folder"
        raise InputError(name, f"is {archive}", cure)
    return stream
