"""How many documents have a term at least k times: a sum over the entries of each cell."""
# mypy: ignore-errors
# (bodies are compiled by Numba, whose explicit signatures are their types)

from __future__ import annotations

from numba import float64, int64, njit

from .cache import CACHED
from .signatures import f64, i32, i64

__all__ = ["reach"]


@njit(
    [(i64, i32, i64, int64, float64[::1]), (i64, f64, i64, int64, float64[::1])],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def reach(starts, times, documents, k, out):
    """out[cell] = sum of the documents of its entries whose times are k or more; entries of a cell ascend in times."""
    end = len(times)
    for cell in range(len(starts) - 1, -1, -1):
        total = 0
        i = end - 1
        while i >= starts[cell] and times[i] >= k:
            total += documents[i]
            i -= 1
        out[cell] = total
        end = starts[cell]
