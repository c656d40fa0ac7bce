"""Counts of a file, checked before anything is reckoned with them.

check_counts    what compiled loops need: entries of the labels and terms there are. Asked of model files and of files of
                counts alike
check_sums      what holds of every collection: no term twice, sums that fit each other. Asked of files of counts, which are
                added and subtracted; a model would only answer wrongly
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..foundation.arrays import Floats, Longs
from ..storage.checks import need, sized
from .entries import Entries

if TYPE_CHECKING:
    from .counts import Counts

BLOCK = 1 << 16  # entries looked at at a time: what is worked out stays in the processor's cache
EXACT = 2**53  # numbers below it are the same as floats


def check_counts(counts: Counts) -> None:
    """Entries of the labels and terms there are, and of no more documents."""
    n_labels, n_terms = len(counts.labels), len(counts.term_array)
    need(
        isinstance(counts.labels, list) and all(type(label) is str for label in counts.labels),
        "labels that are no strings",
    )
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
        need(
            (in_cell == most).all() if everybody else (in_cell <= most).all(),
            "entries of other documents than there are",
        )
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
