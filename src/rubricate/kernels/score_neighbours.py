"""The k nearest rows of a table: a cheap bound throws nearly all away, exact distances put the rest in order.

What comes in is a matrix product: for a point q and each row t, `values` = |t|^2 - 2 q.t, wrong by no more than
`slack` (|q| + |t|)^2. The k-th smallest upper bound is above the k-th smallest distance; a row whose lower bound is
above that (and a little more, so that equals are seen) cannot be among the k. Of the others the distance is computed
from the differences themselves, which does not cancel.

Order: distances equal to 12 decimals are equal, then the lower row comes first.
"""
# mypy: ignore-errors
# (bodies are compiled by Numba, whose explicit signatures are their types)

from __future__ import annotations

import math

import numpy as np
from numba import boolean, float64, int64, njit

from .cache import CACHED
from .signatures import f32s, f64, f64s, f64sw, f64w, i64s, i64sw, i64w

DECIMALS = 1e12
EQUAL = 2e-12  # what lies so near may be equal to 12 decimals


@njit(boolean(float64, int64, float64, int64), cache=CACHED, nogil=True)
def after(key, place, other_key, other_place):
    """Whether the first comes after the second."""
    return key > other_key or (key == other_key and place > other_place)


@njit([(f64w, i64w, int64, float64, int64)], cache=CACHED, nogil=True, boundscheck=None)
def rise(keys, places, size, key, place):
    """One more into a heap whose last comes first."""
    i = size
    while i > 0:
        above = (i - 1) >> 1
        if not after(key, place, keys[above], places[above]):
            break
        keys[i], places[i] = keys[above], places[above]
        i = above
    keys[i], places[i] = key, place


@njit([(f64w, i64w, int64, float64, int64)], cache=CACHED, nogil=True, boundscheck=None)
def sink(keys, places, size, key, place):
    """In place of the first of a heap."""
    i = 0
    while True:
        below = 2 * i + 1
        if below >= size:
            break
        if below + 1 < size and after(keys[below + 1], places[below + 1], keys[below], places[below]):
            below += 1
        if not after(keys[below], places[below], key, place):
            break
        keys[i], places[i] = keys[below], places[below]
        i = below
    keys[i], places[i] = key, place


@njit([(f64w, i64w, int64)], cache=CACHED, nogil=True, boundscheck=None)
def unfold(keys, places, size):
    """A heap becomes a list in order."""
    for last in range(size - 1, 0, -1):
        key, place = keys[last], places[last]
        keys[last], places[last] = keys[0], places[0]
        sink(keys, places, last, key, place)


@njit(float64(f64s, int64, f64s, int64), cache=CACHED, nogil=True, boundscheck=None)
def distance(points, p, rows, r):
    """sqrt of the sum of squared differences; four sums side by side, always the same four."""
    a = b = c = d = 0.0
    width = points.shape[1]
    i = 0
    while i + 4 <= width:
        da = points[p, i] - rows[r, i]
        db = points[p, i + 1] - rows[r, i + 1]
        dc = points[p, i + 2] - rows[r, i + 2]
        dd = points[p, i + 3] - rows[r, i + 3]
        a += da * da
        b += db * db
        c += dc * dc
        d += dd * dd
        i += 4
    while i < width:
        da = points[p, i] - rows[r, i]
        a += da * da
        i += 1
    return math.sqrt((a + b) + (c + d))


@njit(
    [
        (f32s, f64, f64, float64, f64s, f64s, int64, int64, f64sw, i64sw, i64w),
        (f64s, f64, f64, float64, f64s, f64s, int64, int64, f64sw, i64sw, i64w),
    ],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def nearest(values, point_norms, row_norms, slack, points, rows, first, last, distances, places, looked_at):
    """For points first..last-1: the distances and places of the k nearest rows (k columns in both), in order.

    points, rows              what distances are taken of
    values, ..norms, slack    the bound, which may be of shifted and rounded points and rows
    looked_at                 of how many rows the distance was computed
    """
    n, k = values.shape[1], places.shape[1]
    for p in range(first, last):
        keys, places_here = distances[p], places[p]
        norm = point_norms[p]
        limit = np.inf
        if k < n:
            size = 0
            top = np.inf
            for r in range(n):
                both = norm + row_norms[r]
                high = values[p, r] + slack * both * both
                if high < top:
                    if size < k:
                        rise(keys, places_here, size, high, r)
                        size += 1
                    else:
                        sink(keys, places_here, k, high, r)
                    if size == k:
                        top = keys[0]
            at_most = math.sqrt(max(top + norm * norm * (1.0 + slack), 0.0)) * (1.0 + slack) + EQUAL
            limit = at_most * at_most - norm * norm * (1.0 - slack)
        size = 0
        computed = 0
        for r in range(n):
            both = norm + row_norms[r]
            if values[p, r] - slack * both * both <= limit:
                key = np.rint(distance(points, p, rows, r) * DECIMALS)
                computed += 1
                if size < k:
                    rise(keys, places_here, size, key, r)
                    size += 1
                elif key < keys[0]:
                    sink(keys, places_here, k, key, r)
        unfold(keys, places_here, k)
        for i in range(k):
            keys[i] = distance(points, p, rows, places_here[i])
        looked_at[p] = computed


@njit([(f64s, f64s, i64s, int64, int64, f64sw, i64sw)], cache=CACHED, nogil=True, boundscheck=None)
def nearest_among(points, rows, candidates, first, last, distances, places):
    """The k nearest among each point's candidates, in order, as `nearest` would put them."""
    k = places.shape[1]
    for p in range(first, last):
        keys, places_here = distances[p], places[p]
        for i in range(candidates.shape[1]):
            r = candidates[p, i]
            key = np.rint(distance(points, p, rows, r) * DECIMALS)
            if i < k:
                rise(keys, places_here, i, key, r)
            elif after(keys[0], places_here[0], key, r):
                sink(keys, places_here, k, key, r)
        unfold(keys, places_here, k)
        for i in range(k):
            keys[i] = distance(points, p, rows, places_here[i])
