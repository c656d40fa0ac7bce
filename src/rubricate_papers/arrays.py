"""Types of arrays, one name each; and documents in the terms of some counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.compute as pc
from scipy import sparse

import rubricate as rb

Array = np.ndarray[Any, Any]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Longs = np.ndarray[Any, np.dtype[np.int64]]


def in_terms_of(counts: rb.Counts, table: rb.Table, rows: Longs) -> sparse.csr_array:
    """These documents of a table, with the terms of the counts as columns: those that the training part of a fold knows."""
    columns = pc.index_in(counts.term_array, value_set=table.term_array).to_numpy(zero_copy_only=False)
    return sparse.csr_array(table.X[rows][:, columns].astype(np.float64))
