"""The k nearest rows of a table: a cheap bound throws nearly all away, exact distances put the rest in order.

What comes in is a matrix product: for a point q and each row t, `values` = |t|^2 - 2 q.t, wrong by no more than
`slack` (|q| + |t|)^2. The k-th smallest upper bound is above the k-th smallest distance; a row whose lower bound is
above that (and a little more, so that equals are seen) cannot be among the k. Of the others the distance is computed
from the differences themselves, which does not cancel.

Order: distances equal to 12 decimals are equal, then the lower row comes first.
"""

import math

import numpy as np
from numba import float64, int64

from .compilation import f32s, f64, f64s, f64sw, i64s, i64sw, i64w, kernel
from .heap import push, unfold

DECIMALS = 1e12
EQUAL = 2e-12  # what lies so near may be equal to 12 decimals


@kernel(float64(f64s, int64, f64s, int64))
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


@kernel(
    (f32s, f64, f64, float64, f64s, f64s, int64, int64, f64sw, i64sw, i64w),
    (f64s, f64, f64, float64, f64s, f64s, int64, int64, f64sw, i64sw, i64w),
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
                    size = push(keys, places_here, size, high, r)
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
                size = push(keys, places_here, size, key, r)
        unfold(keys, places_here, k)
        for i in range(k):
            keys[i] = distance(points, p, rows, places_here[i])
        looked_at[p] = computed


@kernel((f64s, f64s, i64s, int64, int64, f64sw, i64sw))
def nearest_among(points, rows, candidates, first, last, distances, places):
    """The k nearest among each point's candidates, in order, as `nearest` would put them."""
    k = places.shape[1]
    for p in range(first, last):
        keys, places_here, size = distances[p], places[p], 0
        for i in range(candidates.shape[1]):
            r = candidates[p, i]
            key = np.rint(distance(points, p, rows, r) * DECIMALS)
            size = push(keys, places_here, size, key, r)
        unfold(keys, places_here, k)
        for i in range(k):
            keys[i] = distance(points, p, rows, places_here[i])
