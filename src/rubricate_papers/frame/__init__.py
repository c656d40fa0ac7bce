"""Experiments: `Plan -> Result`. A plan says what is run, a result what came out, beside what a paper printed.

    Plan        data, split, recipes, methods, repetitions, seed, and settings of its own; quick or full
    Findings    what a replication returns: tables, grids, figures, claims, the best method of each task, notes
    Result      the findings with their plan, the time they took, versions and fingerprints; JSON in and out
    Watch       handed to a replication: times its stages, reports progress, collects estimates of the naive way

A replication is a package of `rubricate_papers` with two functions (`joachims` is an example):

    def plan(*, quick: bool = False, seed: int = 0) -> Plan
    def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings

    with watch("20 Newsgroups, read and counted"):     # a stage: timed, reported
        ...
    watch.naive("20 Newsgroups, 30 fits from text", seconds=21.4, times=30, how="one fit measured")

Its code computes; its words are data. `PAPER = published("joachims")` reads both files of the paper: `PAPER["table4.acq.BAYES"]`
is a number that the paper prints, and `PAPER.table("table4", rows)` a table with the title, measure, place and note that
`joachims/texts.toml` has under that name; likewise `PAPER.grid`, `.figure`, `.claim`, `.best` and `.plan`.

What is compared with the paper is a `Row`: ours (with an interval, over n repetitions, folds or documents) beside what is
printed; `within` is how far apart they may be ("Must hold"), `or_better=True` lets ours be higher. Percentages are 0 to 100, as
the papers print them. Rows stand in a `Table`; anything else with rows and columns (words, wins and losses, p-values) in a
`Grid`; curves in a `Figure` of `Series`, of which those with printed=True are points that the paper prints as numbers; methods
by task in a `Figure` with panels, as dots (`Series.by_panel`). A `Claim` is a sentence of the paper, a verdict of VERDICTS, and
the numbers it rests on.

The frame computes summaries and intervals only; `page` and `text` show results and compute nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from scipy.special import stdtrit

import rubricate as rb

VERDICTS = ("holds", "holds in part", "does not hold", "not tested")
SLACK = 1e-9  # so that a difference of 2.0 is within 2
Z = 1.959963984540054  # 97.5 % of a normal distribution lie below
Name = TypeVar("Name")


# -- a number and its interval: over repetitions, or over documents


@dataclass(frozen=True, slots=True)
class Summary:
    """A value, its 95 % limits (None where there are none), and what it rests on."""

    value: float
    low: float | None
    high: float | None
    n: int


def over(values: Any) -> Summary:
    """The mean over repetitions and Student's 95 % limits of that mean. What is undefined (nan) is left out.

    Repeated splits share documents: the limits say how the mean would vary over other splits of these documents, not over
    other documents.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    n = len(x)
    if n == 0:
        return Summary(math.nan, None, None, 0)
    mean = math.fsum(x) / n
    if n == 1:
        return Summary(mean, None, None, 1)
    half = float(stdtrit(n - 1, 0.975)) * float(x.std(ddof=1)) / math.sqrt(n)
    return Summary(mean, mean - half, mean + half, n)


def share_of(hits: int, n: int) -> Summary:
    """100 hits / n, and Wilson's 95 % limits over n documents."""
    if n == 0:
        return Summary(math.nan, None, None, 0)
    p, room = hits / n, Z * Z / n
    middle = (p + room / 2) / (1 + room)
    half = Z / (1 + room) * math.sqrt(p * (1 - p) / n + room / (4 * n))
    return Summary(100 * p, 100 * max(middle - half, 0.0), 100 * min(middle + half, 1.0), n)


def mean_of_shares(hits: Any, n: Any) -> Summary:
    """The mean of 100 hits / n over labels, and its 95 % limits over documents; the labels are fixed, not a sample.

    Each share varies as p (1 - p) / n, with Agresti & Coull's p = (hits + z^2/2) / (n + z^2) in it, since a share of 0 or 1 is
    not sure. Labels without documents are left out.
    """
    hits, of = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    hits, of = hits[of > 0], of[of > 0]
    if len(of) == 0:
        return Summary(math.nan, None, None, 0)
    p = (hits + Z * Z / 2) / (of + Z * Z)
    mean = 100 * math.fsum(hits / of) / len(of)
    half = 100 * Z * math.sqrt(math.fsum(p * (1 - p) / (of + Z * Z))) / len(of)
    return Summary(mean, max(mean - half, 0.0), min(mean + half, 100.0), int(of.sum()))


def alone(value: float, n: int = 1) -> Summary:
    return Summary(float(value), None, None, n)


# -- what is run, and what came out


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number (or a list of words): its key, where it stands, and what it says."""

    key: str
    value: float | list[str]
    where: str
    what: str

    @property
    def number(self) -> float:
        if isinstance(self.value, list):
            raise TypeError(f"{self.key} is a list of words")
        return float(self.value)

    @property
    def words(self) -> list[str]:
        if not isinstance(self.value, list):
            raise TypeError(f"{self.key} is a number")
        return self.value


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


def best_of(values: Mapping[Name, float], equal: Callable[[Name, Name], bool]) -> tuple[Name, tuple[Name, ...]]:
    """The name of the highest value, and those of which `equal(best, other)` says that they are not significantly worse."""
    best = max(values, key=lambda name: values[name])
    return best, tuple(name for name in values if name != best and equal(best, name))


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


class Watch:
    """`with watch("reading"):` times a stage; stages of the same name add up. tell: called with a line a stage."""

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self.stages: dict[str, float] = {}
        self.estimates: list[Naive] = []
        self.tell = tell or (lambda line: None)
        self.started = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            seconds = perf_counter() - start
            self.stages[stage] = self.stages.get(stage, 0.0) + seconds
            self.tell(f"{self.seconds:7.1f} s  {stage} ({seconds:.1f} s)")

    def naive(self, what: str, *, seconds: float, times: int, how: str) -> None:
        """Add an estimate: one point of the naive way took so many seconds, and there would be so many points."""
        self.estimates.append(Naive(what=what, seconds=seconds, times=times, how=how))
