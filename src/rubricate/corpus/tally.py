"""The account of rows in and out of one reading; and the rejects file: JSON Lines with `where`, `reason` and `raw`."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import orjson

from ..errors import InputError, InvalidSetting, RejectedRow

MOST_REASONS = 200  # reasons may quote values; an account stays short whatever the input
VALUES = r"(?s)(['\"]).*\1|\([^()]*\)|\d[\d,.]*"  # what differs between two rows with the same failure
FEWEST_ROWS = 20  # below so many rows no share of them is too large
LARGEST_SHARE = 0.1  # of rows that fail for one and the same reason
GO_ON = "to go on without these rows: --keep-going, in Python keep_going=True"


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that could not be used: where it stands, why, and the beginning of what was there."""

    where: str
    reason: str
    raw: str = ""


@dataclass(slots=True)
class Failure:
    """Rows rejected for one reason, whatever values it quotes: the first of them, what to do, and how many there are."""

    what: str
    cure: str
    places: list[str] = field(default_factory=list)
    times: int = 0


@dataclass(slots=True)
class Tally:
    """The account of one reading: `rows_in == kept + rejected`. Repairs are changes made to rows that were kept."""

    rows_in: int = 0
    kept: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    strict: bool = False
    sink: Callable[[Reject], None] | None = None
    first: list[Reject] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    first_repairs: dict[str, str] = field(default_factory=dict)  # where each kind of repair was first made
    complete: bool = False

    def reject(self, where: str, what: str, cure: str = "", raw: str | bytes = "") -> None:
        """Count a row as rejected, hand it to the sink; in strict reading raise instead."""
        if self.strict:
            raise RejectedRow(where, what, cure)
        self.rows_in += 1
        self.rejected += 1
        self.reasons[what if what in self.reasons or len(self.reasons) < MOST_REASONS else "for other reasons"] += 1
        kind = re.sub(VALUES, "…", what[:1000])
        failure = self.failures.get(kind)
        if failure is None and len(self.failures) < MOST_REASONS:
            failure = self.failures[kind] = Failure(what, cure)
        if failure is not None:
            failure.times += 1
            if len(failure.places) < 3:
                failure.places.append(where)
        if isinstance(raw, bytes):
            raw = raw[:4096].decode("utf-8", "backslashreplace")
        rejected = Reject(where, what + (f"; {cure}" if cure else ""), raw[:4096])
        if len(self.first) < 20:
            self.first.append(rejected)
        if self.sink is not None:
            self.sink(rejected)

    def common_failure(self) -> tuple[str, str] | None:
        """What, and what to do, if more than a tenth of twenty rows or more were rejected for one and the same reason. Fewer rows
        are too few to tell a wrong setting from a bad row."""
        worst = max(self.failures.values(), key=lambda failure: failure.times, default=None)
        if worst is None or self.rows_in < FEWEST_ROWS or worst.times <= LARGEST_SHARE * self.rows_in:
            return None
        places = ", ".join(worst.places) + (", …" if worst.times > len(worst.places) else "")
        what = f"{worst.times:,} of {self.rows_in:,} rows cannot be used: {worst.what} ({places})"
        return what, f"{worst.cure}; {GO_ON}" if worst.cure else GO_ON

    def repair(self, what: str, times: int = 1, *, where: str = "") -> None:
        """Note a documented change to input that was kept, and where it was first made."""
        if where and what not in self.repairs:
            self.first_repairs[what] = where
        self.repairs[what] += times

    def keep(self, rows: int = 1) -> None:
        """Count rows that went into a batch."""
        self.rows_in += rows
        self.kept += rows


def printable_path(path: str | os.PathLike[str]) -> str:
    """A path on one line of valid Unicode: control characters and bytes that are not UTF-8 as backslash escapes."""
    text = os.fspath(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def same_file(output: str | os.PathLike[str], source: str | os.PathLike[str]) -> bool:
    """Whether an output is the input itself, whatever name it goes by: another path, a link, a hard link, or the file that is
    standard input (-)."""
    target, standard = Path(output), os.fspath(source) == "-"
    if not standard and target.resolve() == Path(source).resolve():
        return True
    try:
        status = os.fstat(sys.stdin.fileno()) if standard else Path(source).stat()
        return stat.S_ISREG(status.st_mode) and os.path.samestat(status, target.stat())
    except (OSError, ValueError):  # there is no such file, or standard input is none
        return False


def refuse_part_of_input(path: str | os.PathLike[str], inputs: Iterable[Path]) -> None:
    """Refuse a rejects file that would overwrite an input (- is standard input) or stand among the documents."""
    target = Path(path).resolve()
    for source in inputs:
        inside = os.fspath(source) != "-" and source.resolve() in target.parents
        if inside or same_file(path, source):
            what = f"rejects={printable_path(path)!r} is part of the input {printable_path(source)!r}"
            raise InvalidSetting(f"{what}; write it somewhere else")


class RejectsFile:
    """Writes rejects to a file while it is open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> RejectsFile:
        try:
            target = self._path.resolve()
            if target.is_file() and target.stat().st_nlink > 1:
                target.unlink()  # by its other name the file may be a document that is yet to be read
            self._file = self._path.open("wb")
        except OSError as error:
            what = f"the rejects file cannot be written ({error.strerror})"
            raise InputError(printable_path(self._path), what) from error
        return self

    def __call__(self, reject: Reject) -> None:
        if self._file is None:
            return
        row = {"where": reject.where, "reason": reject.reason, "raw": reject.raw}
        valid = {key: text.encode("utf-8", "backslashreplace").decode() for key, text in row.items()}
        self._file.write(orjson.dumps(valid, option=orjson.OPT_APPEND_NEWLINE))

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
