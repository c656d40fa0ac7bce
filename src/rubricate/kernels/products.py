"""Documents x terms times terms x labels, sparse or dense, into a dense block of scores; without the interpreter's lock, and
without the third sparse matrix that scipy would make.

A frequent term has a weight for most labels and comes in most documents: from its second document on its weights are kept as
a dense row, which is added several labels at a time. Sums are made in the same order either way, and are the same to the bit.
"""
# mypy: ignore-errors
# (bodies are compiled by Numba, whose explicit signatures are their types)

from __future__ import annotations

import numpy as np
from numba import float64, int64, njit, types

from .cache import CACHED
from .intrinsics import prefetch
from .signatures import documents_type, f64, f64s, f64ss, f64sw, i32, i64

FULL = 6  # a row with more than one weight in so many labels is quicker when dense
ROOM = 1 << 19  # numbers in dense rows
FEW = 16  # documents for which it is not worth while
AHEAD = 3  # entries between asking for a row and using it


@njit(
    [(types.Tuple((i64, i32, f64)), types.Tuple((i64, i32, f64)), int64, int64, float64[:, ::1])],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def add_products(documents, weights, first, last, out):
    """out[d, c] += sum over terms of X[d, v] W[v, c], for documents first..last-1; both are CSR: ends, columns, values."""
    row_ends, terms, values = documents
    term_ends, labels, weight = weights
    n_labels = out.shape[1]
    if last - first < FEW:
        for d in range(first, last):
            for i in range(row_ends[d], row_ends[d + 1]):
                for j in range(term_ends[terms[i]], term_ends[terms[i] + 1]):
                    out[d, labels[j]] += values[i] * weight[j]
        return
    rows = min(ROOM // max(n_labels, 1), row_ends[last] - row_ends[first])
    dense = np.empty((rows, n_labels))
    place = np.full(len(term_ends) - 1, -2, dtype=np.int32)  # of the term's dense row; -1: seen once, -2: never
    used = 0
    for d in range(first, last):
        for i in range(row_ends[d], row_ends[d + 1]):
            value, v = values[i], terms[i]
            start, end = term_ends[v], term_ends[v + 1]
            if place[v] == -2:
                place[v] = -1
            elif place[v] == -1 and used < rows and (end - start) * FULL > n_labels:
                place[v] = used
                for c in range(n_labels):
                    dense[used, c] = 0.0
                for j in range(start, end):
                    dense[used, labels[j]] = weight[j]
                used += 1
            r = place[v]
            if r >= 0:
                for c in range(n_labels):
                    out[d, c] += value * dense[r, c]
            else:
                for j in range(start, end):
                    out[d, labels[j]] += value * weight[j]


@njit([(i64, i64, f64s, int64, int64, float64[:, ::1])], cache=CACHED, nogil=True, boundscheck=None)
def add_rows(row_ends, place, table, first, last, out):
    """out[d] += sum over the entries of d of table[place], for documents first..last-1."""
    start = row_ends[first]
    for d in range(first, last):
        for i in range(row_ends[d], row_ends[d + 1]):
            r = place[i - start]
            for c in range(out.shape[1]):
                out[d, c] += table[r, c]


@njit(
    [(types.Tuple((i64, i32, f64, i64)), f64ss, int64, int64, int64, float64[:, ::1])],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def add_columns(columns, rows, offset, first, last, out):
    """out[d, c] += gain rows[level, v - offset, c] for each document d of columns v = first..last-1.

    columns   ends, documents, gains, levels
    """
    ends, documents, gains, levels = columns
    for v in range(first, last):
        for i in range(ends[v], ends[v + 1]):
            d, gain, k = documents[i], gains[i], levels[i]
            for c in range(out.shape[1]):
                out[d, c] += gain * rows[k, v - offset, c]


@njit([(documents_type, f64s, int64, int64, f64sw)], cache=CACHED, nogil=True, boundscheck=None)
def add_dense_products(rows, table, first, last, out):
    """out[d, c] += sum over terms of X[d, v] T[v, c], for rows first..last-1 of a CSR matrix: ends, columns, values."""
    ends, terms, values = rows
    row = 8 * table.shape[1]
    for d in range(first, last):
        for k in range(ends[d], ends[d + 1]):
            if k + AHEAD < len(terms):  # rows lie far apart: ask for one while others are worked on
                place = int64(terms[k + AHEAD]) * row
                for line in range(0, row, 64):
                    prefetch(table, place + line)
            j, x = terms[k], values[k]
            for c in range(table.shape[1]):
                out[d, c] += x * table[j, c]
