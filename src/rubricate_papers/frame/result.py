"""Plan and Result: what an experiment runs, and what came out beside what was printed. Frozen, plain values, so that both are
written as JSON and read back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rubricate as rb

from .published import Printed
from .summary import Summary

VERDICTS = ("holds", "holds in part", "does not hold", "not tested")
SLACK = 1e-9  # so that a difference of 2.0 is within 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run, in words for a person and in settings for the program.

    paper: its number, "000". data, split, recipes, methods: in words, since they are shown. repetitions: splits, folds or
    orders. settings: what the program goes by (sizes, numbers of words), as JSON has it; a quick plan has smaller ones.
    """

    paper: str
    name: str
    title: str
    data: tuple[str, ...]
    split: str
    recipes: tuple[str, ...]
    methods: tuple[str, ...]
    repetitions: int
    seed: int = 0
    quick: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The folder of its notes and results: 000-joachims."""
        return f"{self.paper}-{self.name.replace('_', '-')}"

    def __getitem__(self, name: str) -> Any:
        return self.settings[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Ours beside the paper's. low, high: 95 % limits over n repetitions, folds or documents."""

    what: str
    ours: float | None
    low: float | None = None
    high: float | None = None
    n: int = 1
    printed: float | None = None
    where: str = ""
    within: float | None = None  # how far apart they may be
    or_better: bool = False  # or further, if ours is higher
    explained: str = ""  # why it is further, in a few words: an explanation that was tested
    note: str = ""

    @classmethod
    def of(cls, what: str, ours: Summary, printed: Printed | None = None, **more: Any) -> Row:
        """A row from a summary and what the paper printed. more: within, or_better, explained, note."""
        value = None if math.isnan(ours.value) else ours.value
        theirs = {} if printed is None else {"printed": printed.number, "where": printed.where}
        return cls(what=what, ours=value, low=ours.low, high=ours.high, n=ours.n, **{**theirs, **more})

    @property
    def difference(self) -> float | None:
        """Ours minus the printed number."""
        return None if self.ours is None or self.printed is None else self.ours - self.printed

    @property
    def reached(self) -> bool | None:
        """Whether ours is within the bound of the printed number; None where no bound is set."""
        if self.within is None or self.difference is None:
            return None
        return abs(self.difference) <= self.within + SLACK or (self.or_better and self.difference > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind. measure: what the numbers are; where: the paper's table or figure."""

    key: str
    title: str
    measure: str
    rows: tuple[Row, ...]
    where: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Anything else with rows and columns: texts and numbers, the first column names the row."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A curve, with limits where it has them; or, with printed=True, points that the paper prints as numbers.

    In a figure with panels it is no curve: x counts the panels from 0, and a limit is nan where there is none.
    method: what it belongs to; a method's own curve and its printed points share a mark.
    """

    method: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    printed: bool = False

    @classmethod
    def of(cls, method: str, x: Sequence[float], ours: Sequence[Summary]) -> Series:
        """A curve of summaries; limits where all have them."""
        low, high = [summary.low for summary in ours], [summary.high for summary in ours]
        known = None not in low and None not in high
        limits = {"low": tuple(low), "high": tuple(high)} if known else {}
        return cls(method=method, x=tuple(map(float, x)), y=tuple(summary.value for summary in ours), **limits)  # type: ignore[arg-type]

    @classmethod
    def by_panel(cls, method: str, ours: Sequence[Summary]) -> Series:
        """A value for each panel; limits where it has them."""
        low = tuple(math.nan if summary.low is None else summary.low for summary in ours)
        high = tuple(math.nan if summary.high is None else summary.high for summary in ours)
        places = tuple(float(n) for n in range(len(ours)))
        return cls(method=method, x=places, y=tuple(summary.value for summary in ours), low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Curves over a common axis. log: each step across is a factor.

    panels: names of tasks. Then the methods are dots, and each task has an axis of its own; `across` is a remark on them.
    """

    key: str
    title: str
    across: str
    up: str
    series: tuple[Series, ...]
    log: bool = False
    panels: tuple[str, ...] = ()
    where: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the paper says, whether it holds on these data, and the numbers that say so."""

    said: str
    verdict: str
    evidence: str
    where: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise rb.errors.UnknownName("verdict", self.verdict, VERDICTS)


def verdict_of(holds: bool, in_part: bool) -> str:
    """The verdict on a claim: it holds, or else in part, or not."""
    return "holds" if holds else "holds in part" if in_part else "does not hold"


def verdict_of_parts(parts: Iterable[bool]) -> str:
    """The verdict on a claim of several parts: all of them hold, or some, or none."""
    parts = list(parts)
    return verdict_of(all(parts), any(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best of the methods that were run on a task, and those not significantly worse."""

    task: str
    method: str
    value: float
    measure: str
    equals: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naive:
    """How long the plain way would have taken: one point measured, and how many there are."""

    what: str
    seconds: float
    times: int
    how: str

    @property
    def total(self) -> float:
        return self.seconds * self.times


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a replication returns. fingerprints: of documents and recipes, by name."""

    tables: tuple[Table, ...] = ()
    grids: tuple[Grid, ...] = ()
    figures: tuple[Figure, ...] = ()
    claims: tuple[Claim, ...] = ()
    best: tuple[Best, ...] = ()
    notes: tuple[str, ...] = ()
    fingerprints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Findings, the plan they come from, and how they were made."""

    plan: Plan
    findings: Findings
    seconds: float
    stages: Mapping[str, float] = field(default_factory=dict)
    naive: tuple[Naive, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    cores: int = 1

    @property
    def bounded_rows(self) -> list[Row]:
        """The rows that have a bound: they must come near the printed number."""
        return [row for table in self.findings.tables for row in table.rows if row.within is not None]

    @property
    def reached(self) -> bool:
        """Whether all of these rows are within their bounds."""
        return all(row.reached for row in self.bounded_rows)
