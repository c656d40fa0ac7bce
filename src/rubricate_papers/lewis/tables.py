"""What came out of 001's comparisons, as tables and figures in the form of its table 4."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Figure, Grid, Plan, Printed, Published, Row, Series, Table, alone, over, share_of
from .trials import FORMS, GROUPS, Method, Segment, Trials

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
        """The conditions of table 4."""
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


# -- tables


def table4(results: Results) -> Grid:
    """Wins and means in the paper's form; EG is also compared on tf x idf, which the paper could not."""
    rows = []
    for at in results.conditions:
        segment = results.segments[at.segment]
        for form in FORMS:
            pairs = [("WH", form), ("EG", "binary"), *([("EG", form)] if form != "binary" else [])]
            cells = [cell for method in pairs for cell in comparison_cells(results, at, method, ("Rocchio", form))]
            cells += [""] * (6 - len(cells))
            size = at.size or segment.X.shape[0]
            rows.append(
                (
                    f"{segment.title}, {at.group}",
                    size,
                    form,
                    int(segment.group(at.group).sum()),
                    segment.X.shape[1],
                    *cells,
                )
            )
    heads = (
        "WH vs. Rocchio: wins",
        "mean F1",
        "EG (binary) vs. Rocchio: wins",
        "mean F1",
        "EG (tf x idf) vs. Rocchio: wins",
        "mean F1",
    )
    return Grid(
        key="table4",
        title="Pairwise comparisons in the form of table 4",
        columns=("data set, classes", "training", "representation", "classes", "features", *heads),
        rows=tuple(rows),
        note=f"F1 of each class averaged over {results.plan.repetitions} shared random orders; a ? where the one-tailed sign "
        "test finds nothing at 5 %.",
    )


def comparison_cells(results: Results, at: Condition, first: Method, second: Method) -> tuple[str, str]:
    """Wins and means in the notation of the paper."""
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


def printed_cells(printed: Published) -> list[Cell]:
    """All comparisons of the printed table 4."""
    out = []
    for key, entry in printed.items():
        if key.startswith("table4.") and isinstance(entry.value, list) and (match := CELL.fullmatch(entry.value[0])):
            wins, _, mark, losses = match.groups()
            out.append(Cell(key, int(wins), int(losses), mark == "?"))
    return out


def shares_table(results: Results, printed: Published) -> Table:
    """In how many conditions Rocchio is worse: the printed conditions of text categorisation, and ours."""
    cells = [cell for cell in printed_cells(printed) if "routing" not in cell.key]
    rows = []
    for name, algorithm, form in (
        ("WH above Rocchio, both binary", "WH", "binary"),
        ("WH above Rocchio, both tf x idf", "WH", "tf x idf"),
        ("EG above Rocchio, both binary", "EG", "binary"),
        ("EG binary above Rocchio tf x idf", "EG", "tf x idf"),
    ):
        short = {"binary": "bin"}.get(form, form)
        printed_conditions = [cell for cell in cells if cell.key.endswith(f".{short}.{algorithm}")]
        its_form = "binary" if algorithm == "EG" else form
        tests = [results.against(at, (algorithm, its_form), ("Rocchio", form))[0] for at in results.conditions]
        more = share_of(sum(test.wins > test.losses for test in tests), len(tests))
        sure = share_of(sum(test.p < LEVEL for test in tests), len(tests))
        for what, ours, count in (
            ("wins more classes", more, sum(cell.wins > cell.losses for cell in printed_conditions)),
            ("significantly", sure, sum(cell.wins > cell.losses and not cell.doubtful for cell in printed_conditions)),
        ):
            theirs = Printed(
                f"{name}: {what}", 100 * count / len(printed_conditions), "table 4, counted", "% of its conditions"
            )
            rows.append(Row.of(theirs.key, ours, theirs))
    marks = printed_cells(printed)
    rows.append(
        Row.of(
            "printed marks of significance that the sign test confirms",
            share_of(sum(cell.confirmed for cell in marks), len(marks)),
            note=f"not confirmed: {', '.join(f'{cell.wins}:{cell.losses}' for cell in marks if not cell.confirmed)}",
        )
    )
    return Table(
        key="shares",
        title="Share of conditions in which Rocchio is worse",
        measure="% of conditions",
        rows=tuple(rows),
        where="table 4",
        note="Printed: the conditions of text categorisation (TREC-AP and OHSUMED with MeSH categories), counted. The "
        "collections are others, so that the shares are compared and not the means.",
    )


def printed_grid(printed: Published) -> Grid:
    rows = []
    for key, wh in printed.items():
        if key.startswith("table4.") and key.endswith(".WH"):
            eg = printed[key.removesuffix("WH") + "EG"].value
            cells = [*wh.value, *eg] if isinstance(wh.value, list) and isinstance(eg, list) else []
            rows.append((key.removeprefix("table4.").removesuffix(".WH").replace(".", ", "), *cells))
    return Grid(
        key="printed_table4",
        title="Table 4 as printed (TREC-AP, OHSUMED with MeSH categories, TREC routing)",
        columns=("condition", "WH vs. Rocchio: wins", "mean F1", "EG vs. Rocchio: wins", "mean F1"),
        rows=tuple(rows),
        note="EG ran on binary documents, also in the rows of tf x idf. 183299 is a misprint of 183229.",
    )


def mean_table(results: Results) -> Table:
    """Mean F1 over classes of every method in every condition."""
    rows = []
    for at in results.conditions:
        for algorithm in ("Rocchio", "WH", "EG"):
            for form in FORMS:
                means = results.f1(at, (algorithm, form)).mean(axis=1)
                ordered = algorithm != "Rocchio" or at.size
                rows.append(
                    Row.of(f"{results.describe(at)}: {algorithm}, {form}", over(means) if ordered else alone(means[0]))
                )
    return Table(
        key="means",
        title="Mean F1 over classes",
        measure="F1",
        rows=tuple(rows),
        where="table 4, in form",
        note="Limits over random orders; with all documents Rocchio has no order.",
    )


def figures(results: Results) -> tuple[Figure, ...]:
    """Mean F1 of all classes by number of training documents."""
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
        out.append(
            Figure(
                key=f"{segment.collection}_{segment.name}",
                title=f"{segment.title}: mean F1 and number of training documents",
                across="training documents",
                up="mean F1 of all classes",
                series=tuple(series),
                log=True,
                where="table 4 (two sizes, no figure)",
                note=f"{len(segment.classes)} classes, {results.plan.repetitions} random orders.",
            )
        )
    return tuple(out)


def best(results: Results) -> tuple[Best, ...]:
    """The best method of each segment with all documents; sign test over all classes, two-sided."""
    out = []
    for n, segment in enumerate(results.segments):
        f1 = {
            (algorithm, form): values.mean(axis=0)
            for (algorithm, form), values in results.trials[n, 0].items()
            if algorithm in ("Rocchio", "WH", "EG")
        }
        first = max(f1, key=lambda key: f1[key].mean())
        equals = [
            ", ".join(key) for key in f1 if key != first and not rb.significance.sign_test(f1[first], f1[key]).p < LEVEL
        ]
        out.append(
            Best(
                task=f"{segment.title}, all training documents, linear classifiers (001)",
                method=", ".join(first),
                value=float(f1[first].mean()),
                measure=f"mean F1 of {len(segment.classes)} classes",
                equals=tuple(equals),
            )
        )
    return tuple(out)
