"""Entries: a sparse table of whole numbers with one more dimension, sorted; the one thing `Counts` stores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["Entries"]

Longs = np.ndarray[Any, np.dtype[np.int64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Sorted (cell, value, documents): `cell` is row << 32 | column, `value` what is counted there, never twice the same."""

    cells: Longs
    values: Ints
    documents: Longs

    @classmethod
    def of(cls, cells: Longs, values: Ints, documents: Longs) -> Entries:
        """Entries from unsorted, possibly repeated ones."""
        order = np.lexsort((values, cells))
        cells, values, documents = cells[order], values[order], documents[order]
        first = np.ones(len(cells), dtype=bool)
        first[1:] = (cells[1:] != cells[:-1]) | (values[1:] != values[:-1])
        starts = first.nonzero()[0]
        summed = np.add.reduceat(documents, starts) if len(starts) else documents[:0]
        return cls(cells[starts], values[starts], summed)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def rows(self) -> Longs:
        """The row of each entry."""
        return self.cells >> 32

    @property
    def columns(self) -> Longs:
        """The column of each entry."""
        return self.cells & 0xFFFFFFFF

    def plus(self, other: Entries, sign: int) -> Entries | None:
        """The sum or the difference; None if a difference would be negative."""
        from .kernels.tables import add_entries

        size = len(self) + len(other)
        cells, values = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32)
        documents = np.empty(size, dtype=np.int64)
        left, right = (self.cells, self.values, self.documents), (other.cells, other.values, other.documents)
        n = add_entries(left, right, sign, (cells, values, documents))
        return None if n < 0 else Entries(cells[:n].copy(), values[:n].copy(), documents[:n].copy())

    def moved(self, rows: Longs, columns: Longs | None = None) -> Entries:
        """Entries with new row and column numbers; what is numbered -1 goes."""
        row, column = rows[self.rows], self.columns
        if columns is not None:
            column = columns[column]
        keep = (row >= 0) & (column >= 0)
        cells = row << 32 | column
        if not keep.all():
            cells, values, documents = cells[keep], self.values[keep], self.documents[keep]
        else:
            values, documents = self.values, self.documents
        if len(cells) and not (cells[1:] >= cells[:-1]).all():
            order = np.argsort(cells, kind="stable")
            cells, values, documents = cells[order], values[order], documents[order]
        return Entries(cells, values, documents)

    def table(self, weights: Longs, shape: tuple[int, int]) -> sparse.csr_array:
        """Sums of weights over the values of each cell, as a sparse rows x columns table."""
        first = np.ones(len(self), dtype=bool)
        first[1:] = self.cells[1:] != self.cells[:-1]
        starts = first.nonzero()[0]
        sums = np.add.reduceat(weights, starts) if len(starts) else weights[:0]
        cells = self.cells[starts]
        if not sums.all():
            cells, sums = cells[sums != 0], sums[sums != 0]
        row_ends = np.searchsorted(cells, np.arange(shape[0] + 1, dtype=np.int64) << 32)
        return sparse.csr_array((sums, (cells & 0xFFFFFFFF).astype(np.int32), row_ends), shape=shape)
