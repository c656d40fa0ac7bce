"""Histograms of how often a term occurs in documents, each different one once: terms with the same histogram share every
sum over documents, so DCM works out each sum once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...foundation.arrays import Floats, Ints, Longs
from .evidence import Evidence
from .lengths import sums

__all__ = ["Histograms", "Pool"]

STEPS = 128  # occurrences up to which differences of Psi are summed step by step


@dataclass(frozen=True, eq=False)
class Histograms:
    """The different histograms of a table, and which one each (label, term) has, and each term in everything.

    Those of everything come first in the pool: what a label lacks is in its rest as it is in everything.
    """

    pool: Pool
    own: Ints  # of each entry of `documents_with`
    of_terms: Ints  # of each term, in everything; n_kinds for a term that never occurs
    n_kinds: int  # different ones of everything

    @classmethod
    def of(cls, evidence: Evidence) -> Histograms:
        """From the whole table; asked for again by a model of the same evidence, it is there."""
        return evidence.once(different)


def different(evidence: Evidence) -> Histograms:
    """Tell histograms apart by a hash of (times, documents)."""
    from ...kernels.dirichlet import alike

    held = evidence.entries
    end = int(np.searchsorted(held.cells, evidence.n_labels << 32))
    cells, times, documents = (
        np.concatenate([part[end:], part[:end]]) for part in (held.cells, held.values, held.documents)
    )
    times = times.astype(np.float64)
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    n, n_terms = len(starts), int(np.searchsorted(starts, len(cells) - end))
    kind, first = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    slots = np.zeros(1 << max(3, int(2 * n).bit_length()), dtype=np.int64)
    ends = np.append(starts, len(cells))
    found = alike(ends, times.view(np.int64), documents, slots, kind, first)
    n_kinds = int(kind[:n_terms].max(initial=-1)) + 1
    of_terms = np.full(evidence.n_terms, n_kinds, dtype=np.int32)
    of_terms[cells[starts[:n_terms]] & 0xFFFFFFFF] = kind[:n_terms]
    sizes = ends[first[:found] + 1] - starts[first[:found]]
    pool_ends = np.append(0, np.cumsum(sizes))
    entries = np.repeat(starts[first[:found]] - pool_ends[:-1], sizes) + np.arange(pool_ends[-1])
    pool = Pool.of(pool_ends, times[entries], documents[entries].astype(np.float64))
    return Histograms(pool, kind[n_terms:], of_terms, n_kinds)


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

    @property
    def profiles(self) -> tuple[Longs, Floats, Longs, Floats, Floats, Floats]:
        """As kernels take them."""
        return self.step_ends, self.steps, self.jump_ends, self.jump_from, self.jump_by, self.jump_documents
