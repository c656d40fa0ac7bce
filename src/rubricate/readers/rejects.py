"""The rejects file: one JSON object a line with `where`, `reason` and `raw`, made anew each time reading starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import orjson

from ..corpus import Reject
from ..errors import BadChoice, InputError
from .opened import Source, shown

__all__ = ["RejectsFile", "apart"]


def apart(path: str | os.PathLike[str], sources: list[Source]) -> None:
    """Refuse a rejects file that would overwrite the input or stand among the documents."""
    target = Path(path).resolve()
    for source in sources:
        if source.standard:
            continue
        own = source.path.resolve()
        if own == target or own in target.parents:
            raise BadChoice(f"rejects={shown(path)!r} is part of the input {source.name!r}; write it somewhere else")


class RejectsFile:
    """Writes rejects to a file while it is open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> RejectsFile:
        try:
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
