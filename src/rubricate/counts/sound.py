"""Counts of a file, checked before anything is reckoned with them; see `rubricate.sound`.

check_entries, check_counts    what compiled loops need: entries in order, of the labels and terms there are. Asked of model
                               files and of files of counts alike
check_sums                     what holds of every collection: no term twice, sums that fit each other. Asked of files of
                               counts, which are added and subtracted; a model would only answer wrongly
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..foundation.arrays import Floats, Longs
from ..sound import need, sized
from .entries import Entries

if TYPE_CHECKING:
    from .counts import Counts

__all__ = ["check_counts", "check_entries", "check_sums"]

BLOCK = 1 << 16  # entries looked at at a time: what is worked out stays in the processor's cache
EXACT = 2**53  # numbers below it are the same as floats


def check_entries(own: Entries) -> None:
    """Sorted by cell, then by value, none twice; documents above 0."""
    need(isinstance(own.cells, np.ndarray) and own.cells.ndim == 1, "cells are no list of numbers")
    n = len(own.cells)
    sized(own.cells, n, kinds="i", what="cells")
    sized(own.values, n, kinds="if", what="values")
    sized(own.documents, n, kinds="i", what="documents")
    need(own.cells.dtype == own.documents.dtype == np.int64, "entries of another type")
    need(own.values.dtype in (np.int32, np.float64), "values of another type")
    need(n == 0 or own.cells[0] >= 0, "a cell below 0")
    for start in range(0, n, BLOCK):
        cells, values = own.cells[start : start + BLOCK + 1], own.values[start : start + BLOCK + 1]
        rising = (cells[1:] > cells[:-1]) | ((cells[1:] == cells[:-1]) & (values[1:] > values[:-1]))
        need(rising.all(), "entries that are not in order")
    need(n == 0 or (own.documents.min() > 0 and own.values.min() >= 0), "entries of no documents, or below 0")
    need(n == 0 or own.values.max() < np.inf, "an infinite value")


def check_counts(own: Counts) -> None:
    """Entries of the labels and terms there are, and of no more documents."""
    n_labels, n_terms = len(own.labels), len(own.term_array)
    need(isinstance(own.labels, list) and all(type(label) is str for label in own.labels), "labels that are no strings")
    need(len(set(own.labels)) == n_labels, "two labels of one name")
    need(isinstance(own.term_array, pa.LargeStringArray), "terms that are no strings")
    sized(own.documents, n_labels + 1, kinds="i", what="documents")
    need(own.documents.dtype == np.int64 and own.documents.min() >= 0, "documents below 0")
    need(own.documents.max() == own.documents[-1] < EXACT, "a label with more documents than there are")
    need(isinstance(own.entries, Entries), "no entries")
    check_cells(own.entries, n_labels + 1, n_terms)
    if own.length_entries is not None:
        need(isinstance(own.length_entries, Entries), "no entries of lengths")
        need(own.length_entries.values.dtype == own.entries.values.dtype, "lengths of another type")
        check_cells(own.length_entries, n_labels + 1, 1)


def check_sums(own: Counts) -> None:
    """No term twice, no cell with more documents than its label, and documents as long as the terms in them. Of counts that
    `check_counts` has passed."""
    need(pc.count_distinct(own.term_array).as_py() == len(own.term_array), "two terms of one name")
    total = checked_totals(own.entries, own.documents)
    if own.length_entries is None:
        return
    lengths = checked_totals(own.length_entries, own.documents, everybody=True)
    if own.entries.values.dtype == np.int32:  # sums of weights are not the same in every order
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
        own, most = np.add.reduceat(numbers.astype(np.float64), starts), documents[rows]
        need((own == most).all() if everybody else (own <= most).all(), "entries of other documents than there are")
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
