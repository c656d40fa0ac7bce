"""One document, as a row that was read and as a user sees it; which columns there are; and the account of rows in and out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from ..errors import InvalidSetting, RejectedRow

__all__ = ["ID", "LABELS", "TEXT", "Columns", "Document", "Reject", "Row", "Tally"]

ID, LABELS = "id", "labels"
TEXT = pa.large_string()
MOST_REASONS = 200  # reasons may quote values; an account stays short whatever the input
VALUES = re.compile(
    r"(['\"]).*\1|\([^()]*\)|\d[\d,.]*", re.DOTALL
)  # what differs between two rows with the same failure
JUDGED_FROM = 20  # rows, below which no share of them is too large
TOO_MANY = 0.1  # of the rows, for one and the same reason
GO_ON = "to go on without these rows: --keep-going, in Python keep_going=True"


@dataclass(frozen=True, slots=True)
class Document:
    """One document, for people and small programs; bulk work goes by batches."""

    id: str
    fields: dict[str, str]
    labels: tuple[str, ...] = ()
    kept: dict[str, str | None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text fields, one under the other."""
        return "\n".join(self.fields.values())


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a source are what. `keep` names columns carried along unchanged, e.g. a date to split by."""

    text: tuple[str, ...] = ("text",)
    labels: str = LABELS
    id: str = ID
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.text:
            raise InvalidSetting("at least one text column is needed")
        names = [*self.text, *self.keep]
        clash = {name for name, times in Counter(names).items() if times > 1} | ({ID, LABELS} & set(names))
        if clash:
            raise InvalidSetting(f"a column cannot have two roles: {', '.join(sorted(clash))}")

    @property
    def schema(self) -> pa.Schema:
        """id, then text fields, then labels, then what is kept."""
        return pa.schema(
            [
                pa.field(ID, pa.string(), nullable=False),
                *(pa.field(name, pa.large_string(), nullable=False) for name in self.text),
                pa.field(LABELS, pa.list_(pa.string()), nullable=False),
                *(pa.field(name, pa.string()) for name in self.keep),
            ]
        )


class Row(NamedTuple):
    """What a reader hands over for one document. `id` None: the row is named after its number."""

    where: str
    id: str | None
    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    kept: tuple[str | None, ...] = ()


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
        kind = VALUES.sub("…", what[:1000])
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
        if worst is None or self.rows_in < JUDGED_FROM or worst.times <= TOO_MANY * self.rows_in:
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
