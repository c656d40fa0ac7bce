"""What must hold of arrays before compiled loops follow them: sizes that fit each other, indices within their tables.

Loops check no bounds. A file whose digests match may still come from somebody who computed them, so nothing is taken on trust:
what does not hold raises `DamagedFile`. Numbers that are merely wrong (a weight, a cut) lead nowhere but to wrong answers.
Every loader of a file of ours asks here: model files (`kept`), counts (`counts`), collections of topics (`routing`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from .errors import DamagedFile

__all__ = ["ascending", "check_csr", "need", "sized", "strings_from", "table_size", "within"]

WIDEST = 2**31  # rows and columns of a table


def need(holds: Any, what: str) -> None:
    """Tell what does not hold."""
    if not holds:
        raise DamagedFile(what)


def sized(array: Any, *shape: int, kinds: str = "f", what: str) -> None:
    """An array of this shape, of 64-bit floats unless other kinds are told."""
    fine = isinstance(array, np.ndarray) and array.shape == shape and array.dtype.kind in kinds
    need(fine and (array.dtype.kind != "f" or array.dtype == np.float64), f"{what} is not of shape {shape}")


def within(array: Any, n: int, what: str, *, least: int = 0) -> None:
    """Whole numbers from `least` to n - 1."""
    need(isinstance(array, np.ndarray) and array.dtype.kind in "iu", f"{what} are no whole numbers")
    need(array.size == 0 or (int(array.min()) >= least and int(array.max()) < n), f"{what} lie outside of 0 to {n - 1}")


def ascending(ends: Any, size: int, n: int, what: str) -> None:
    """Where each of n rows ends, a 0 in front, `size` last."""
    sized(ends, n + 1, kinds="iu", what=what)
    need(ends[0] == 0 and ends[-1] == size and not (ends[1:] < ends[:-1]).any(), f"{what} do not ascend to {size}")


def check_csr(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> sparse.csr_array:
    """A sparse table, not copied."""
    need(len(shape) == 2 and max(shape) < WIDEST, f"{shape} is no shape of a table")
    for part, kinds in ((data, "fiub"), (indices, "i"), (indptr, "i")):
        need(isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind in kinds, "not the arrays of a table")
    need(len(data) == len(indices), "a table with other numbers of values and of columns")
    for places in (indices, indptr):
        need(places.dtype in (np.int32, np.int64), f"places of type {places.dtype} in a table")
    ascending(indptr, len(data), shape[0], "rows of a table")
    within(indices, shape[1], "columns of a table")
    table = sparse.csr_array(shape, dtype=data.dtype)
    table.data, table.indices, table.indptr = data, indices, indptr
    return table


def table_size(table: Any, what: str) -> tuple[int, int]:
    """Rows and columns of a sparse table."""
    need(isinstance(table, sparse.csr_array), f"{what} is no sparse table")
    rows, columns = table.shape
    return int(rows), int(columns)


def strings_from(text: Any, ends: Any, where: str) -> pa.LargeStringArray:
    """Arrow's strings of two arrays, if these are what they should be: all bytes in UTF-8, and where each string ends, a 0 in
    front."""
    for array, kind in ((text, np.uint8), (ends, np.int64)):
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != 1:
            raise DamagedFile(f"{where}: not the bytes and ends of strings")
    if not len(ends) or ends[0] != 0 or ends[-1] != len(text) or (ends[1:] < ends[:-1]).any():
        raise DamagedFile(f"{where}: strings do not end where their bytes end")
    if len(ends) == 1:
        return pa.array([], pa.large_string())
    found = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
    try:
        found.validate(full=True)
    except pa.ArrowInvalid as problem:
        raise DamagedFile(f"{where}: {problem}") from None
    return found
