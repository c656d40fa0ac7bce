"""004's own system: documents and categories are TF*IDF vectors, their dot product is the similarity. Source: 004 sec. 5.

What the paper calls optional parameters is a `Setting`: the form of TF, and whether document and category vectors are brought to
length 1. Which of them is taken is decided inside the training set (`chosen`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Floats, Longs


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
    """TF*IDF of documents x terms."""
    counts = X.data.astype(np.float64)
    tf = 1 + np.log(counts) if setting.log else counts
    table = sparse.csr_array((tf * idf[X.indices], X.indices, X.indptr), shape=X.shape)
    return rb.vectors.cosine(table) if setting.documents else table


def shares_of(Y: sparse.csr_array) -> Floats:
    """The share of documents that have each label."""
    return np.asarray(Y.mean(axis=0), dtype=np.float64).ravel()
