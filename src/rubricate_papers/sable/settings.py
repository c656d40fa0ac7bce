"""Settings and k, chosen by cross-validation inside the training set, with and without density estimation. Source: 004 sec. 5.

Each fold is scored by the system of the others, for every setting; the neighbours of the largest k are found once, and those of
a smaller k are their beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats
from .system import Rules, Setting, System, shares_of

__all__ = ["Chosen", "Decided", "Tried", "decided", "judged", "probabilities", "tried"]

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Chosen:
    """What did best on held-out training documents, in % of micro F1 (accuracy, where labels exclude each other)."""

    plain: Setting
    plain_value: float
    density: Setting
    k: int
    density_value: float


@dataclass(frozen=True, eq=False)
class Tried:
    """Decisions on the training documents, each by a system that has not seen it: without density estimation by setting, with
    it by setting and k."""

    plain: dict[Setting, Bools]
    density: dict[tuple[Setting, int], Bools]
    truth: Any

    def values(self) -> tuple[dict[Setting, float], dict[tuple[Setting, int], float]]:
        """The measure of each."""
        return (
            {key: judged(one, self.truth) for key, one in self.plain.items()},
            {key: judged(one, self.truth) for key, one in self.density.items()},
        )

    def chosen(self) -> Chosen:
        """The best; of equals the first, with the smallest k."""
        plain, density = self.values()
        first = max(plain, key=lambda key: plain[key])
        setting, k = max(density, key=lambda key: density[key])
        return Chosen(first, plain[first], setting, k, density[setting, k])

    def combo(self, chosen: Chosen) -> rb.density.Combo:
        """Which of both decides each label.                                                               [004 sec. 7.3]"""
        return rb.density.Combo.of(self.density[chosen.density, chosen.k], self.plain[chosen.plain], self.truth)


def judged(decisions: Any, truth: Any) -> float:
    """Micro F1 in %; with one decision and one label a document that is accuracy."""
    return 100 * rb.metrics.micro_macro(decisions, truth).micro_f


def tried(
    X: sparse.csr_array,
    Y: sparse.csr_array,
    folds: Any,
    rules: Rules,
    *,
    settings: Sequence[Setting],
    ks: Sequence[int],
) -> Tried:
    """All settings and all k on all folds."""
    shape = Y.shape
    plain = {setting: np.zeros(shape, dtype=bool) for setting in settings}
    density = {(setting, k): np.zeros(shape, dtype=bool) for setting in settings for k in ks}
    for fold in np.unique(folds):
        inside = folds == fold
        own, labels = X[~inside], Y[~inside]
        for setting in settings:
            system = System.trained(setting, own, labels)
            new = system.scores(X[inside])
            plain[setting][inside] = rules.by_scores(new, shares_of(labels))
            found = probabilities(system.scores(own), labels, new, ks)
            for k, values in zip(ks, found, strict=True):
                density[setting, k][inside] = rules.by_probability(values)
    return Tried(plain, density, Y)


def probabilities(known: Floats, labels: sparse.csr_array, new: Floats, ks: Sequence[int]) -> list[Floats]:
    """P(C|d) of new score vectors from known ones, for each k.                                              [004 sec. 3]"""
    found = rb.density.Nearest(known).find(new, max(ks))
    table = labels.astype(np.float64)
    return [
        rb.density.shares(rb.density.Neighbours(found.distances[:, :k], found.indices[:, :k]), table, epsilon=EPSILON)
        for k in ks
    ]


@dataclass(frozen=True, eq=False)
class Decided:
    """Decisions on test documents, 0/1 documents x labels."""

    plain: Any
    density: Any
    probability: Floats


def decided(
    X: sparse.csr_array, Y: sparse.csr_array, X_test: sparse.csr_array, rules: Rules, chosen: Chosen
) -> Decided:
    """By the settings that were chosen, trained on all training documents."""
    plain = rules.by_scores(System.trained(chosen.plain, X, Y).scores(X_test), shares_of(Y))
    system = System.trained(chosen.density, X, Y)
    (found,) = probabilities(system.scores(X), Y, system.scores(X_test), [chosen.k])
    return Decided(plain, rules.by_probability(found), found)
