"""What a person named, opened: a file or standard input, as bytes, as text, or as a file to jump about in."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import weakref
from pathlib import Path
from typing import IO, Any

from ...errors import InputError, MissingData, TooLarge
from .decoding import Opened, as_text
from .decompression import BLOCK, Limits, Readable, Stream, unpacked
from .western import Verdict, WesternLines, looked_through

__all__ = ["BLOCK", "File", "Limits", "Source", "shown"]


def shown(path: str | os.PathLike[str]) -> str:
    """A path on one line of valid Unicode: control characters and bytes that are not UTF-8 as backslash escapes."""
    text = os.fspath(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


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
        self.name = "-" if self.standard else shown(path)
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
