"""Histograms of how often a term occurs in documents, each different one once: terms with the same histogram share every
sum over documents, so DCM works out each sum once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..entries import Entries
from ..errors import BadChoice
from .edcm import sums

__all__ = ["Cells", "Pool"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
STEPS = 128  # occurrences up to which differences of Psi are summed step by step


@dataclass(frozen=True, eq=False)
class Cells:
    """How many documents have a term how often: for each cell, where its entries end, times, documents."""

    columns: Longs  # the term of each cell
    ends: Longs  # a 0 in front
    times: Floats
    documents: Longs

    @classmethod
    def of(cls, cells: Longs, times: np.ndarray[Any, Any], documents: Longs) -> Cells:
        """From sorted entries."""
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        ends = np.append(starts, len(cells))
        return cls(cells[starts] & 0xFFFFFFFF, ends, times.astype(np.float64), documents)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def taken(self, which: Longs) -> tuple[Longs, Longs]:
        """The entries of some cells, in the order asked for, and where each ends."""
        sizes = self.ends[which + 1] - self.ends[which]
        ends = np.append(0, np.cumsum(sizes))
        return np.repeat(self.ends[which] - ends[:-1], sizes) + np.arange(ends[-1]), ends

    def less(self, which: Longs, cells: Longs, taken: Entries) -> Cells:
        """Some of the cells, under new, ascending numbers, without the documents of `taken`, which bears these numbers."""
        entries, ends = self.taken(which)
        times = self.times[entries].astype(taken.values.dtype)
        whole = Entries(np.repeat(cells, np.diff(ends)), times, self.documents[entries])
        left = whole.plus(taken, -1)
        if left is None:
            raise BadChoice("a label holds documents that everything does not: these counts contradict themselves")
        ends = np.append(np.searchsorted(left.cells, cells), len(left))
        return Cells(cells & 0xFFFFFFFF, ends, left.values.astype(np.float64), left.documents)

    def different(self) -> tuple[Ints, Pool]:
        """The number of each cell's histogram, and the different histograms."""
        from ..kernels.dirichlet import alike

        slots = np.zeros(1 << max(3, int(2 * len(self)).bit_length()), dtype=np.int64)
        kind, first = np.empty(len(self), dtype=np.int32), np.empty(len(self), dtype=np.int64)
        n = alike(self.ends, self.times.view(np.int64), self.documents, slots, kind, first)
        entries, ends = self.taken(first[:n])
        return kind, Pool.of(ends, self.times[entries], self.documents[entries].astype(np.float64))


@dataclass(frozen=True, eq=False)
class Pool:
    """Different histograms, as sums of Psi differences read them.

    steps: for each, documents with more than 0, 1, 2, … occurrences, up to STEPS. jumps: (from, by, documents), for
    occurrences beyond and for those that are no whole number.
    """

    documents_with: Floats
    step_ends: Longs
    steps: Floats
    jump_ends: Longs
    jump_from: Floats
    jump_by: Floats
    jump_documents: Floats

    @classmethod
    def of(cls, ends: Longs, times: Floats, documents: Floats) -> Pool:
        """From histograms: where each ends, times, documents."""
        n = len(ends) - 1
        owner = np.repeat(np.arange(n), np.diff(ends))
        whole = times == np.floor(times)
        highest = np.where(whole, np.minimum(times, STEPS), 0.0).astype(np.int64)
        sizes = np.zeros(n, dtype=np.int64)
        np.maximum.at(sizes, owner, highest)
        step_ends = np.append(0, np.cumsum(sizes))
        at = (step_ends[owner] + highest - 1)[whole]
        steps = np.bincount(at, weights=documents[whole], minlength=step_ends[-1])
        above = np.append(np.cumsum(steps[::-1])[::-1], 0.0)  # documents with so many or more, here and in those after
        steps = above[:-1] - np.repeat(above[step_ends[1:]], sizes)
        far = ~whole | (times > STEPS)
        start = np.where(whole, float(STEPS), 0.0)[far]
        jump_ends = np.searchsorted(owner[far], np.arange(n + 1))
        with_term = sums(owner, documents, n)
        return cls(with_term, step_ends, steps, jump_ends, start, times[far] - start, documents[far])

    def __len__(self) -> int:
        return len(self.step_ends) - 1

    def joined(self, other: Pool) -> Pool:
        """The histograms of both; those of the other are numbered on."""
        return Pool(
            np.concatenate([self.documents_with, other.documents_with]),
            np.concatenate([self.step_ends, self.step_ends[-1] + other.step_ends[1:]]),
            np.concatenate([self.steps, other.steps]),
            np.concatenate([self.jump_ends, self.jump_ends[-1] + other.jump_ends[1:]]),
            np.concatenate([self.jump_from, other.jump_from]),
            np.concatenate([self.jump_by, other.jump_by]),
            np.concatenate([self.jump_documents, other.jump_documents]),
        )
