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
from ..foundation.arrays import Array, Ints, Keys, Longs, ends_of
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
        if not dropped.any():
            return self
        return Rows(ends_of(~dropped)[self.ends], self.terms[~dropped], self.times[~dropped], self.numbers)


def number_labels(values: pa.DictionaryArray, numbers: dict[str, int]) -> Longs:
    """The number of each label; labels are numbered as they appear, and `numbers` grows by new ones."""
    numbers_here = [numbers.setdefault(name, len(numbers)) for name in values.dictionary.to_pylist()]
    if len(numbers) > MOST_LABELS:
        raise InvalidSetting(f"more than {MOST_LABELS:,} labels")
    label_numbers: Longs = np.array(numbers_here, dtype=np.int64)[values.indices.to_numpy(zero_copy_only=False)]
    return label_numbers


class CountAccumulator:
    """Sums over documents. Each document is counted once under its first label (or under none) and once more under each
    further label; everything is then the sum over first labels, and costs nothing extra.

    Rows of a key: 0 for documents without a label, 2(l+1) first label l, 2(l+1)+1 further label l.
    """

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}
        self._entries = Runs()
        self._lengths = Runs()
        self._documents = Runs()
        self._uncapped: list[tuple[int, int, int]] = []  # row, term, times of what fits no key

    def add(self, rows: Rows, label_ends: Longs, label_values: pa.DictionaryArray) -> None:
        ends, codes = row_codes(label_ends, number_labels(label_values, self._labels))
        per_document = np.diff(ends)
        lengths = np.diff(ends_of(rows.times)[rows.ends])
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
            term, times = int(rows.numbers[rows.terms[entry]]), int(rows.times[entry])
            self._uncapped += [(code, term, times) for code in codes[ends[document] : ends[document + 1]].tolist()]
        return rows.without(uncapped)

    def counts(self, names: pa.LargeStringArray, ranks: Ints, recipe: Recipe) -> Counts:
        """The statistics, terms renumbered by `ranks`, labels sorted by name."""
        labels = list(self._labels)
        order = np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.int64)
        place = inverse(order)
        documents = np.zeros(len(labels) + 1, dtype=np.int64)
        codes, n = self._documents.finish()
        for code, number in zip(codes.astype(np.int64).tolist(), n.tolist(), strict=True):
            for row in rows_of(code, place):
                documents[row] += number
        wide = ranks.astype(np.uint64)
        cells, low, numbers = by_label(
            *self._entries.finish(), place, lambda low: wide[low >> TIMES_BITS] << TIMES_BITS | low & UNCAPPED_TIMES
        )
        times = (low & UNCAPPED_TIMES).astype(np.int32)
        cells <<= np.int64(32)
        cells |= (low >> TIMES_BITS).astype(np.int64)
        entries = Entries(cells, times, numbers)
        if self._uncapped:
            further = [(row, term, n) for code, term, n in self._uncapped for row in rows_of(code, place)]
            cells = np.append(cells, [row << 32 | int(ranks[term]) for row, term, _ in further])
            times = np.append(times, [n for _, _, n in further]).astype(np.int32)
            entries = Entries.of(cells, times, np.append(numbers, np.ones(len(further), dtype=np.int64)))
        length_rows, lengths, length_numbers = by_label(*self._lengths.finish(), place, lambda low: low)
        length_entries = Entries(length_rows << 32, lengths.astype(np.int32), length_numbers)
        return Counts([labels[n] for n in order.tolist()], documents, names, entries, length_entries, recipe)


def rows_of(code: int, place: Longs) -> list[int]:
    """The rows of `Counts` to which a row of keys adds: its label's, and that of everything unless the label is a further one."""
    return ([int(place[(code >> 1) - 1])] if code else []) + ([len(place)] if code % 2 == 0 else [])


def row_codes(label_ends: Longs, labels: Longs) -> tuple[Longs, Longs]:
    """Rows of each document's keys: its first label, its further labels; or 0 for a document without labels."""
    sizes = np.diff(label_ends)
    codes = 2 * (labels + 1) + 1
    codes[label_ends[:-1][sizes > 0]] -= 1
    if sizes.all():
        return label_ends, codes
    return ends_of(np.maximum(sizes, 1)), np.insert(codes, label_ends[:-1][sizes == 0], 0)


def by_label(keys: Any, n: Longs, place: Longs, renumber: Callable[[Any], Any]) -> tuple[Longs, Any, Longs]:
    """Rows (labels sorted by name, then everything), what is counted, and how often, sorted, from keys by row code."""
    codes = (keys >> np.uint64(ROW_SHIFT)).astype(np.int64)
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    ends = np.append(starts, len(codes))[1:]
    low = keys & np.uint64((1 << ROW_SHIFT) - 1)
    runs: dict[int, list[Run]] = {}
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        part = renumber(low[start:end])
        order = np.argsort(part)
        run = part[order], n[start:end][order]
        for row in rows_of(int(codes[start]), place):
            runs.setdefault(row, []).append(run)
    rows = sorted(runs)
    keys_of, numbers_of = zip(merge_all([]), *(merge_all(runs.pop(row)) for row in rows), strict=True)
    sizes = [len(part) for part in keys_of[1:]]
    return np.repeat(np.array(rows, dtype=np.int64), sizes), np.concatenate(keys_of), np.concatenate(numbers_of)
