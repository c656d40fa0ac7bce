"""Sums over documents: from rows of term counts with labels to `Counts`, piece by piece, in bounded memory.

What is summed are keys `row | term | times`: sorted, each with how often it came (`runs`). Integers only, so that neither
the order of the documents nor how they were cut into pieces can be seen in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import InvalidSetting
from ..foundation.arrays import Array, Ints, Keys, Longs
from ..kernels.count_tables import add_runs, label_keys, run_lengths
from ..terms.recipe import Recipe
from . import Counts, inverse
from .entries import Entries

TIMES_BITS, TERM_BITS = 16, 28  # of a key; 20 bits are left for rows
ROW_SHIFT = TIMES_BITS + TERM_BITS
MOST_TERMS = 1 << TERM_BITS
MOST_LABELS = (1 << 19) - 2
UNCAPPED_TIMES = (1 << TIMES_BITS) - 1  # of a term in one document, from which on it does not fit a key
BUFFER = 4 << 20  # keys counted together

Run = tuple[Keys, Longs]  # sorted keys, each once, and how often each came


class Runs:
    """Counts keys. Memory: the distinct keys, twice at most, and a buffer."""

    def __init__(self, buffer: int = BUFFER) -> None:
        self._limit = buffer
        self._pending: list[Keys] = []
        self._size = 0
        self._runs: list[Run] = []

    def add(self, keys: Keys) -> None:
        """Count these keys, in any order."""
        self._pending.append(keys)
        self._size += len(keys)
        if self._size >= self._limit:
            self._squeeze()

    def _squeeze(self) -> None:
        if not self._size:
            return
        keys = np.concatenate(self._pending) if len(self._pending) > 1 else self._pending[0]
        self._pending, self._size = [], 0
        keys.sort()
        n = np.empty(len(keys), dtype=np.int64)
        m = run_lengths(keys, n)
        self._runs.append((keys[:m].copy(), n[:m].copy()))
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            last, before = self._runs.pop(), self._runs.pop()
            self._runs.append(merge_two(before, last))

    def finish(self) -> Run:
        """All keys once, sorted, with how often each came."""
        self._squeeze()
        runs, self._runs = self._runs, []
        return merge_all(runs)


def merge_two(left: Run, right: Run) -> Run:
    """Two sorted runs as one."""
    size = len(left[0]) + len(right[0])
    keys, n = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int64)
    m = add_runs(*left, *right, keys, n)
    return keys[:m].copy(), n[:m].copy()


def merge_all(runs: list[Run]) -> Run:
    """Many sorted runs as one, pair by pair, so that each key is moved a few times only."""
    if not runs:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    while len(runs) > 1:
        runs = [merge_two(*runs[n : n + 2]) if n + 1 < len(runs) else runs[n] for n in range(0, len(runs), 2)]
    return runs[0]


@dataclass(slots=True)
class Rows:
    """Rows of (term, times) of some documents; ends have a 0 in front. Terms are numbers within these documents, and
    `numbers` their numbers in the shared vocabulary."""

    ends: Longs
    terms: Ints
    times: Any  # whole numbers; int32 unless made `small`
    numbers: Ints

    def small(self) -> Rows:
        """The same rows, times in one byte each where they fit, for keeping many of them."""
        if self.times.max(initial=0) < 256:
            return Rows(self.ends, self.terms, self.times.astype(np.uint8), self.numbers)
        return self

    def without(self, dropped: Array) -> Rows:
        """The rows without some of their entries."""
        if not dropped.any():
            return self
        remaining = np.zeros(len(dropped) + 1, dtype=np.int64)
        np.cumsum(~dropped, out=remaining[1:])
        return Rows(remaining[self.ends], self.terms[~dropped], self.times[~dropped], self.numbers)


class LabelNumbers:
    """Labels numbered as they appear."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        """Labels, by number."""
        return list(self._numbers)

    def of(self, values: pa.DictionaryArray) -> Longs:
        """The number of each label."""
        numbers = self._numbers
        numbers_here = [numbers.setdefault(name, len(numbers)) for name in values.dictionary.to_pylist()]
        if len(numbers) > MOST_LABELS:
            raise InvalidSetting(f"more than {MOST_LABELS:,} labels")
        places: Longs = np.array(numbers_here, dtype=np.int64)[values.indices.to_numpy(zero_copy_only=False)]
        return places


class CountAccumulator:
    """Sums over documents. Each document is counted once under its first label (or under none) and once more under each
    further label; everything is then the sum over first labels, and costs nothing extra.

    Rows of a key: 0 for documents without a label, 2(l+1) first label l, 2(l+1)+1 further label l.
    """

    def __init__(self) -> None:
        self._labels = LabelNumbers()
        self._entries = Runs()
        self._lengths = Runs()
        self._documents = Runs()
        self._uncapped: list[tuple[Longs, Longs, Longs]] = []  # row, term, times of what fits no key

    def add(self, rows: Rows, label_ends: Longs, label_values: pa.DictionaryArray) -> None:
        """Count some documents."""
        ends, codes = row_codes(label_ends, self._labels.of(label_values))
        per_document = np.diff(ends)
        totals = np.zeros(len(rows.times) + 1, dtype=np.int64)
        np.cumsum(rows.times, out=totals[1:])
        lengths = np.diff(totals[rows.ends])
        self._documents.add(codes.astype(np.uint64))
        self._lengths.add((codes << ROW_SHIFT | np.repeat(lengths, per_document)).astype(np.uint64))
        if rows.times.max(initial=0) >= UNCAPPED_TIMES:
            rows = self._take_uncapped(rows, ends, codes)
        keys = np.empty(int((np.diff(rows.ends) * per_document).sum()), dtype=np.uint64)
        label_keys(rows.ends, rows.numbers[rows.terms], rows.times, ends, codes, keys)
        self._entries.add(keys)

    def _take_uncapped(self, rows: Rows, ends: Longs, codes: Longs) -> Rows:
        uncapped = rows.times >= UNCAPPED_TIMES
        for entry in uncapped.nonzero()[0].tolist():
            document = int(np.searchsorted(rows.ends, entry, side="right")) - 1
            document_codes = codes[ends[document] : ends[document + 1]]
            ones = np.ones(len(document_codes), dtype=np.int64)
            self._uncapped.append(
                (document_codes, ones * int(rows.numbers[rows.terms[entry]]), ones * int(rows.times[entry]))
            )
        return rows.without(uncapped)

    def counts(self, names: pa.LargeStringArray, ranks: Ints, recipe: Recipe) -> Counts:
        """The statistics, terms renumbered by `ranks`, labels sorted by name."""
        labels = self._labels.names
        order = np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.int64)
        place = inverse(order)
        everything = len(labels)
        codes, n = self._documents.finish()
        documents = np.zeros(everything + 1, dtype=np.int64)
        for code, number in zip(codes.astype(np.int64).tolist(), n.tolist(), strict=True):
            if code:
                documents[place[(code >> 1) - 1]] += number
            if code % 2 == 0:
                documents[everything] += number
        length_keys, length_n = self._lengths.finish()
        lengths = by_label(length_keys, length_n, place, lambda low: low)
        entry_keys, entry_n = self._entries.finish()
        wide = ranks.astype(np.uint64)
        entries = by_label(
            entry_keys, entry_n, place, lambda low: wide[low >> TIMES_BITS] << TIMES_BITS | low & UNCAPPED_TIMES
        )
        cells, low, numbers = entries
        times = (low & UNCAPPED_TIMES).astype(np.int32)
        cells <<= np.int64(32)
        cells |= (low >> TIMES_BITS).astype(np.int64)
        table = Entries(cells, times, numbers)
        for document_codes, terms, uncapped in self._uncapped:
            table = self._with_uncapped(table, document_codes, terms, uncapped, place, ranks)
        length_rows, length_values, length_numbers = lengths
        length_table = Entries(length_rows << 32, length_values.astype(np.int32), length_numbers)
        return Counts([labels[n] for n in order.tolist()], documents, names, table, length_table, recipe)

    @staticmethod
    def _with_uncapped(table: Entries, codes: Longs, terms: Longs, times: Longs, place: Longs, ranks: Ints) -> Entries:
        rows = [int(place[(code >> 1) - 1]) for code in codes.tolist() if code] + [len(place)]
        cells = np.array(sorted(row << 32 | int(ranks[terms[0]]) for row in rows), dtype=np.int64)
        ones = np.ones(len(cells), dtype=np.int64)
        total = table.plus(Entries(cells, (ones * times[0]).astype(np.int32), ones), 1)
        if total is None:
            raise AssertionError("a sum of counts was negative")
        return total


def row_codes(label_ends: Longs, labels: Longs) -> tuple[Longs, Longs]:
    """Rows of each document's keys: its first label, its further labels; or 0 for a document without labels."""
    sizes = np.diff(label_ends)
    codes = 2 * (labels + 1) + 1
    codes[label_ends[:-1][sizes > 0]] -= 1
    if sizes.all():
        return label_ends, codes
    codes = np.insert(codes, label_ends[:-1][sizes == 0], 0)
    ends = np.zeros(len(label_ends), dtype=np.int64)
    np.cumsum(np.maximum(sizes, 1), out=ends[1:])
    return ends, codes


def by_label(keys: Any, n: Longs, place: Longs, renumber: Callable[[Any], Any]) -> tuple[Longs, Any, Longs]:
    """Rows (labels sorted by name, then everything), what is counted, and how often, sorted, from keys by row code."""
    codes = (keys >> np.uint64(ROW_SHIFT)).astype(np.int64)
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    ends = np.append(starts, len(codes))[1:]
    low = keys & np.uint64((1 << ROW_SHIFT) - 1)
    parts: dict[int, tuple[Any, Longs]] = {}
    firsts: list[tuple[Any, Longs]] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        code = int(codes[start])
        part = renumber(low[start:end])
        order = np.argsort(part)
        run = part[order], n[start:end][order]
        if code:
            row = int(place[(code >> 1) - 1])
            parts[row] = merge_all([parts[row], run]) if row in parts else run
        if code % 2 == 0:
            firsts.append(run)
    if firsts:
        parts[len(place)] = merge_all(firsts)
    rows = sorted(parts)
    sizes = [len(parts[row][0]) for row in rows]
    empty = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    return (
        np.repeat(np.array(rows, dtype=np.int64), sizes),
        np.concatenate([empty[0], *(parts[row][0] for row in rows)]),
        np.concatenate([empty[1], *(parts[row][1] for row in rows)]),
    )
