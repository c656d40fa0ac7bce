"""What came out of 004's third experiment, as tables, grids and a figure beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Best, Figure, Grid, Plan, Row, Series, Summary, Table, alone, best_of, over
from .reuters import PAPER, Experiment, averages, f1_by_k
from .rivals import RivalDecisions
from .system import Split

SYSTEMS = ("Rocchio/TF*IDF (Pcut)", "Density Estimation", "Combo")
PCUT, DENSITY, COMBO = SYSTEMS
MEASURES = {"miR": "recall", "miP": "precision", "miF1": "F1", "maF1": "macro F1", "error": "error"}
BOUNDED = {(PCUT, "miF1"), (DENSITY, "miF1"), (COMBO, "miF1"), (COMBO, "maF1")}
WITHIN = 2.0
DRAWS = 2000


@dataclass(frozen=True, eq=False)
class Results:
    """Everything about Reuters: decisions by system, and both comparisons (micro F1; F1 of each label)."""

    plan: Plan
    stories: Split
    experiment: Experiment
    rivals: Mapping[str, RivalDecisions]
    decisions: Mapping[str, Any]
    micro: rb.significance.Comparison
    macro: rb.significance.Comparison

    def value(self, system: str, measure: str) -> float:
        fields = {
            "miR": "micro_recall",
            "miP": "micro_precision",
            "miF1": "micro_f",
            "maF1": "macro_f",
            "error": "error",
        }
        return float(100 * getattr(rb.metrics.micro_macro(self.decisions[system], self.stories.T), fields[measure]))

    def f1(self, system: str) -> Any:
        return rb.metrics.micro_macro(self.decisions[system], self.stories.T).f

    def against(self, system: str, other: str, measure: str) -> tuple[float, float]:
        """The difference in points, and p of a randomisation test over stories."""
        comparison = self.micro if measure == "miF1" else self.macro
        p = next(pair.test.p for pair in comparison.pairs if {pair.a, pair.b} == {system, other})
        return self.value(system, measure) - self.value(other, measure), p


def results_of(plan: Plan, stories: Split, experiment: Experiment, rivals: Mapping[str, RivalDecisions]) -> Results:
    ours = experiment.decisions.plain, experiment.decisions.density, experiment.combined
    decisions = dict(zip(SYSTEMS, ours, strict=True)) | {name: rival.micro for name, rival in rivals.items()}
    options: dict[str, Any] = {"draws": DRAWS, "interval_draws": 10, "random_state": plan.seed}
    micro, macro = (rb.significance.compare(decisions, stories.T, measure=m, **options) for m in ("microF1", "F1"))
    return Results(plan, stories, experiment, rivals, decisions, micro, macro)


# -- tables


def table5(results: Results) -> Table:
    rows = []
    for system in results.decisions:
        for measure, what in MEASURES.items():
            bounded = (system, measure) in BOUNDED
            bound = {"within": WITHIN if bounded else None, "or_better": bounded}
            ours = interval(results, system, measure)
            rows.append(Row.of(f"{system}, {what}", ours, PAPER[f"table5.{system}.{measure}"], **bound))
    return PAPER.table("table5", rows)


def interval(results: Results, system: str, measure: str) -> Summary:
    """A measure and its limits: over test stories, and of macro F1 over topics, since stories drawn anew leave the rarest out."""
    if measure == "maF1":
        return over(100 * results.f1(system))
    name = {"miR": "microR", "miP": "microP", "miF1": "microF1", "error": "error"}[measure]
    estimate = rb.significance.bootstrap(
        name, results.decisions[system], results.stories.T, draws=500, random_state=results.plan.seed
    )
    return Summary(100 * estimate.value, 100 * estimate.low, 100 * estimate.high, results.stories.T.shape[0])


def combo_table(results: Results) -> Table:
    """How many categories Combo leaves to either rule, and the size of the collection."""
    stories, by_density = results.stories, results.experiment.combo.by_density
    sizes = np.asarray(stories.Y.sum(axis=0)).ravel()
    values = {
        "combo.pcut.categories": int((~by_density).sum()),
        "combo.pcut.assignments": int(sizes[~by_density].sum()),
        "combo.density.categories": int(by_density.sum()),
        "combo.density.assignments": int(sizes[by_density].sum()),
        "reuters.categories": len(stories.labels),
        "reuters.train": stories.table.X.shape[0],
        "reuters.test": stories.T.shape[0],
        "reuters.one": sum(int((np.diff(part.indptr) == 1).sum()) for part in (stories.Y, stories.T)),
        "reuters.largest.train": int(sizes.max()),
        "reuters.largest.test": int(np.asarray(stories.T.sum(axis=0)).max()),
    }
    rows = [Row.of(PAPER[key].what, alone(value), PAPER[key]) for key, value in values.items()]
    return PAPER.table("combo", rows, assignments=int(sizes.sum()))


# -- grids


def setting_grid(results: Results) -> Grid:
    plain, density = results.experiment.trials.values()
    choice = results.experiment.choice
    rows = []
    for setting, value in plain.items():
        k, best = max(((k, v) for (other, k), v in density.items() if other == setting), key=lambda pair: pair[1])
        marks = [name for name, other in (("Pcut", choice.plain), ("density", choice.density)) if other == setting]
        rows.append((str(setting), value, best, k, " and ".join(marks)))
    return PAPER.grid("settings", rows)


def variant_grids(
    results: Results,
    rivals: Mapping[str, RivalDecisions],
    rules: Mapping[str, Any],
    vectors: Mapping[str, tuple[float, float]],
    recipes: Mapping[str, tuple[Experiment, Split]],
) -> list[Grid]:
    """What other choices are worth on the test stories, each changed alone."""
    out, truth = [], results.stories.T
    if rivals:
        decisions = {name: (rival.micro, rival.pcut, rival.model_rule) for name, rival in rivals.items()}
        rows = [(name, *(f1 for part in parts for f1 in averages(part, truth))) for name, parts in decisions.items()]
        out.append(PAPER.grid("rivals", rows))
    if rules:
        out.append(PAPER.grid("rocchio_cuts", [(name, *averages(part, truth)) for name, part in rules.items()]))
    if vectors:
        out.append(PAPER.grid("training_vectors", [(name, *both) for name, both in vectors.items()]))
    if recipes:
        rows = []
        for name, (experiment, stories) in recipes.items():
            three = (experiment.decisions.plain, experiment.decisions.density, experiment.combined)
            values = [value for part in three for value in averages(part, stories.T)]
            rows.append((name, stories.table.X.shape[1], experiment.choice.plain_value, experiment.choice.k, *values))
        out.append(PAPER.grid("words", rows))
    return out


def figures(results: Results) -> tuple[Figure, ...]:
    _, density = results.experiment.trials.values()
    setting = results.experiment.choice.density
    ks = [k for other, k in density if other == setting]
    micro, macro = zip(*f1_by_k(results.stories, setting, ks), strict=True)
    curves = {
        "held-out training stories, micro F1": tuple(density[setting, k] for k in ks),
        "test stories, micro F1": micro,
        "test stories, macro F1": macro,
    }
    series = [Series(method=name, x=tuple(map(float, ks)), y=y) for name, y in curves.items()]
    return (PAPER.figure("k", series, setting=setting, k=results.experiment.choice.k),)


def best(results: Results) -> list[Best]:
    out = []
    for measure, comparison, average in (("miF1", results.micro, "micro F1"), ("maF1", results.macro, "macro F1")):
        values = {name: results.value(name, measure) for name in results.decisions}
        better = {(pair.better, frozenset((pair.a, pair.b))) for pair in comparison.pairs}
        first, equals = best_of(values, lambda a, b: (a, frozenset((a, b))) not in better)  # noqa: B023
        out.append(PAPER.best("reuters", first, values[first], equals, average=average))
    return out
