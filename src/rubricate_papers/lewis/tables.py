"""What came out of 001's comparisons, as tables and figures in the form of its table 4."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Figure, Grid, Plan, Printed, Row, Series, Table, alone, best_of, over, share_of
from .trials import ALGORITHMS, FORMS, GROUPS, PAPER, Method, Segment, Trials

LEVEL = 0.05
CELL = re.compile(r"(\d+) ([<=>])(\??) (\d+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """A segment, a number of training documents (0: all), big or small classes."""

    segment: int
    size: int
    group: str


@dataclass(frozen=True, eq=False)
class Results:
    """F1 of every class in every run, by segment and number of training documents."""

    plan: Plan
    segments: list[Segment]
    trials: Mapping[tuple[int, int], Trials]

    @property
    def conditions(self) -> list[Condition]:
        sizes = self.plan["table sizes"]
        return [Condition(n, size, group) for n in range(len(self.segments)) for group in GROUPS for size in sizes]

    def describe(self, at: Condition) -> str:
        segment = self.segments[at.segment]
        return f"{segment.title}, {at.group} classes, {at.size or segment.X.shape[0]:,} documents"

    def f1(self, at: Condition, method: Method) -> Floats:
        """F1, runs x classes of the group."""
        return self.trials[at.segment, at.size][method][:, self.segments[at.segment].group(at.group)]

    def against(self, at: Condition, first: Method, second: Method) -> tuple[rb.significance.SignOutcome, float, float]:
        """The paper's comparison: F1 of each class averaged over runs, one-tailed sign test, and both means."""
        a, b = self.f1(at, first).mean(axis=0), self.f1(at, second).mean(axis=0)
        return rb.significance.sign_test(a, b, alternative="greater"), float(a.mean()), float(b.mean())


def table4(results: Results) -> Grid:
    """Wins and means in the paper's form; EG is also compared on tf x idf, which the paper could not."""
    rows = []
    for at in results.conditions:
        segment = results.segments[at.segment]
        size, n_classes = at.size or segment.X.shape[0], int(segment.group(at.group).sum())
        for form in FORMS:
            pairs = [("WH", form), ("EG", "binary"), *([("EG", form)] if form != "binary" else [])]
            cells = [cell for method in pairs for cell in comparison_cells(results, at, method, ("Rocchio", form))]
            cells += [""] * (6 - len(cells))
            rows.append((f"{segment.title}, {at.group}", size, form, n_classes, segment.X.shape[1], *cells))
    return PAPER.grid("table4", rows, runs=results.plan.repetitions)


def comparison_cells(results: Results, at: Condition, first: Method, second: Method) -> tuple[str, str]:
    test, a, b = results.against(at, first, second)
    sure = min(test.p, rb.significance.sign_test(test.losses, test.wins, alternative="greater").p) < LEVEL
    return rb.significance.wins_text(test.wins, test.losses, significant=sure), rb.significance.means_text(a, b)


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed comparison: wins and losses, and whether it is marked with a ?."""

    key: str
    wins: int
    losses: int
    doubtful: bool

    @property
    def confirmed(self) -> bool:
        """Whether the sign test says what the mark says."""
        return (rb.significance.sign_test(self.wins, self.losses, alternative="greater").p < LEVEL) != self.doubtful


def printed_cells() -> list[Cell]:
    """All comparisons of the printed table 4."""
    out = []
    for key, entry in PAPER.items():
        if key.startswith("table4.") and isinstance(entry.value, list) and (match := CELL.fullmatch(entry.value[0])):
            wins, _, mark, losses = match.groups()
            out.append(Cell(key, int(wins), int(losses), mark == "?"))
    return out


def shares_table(results: Results) -> Table:
    """In how many conditions Rocchio is worse: the printed conditions of text categorisation, and ours."""
    marks = printed_cells()
    rows = []
    for name, algorithm, form in (
        ("WH above Rocchio, both binary", "WH", "binary"),
        ("WH above Rocchio, both tf x idf", "WH", "tf x idf"),
        ("EG above Rocchio, both binary", "EG", "binary"),
        ("EG binary above Rocchio tf x idf", "EG", "tf x idf"),
    ):
        suffix = f".{'bin' if form == 'binary' else form}.{algorithm}"
        cells = [cell for cell in marks if "routing" not in cell.key and cell.key.endswith(suffix)]
        method = algorithm, "binary" if algorithm == "EG" else form
        tests = [results.against(at, method, ("Rocchio", form))[0] for at in results.conditions]
        for what, ours, theirs in (
            ("wins more classes", [t.wins > t.losses for t in tests], [cell.wins > cell.losses for cell in cells]),
            (
                "significantly",
                [t.p < LEVEL for t in tests],
                [cell.wins > cell.losses and not cell.doubtful for cell in cells],
            ),
        ):
            share = 100 * sum(theirs) / len(cells)
            printed = Printed(f"{name}: {what}", share, "table 4, counted", "% of its conditions")
            rows.append(Row.of(printed.key, share_of(sum(ours), len(tests)), printed))
    confirmed = share_of(sum(cell.confirmed for cell in marks), len(marks))
    note = f"not confirmed: {', '.join(f'{cell.wins}:{cell.losses}' for cell in marks if not cell.confirmed)}"
    rows.append(Row.of("printed marks of significance that the sign test confirms", confirmed, note=note))
    return PAPER.table("shares", rows)


def printed_grid() -> Grid:
    rows = []
    for key, wh in PAPER.items():
        if key.startswith("table4.") and key.endswith(".WH"):
            condition = key.removeprefix("table4.").removesuffix(".WH").replace(".", ", ")
            rows.append((condition, *wh.words, *PAPER[key.removesuffix("WH") + "EG"].words))
    return PAPER.grid("printed_table4", rows)


def mean_table(results: Results) -> Table:
    rows = []
    for at in results.conditions:
        for algorithm, form in product(ALGORITHMS, FORMS):
            means = results.f1(at, (algorithm, form)).mean(axis=1)
            ours = over(means) if algorithm != "Rocchio" or at.size else alone(means[0])
            rows.append(Row.of(f"{results.describe(at)}: {algorithm}, {form}", ours))
    return PAPER.table("means", rows)


def figures(results: Results) -> tuple[Figure, ...]:
    out = []
    for n, segment in enumerate(results.segments):
        sizes = sorted((size or segment.X.shape[0], size) for n_segment, size in results.trials if n_segment == n)
        series = []
        for algorithm, form in (
            ("Rocchio", "tf x idf"),
            ("WH", "tf x idf"),
            ("EG", "binary"),
            ("Rocchio", "binary"),
            ("WH", "binary"),
        ):
            ours = [over(results.trials[n, size][algorithm, form].mean(axis=1)) for _, size in sizes]
            series.append(Series.of(f"{algorithm}, {form}", [x for x, _ in sizes], ours))
        words = {"segment": segment, "n_classes": len(segment.classes), "runs": results.plan.repetitions}
        out.append(PAPER.figure("by_size", series, **words))
    return tuple(out)


def best(results: Results) -> tuple[Best, ...]:
    """The best method of each segment with all documents; sign test over all classes, two-sided."""
    out = []
    for n, segment in enumerate(results.segments):
        f1 = {f"{m}, {form}": results.trials[n, 0][m, form].mean(axis=0) for form, m in product(FORMS, ALGORITHMS)}
        means = {name: float(values.mean()) for name, values in f1.items()}
        first, equals = best_of(means, lambda a, b: not rb.significance.sign_test(f1[a], f1[b]).p < LEVEL)  # noqa: B023
        out.append(PAPER.best("segment", first, means[first], equals, segment=segment, n_classes=len(segment.classes)))
    return tuple(out)
