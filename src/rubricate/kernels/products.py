"""Documents x terms times terms x labels, into a dense block of scores: what scipy would do through a third sparse matrix."""

from __future__ import annotations

from numba import float64, int32, int64, njit, types

__all__ = ["add_products"]

i32 = types.Array(int32, 1, "C", readonly=True)
i64 = types.Array(int64, 1, "C", readonly=True)
f64 = types.Array(float64, 1, "C", readonly=True)


@njit(
    [(types.Tuple((i64, i32, f64)), types.Tuple((i64, i32, f64)), int64, int64, float64[:, ::1])],
    cache=True,
    nogil=True,
    boundscheck=None,
)
def add_products(documents, weights, first, last, out):
    """out[d, c] += sum over terms of X[d, v] W[v, c], for documents first..last-1; both are CSR: ends, columns, values."""
    row_ends, terms, values = documents
    term_ends, labels, weight = weights
    for d in range(first, last):
        for i in range(row_ends[d], row_ends[d + 1]):
            value = values[i]
            for j in range(term_ends[terms[i]], term_ends[terms[i] + 1]):
                out[d, labels[j]] += value * weight[j]
