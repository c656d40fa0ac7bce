"""What came out of 004's third experiment, as tables, grids and a figure beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Best, Figure, Grid, Plan, Published, Row, Series, Summary, Table, alone, over
from .reuters import Found, Stories, averages, by_k
from .rivals import Answers

__all__ = [
    "COMBO",
    "DENSITY",
    "DRAWS",
    "MEASURES",
    "OWN",
    "PCUT",
    "Results",
    "best",
    "combo_table",
    "cut_grids",
    "figures",
    "results_of",
    "setting_grid",
    "table5",
]

OWN = ("Rocchio/TF*IDF (Pcut)", "Density Estimation", "Combo")
PCUT, DENSITY, COMBO = OWN
MEASURES = {"miR": "recall", "miP": "precision", "miF1": "F1", "maF1": "macro F1", "error": "error"}
ASKED = {(PCUT, "miF1"), (DENSITY, "miF1"), (COMBO, "miF1"), (COMBO, "maF1")}
WITHIN = 2.0
DRAWS = 2000


@dataclass(frozen=True, eq=False)
class Results:
    """Everything about Reuters: decisions by system, and both comparisons (micro F1; F1 of each label)."""

    plan: Plan
    own: Stories
    found: Found
    rivals: Mapping[str, Answers]
    decisions: Mapping[str, Any]
    micro: rb.significance.Comparison
    macro: rb.significance.Comparison

    def value(self, system: str, measure: str) -> float:
        """One of table 5's measures, in %."""
        both = rb.metrics.micro_macro(self.decisions[system], self.own.T)
        return (
            100
            * {
                "miR": both.micro_recall,
                "miP": both.micro_precision,
                "miF1": both.micro_f,
                "maF1": both.macro_f,
                "error": both.error,
            }[measure]
        )

    def f1(self, system: str) -> Any:
        """F1 of each topic."""
        return rb.metrics.micro_macro(self.decisions[system], self.own.T).f

    def against(self, one: str, other: str, measure: str) -> tuple[float, float]:
        """The difference in points, and p of a randomisation test over stories."""
        comparison = self.micro if measure == "miF1" else self.macro
        p = next(pair.test.p for pair in comparison.pairs if {pair.a, pair.b} == {one, other})
        return self.value(one, measure) - self.value(other, measure), p


def results_of(plan: Plan, own: Stories, found: Found, rivals: Mapping[str, Answers]) -> Results:
    """All systems compared, stories swapped at random."""
    decisions = dict(zip(OWN, (found.decided.plain, found.decided.density, found.combined), strict=True))
    decisions |= {name: one.micro for name, one in rivals.items()}
    micro, macro = (
        rb.significance.compare(decisions, own.T, measure=name, draws=DRAWS, interval_draws=10, random_state=plan.seed)
        for name in ("microF1", "F1")
    )
    return Results(plan, own, found, rivals, decisions, micro, macro)


# -- tables


def table5(results: Results, printed: Published) -> Table:
    """Table 5 whole."""
    rows = []
    for system in results.decisions:
        for measure, what in MEASURES.items():
            asked = WITHIN if (system, measure) in ASKED else None
            said = printed[f"table5.{system}.{measure}"]
            rows.append(
                Row.of(
                    f"{system}, {what}", interval(results, system, measure), said, within=asked, or_better=bool(asked)
                )
            )
    note = (
        "F1, precision and recall are micro-averaged unless a row says macro. The last five printed rows are Yang & Liu's "
        "(1999); ours have their numbers of terms (chi-square), and cuts with the highest micro F1 on out-of-fold scores of the "
        "training stories. Intervals: bootstrap over test stories; of macro F1 over the 90 topics."
    )
    return Table(
        key="table5",
        title="The 90 topics of Reuters",
        measure="%",
        rows=tuple(rows),
        where="table 5",
        note=note,
    )


def interval(results: Results, system: str, measure: str) -> Summary:
    """A measure and its limits: over test stories, and of macro F1 over topics, since stories drawn anew leave the rarest out."""
    if measure == "maF1":
        return over(100 * results.f1(system))
    name = {"miR": "microR", "miP": "microP", "miF1": "microF1", "error": "error"}[measure]
    one = rb.significance.bootstrap(
        name, results.decisions[system], results.own.T, draws=500, random_state=results.plan.seed
    )
    return Summary(100 * one.value, 100 * one.low, 100 * one.high, results.own.T.shape[0])


def combo_table(results: Results, printed: Published) -> Table:
    """Which categories Combo leaves to whom, and the size of the collection."""
    own, by_density = results.own, results.found.combo.by_density
    sizes = np.asarray(own.Y.sum(axis=0)).ravel()
    one_label = sum(int((np.diff(part.indptr) == 1).sum()) for part in (own.Y, own.T))
    values = {
        "combo.pcut.categories": int((~by_density).sum()),
        "combo.pcut.assignments": int(sizes[~by_density].sum()),
        "combo.density.categories": int(by_density.sum()),
        "combo.density.assignments": int(sizes[by_density].sum()),
        "reuters.categories": len(own.labels),
        "reuters.train": own.X.shape[0],
        "reuters.test": own.T.shape[0],
        "reuters.one": one_label,
        "reuters.largest.train": int(sizes.max()),
        "reuters.largest.test": int(np.asarray(own.T.sum(axis=0)).max()),
    }
    rows = [Row.of(printed[key].what, alone(value), printed[key]) for key, value in values.items()]
    note = (
        f"The topics have {int(sizes.sum()):,} training assignments; the paper's 1,257 + 8,626 are 9,883, which does not fit its "
        "own «1.24 categories a document» (readings)."
    )
    return Table(
        key="combo",
        title="What Combo chose, and the collection",
        measure="numbers",
        rows=tuple(rows),
        where="sec. 4.3, 7.3",
        note=note,
    )


# -- grids


def setting_grid(results: Results) -> Grid:
    """What the cross-validation saw."""
    plain, density = results.found.tried.values()
    chosen = results.found.chosen
    rows = []
    for setting, value in plain.items():
        k, best = max(((k, v) for (own, k), v in density.items() if own == setting), key=lambda one: one[1])
        marks = [name for name, own in (("Pcut", chosen.plain), ("density", chosen.density)) if own == setting]
        rows.append((str(setting), value, best, k, " and ".join(marks)))
    return Grid(
        key="settings",
        title="Chosen inside the training set: micro F1, %, of held-out training stories",
        columns=("setting", "Pcut", "density, best k", "k", "chosen for"),
        rows=tuple(rows),
        note="Pcut ranks stories within a category: the length of category vectors changes nothing there.",
    )


def cut_grids(
    results: Results,
    others: Mapping[str, Answers],
    cuts: Mapping[str, Any],
    vectors: Mapping[str, tuple[float, float]],
    recipes: Mapping[str, tuple[Found, Stories]],
) -> tuple[Grid, ...]:
    """What other choices are worth on the test stories, each changed alone."""
    out = []
    columns = ("", "micro F1", "macro F1")
    if results.rivals:
        rows = []
        for name, one in {**results.rivals, **others}.items():
            both = [averages(own, results.own.T) for own in (one.micro, one.pcut, one.own)]
            rows.append((name, *(value for pair in both for value in pair)))
        heads = [f"{cut}, {average} F1" for cut in ("micro cuts", "Pcut", "own rule") for average in ("micro", "macro")]
        out.append(
            Grid(
                key="rivals",
                title="The rivals with other cuts, %",
                columns=("", *heads),
                rows=tuple(rows),
                note="Own rule: score above 0 (SVM), above one half (neural net, naive Bayes), above the cut with the best F1 of "
                "each label on training scores (least squares) or leave-one-out votes (neighbours).",
            )
        )
    if cuts:
        rows = [(name, *averages(own, results.own.T)) for name, own in cuts.items()]
        title = "Rocchio's similarities turned into decisions, %"
        out.append(Grid(key="rocchio_cuts", title=title, columns=columns, rows=tuple(rows)))
    if vectors:
        rows = [(name, *both) for name, both in vectors.items()]
        title = "Density estimation by how the training stories' score vectors are made, %"
        out.append(Grid(key="training_vectors", title=title, columns=columns, rows=tuple(rows)))
    if recipes:
        rows = []
        for name, (found, own) in recipes.items():
            three = (found.decided.plain, found.decided.density, found.combined)
            values = [value for part in three for value in averages(part, own.T)]
            rows.append((name, own.X.shape[1], found.chosen.plain_value, found.chosen.k, *values))
        heads = [f"{system}, {average} F1" for system in ("Pcut", "density", "Combo") for average in ("micro", "macro")]
        out.append(
            Grid(
                key="words",
                title="Other words, all parameters chosen anew inside the training set, %",
                columns=("words", "terms", "Pcut, held-out training stories", "k", *heads),
                rows=tuple(rows),
                note="The first is the table's. The paper speaks of no stop list; its numbers are those of a system without one.",
            )
        )
    return tuple(out)


def figures(results: Results) -> tuple[Figure, ...]:
    """k, inside the training set and on the test stories."""
    _, density = results.found.tried.values()
    setting = results.found.chosen.density
    ks = [k for own, k in density if own == setting]
    test = by_k(results.own, setting, ks)
    x = tuple(float(k) for k in ks)
    series = (
        Series(method="held-out training stories, micro F1", x=x, y=tuple(density[setting, k] for k in ks)),
        Series(method="test stories, micro F1", x=x, y=tuple(micro for micro, _ in test)),
        Series(method="test stories, macro F1", x=x, y=tuple(macro for _, macro in test)),
    )
    return (
        Figure(
            key="k",
            title="Density estimation: how many neighbours",
            across="k",
            up="F1, %",
            series=series,
            log=True,
            where="sec. 5 (no figure in the paper)",
            note=f"{setting}; k = {results.found.chosen.k} was chosen on the training stories.",
        ),
    )


def best(results: Results) -> tuple[Best, ...]:
    """The best system by each average, and those not significantly worse."""
    out = []
    for measure, comparison in (("miF1", results.micro), ("maF1", results.macro)):
        first = max(results.decisions, key=lambda name: results.value(name, measure))
        worse = {pair.b if pair.a == first else pair.a for pair in comparison.pairs if pair.better == first}
        equals = tuple(name for name in results.decisions if name != first and name not in worse)
        name = "micro F1" if measure == "miF1" else "macro F1"
        value = results.value(first, measure)
        out.append(
            Best(
                task=f"Reuters, 90 topics, {name} (004)", method=first, value=value, measure=f"{name}, %", equals=equals
            )
        )
    return tuple(out)
