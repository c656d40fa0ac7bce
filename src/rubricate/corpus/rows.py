"""One document, as a row that was read and as a user sees it; which columns there are; and the account of rows in and out."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyarrow as pa

from ..errors import BadChoice, InputError, RejectedRow

__all__ = ["ID", "LABELS", "TEXT", "Columns", "Document", "Reject", "Row", "Tally", "clean_labels", "several"]

ID, LABELS = "id", "labels"
TEXT = pa.large_string()
MOST_REASONS = 200  # reasons may quote values; an account stays short whatever the input


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
            raise BadChoice("at least one text column is needed")
        names = [*self.text, *self.keep]
        clash = {name for name, times in Counter(names).items() if times > 1} | ({ID, LABELS} & set(names))
        if clash:
            raise BadChoice(f"a column cannot have two roles: {', '.join(sorted(clash))}")

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
    complete: bool = False

    def reject(self, where: str, what: str, cure: str = "", raw: str | bytes = "") -> None:
        """Count a row as rejected, hand it to the sink; in strict reading raise instead."""
        if self.strict:
            raise RejectedRow(where, what, cure)
        self.rows_in += 1
        self.rejected += 1
        self.reasons[what if what in self.reasons or len(self.reasons) < MOST_REASONS else "for other reasons"] += 1
        if isinstance(raw, bytes):
            raw = raw[:4096].decode("utf-8", "backslashreplace")
        rejected = Reject(where, what + (f"; {cure}" if cure else ""), raw[:4096])
        if len(self.first) < 20:
            self.first.append(rejected)
        if self.sink is not None:
            self.sink(rejected)

    def repair(self, what: str, times: int = 1) -> None:
        """Note a documented change to input that was kept."""
        self.repairs[what] += times

    def keep(self, rows: int = 1) -> None:
        """Count rows that went into a batch."""
        self.rows_in += rows
        self.kept += rows


def clean_labels(labels: Iterable[str], tally: Tally) -> tuple[str, ...]:
    """Labels in NFC, without surrounding white space, empty or repeated ones left out; each change is a noted repair."""
    cleaned: dict[str, None] = {}
    for label in labels:
        tidy = label if label.isascii() else unicodedata.normalize("NFC", label)
        if tidy != label:
            tally.repair("label put into Unicode form NFC")
        if tidy != (stripped := tidy.strip()):
            tally.repair("white space around a label removed")
            tidy = stripped
        if not tidy:
            tally.repair("empty label left out")
        elif tidy in cleaned:
            tally.repair("label given twice to one document")
        else:
            cleaned[tidy] = None
    return tuple(cleaned)


def several(labels: Any) -> tuple[str, ...]:
    """The labels of one document, however they were given: None, one string, or several."""
    if labels is None:
        return ()
    own = (labels,) if isinstance(labels, str) else tuple(labels) if isinstance(labels, Iterable) else (labels,)
    if not all(isinstance(label, str) for label in own):
        raise InputError("labels", f"found {labels!r}", "use a string, a list of strings or None for each document")
    return own
