"""What came out of 004's third experiment, as tables, grids and a figure beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Best, Figure, Grid, Plan, Published, Row, Series, Summary, Table, alone, over
from .reuters import Experiment, Stories, averages, f1_by_k
from .rivals import RivalDecisions

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
    stories: Stories
    experiment: Experiment
    rivals: Mapping[str, RivalDecisions]
    decisions: Mapping[str, Any]
    micro: rb.significance.Comparison
    macro: rb.significance.Comparison

    def value(self, system: str, measure: str) -> float:
        """One of table 5's measures, in %."""
        both = rb.metrics.micro_macro(self.decisions[system], self.stories.T)
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
        return rb.metrics.micro_macro(self.decisions[system], self.stories.T).f

    def against(self, system: str, other: str, measure: str) -> tuple[float, float]:
        """The difference in points, and p of a randomisation test over stories."""
        comparison = self.micro if measure == "miF1" else self.macro
        p = next(pair.test.p for pair in comparison.pairs if {pair.a, pair.b} == {system, other})
        return self.value(system, measure) - self.value(other, measure), p


def results_of(plan: Plan, stories: Stories, experiment: Experiment, rivals: Mapping[str, RivalDecisions]) -> Results:
    """All systems compared, stories swapped at random."""
    decisions = dict(
        zip(OWN, (experiment.decisions.plain, experiment.decisions.density, experiment.combined), strict=True)
    )
    decisions |= {name: rival.micro for name, rival in rivals.items()}
    micro, macro = (
        rb.significance.compare(
            decisions, stories.T, measure=name, draws=DRAWS, interval_draws=10, random_state=plan.seed
        )
        for name in ("microF1", "F1")
    )
    return Results(plan, stories, experiment, rivals, decisions, micro, macro)


# -- tables


def table5(results: Results, printed: Published) -> Table:
    rows = []
    for system in results.decisions:
        for measure, what in MEASURES.items():
            within = WITHIN if (system, measure) in ASKED else None
            theirs = printed[f"table5.{system}.{measure}"]
            rows.append(
                Row.of(
                    f"{system}, {what}",
                    interval(results, system, measure),
                    theirs,
                    within=within,
                    or_better=bool(within),
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
    estimate = rb.significance.bootstrap(
        name, results.decisions[system], results.stories.T, draws=500, random_state=results.plan.seed
    )
    return Summary(100 * estimate.value, 100 * estimate.low, 100 * estimate.high, results.stories.T.shape[0])


def combo_table(results: Results, printed: Published) -> Table:
    """How many categories Combo leaves to either rule, and the size of the collection."""
    stories, by_density = results.stories, results.experiment.combo.by_density
    sizes = np.asarray(stories.Y.sum(axis=0)).ravel()
    one_label = sum(int((np.diff(part.indptr) == 1).sum()) for part in (stories.Y, stories.T))
    values = {
        "combo.pcut.categories": int((~by_density).sum()),
        "combo.pcut.assignments": int(sizes[~by_density].sum()),
        "combo.density.categories": int(by_density.sum()),
        "combo.density.assignments": int(sizes[by_density].sum()),
        "reuters.categories": len(stories.labels),
        "reuters.train": stories.X.shape[0],
        "reuters.test": stories.T.shape[0],
        "reuters.one": one_label,
        "reuters.largest.train": int(sizes.max()),
        "reuters.largest.test": int(np.asarray(stories.T.sum(axis=0)).max()),
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
    """Micro F1 of every setting in the cross-validation."""
    plain, density = results.experiment.trials.values()
    choice = results.experiment.choice
    rows = []
    for setting, value in plain.items():
        k, best = max(((k, v) for (other, k), v in density.items() if other == setting), key=lambda pair: pair[1])
        marks = [name for name, other in (("Pcut", choice.plain), ("density", choice.density)) if other == setting]
        rows.append((str(setting), value, best, k, " and ".join(marks)))
    return Grid(
        key="settings",
        title="Chosen inside the training set: micro F1, %, of held-out training stories",
        columns=("setting", "Pcut", "density, best k", "k", "chosen for"),
        rows=tuple(rows),
        note="Pcut ranks stories within a category: the length of category vectors changes nothing there.",
    )


def variant_grids(
    results: Results,
    others: Mapping[str, RivalDecisions],
    rules: Mapping[str, Any],
    vectors: Mapping[str, tuple[float, float]],
    recipes: Mapping[str, tuple[Experiment, Stories]],
) -> tuple[Grid, ...]:
    """What other choices are worth on the test stories, each changed alone."""
    out = []
    columns = ("", "micro F1", "macro F1")
    if results.rivals:
        rows = []
        for name, rival in {**results.rivals, **others}.items():
            both = [averages(decisions, results.stories.T) for decisions in (rival.micro, rival.pcut, rival.model_rule)]
            rows.append((name, *(value for pair in both for value in pair)))
        heads = [
            f"{rule}, {average} F1" for rule in ("micro cuts", "Pcut", "own rule") for average in ("micro", "macro")
        ]
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
    if rules:
        rows = [(name, *averages(decisions, results.stories.T)) for name, decisions in rules.items()]
        title = "Rocchio's similarities turned into decisions, %"
        out.append(Grid(key="rocchio_cuts", title=title, columns=columns, rows=tuple(rows)))
    if vectors:
        rows = [(name, *both) for name, both in vectors.items()]
        title = "Density estimation by how the training stories' score vectors are made, %"
        out.append(Grid(key="training_vectors", title=title, columns=columns, rows=tuple(rows)))
    if recipes:
        rows = []
        for name, (experiment, stories) in recipes.items():
            three = (experiment.decisions.plain, experiment.decisions.density, experiment.combined)
            values = [value for part in three for value in averages(part, stories.T)]
            rows.append((name, stories.X.shape[1], experiment.choice.plain_value, experiment.choice.k, *values))
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
    """F1 by k, inside the training set and on the test stories."""
    _, density = results.experiment.trials.values()
    setting = results.experiment.choice.density
    ks = [k for other, k in density if other == setting]
    test = f1_by_k(results.stories, setting, ks)
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
            note=f"{setting}; k = {results.experiment.choice.k} was chosen on the training stories.",
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
