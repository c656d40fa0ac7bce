"""Exact nearest neighbours among score vectors: blocks of a matrix product for many labels, a tree for few.

    D(d, t) = sqrt(sum over labels of (S(d, c) - S(t, c))^2)                                              [004 sec. 3]

Distances equal to 12 decimals are equal, and then the training document that comes first is nearer (readings 004.3).
|d|^2 + |t|^2 - 2 d.t is quick and cancels: it only says which distances are worth computing. How wrong it can be is
known, for a dot product of n rounded numbers in any order is within n u / (1 - n u) of |d||t| (Higham 2002, sec. 3.1);
what it cannot rule out is computed from the differences, and nothing that could be nearer is left out. The result is that
of computing and sorting all distances, ties included, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ...foundation.threads import available_threads, workers
from ...scoring.density import LARGEST
from ...storage.registry import stored

BLOCK = 1 << 22  # entries of the matrix product that are held at a time
FEW_LABELS, MANY_DOCUMENTS = 10, 2_000  # from where on a tree is quicker (measured with k from 10 to 50)
SPARE = 8  # neighbours a tree finds beyond k, to see where the ties end
LARGEST_SINGLE = 1e15  # beyond it squares overflow in single precision
WAYS = ("auto", "blocks", "tree")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest training documents of each document, in order: `distances, indices = neighbours`."""

    distances: Floats  # documents x k
    indices: Longs  # documents x k

    def __iter__(self) -> Iterator[Any]:
        return iter((self.distances, self.indices))


def _make_nearest(vectors: Any, by_tree: Any) -> Nearest:
    return Nearest(vectors, way="tree" if by_tree else "blocks")


@stored("nearest", keys=("vectors", "by_tree"), make=_make_nearest)
class Nearest:
    """Finds the k nearest of some vectors.

    way: "blocks", "tree", or "auto", which takes the quicker; the result is the same.
    """

    def __init__(self, vectors: Any, *, way: str = "auto") -> None:
        if way not in WAYS:
            raise UnknownName("way to find neighbours", str(way), WAYS)
        self.vectors = check_vectors(vectors)
        n, width = self.vectors.shape
        self.by_tree = way == "tree" or (way == "auto" and width <= FEW_LABELS and n >= MANY_DOCUMENTS)
        self._single = True  # precision of the product, until it lets too much through
        self._transposed: Any = None

    def find(self, scores: Any, k: int, *, jobs: int | None = None) -> Neighbours:
        """The k nearest vectors of each row of `scores`; all of them where there are fewer than k."""
        points = check_vectors(scores)
        n, width = self.vectors.shape
        if points.shape[1] != width:
            raise InvalidSetting(
                f"score vectors of {points.shape[1]} labels, and neighbours of {width}: give the same labels"
            )
        k = min(k, n)
        neighbours = empty_neighbours(len(points), k)
        jobs = jobs or available_threads()
        if len(points) and k:
            (self._in_tree if self.by_tree else self._in_blocks)(points, neighbours, jobs)
        return neighbours

    # -- many labels: blocks of a product

    @cached_property
    def _middle(self) -> Floats:
        """Vectors are shifted by their mean before the product: the shorter they are, the sharper the bound."""
        middle: Floats = self.vectors.mean(axis=0)
        return middle

    @cached_property
    def _norms(self) -> Floats:
        return norms_of(self.vectors - self._middle)

    def _right_factor(self, precision: type) -> Any:
        """[-2 t, |t|^2] of each vector, so that one product with [d, 1] gives |t|^2 - 2 d.t; computed once."""
        if self._transposed is None or self._transposed.dtype != precision:
            shifted = self.vectors - self._middle
            self._transposed = np.column_stack([-2 * shifted, self._norms**2]).astype(precision).T
        return self._transposed

    def _in_blocks(self, points: Floats, neighbours: Neighbours, jobs: int) -> None:
        from ...kernels.score_neighbours import nearest

        n, width = self.vectors.shape
        k = neighbours.indices.shape[1]
        run: Any = nearest
        computed = np.empty(len(points), dtype=np.int64)
        step = max(1, min(len(points), BLOCK // n))
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            shifted = points[part] - self._middle
            norms = norms_of(shifted)
            largest = max(norms.max(), self._norms.max())
            precision = np.float32 if self._single and largest < LARGEST_SINGLE else np.float64
            left_factor = np.column_stack([shifted, np.ones(len(shifted))]).astype(precision)
            values = left_factor @ self._right_factor(precision)
            slack = rounding(width + 1, precision)
            shared = values, norms, self._norms, slack, points[part], self.vectors

            def find_rows(first: int, last: int, shared: Any = shared, part: slice = part) -> None:
                run(*shared, first, last, neighbours.distances[part], neighbours.indices[part], computed[part])

            in_threads(find_rows, len(shifted), jobs if values.size > BLOCK // 16 else 1)
            # far from the origin single precision sees no differences: all would be computed
            if precision is np.float32 and computed[part].mean() > 4 * k + 100:
                self._single = False

    # -- few labels: a tree

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.vectors)

    def _in_tree(self, points: Floats, neighbours: Neighbours, jobs: int) -> None:
        from ...kernels.score_neighbours import nearest_among

        n, width = self.vectors.shape
        k = neighbours.indices.shape[1]
        more = min(k + SPARE, n)
        run: Any = nearest_among
        step = max(1, BLOCK // more)
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            distances, candidates = self._tree.query(points[part], k=np.arange(1, more + 1), workers=jobs)
            candidates = np.ascontiguousarray(candidates, dtype=np.int64)
            shared = points[part], self.vectors, candidates

            def find_rows(first: int, last: int, shared: Any = shared, part: slice = part) -> None:
                run(*shared, first, last, neighbours.distances[part], neighbours.indices[part])

            in_threads(find_rows, len(candidates), jobs if candidates.size > BLOCK // 16 else 1)
            if more < n:
                ends = distances[:, k - 1] * (1 + 4 * rounding(width, np.float64)) + 2e-12
                open_ = np.flatnonzero(distances[:, -1] <= ends)  # ties that may go on beyond what the tree gave
                if len(open_):
                    again = empty_neighbours(len(open_), k)
                    self._in_blocks(points[part][open_], again, jobs)
                    neighbours.distances[start + open_], neighbours.indices[start + open_] = again


def empty_neighbours(n: int, k: int) -> Neighbours:
    return Neighbours(np.empty((n, k)), np.empty((n, k), dtype=np.int64))


def rounding(n: int, precision: type) -> float:
    """A bound of the relative error of a dot product of n numbers, with room for shifting, rounding to single and norms."""
    u = float(np.finfo(precision).eps) / 2
    return (n + 24) * u / (1 - (n + 24) * u)


def norms_of(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def check_vectors(scores: Any) -> Floats:
    """Score vectors as a table of finite numbers whose squares do not overflow."""
    vectors: Floats = np.ascontiguousarray(scores, dtype=np.float64)
    if vectors.ndim != 2:
        raise InvalidSetting(f"scores of {vectors.ndim} dimensions: give documents x labels")
    if vectors.size and not np.abs(vectors).max() <= LARGEST:
        raise InvalidSetting(f"a score is no number, infinite or beyond {LARGEST:g}: distances cannot be taken")
    return vectors


def in_threads(work: Callable[[int, int], None], n: int, jobs: int) -> None:
    """Call work(first, last) on parts of the rows 0..n-1, a part in each thread."""
    if jobs < 2 or n < 2:
        work(0, n)
        return
    ends = np.linspace(0, n, min(jobs, n) + 1).astype(int).tolist()
    with workers(jobs) as pool:
        list(pool.map(work, ends[:-1], ends[1:]))
