"""Table 5: the 90 topics of Reuters. Source: 004 sec. 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..frame.published import published
from .system import (
    MULTILABEL,
    SETTINGS,
    Choice,
    Decisions,
    Setting,
    System,
    Trials,
    cross_validate,
    decide,
    probabilities,
    shares_of,
)

PAPER = published("sable")

RECIPES = {
    "letters and digits, all words": rb.Recipe(),
    "letters, all words": rb.Recipe(tokens="letters", numbers="drop"),
    "letters, English stop list": rb.Recipe(tokens="letters", numbers="drop", stop="english"),
    "letters, English stop list, stems": rb.Recipe(tokens="letters", numbers="drop", stop="english", stem="english"),
}


@dataclass(frozen=True, eq=False)
class Stories:
    table: rb.Table
    X: sparse.csr_array
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    labels: list[str]


def tabulate_stories(train: rb.Corpus, test: rb.Corpus, recipe: rb.Recipe | None = None) -> Stories:
    table = rb.tabulate(train, recipe or rb.Recipe())
    names = list(table.counts.labels)
    X_test = rb.tabulate(test, table.recipe, terms=table.terms).X
    Y, T = (rb.counts.indicator(labels, names) for labels in (table.labels, test.labels))
    return Stories(table, table.X, Y, X_test, T, names)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Settings chosen inside the training set, and the decisions on the test stories."""

    trials: Trials
    choice: Choice
    decisions: Decisions
    combo: rb.density.Combo

    @property
    def combined(self) -> Any:
        return self.combo.decide(self.decisions.density, self.decisions.plain)


def run_systems(
    stories: Stories, folds: Any, *, ks: Sequence[int], settings: Sequence[Setting] = SETTINGS
) -> Experiment:
    trials = cross_validate(stories.X, stories.Y, folds, MULTILABEL, settings=settings, ks=ks)
    choice = trials.choice()
    decisions = decide(stories.X, stories.Y, stories.X_test, MULTILABEL, choice)
    return Experiment(trials, choice, decisions, trials.combo(choice))


def f1_by_k(stories: Stories, setting: Setting, ks: Sequence[int]) -> list[tuple[float, float]]:
    """Micro and macro F1 on the test stories, by k."""
    system = System.trained(setting, stories.X, stories.Y)
    by_k = probabilities(system.scores(stories.X), stories.Y, system.scores(stories.X_test), ks)
    return [averages(MULTILABEL.by_probability(p), stories.T) for p in by_k]


def averages(decisions: Any, truth: Any) -> tuple[float, float]:
    both = rb.metrics.micro_macro(decisions, truth)
    return 100 * both.micro_f, 100 * both.macro_f


def threshold_rules(stories: Stories, setting: Setting) -> dict[str, Any]:
    """The three ways to decide without density estimation.                                                  [004 sec. 3]

    Scut: thresholds with the highest F1 on the training scores. Complement: against all documents outside the category,
    both vectors of length 1.
    """
    system = System.trained(setting, stories.X, stories.Y)
    unit = System.trained(Setting(setting.log, setting.documents, True), stories.X, stories.Y)
    new = system.scores(stories.X_test)
    return {
        "Pcut": MULTILABEL.by_scores(new, shares_of(stories.Y)),
        "Scut": (new > rb.thresholds.scut(system.scores(stories.X), stories.Y)).astype(np.int64),
        "Complement category": rb.thresholds.complement(unit.scores(stories.X_test), unit.rest_scores(stories.X_test)),
    }


def training_vectors(stories: Stories, choice: Choice) -> dict[str, tuple[float, float]]:
    """Micro and macro F1 of the chosen density estimation by how the training stories' score vectors are made."""
    system = System.trained(choice.density, stories.X, stories.Y)
    new = system.scores(stories.X_test)
    out = {}
    for what, scores in (
        ("as the trained system scores them", system.scores(stories.X)),
        ("each story left out of its categories", system.left_out_scores(stories.X, stories.Y)),
    ):
        (probability,) = probabilities(scores, stories.Y, new, [choice.k])
        out[what] = averages(MULTILABEL.by_probability(probability), stories.T)
    return out
