"""Sparse tables by rows (scipy's CSR): entries in the same places, values and sums by row."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .arrays import Floats, Longs


def with_data(table: sparse.csr_array, data: Floats) -> sparse.csr_array:
    """Other numbers in the places of a table."""
    return sparse.csr_array((data, table.indices, table.indptr), shape=table.shape)


def present(X: sparse.csr_array) -> sparse.csr_array:
    """1 for every term that is there.                                                                      [003 eq. 1]"""
    return sparse.csr_array((np.ones(X.nnz), X.indices, X.indptr), shape=X.shape)


def row_values(table: sparse.csr_array, values: Any) -> Any:
    """The value of its row for each stored entry."""
    return np.repeat(values, np.diff(table.indptr))


def columns_of_rows(table: sparse.csr_array) -> Longs:
    """The column of each row's entry, where every row has exactly one."""
    columns: Longs = table.indices.astype(np.int64)
    return columns


def row_sums(table: sparse.csr_array, entries: Floats | None = None) -> Floats:
    """Sums over the rows of a table, of its own entries or of others in their places."""
    rows = row_values(table, np.arange(table.shape[0]))
    sums: Floats = np.bincount(rows, table.data if entries is None else entries, table.shape[0]).astype(np.float64)
    return sums


def scaled_rows(table: sparse.csr_array, factors: Floats) -> sparse.csr_array:
    """Each row times its factor; entries stay in their places."""
    return with_data(table, table.data * row_values(table, factors))


def csr_parts(X: sparse.csr_array) -> tuple[Any, Any, Any]:
    """Ends, columns and values of a CSR matrix in the types that kernels take."""
    return X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False), X.data.astype(np.float64, copy=False)
