"""Density estimation applied: a label's probability is its share among the training documents with the most similar scores.

    P(C|d) = sum over the k nearest t of I(t, C) / (D(d, t) + eps)  /  sum over the same of 1 / (D(d, t) + eps)   [004 sec. 3]
    D(d, t) = sqrt(sum over labels of (S(d, c) - S(t, c))^2)

All distances are computed, in blocks of training documents, and sorted; `decisions.density` has a compiled search, which finds
the same documents. Distances equal to 12 decimals are equal, and then the training document that comes first is nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from .arrays import Csr, Floats, Longs
from .calibrated import Bounds, Range, part_of

BLOCK = 1 << 18  # numbers that are compared or added at a time
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
    search: Callable[[Floats, int], Any] | None = None  # finds the k nearest vectors of each row of scores more quickly

    @classmethod
    def of(cls, decision: Any) -> Density:
        """Of a fitted `decisions.rules.Decision` by density, or that of a file."""
        density = decision.density
        return cls(
            density._nearest.vectors,
            density._labels,
            np.asarray(density.classes_, dtype=np.int64),
            int(decision.labels),
            int(density.k_),
            float(density.epsilon),
            part_of(Range, density._range),
            part_of(Bounds, getattr(decision, "bounds", None)),
            getattr(density._nearest, "find", None),
        )

    def neighbours(self, scores: Floats) -> tuple[Floats, Longs]:
        """Distances and numbers of the k nearest training documents of each document, nearest first."""
        points = self.range.clip_infinite(scores)
        if self.search is not None:
            distances, numbers = self.search(points, self.k)
            return distances, numbers
        if not np.abs(points).max(initial=0.0) <= LARGEST:
            raise InvalidSetting(f"a score is no number or beyond {LARGEST:g}: distances cannot be taken")
        k = min(self.k, len(self.vectors))
        distances, numbers = np.empty((len(points), k)), np.empty((len(points), k), dtype=np.int64)
        for n, point in enumerate(points):
            to_all = distances_from(self.vectors, point)
            numbers[n] = np.argsort(np.rint(to_all * 1e12), kind="stable")[:k]
            distances[n] = to_all[numbers[n]]
        return distances, numbers

    def nearest(self, scores: Floats) -> tuple[Floats, Longs]:
        """The same of one document."""
        (distances,), (numbers,) = self.neighbours(scores[None])
        return distances, numbers

    def weights(self, distances: Floats) -> Floats:
        weights: Floats = 1 / (distances + self.epsilon)
        return weights

    def probabilities(self, scores: Floats) -> Floats:
        out = np.zeros((len(scores), self.n_labels))
        out[:, self.columns] = shares(*self.neighbours(scores), self.truth, epsilon=self.epsilon)
        return out if self.bounds is None else self.bounds.within(out)


def shares(distances: Floats, numbers: Longs, truth: Csr, *, epsilon: float) -> Floats:
    p = np.empty((len(numbers), truth.shape[1]))
    step = max(1, BLOCK // max(numbers.shape[1], 1))
    for start in range(0, len(numbers), step):
        part = slice(start, start + step)
        sums, totals = weight_sums(distances[part], numbers[part], truth, epsilon=epsilon)
        p[part] = sums / totals
    return p


def weight_sums(distances: Floats, numbers: Longs, truth: Csr, *, epsilon: float) -> tuple[Floats, Floats]:
    """Sum over neighbours of I(t, C) / (D(d, t) + eps), documents x labels, and of 1 / (D(d, t) + eps), documents x 1; one
    neighbour after the other."""
    weights, (n, k), width = 1 / (distances + epsilon), numbers.shape, truth.shape[1]
    starts = truth.indptr[numbers.ravel()]
    sizes = truth.indptr[numbers.ravel() + 1] - starts
    places = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    cells = np.repeat(np.arange(n * k) // max(k, 1) * width, sizes) + truth.indices[places]
    parts = np.repeat(weights.ravel(), sizes) * truth.data[places]
    sums: Floats = np.bincount(cells, weights=parts, minlength=n * width).astype(np.float64, copy=False)
    return sums.reshape(n, width), np.cumsum(weights, axis=1)[:, -1:]


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
