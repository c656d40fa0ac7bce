"""Lengths of documents, of labels and of their rests, as the models read them in which words come in bursts; and the s that EDCM
finds in them. Learns from: lengths. Source: 003 sec. 2.1.2-3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...counts.entries import Entries
from ...foundation.arrays import Array, Floats, Longs
from .evidence import Evidence

__all__ = ["STATUS", "Lengths", "of_lengths", "solved", "sums"]

STATUS = ("ok", "infinite", "zero", "indeterminate", "empty")
CELLS = 4_000_000  # labels x lengths held at a time


@dataclass(frozen=True)
class Lengths:
    """Lengths of the documents of some labels, empty ones left out: where each label's end, lengths, documents."""

    ends: Longs
    lengths: Floats
    documents: Floats

    @classmethod
    def of_labels(cls, evidence: Evidence) -> Lengths:
        """Of all labels."""
        held = own_lengths(evidence)
        ends = np.searchsorted(held.rows, np.arange(evidence.n_labels + 1))
        return cls(ends, held.values[: ends[-1]].astype(np.float64), held.documents[: ends[-1]].astype(np.float64))

    @classmethod
    def of_everything(cls, evidence: Evidence) -> Lengths:
        """Of all documents, as those of one label."""
        held = own_lengths(evidence)
        part = slice(int(np.searchsorted(held.rows, evidence.n_labels)), None)
        lengths = held.values[part].astype(np.float64)
        return cls(np.array([0, len(lengths)]), lengths, held.documents[part].astype(np.float64))

    @classmethod
    def of_rests(cls, evidence: Evidence, first: int, last: int) -> Lengths:
        """Of the rests of labels first..last-1."""
        held = own_lengths(evidence)
        ends = np.searchsorted(held.rows, [first, last, evidence.n_labels])
        lengths = held.values[ends[2] :]
        left = np.repeat(held.documents[None, ends[2] :], last - first, axis=0)
        own = slice(ends[0], ends[1])
        left[held.rows[own] - first, np.searchsorted(lengths, held.values[own])] -= held.documents[own]
        label, place = left.nonzero()
        row_ends = np.searchsorted(label, np.arange(last - first + 1))
        return cls(row_ends, lengths[place].astype(np.float64), left[label, place].astype(np.float64))

    @staticmethod
    def blocks(evidence: Evidence) -> list[tuple[int, int]]:
        """Ranges of labels whose rests' lengths take a bounded amount of memory."""
        n = evidence.n_labels
        held = evidence.lengths
        size = max(1, CELLS // max(1, len(held) - int(np.searchsorted(held.rows, n))))
        return [(first, min(first + size, n)) for first in range(0, n, size)]

    @property
    def per_label(self) -> tuple[Floats, Floats]:
        """Documents that are not empty, and words, of each label."""
        label = np.repeat(np.arange(len(self.ends) - 1), np.diff(self.ends))
        n = len(self.ends) - 1
        return sums(label, self.documents, n), sums(label, self.documents * self.lengths, n)


def own_lengths(evidence: Evidence) -> Entries:
    """The lengths that are not 0."""
    held = evidence.lengths
    some = held.values > 0
    return Entries(held.cells[some], held.values[some], held.documents[some])


def solved(lengths: Lengths, pairs: Floats, near: float = 1.0) -> tuple[list[str], Floats, Floats]:
    """Status, s of eq. 12, and the finite s in use; see the table of `edcm`. It is looked for from `near` on.     [003 eq. 12]"""
    from ...kernels.dirichlet import bursts

    documents, words = lengths.per_label
    few, many = pairs <= documents, pairs >= words
    status = np.select([pairs == 0, few & many, few, many], ["empty", "indeterminate", "zero", "infinite"], "ok")
    half = np.minimum(0.5, (words - documents) / 2)
    wanted = np.where(few, documents + half, np.where(many, words - half, pairs))
    s = np.where(status == "indeterminate", pairs, 0.0)
    solvable = np.flatnonzero((words > documents) & (pairs > 0))
    found = np.full(len(solvable), near if near > 0 else 1.0)
    sizes = np.diff(lengths.ends)[solvable]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    taken = np.repeat(lengths.ends[solvable] - ends[:-1], sizes) + np.arange(ends[-1])
    histogram = (ends, lengths.lengths[taken], lengths.documents[taken])
    bursts(histogram, (wanted - documents)[solvable], (words - documents)[solvable], found)
    s[solvable] = found
    short = (status == "infinite") & (words <= documents)  # weights below 1 for words
    s[short] = pairs[short]
    maximum = np.select([status == "ok", status == "zero", status == "infinite"], [s, 0.0, np.inf], np.nan)
    return status.tolist(), maximum, s


def of_lengths(s: Floats, lengths: Floats, *, less: Floats | None = None) -> Floats:
    """log Gamma(s + |d|) - log Gamma(s), documents x labels; and that for other s subtracted."""
    from ...kernels.dirichlet import log_rises

    different, place = np.unique(lengths, return_inverse=True)
    table = np.empty((len(different), len(s)))
    log_rises(s, different, table)
    if less is not None:
        other = np.empty_like(table)
        log_rises(less, different, other)
        table -= other
    return table[place.reshape(-1)]


def sums(place: Array, numbers: Floats, n: int) -> Floats:
    """Sums of numbers by their place among n."""
    return np.bincount(place, weights=numbers, minlength=n).astype(np.float64, copy=False)
