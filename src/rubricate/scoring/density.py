"""Density estimation applied: a label's probability is its share among the training documents with the most similar scores.

    P(C|d) = sum over the k nearest t of I(t, C) / (D(d, t) + eps)  /  sum over the same of 1 / (D(d, t) + eps)   [004 sec. 3]
    D(d, t) = sqrt(sum over labels of (S(d, c) - S(t, c))^2)

All distances are computed, in blocks of training documents, and sorted. Those equal to 12 decimals are equal, and then the
training document that comes first is nearer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InvalidSetting
from .arrays import Csr, Floats, Longs
from .calibrated import Bounds, Range

__all__ = ["Density"]

BLOCK = 1 << 18  # numbers of training scores that are compared at a time
LARGEST = 1e100  # beyond it squares overflow


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """Score vectors of training documents and the labels of each."""

    vectors: Floats  # training documents x labels, finite
    truth: Csr  # training documents x the labels that some of them have
    columns: Longs  # of these labels, among all
    n_labels: int
    k: int
    epsilon: float
    range: Range
    bounds: Bounds | None = None  # None in files of earlier versions

    def nearest(self, scores: Floats) -> tuple[Floats, Longs]:
        """Distances and numbers of the k nearest training documents of a document, nearest first."""
        point = self.range.clip_infinite(scores)
        if not np.abs(point).max(initial=0.0) <= LARGEST:
            raise InvalidSetting(f"a score is no number or beyond {LARGEST:g}: distances cannot be taken")
        distances = distances_from(self.vectors, point)
        order = np.argsort(np.rint(distances * 1e12), kind="stable")[: self.k]
        return distances[order], order

    def weights(self, distances: Floats) -> Floats:
        """1 / (D + eps)."""
        weights: Floats = 1 / (distances + self.epsilon)
        return weights

    def probabilities(self, scores: Floats) -> Floats:
        """P(C|d), documents x labels."""
        out, truth = np.zeros((len(scores), self.n_labels)), self.truth
        for n, row in enumerate(scores):
            distances, numbers = self.nearest(row)
            sums, total = np.zeros(truth.shape[1]), 0.0
            for number, weight in zip(numbers.tolist(), self.weights(distances).tolist(), strict=True):
                here = slice(truth.indptr[number], truth.indptr[number + 1])
                sums[truth.indices[here]] += weight * truth.data[here]
                total += weight
            out[n, self.columns] = sums / total
        return out if self.bounds is None else self.bounds.within(out)


def distances_from(vectors: Floats, point: Floats) -> Floats:
    """Euclidean distances of all vectors from a point. Squares are added in four sums side by side, the remaining ones to the
    first of them, as the compiled loop does it."""
    n, width = vectors.shape
    fours = width // 4 * 4
    out = np.empty(n)
    step = max(1, BLOCK // max(width, 1))
    for start in range(0, n, step):
        squares = (point - vectors[start : start + step]) ** 2
        sums = np.zeros((len(squares), 4))
        for column in range(0, fours, 4):
            sums += squares[:, column : column + 4]
        for column in range(fours, width):
            sums[:, 0] += squares[:, column]
        out[start : start + step] = np.sqrt((sums[:, 0] + sums[:, 1]) + (sums[:, 2] + sums[:, 3]))
    return out
