"""What came out of 001's comparisons, as tables and figures in the form of its table 4."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Figure, Grid, Plan, Printed, Published, Row, Series, Table, alone, over, share_of
from .trials import FORMS, GROUPS, Method, Segment, Trials

__all__ = [
    "Condition",
    "Results",
    "best",
    "figures",
    "mean_table",
    "printed_cells",
    "printed_grid",
    "shares_table",
    "table4",
]

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
    found: Mapping[tuple[int, int], Trials]

    @property
    def conditions(self) -> list[Condition]:
        """Those of the table."""
        sizes = self.plan["table sizes"]
        return [Condition(n, size, group) for n in range(len(self.segments)) for group in GROUPS for size in sizes]

    def told(self, at: Condition) -> str:
        """A condition for people."""
        own = self.segments[at.segment]
        return f"{own.title}, {at.group} classes, {at.size or own.X.shape[0]:,} documents"

    def f1(self, at: Condition, method: Method) -> Floats:
        """runs x classes of the group."""
        return self.found[at.segment, at.size][method][:, self.segments[at.segment].group(at.group)]

    def against(self, at: Condition, one: Method, other: Method) -> tuple[rb.significance.SignOutcome, float, float]:
        """The paper's comparison: F1 of each class averaged over runs, one-tailed sign test, and both means."""
        a, b = self.f1(at, one).mean(axis=0), self.f1(at, other).mean(axis=0)
        return rb.significance.sign_test(a, b, alternative="greater"), float(a.mean()), float(b.mean())


# -- tables


def table4(results: Results) -> Grid:
    """Wins and means in the paper's form; EG is also compared on tf x idf, which the paper could not."""
    rows = []
    for at in results.conditions:
        own = results.segments[at.segment]
        for form in FORMS:
            pairs = [("WH", form), ("EG", "binary"), *([("EG", form)] if form != "binary" else [])]
            cells = [cell for one in pairs for cell in compared(results, at, one, ("Rocchio", form))]
            cells += [""] * (6 - len(cells))
            size = at.size or own.X.shape[0]
            rows.append(
                (f"{own.title}, {at.group}", size, form, int(own.group(at.group).sum()), own.X.shape[1], *cells)
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


def compared(results: Results, at: Condition, one: Method, other: Method) -> tuple[str, str]:
    """Wins and means as the paper writes them."""
    test, a, b = results.against(at, one, other)
    sure = min(test.p, rb.significance.sign_test(test.losses, test.wins, alternative="greater").p) < LEVEL
    return rb.significance.marked(test.wins, test.losses, significant=sure), rb.significance.mean_marked(a, b)


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
    for key, one in printed.items():
        if key.startswith("table4.") and isinstance(one.value, list) and (found := CELL.fullmatch(one.value[0])):
            wins, _, mark, losses = found.groups()
            out.append(Cell(key, int(wins), int(losses), mark == "?"))
    return out


def shares_table(results: Results, printed: Published) -> Table:
    """In how many conditions Rocchio is worse: the printed conditions of text categorisation, and ours."""
    cells = [one for one in printed_cells(printed) if "routing" not in one.key]
    rows = []
    for name, one, form in (
        ("WH above Rocchio, both binary", "WH", "binary"),
        ("WH above Rocchio, both tf x idf", "WH", "tf x idf"),
        ("EG above Rocchio, both binary", "EG", "binary"),
        ("EG binary above Rocchio tf x idf", "EG", "tf x idf"),
    ):
        short = {"binary": "bin"}.get(form, form)
        theirs = [cell for cell in cells if cell.key.endswith(f".{short}.{one}")]
        its_form = "binary" if one == "EG" else form
        tests = [results.against(at, (one, its_form), ("Rocchio", form))[0] for at in results.conditions]
        more = share_of(sum(test.wins > test.losses for test in tests), len(tests))
        sure = share_of(sum(test.p < LEVEL for test in tests), len(tests))
        for what, ours, count in (
            ("wins more classes", more, sum(cell.wins > cell.losses for cell in theirs)),
            ("significantly", sure, sum(cell.wins > cell.losses and not cell.doubtful for cell in theirs)),
        ):
            said = Printed(f"{name}: {what}", 100 * count / len(theirs), "table 4, counted", "% of its conditions")
            rows.append(Row.of(said.key, ours, said))
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
    """The paper's table 4."""
    rows = []
    for key, one in printed.items():
        if key.startswith("table4.") and key.endswith(".WH"):
            other = printed[key.removesuffix("WH") + "EG"].value
            cells = [*one.value, *other] if isinstance(one.value, list) and isinstance(other, list) else []
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
        for one in ("Rocchio", "WH", "EG"):
            for form in FORMS:
                means = results.f1(at, (one, form)).mean(axis=1)
                ordered = one != "Rocchio" or at.size
                rows.append(Row.of(f"{results.told(at)}: {one}, {form}", over(means) if ordered else alone(means[0])))
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
    for n, own in enumerate(results.segments):
        sizes = sorted((size or own.X.shape[0], size) for segment, size in results.found if segment == n)
        series = []
        for one, form in (
            ("Rocchio", "tf x idf"),
            ("WH", "tf x idf"),
            ("EG", "binary"),
            ("Rocchio", "binary"),
            ("WH", "binary"),
        ):
            ours = [over(results.found[n, size][one, form].mean(axis=1)) for _, size in sizes]
            series.append(Series.of(f"{one}, {form}", [x for x, _ in sizes], ours))
        out.append(
            Figure(
                key=f"{own.collection}_{own.name}",
                title=f"{own.title}: mean F1 and number of training documents",
                across="training documents",
                up="mean F1 of all classes",
                series=tuple(series),
                log=True,
                where="table 4 (two sizes, no figure)",
                note=f"{len(own.classes)} classes, {results.plan.repetitions} random orders.",
            )
        )
    return tuple(out)


def best(results: Results) -> tuple[Best, ...]:
    """The best method of each segment with all documents; sign test over all classes, two-sided."""
    out = []
    for n, own in enumerate(results.segments):
        found = {
            (one, form): values.mean(axis=0)
            for (one, form), values in results.found[n, 0].items()
            if one in ("Rocchio", "WH", "EG")
        }
        first = max(found, key=lambda key: found[key].mean())
        equals = [
            ", ".join(key)
            for key in found
            if key != first and not rb.significance.sign_test(found[first], found[key]).p < LEVEL
        ]
        out.append(
            Best(
                task=f"{own.title}, all training documents, linear classifiers (001)",
                method=", ".join(first),
                value=float(found[first].mean()),
                measure=f"mean F1 of {len(own.classes)} classes",
                equals=tuple(equals),
            )
        )
    return tuple(out)
