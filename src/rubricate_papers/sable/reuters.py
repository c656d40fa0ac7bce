"""Table 5: the 90 topics of Reuters. Source: 004 sec. 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from .settings import Chosen, Decided, Tried, decided, probabilities, tried
from .system import SETTINGS, SEVERAL, Setting, System, shares_of

__all__ = ["RECIPES", "Found", "Stories", "averages", "by_k", "found", "other_cuts", "stories", "texts", "variants"]

RECIPES = {
    "letters and digits, all words": rb.Recipe(),
    "letters, all words": rb.Recipe(tokens="letters", numbers="drop"),
    "letters, English stop list": rb.Recipe(tokens="letters", numbers="drop", stop="english"),
    "letters, English stop list, stems": rb.Recipe(tokens="letters", numbers="drop", stop="english", stem="english"),
}


@dataclass(frozen=True, eq=False)
class Stories:
    """Training and test stories: counts and labels."""

    table: rb.Table
    X: sparse.csr_array
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    labels: list[str]

    def folds(self, n: int, seed: int) -> Any:
        """The fold of each training story."""
        return rb.validation.fold_numbers(self.table.labels, n, seed=seed)


def stories(train: rb.Corpus, test: rb.Corpus, recipe: rb.Recipe | None = None) -> Stories:
    """Both parts, counted."""
    table = rb.tabulate(train, recipe or rb.Recipe())
    names = list(table.counts.labels)
    X_test = rb.tabulate(test, table.recipe, terms=table.terms).X
    return Stories(
        table, table.X, rb.counts.indicator(table.labels, names), X_test, rb.counts.indicator(test.labels, names), names
    )


def texts(data: Path | None) -> tuple[rb.Corpus, rb.Corpus]:
    """The 7,770 and 3,019 stories."""
    return rb.collections.load("reuters21578", version="90", data=data)


@dataclass(frozen=True, eq=False)
class Found:
    """What was chosen inside the training set, and what it says of the test stories."""

    tried: Tried
    chosen: Chosen
    decided: Decided
    combo: rb.density.Combo

    @property
    def combined(self) -> Any:
        """Combo's decisions."""
        return self.combo.decide(self.decided.density, self.decided.plain)


def found(own: Stories, folds: Any, *, ks: Sequence[int], settings: Sequence[Setting] = SETTINGS) -> Found:
    """004's three systems."""
    all_tried = tried(own.X, own.Y, folds, SEVERAL, settings=settings, ks=ks)
    chosen = all_tried.chosen()
    return Found(all_tried, chosen, decided(own.X, own.Y, own.X_test, SEVERAL, chosen), all_tried.combo(chosen))


def by_k(own: Stories, setting: Setting, ks: Sequence[int]) -> list[tuple[float, float]]:
    """Micro and macro F1 on the test stories, by k."""
    system = System.trained(setting, own.X, own.Y)
    out = probabilities(system.scores(own.X), own.Y, system.scores(own.X_test), ks)
    return [averages(SEVERAL.by_probability(p), own.T) for p in out]


def averages(decisions: Any, truth: Any) -> tuple[float, float]:
    """Micro and macro F1, in %."""
    both = rb.metrics.micro_macro(decisions, truth)
    return 100 * both.micro_f, 100 * both.macro_f


def other_cuts(own: Stories, setting: Setting) -> dict[str, Any]:
    """The three ways to decide without density estimation.                                                  [004 sec. 3]

    Scut: cuts with the highest F1 on the training scores. Complement: against all documents outside the category, both vectors
    of length 1.
    """
    system = System.trained(setting, own.X, own.Y)
    unit = System.trained(Setting(setting.log, setting.documents, True), own.X, own.Y)
    new = system.scores(own.X_test)
    return {
        "Pcut": SEVERAL.by_scores(new, shares_of(own.Y)),
        "Scut": (new > rb.thresholds.scut(system.scores(own.X), own.Y)).astype(np.int64),
        "Complement category": rb.thresholds.complement(unit.scores(own.X_test), unit.rest_scores(own.X_test)),
    }


def variants(own: Stories, chosen: Chosen) -> dict[str, tuple[float, float]]:
    """The chosen density estimation, with training vectors made otherwise."""
    system = System.trained(chosen.density, own.X, own.Y)
    new = system.scores(own.X_test)
    known = {
        "as the trained system scores them": system.scores(own.X),
        "each story left out of its categories": system.left_out_scores(own.X, own.Y),
    }
    return {
        what: averages(SEVERAL.by_probability(probabilities(scores, own.Y, new, [chosen.k])[0]), own.T)
        for what, scores in known.items()
    }
