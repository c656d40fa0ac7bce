"""The rejects file: one JSON object a line with `where`, `reason` and `raw`, made anew each time reading starts."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import IO

import orjson

from ..errors import InputError, InvalidSetting
from . import Reject
from .readers.sources import Source, shown

__all__ = ["RejectsFile", "apart", "same_file"]


def same_file(output: str | os.PathLike[str], source: str | os.PathLike[str]) -> bool:
    """Whether an output is the input itself, whatever name it goes by: another path, a link, a hard link, or the file that is
    standard input (-)."""
    target, standard = Path(output), os.fspath(source) == "-"
    if not standard and target.resolve() == Path(source).resolve():
        return True
    try:
        own = os.fstat(sys.stdin.fileno()) if standard else Path(source).stat()
        return stat.S_ISREG(own.st_mode) and os.path.samestat(own, target.stat())
    except (OSError, ValueError):  # there is no such file, or standard input is none
        return False


def apart(path: str | os.PathLike[str], sources: list[Source]) -> None:
    """Refuse a rejects file that would overwrite the input or stand among the documents."""
    target = Path(path).resolve()
    for source in sources:
        inside = not source.standard and source.path.resolve() in target.parents
        if inside or same_file(path, "-" if source.standard else source.path):
            raise InvalidSetting(
                f"rejects={shown(path)!r} is part of the input {source.name!r}; write it somewhere else"
            )


class RejectsFile:
    """Writes rejects to a file while it is open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> RejectsFile:
        try:
            there = self._path.resolve()
            if there.is_file() and there.stat().st_nlink > 1:
                there.unlink()  # by its other name the file may be a document that is yet to be read
            self._file = self._path.open("wb")
        except OSError as error:
            raise InputError(shown(self._path), f"the rejects file cannot be written ({error.strerror})") from error
        return self

    def __call__(self, reject: Reject) -> None:
        """Write one reject."""
        if self._file is None:
            return
        row = {"where": reject.where, "reason": reject.reason, "raw": reject.raw}
        valid = {key: text.encode("utf-8", "backslashreplace").decode() for key, text in row.items()}
        self._file.write(orjson.dumps(valid, option=orjson.OPT_APPEND_NEWLINE))

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
