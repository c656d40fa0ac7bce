"""Documents x terms times a dense table of terms x labels, threads welcome: scipy's own keeps the interpreter's lock."""

from __future__ import annotations

from numba import int64, njit

from .cache import CACHED
from .intrinsics import prefetch
from .signatures import documents_type, f64s, f64sw

__all__ = ["add_dense_products"]

AHEAD = 3  # entries between asking for a row and using it


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
