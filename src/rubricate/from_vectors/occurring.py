"""The terms that occur: learners that leave absent terms alone need rows for no others.

A vocabulary of a million hashed terms, or a small batch that comes later, touches few of them. Terms that no document has keep
their proportions: one row stands for all of them, and they are written out at the end. Rows are in the order in which the
learner meets the terms: new ones come one after the other, and frequent ones, which come early, lie together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..additive import csr_parts

__all__ = ["Occurring"]

Floats = np.ndarray[Any, np.dtype[np.float64]]


class Occurring:
    """Terms of these documents, and one row for all others."""

    def __init__(self, X: sparse.csr_array, there: np.ndarray[Any, np.dtype[np.bool_]], sequence: Any = None) -> None:
        """there: which terms occur in X. sequence: the documents in the order in which they will come, if that is known."""
        from ..kernels.online import numbered

        self.n_terms = X.shape[1]
        self.others = np.flatnonzero(~there)
        order = np.empty(0, dtype=np.int64) if sequence is None else sequence
        places, columns = np.full(X.shape[1], -1, dtype=np.int32), np.empty(X.nnz, dtype=np.int32)
        count = numbered(csr_parts(X), order, places, columns, np.zeros(X.shape[0], dtype=np.bool_))
        self.terms = np.empty(count, dtype=np.int64)
        occurring = np.flatnonzero(there)
        self.terms[places[occurring]] = occurring
        self.X = sparse.csr_array((X.data, columns, X.indptr), shape=(X.shape[0], count + 1))
        self.row_of = np.append(
            places, np.int32(count)
        )  # of each term, -1 for others; the last is the row for all others

    def rows(self, table: Floats | float, n_labels: int, *, others: str) -> Floats:
        """A terms x labels table, or one number for all of it, in the rows of these terms. The last row is the sum of all
        other terms (others="sum"), or 1 or 0 where nobody adds it to anything."""
        out: Floats = np.empty((len(self.terms) + 1, 1 if isinstance(table, float) else n_labels))
        if isinstance(table, float):
            out[:-1] = table
            out[-1] = table * len(self.others)
        else:
            out[:-1] = table[self.terms]
            if others == "sum":
                out[-1] = table[self.others].sum(axis=0)
        if others != "sum":
            out[-1] = 1.0 if others == "one" else 0.0
        return np.broadcast_to(out, (len(out), n_labels))

    def with_others(self, out: Floats, start: Floats | float, first: Floats) -> Floats:
        """terms x labels, from a table by `row_of`: all other terms are as they were at the start, by as much as the last row has
        changed from `first`."""
        ratio = np.where(first != 0, out[-1] / np.where(first != 0, first, 1.0), 0.0)
        out[self.others] = start * ratio if isinstance(start, float) else start[self.others] * ratio
        return out[:-1]

    def written_out(self, rows: Floats, start: Floats | float, first: Floats) -> Floats:
        """terms x labels, from rows of these terms."""
        return self.with_others(rows[self.row_of], start, first)
