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

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Choice:
    """The best settings on held-out training documents, in % of micro F1 (accuracy, where labels exclude each other)."""

    plain: Setting
    plain_value: float
    density: Setting
    k: int
    density_value: float


@dataclass(frozen=True, eq=False)
class Trials:
    """Decisions on the training documents, each by a system that has not seen it: without density estimation by setting, with
    it by setting and k."""

    plain: dict[Setting, Bools]
    density: dict[tuple[Setting, int], Bools]
    truth: Any

    def values(self) -> tuple[dict[Setting, float], dict[tuple[Setting, int], float]]:
        """Micro F1 of each."""
        return (
            {key: micro_f1(decisions, self.truth) for key, decisions in self.plain.items()},
            {key: micro_f1(decisions, self.truth) for key, decisions in self.density.items()},
        )

    def choice(self) -> Choice:
        """The best; of equals the first, with the smallest k."""
        plain, density = self.values()
        first = max(plain, key=lambda key: plain[key])
        setting, k = max(density, key=lambda key: density[key])
        return Choice(first, plain[first], setting, k, density[setting, k])

    def combo(self, choice: Choice) -> rb.density.Combo:
        """Which of both decides each label.                                                               [004 sec. 7.3]"""
        return rb.density.Combo.of(self.density[choice.density, choice.k], self.plain[choice.plain], self.truth)


def micro_f1(decisions: Any, truth: Any) -> float:
    """Micro F1 in %; with one decision and one label a document that is accuracy."""
    return 100 * rb.metrics.micro_macro(decisions, truth).micro_f


def cross_validate(
    X: sparse.csr_array,
    Y: sparse.csr_array,
    folds: Any,
    rules: Rules,
    *,
    settings: Sequence[Setting],
    ks: Sequence[int],
) -> Trials:
    """All settings and all k on all folds."""
    shape = Y.shape
    plain = {setting: np.zeros(shape, dtype=bool) for setting in settings}
    density = {(setting, k): np.zeros(shape, dtype=bool) for setting in settings for k in ks}
    for fold in np.unique(folds):
        inside = folds == fold
        X_train, Y_train = X[~inside], Y[~inside]
        for setting in settings:
            system = System.trained(setting, X_train, Y_train)
            new = system.scores(X[inside])
            plain[setting][inside] = rules.by_scores(new, shares_of(Y_train))
            by_k = probabilities(system.scores(X_train), Y_train, new, ks)
            for k, values in zip(ks, by_k, strict=True):
                density[setting, k][inside] = rules.by_probability(values)
    return Trials(plain, density, Y)


def probabilities(known: Floats, labels: sparse.csr_array, new: Floats, ks: Sequence[int]) -> list[Floats]:
    """P(C|d) of new score vectors from known ones, for each k.                                              [004 sec. 3]"""
    nearest = rb.density.Nearest(known).find(new, max(ks))
    table = labels.astype(np.float64)
    return [
        rb.density.shares(
            rb.density.Neighbours(nearest.distances[:, :k], nearest.indices[:, :k]), table, epsilon=EPSILON
        )
        for k in ks
    ]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions on test documents, 0/1 documents x labels."""

    plain: Any
    density: Any
    probability: Floats


def decide(
    X: sparse.csr_array, Y: sparse.csr_array, X_test: sparse.csr_array, rules: Rules, choice: Choice
) -> Decisions:
    """By the chosen settings, trained on all training documents."""
    plain = rules.by_scores(System.trained(choice.plain, X, Y).scores(X_test), shares_of(Y))
    system = System.trained(choice.density, X, Y)
    (probability,) = probabilities(system.scores(X), Y, system.scores(X_test), [choice.k])
    return Decisions(plain, rules.by_probability(probability), probability)
