"""004's own system: documents and categories are TF*IDF vectors, their dot product is the similarity. Source: 004 sec. 5.

What the paper calls optional parameters is a `Setting`: the form of TF, and whether document and category vectors are brought to
length 1. Setting and k are chosen by cross-validation inside the training set, with and without density estimation: each fold is
scored by the system of the others, for every setting; the neighbours of the largest k are found once, and those of a smaller k
are their beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats, Longs

EPSILON = 1e-9


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test documents, with the terms that the training documents have: counts, and labels as 0 and 1."""

    table: rb.Table
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    labels: list[str]


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """One way of weighting. log: 1 + ln tf for tf. documents, categories: whether their vectors have length 1."""

    log: bool
    documents: bool
    categories: bool

    def __str__(self) -> str:
        tf = "log tf" if self.log else "tf"
        units = [name for name in ("documents", "categories") if getattr(self, name)]
        return f"{tf}, {' and '.join(units) or 'nothing'} of length 1"


SETTINGS = tuple(Setting(*on) for on in product((False, True), repeat=3))


@dataclass(frozen=True, slots=True)
class Rules:
    """How decisions are made: from similarities and each label's share of the training documents; and from probabilities."""

    by_scores: Callable[[Floats, Floats], Longs]
    by_probability: Callable[[Floats], Longs]


MULTILABEL = Rules(rb.thresholds.pcut, rb.density.decisions)  # [004 sec. 7.3]
EXCLUSIVE = Rules(lambda scores, shares: rb.thresholds.top_one(scores), rb.thresholds.top_one)  # [004 footnote 4]


@dataclass(frozen=True, eq=False)
class System:
    """A trained system. sums: categories x terms, the sum of their documents' vectors."""

    setting: Setting
    idf: Floats
    sums: sparse.csr_array
    everything: Floats
    lengths: Floats  # of the sums

    @classmethod
    def trained(cls, setting: Setting, X: sparse.csr_array, Y: sparse.csr_array) -> System:
        """From documents x terms of counts and documents x labels of 0 and 1."""
        df = np.bincount(X.indices, minlength=X.shape[1])
        idf = np.log(X.shape[0] / np.maximum(df, 1)) * (df > 0)
        A = weighted(setting, X, idf)
        sums = sparse.csr_array(Y.T.astype(np.float64) @ A)
        lengths = np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1)).ravel())
        return cls(setting, idf, sums, np.asarray(A.sum(axis=0)).ravel(), np.where(lengths > 0, lengths, 1.0))

    def scores(self, X: sparse.csr_array) -> Floats:
        """Similarities, documents x categories."""
        dots: Floats = (weighted(self.setting, X, self.idf) @ self.sums.T).toarray()
        if self.setting.categories:
            dots /= self.lengths
        return dots

    def rest_scores(self, X: sparse.csr_array) -> Floats:
        """Similarities with all training documents that are not in the category, both of length 1.       [004 sec. 3]"""
        A = weighted(self.setting, X, self.idf)
        squares = self.everything @ self.everything - 2 * (self.sums @ self.everything) + self.lengths**2
        dots: Floats = (A @ self.everything)[:, None] - (A @ self.sums.T).toarray()
        dots /= np.sqrt(np.maximum(squares, 1e-300))
        return dots

    def left_out_scores(self, X: sparse.csr_array, Y: sparse.csr_array) -> Floats:
        """Similarities of the training documents, each taken out of its own categories first (IDF as it was; readings 004.2)."""
        A, member = weighted(self.setting, X, self.idf), Y.toarray()
        squares = np.asarray(A.multiply(A).sum(axis=1))[:, None]
        dots: Floats = (A @ self.sums.T).toarray()
        scores: Floats = dots - member * squares
        if self.setting.categories:
            rest = self.lengths**2 + member * (squares - 2 * dots)
            scores = np.where(rest > 1e-9 * self.lengths**2, scores / np.sqrt(np.maximum(rest, 1e-300)), 0.0)
        return scores


def weighted(setting: Setting, X: sparse.csr_array, idf: Floats) -> sparse.csr_array:
    counts = X.data.astype(np.float64)
    tf = 1 + np.log(counts) if setting.log else counts
    table = sparse.csr_array((tf * idf[X.indices], X.indices, X.indptr), shape=X.shape)
    return rb.vectors.cosine(table) if setting.documents else table


def shares_of(Y: sparse.csr_array) -> Floats:
    return np.asarray(Y.mean(axis=0), dtype=np.float64).ravel()


# -- the choice inside the training set


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
    plain = {setting: np.zeros(Y.shape, dtype=bool) for setting in settings}
    density = {(setting, k): np.zeros(Y.shape, dtype=bool) for setting in settings for k in ks}
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
    beginnings = [rb.density.Neighbours(nearest.distances[:, :k], nearest.indices[:, :k]) for k in ks]
    return [rb.density.shares(neighbours, table, epsilon=EPSILON) for neighbours in beginnings]


@dataclass(frozen=True, eq=False)
class Decisions:
    plain: Any
    density: Any
    probability: Floats


def decide(
    X: sparse.csr_array, Y: sparse.csr_array, X_test: sparse.csr_array, rules: Rules, choice: Choice
) -> Decisions:
    plain = rules.by_scores(System.trained(choice.plain, X, Y).scores(X_test), shares_of(Y))
    system = System.trained(choice.density, X, Y)
    (probability,) = probabilities(system.scores(X), Y, system.scores(X_test), [choice.k])
    return Decisions(plain, rules.by_probability(probability), probability)
