"""Entries: a sparse table of whole numbers with one more dimension, sorted; the one thing `Counts` stores. How rows and columns
are numbered anew; and what must hold of entries and counts of a file before anything is reckoned with them.

check_entries, check_counts   what compiled loops need: entries in order, of the labels and terms there are
check_sums                    what holds of every collection: no term twice, sums that fit each other. Asked of files of counts,
                              which are added and subtracted; a model would only answer wrongly
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from ..foundation.arrays import Array, Floats, Longs
from ..storage.checks import need, sized
from ..storage.registry import stored

if TYPE_CHECKING:
    from .counts import Counts

BLOCK = 1 << 16  # entries looked at at a time: what is worked out stays in the processor's cache
EXACT = 2**53  # numbers below it are the same as floats


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
        return self.cells >> 32

    @property
    def columns(self) -> Longs:
        return self.cells & 0xFFFFFFFF

    def plus(self, other: Entries, sign: int) -> Entries | None:
        """The sum or the difference; None if a difference would be negative."""
        from ..kernels.count_tables import add_entries

        size, kind = len(self) + len(other), np.result_type(self.values, other.values)
        arrays = np.empty(size, dtype=np.int64), np.empty(size, dtype=kind), np.empty(size, dtype=np.int64)
        left = self.cells, self.values.astype(kind, copy=False), self.documents
        right = other.cells, other.values.astype(kind, copy=False), other.documents
        n = add_entries(left, right, sign, arrays)
        return None if n < 0 else Entries(*(array[:n].copy() for array in arrays))

    def renumbered(self, rows: Longs, columns: Longs | None = None) -> Entries:
        """Entries with new row and column numbers; what is numbered -1 goes."""
        if is_identity(rows) and (columns is None or is_identity(columns)):
            return self
        row, column = rows[self.rows], self.columns if columns is None else columns[self.columns]
        cells, values, documents = row << 32 | column, self.values, self.documents
        remaining = (row >= 0) & (column >= 0)
        if not remaining.all():
            cells, values, documents = cells[remaining], values[remaining], documents[remaining]
        if len(cells) and not (cells[1:] >= cells[:-1]).all():
            order = np.argsort(cells, kind="stable")
            cells, values, documents = cells[order], values[order], documents[order]
        return Entries(cells, values, documents)

    @cached_property
    def _distinct(self) -> tuple[Longs, Longs]:
        """Where each cell begins, and the cells, each once."""
        starts = np.flatnonzero(np.diff(self.cells, prepend=-1))
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


def inverse(order: Array) -> Longs:
    """Where each number stands in an order."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def union_of(left: pa.LargeStringArray, right: pa.LargeStringArray) -> tuple[pa.LargeStringArray, Longs, Longs]:
    """The union of two lists of names, and where the names of each stand in it.

    Equal lists stay as they are, and so does a list that contains the other; otherwise the union is sorted by name.
    """
    if len(left) < len(right):
        names, second, first = union_of(right, left)
        return names, first, second
    all_places = np.arange(len(left), dtype=np.int64)
    if left.equals(right):
        return left, all_places, all_places
    if len(left) > len(right) and not (places := pc.index_in(right, value_set=left)).null_count:
        return left, all_places, places.to_numpy(zero_copy_only=False).astype(np.int64)
    names = pc.unique(pa.concat_arrays([left, right]))
    names = names.take(pc.sort_indices(names))
    first, second = (pc.index_in(part, value_set=names).to_numpy().astype(np.int64) for part in (left, right))
    return names, first, second


# -- checks


def check_counts(counts: Counts) -> None:
    """Entries of the labels and terms there are, and of no more documents."""
    n_labels, n_terms = len(counts.labels), len(counts.term_array)
    strings = isinstance(counts.labels, list) and all(type(label) is str for label in counts.labels)
    need(strings, "labels that are no strings")
    need(len(set(counts.labels)) == n_labels, "two labels of one name")
    need(isinstance(counts.term_array, pa.LargeStringArray), "terms that are no strings")
    sized(counts.documents, n_labels + 1, kinds="i", what="documents")
    need(counts.documents.dtype == np.int64 and counts.documents.min() >= 0, "documents below 0")
    need(counts.documents.max() == counts.documents[-1] < EXACT, "a label with more documents than there are")
    need(isinstance(counts.entries, Entries), "no entries")
    check_cells(counts.entries, n_labels + 1, n_terms)
    if counts.length_entries is not None:
        need(isinstance(counts.length_entries, Entries), "no entries of lengths")
        need(counts.length_entries.values.dtype == counts.entries.values.dtype, "lengths of another type")
        check_cells(counts.length_entries, n_labels + 1, 1)


def check_sums(counts: Counts) -> None:
    """No term twice, no cell with more documents than its label, and documents as long as the terms in them. Of counts that
    `check_counts` has passed."""
    need(pc.count_distinct(counts.term_array).as_py() == len(counts.term_array), "two terms of one name")
    total = checked_totals(counts.entries, counts.documents)
    if counts.length_entries is None:
        return
    lengths = checked_totals(counts.length_entries, counts.documents, everybody=True)
    if counts.entries.values.dtype == np.int32:  # sums of weights are not the same in every order
        need(np.array_equal(total, lengths), "lengths that are not the sums of the entries")


def check_cells(entries: Entries, n_rows: int, n_columns: int) -> None:
    """Cells within so many rows and columns; they are in order."""
    cells = entries.cells
    need(len(cells) == 0 or int(cells[-1] >> 32) < n_rows, "a row that no label has")
    for start in range(0, len(cells), BLOCK):
        need(int((cells[start : start + BLOCK] & 0xFFFFFFFF).max()) < n_columns, "a column that no term has")


def checked_totals(entries: Entries, documents: Longs, *, everybody: bool = False) -> Floats:
    """The sum of each row's values over its documents. No cell has more documents than its row; with `everybody`, each row's
    only cell has them all."""
    totals = np.zeros(len(documents))
    rows_met = np.zeros(len(documents), dtype=bool)
    for cells, values, numbers in whole_cells(entries):
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        rows = cells[starts] >> 32
        in_cell, most = np.add.reduceat(numbers.astype(np.float64), starts), documents[rows]
        fits = (in_cell == most).all() if everybody else (in_cell <= most).all()
        need(fits, "entries of other documents than there are")
        first = rows[0]
        sums = np.bincount(rows - first, weights=np.add.reduceat(values * numbers.astype(np.float64), starts))
        totals[first : first + len(sums)] += sums
        rows_met[rows] = True
    need(not everybody or np.array_equal(rows_met, documents > 0), "entries of other documents than there are")
    need((totals < EXACT).all(), "more terms than can be counted")
    return totals


def whole_cells(entries: Entries) -> Iterator[tuple[Any, Any, Any]]:
    """The entries in blocks, none of which ends within a cell."""
    start = 0
    while start < len(entries):
        last = entries.cells[min(start + BLOCK, len(entries)) - 1]
        end = int(np.searchsorted(entries.cells, last, side="right"))
        yield entries.cells[start:end], entries.values[start:end], entries.documents[start:end]
        start = end
