"""Table 5: the 90 topics of Reuters. Source: 004 sec. 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..frame.published import published
from . import system
from .system import MULTILABEL, Setting, Split, System, shares_of

PAPER = published("sable")

RECIPES = {
    "letters and digits, all words": rb.Recipe(),
    "letters, all words": rb.Recipe(tokens="letters", numbers="drop"),
    "letters, English stop list": rb.Recipe(tokens="letters", numbers="drop", stop="english"),
    "letters, English stop list, stems": rb.Recipe(tokens="letters", numbers="drop", stop="english", stem="english"),
}


def tabulate_stories(train: rb.Corpus, test: rb.Corpus, recipe: rb.Recipe | None = None) -> Split:
    table = rb.tabulate(train, recipe or rb.Recipe())
    names = list(table.counts.labels)
    X_test = rb.tabulate(test, table.recipe, terms=table.terms).X
    Y, T = (rb.counts.indicator(labels, names) for labels in (table.labels, test.labels))
    return Split(table, Y, X_test, T, names)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Settings chosen inside the training set, and the decisions on the test stories."""

    trials: system.Trials
    choice: system.Choice
    decisions: system.Decisions
    combo: rb.density.Combo

    @property
    def combined(self) -> Any:
        return self.combo.decide(self.decisions.density, self.decisions.plain)


def run_systems(
    stories: Split, folds: Any, *, ks: Sequence[int], settings: Sequence[Setting] = system.SETTINGS
) -> Experiment:
    trials = system.cross_validate(stories.table.X, stories.Y, folds, MULTILABEL, settings=settings, ks=ks)
    choice = trials.choice()
    decisions = system.decide(stories.table.X, stories.Y, stories.X_test, MULTILABEL, choice)
    return Experiment(trials, choice, decisions, trials.combo(choice))


def f1_by_k(stories: Split, setting: Setting, ks: Sequence[int]) -> list[tuple[float, float]]:
    """Micro and macro F1 on the test stories, by k."""
    trained = System.trained(setting, stories.table.X, stories.Y)
    by_k = system.probabilities(trained.scores(stories.table.X), stories.Y, trained.scores(stories.X_test), ks)
    return [averages(MULTILABEL.by_probability(p), stories.T) for p in by_k]


def averages(decisions: Any, truth: Any) -> tuple[float, float]:
    """Micro and macro F1, in %."""
    both = rb.metrics.micro_macro(decisions, truth)
    return 100 * both.micro_f, 100 * both.macro_f


def threshold_rules(stories: Split, setting: Setting) -> dict[str, Any]:
    """The three ways to decide without density estimation.                                                  [004 sec. 3]

    Scut: thresholds with the highest F1 on the training scores. Complement: against all documents outside the category,
    both vectors of length 1.
    """
    trained = System.trained(setting, stories.table.X, stories.Y)
    unit = System.trained(Setting(setting.log, setting.documents, True), stories.table.X, stories.Y)
    new = trained.scores(stories.X_test)
    return {
        "Pcut": MULTILABEL.by_scores(new, shares_of(stories.Y)),
        "Scut": (new > rb.thresholds.scut(trained.scores(stories.table.X), stories.Y)).astype(np.int64),
        "Complement category": rb.thresholds.complement(unit.scores(stories.X_test), unit.rest_scores(stories.X_test)),
    }


def training_vectors(stories: Split, choice: system.Choice) -> dict[str, tuple[float, float]]:
    """Micro and macro F1 of the chosen density estimation by how the training stories' score vectors are made."""
    trained = System.trained(choice.density, stories.table.X, stories.Y)
    new = trained.scores(stories.X_test)
    out = {}
    for what, scores in (
        ("as the trained system scores them", trained.scores(stories.table.X)),
        ("each story left out of its categories", trained.left_out_scores(stories.table.X, stories.Y)),
    ):
        (probability,) = system.probabilities(scores, stories.Y, new, [choice.k])
        out[what] = averages(MULTILABEL.by_probability(probability), stories.T)
    return out
