"""Entries: a sparse table of whole numbers with one more dimension, sorted; the one thing `Counts` stores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..foundation.arrays import Array, Longs
from ..storage.checks import need, sized
from ..storage.registry import stored

BLOCK = 1 << 16  # entries looked at at a time: what is worked out stays in the processor's cache


def check_entries(entries: Entries) -> None:
    """Sorted by cell, then by value, none twice; documents above 0."""
    need(isinstance(entries.cells, np.ndarray) and entries.cells.ndim == 1, "cells are no list of numbers")
    n = len(entries.cells)
    sized(entries.cells, n, kinds="i", what="cells")
    sized(entries.values, n, kinds="if", what="values")
    sized(entries.documents, n, kinds="i", what="documents")
    need(entries.cells.dtype == entries.documents.dtype == np.int64, "entries of another type")
    need(entries.values.dtype in (np.int32, np.float64), "values of another type")
    need(n == 0 or entries.cells[0] >= 0, "a cell below 0")
    for start in range(0, n, BLOCK):
        cells, values = entries.cells[start : start + BLOCK + 1], entries.values[start : start + BLOCK + 1]
        rising = (cells[1:] > cells[:-1]) | ((cells[1:] == cells[:-1]) & (values[1:] > values[:-1]))
        need(rising.all(), "entries that are not in order")
    need(n == 0 or (entries.documents.min() > 0 and entries.values.min() >= 0), "entries of no documents, or below 0")
    need(n == 0 or entries.values.max() < np.inf, "an infinite value")


@stored("counts.entries", keys=("cells", "values", "documents"), check=check_entries)
@dataclass(frozen=True, eq=False)
class Entries:
    """Sorted (cell, value, documents): `cell` is row << 32 | column, `value` what is counted there, never twice the same.

    Values are int32; float64 only where an estimator was given weights in place of counts.
    """

    cells: Longs
    values: Array
    documents: Longs

    @classmethod
    def of(cls, cells: Longs, values: Array, documents: Longs) -> Entries:
        """Entries from unsorted, possibly repeated ones."""
        order = np.lexsort((values, cells))
        cells, values, documents = cells[order], values[order], documents[order]
        first = np.ones(len(cells), dtype=bool)
        first[1:] = (cells[1:] != cells[:-1]) | (values[1:] != values[:-1])
        starts = first.nonzero()[0]
        totals = np.add.reduceat(documents, starts) if len(starts) else documents[:0]
        return cls(cells[starts], values[starts], totals)

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
        if self.values.dtype != np.int32 or other.values.dtype != np.int32:
            return self._plus_weighted(other, sign)
        from ..kernels.count_tables import add_entries

        size = len(self) + len(other)
        cells, values = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32)
        documents = np.empty(size, dtype=np.int64)
        left, right = (self.cells, self.values, self.documents), (other.cells, other.values, other.documents)
        n = add_entries(left, right, sign, (cells, values, documents))
        return None if n < 0 else Entries(cells[:n].copy(), values[:n].copy(), documents[:n].copy())

    def _plus_weighted(self, other: Entries, sign: int) -> Entries | None:
        """The same for values that are not whole numbers: a value is itself, however it came about."""
        total = Entries.of(
            np.concatenate([self.cells, other.cells]),
            np.concatenate([self.values, other.values]),
            np.concatenate([self.documents, sign * other.documents]),
        )
        if (total.documents < 0).any():
            return None
        remaining = total.documents != 0
        return Entries(total.cells[remaining], total.values[remaining], total.documents[remaining])

    def renumbered(self, rows: Longs, columns: Longs | None = None) -> Entries:
        """Entries with new row and column numbers; what is numbered -1 goes."""
        if is_identity(rows) and (columns is None or is_identity(columns)):
            return self
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

    @cached_property
    def _distinct(self) -> tuple[Longs, Longs]:
        """Where each cell begins, and the cells, each once."""
        first = np.ones(len(self), dtype=bool)
        first[1:] = self.cells[1:] != self.cells[:-1]
        starts = first.nonzero()[0]
        return starts, self.cells[starts]

    def table(self, weights: Longs, shape: tuple[int, int]) -> sparse.csr_array:
        """Sums of weights over the values of each cell, as a sparse rows x columns table."""
        starts, cells = self._distinct
        sums = np.add.reduceat(weights, starts) if len(starts) else weights[:0]
        if not sums.all():
            cells, sums = cells[sums != 0], sums[sums != 0]
        row_ends = np.searchsorted(cells, np.arange(shape[0] + 1, dtype=np.int64) << 32)
        return sparse.csr_array((sums, (cells & 0xFFFFFFFF).astype(np.int32), row_ends), shape=shape)


def is_identity(numbers: Longs) -> bool:
    """Whether each number stands at its own place: 0, 1, 2, …"""
    return bool((numbers == np.arange(len(numbers))).all())
