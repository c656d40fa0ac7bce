"""What DCM and EDCM share: lengths of the documents of labels and of their rests, the s that solves EDCM's eq. 12, the part of a
score that depends on a document's length. Learns from: lengths. Source: 003 sec. 2.1.2-3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...counts.entries import Entries
from ...errors import InvalidSetting
from ...foundation.arrays import Array, Floats, Longs
from .evidence import Evidence, shared

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
        entries = nonempty_lengths(evidence)
        ends = np.searchsorted(entries.rows, np.arange(evidence.n_labels + 1))
        lengths, documents = entries.values[: ends[-1]], entries.documents[: ends[-1]]
        return cls(ends, lengths.astype(np.float64), documents.astype(np.float64))

    @classmethod
    def of_everything(cls, evidence: Evidence) -> Lengths:
        """Of all documents, as those of one label."""
        entries = nonempty_lengths(evidence)
        part = slice(int(np.searchsorted(entries.rows, evidence.n_labels)), None)
        lengths = entries.values[part].astype(np.float64)
        return cls(np.array([0, len(lengths)]), lengths, entries.documents[part].astype(np.float64))

    @classmethod
    def of_rests(cls, evidence: Evidence, first: int, last: int) -> Lengths:
        """Of the rests of labels first..last-1."""
        entries = nonempty_lengths(evidence)
        ends = np.searchsorted(entries.rows, [first, last, evidence.n_labels])
        lengths = entries.values[ends[2] :]
        documents = np.repeat(entries.documents[None, ends[2] :], last - first, axis=0)
        part = slice(ends[0], ends[1])
        documents[entries.rows[part] - first, np.searchsorted(lengths, entries.values[part])] -= entries.documents[part]
        label, place = documents.nonzero()
        row_ends = np.searchsorted(label, np.arange(last - first + 1))
        return cls(row_ends, lengths[place].astype(np.float64), documents[label, place].astype(np.float64))

    def less(self, part: tuple[Floats, Floats]) -> Lengths:
        """Of everything, without the documents of `part`: lengths, and how many have each."""
        documents = self.documents.copy()
        documents[np.searchsorted(self.lengths, part[0])] -= part[1]
        remain = documents > 0
        return Lengths(np.array([0, remain.sum()]), self.lengths[remain], documents[remain])

    @staticmethod
    def blocks(evidence: Evidence) -> list[tuple[int, int]]:
        """Ranges of labels whose rests' lengths take a bounded amount of memory."""
        n, entries = evidence.n_labels, evidence.lengths
        size = max(1, CELLS // max(1, len(entries) - int(np.searchsorted(entries.rows, n))))
        return [(first, min(first + size, n)) for first in range(0, n, size)]

    def of(self, label: int) -> tuple[Floats, Floats]:
        """Lengths of one label's documents, and how many have each."""
        part = slice(self.ends[label], self.ends[label + 1])
        return self.lengths[part], self.documents[part]

    @property
    def per_label(self) -> tuple[Floats, Floats]:
        """Documents that are not empty, and words, of each label."""
        label = np.repeat(np.arange(len(self.ends) - 1), np.diff(self.ends))
        n = len(self.ends) - 1
        return sums(label, self.documents, n), sums(label, self.documents * self.lengths, n)


@shared
def nonempty_lengths(evidence: Evidence) -> Entries:
    """Lengths of the documents that are not empty."""
    entries = evidence.lengths
    nonempty = entries.values > 0
    return Entries(entries.cells[nonempty], entries.values[nonempty], entries.documents[nonempty])


def solve_s(lengths: Lengths, pairs: Floats, near: float = 1.0) -> tuple[list[str], Floats, Floats]:
    """Status, s of eq. 12, and the finite s in use; see the table of `edcm`. The search begins at `near`.         [003 eq. 12]"""
    from ...kernels.dirichlet import bursts

    documents, words = lengths.per_label
    few, many = pairs <= documents, pairs >= words
    status = np.select([pairs == 0, few & many, few, many], ["empty", "indeterminate", "zero", "infinite"], "ok")
    half = np.minimum(0.5, (words - documents) / 2)
    target = np.where(few, documents + half, np.where(many, words - half, pairs))
    s = np.where(status == "indeterminate", pairs, 0.0)
    solvable = np.flatnonzero((words > documents) & (pairs > 0))
    sizes = np.diff(lengths.ends)[solvable]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(lengths.ends[solvable] - ends[:-1], sizes) + np.arange(ends[-1])
    histogram = (ends, lengths.lengths[places], lengths.documents[places])
    roots = np.full(len(solvable), near if near > 0 else 1.0)
    bursts(histogram, (target - documents)[solvable], (words - documents)[solvable], roots)
    s[solvable] = roots
    short = (status == "infinite") & (words <= documents)  # documents shorter than one word: their counts are weights
    s[short] = pairs[short]
    maximum = np.select([status == "ok", status == "zero", status == "infinite"], [s, 0.0, np.inf], np.nan)
    return status.tolist(), maximum, s


def length_penalty(s: Floats, lengths: Floats, *, less: Floats | None = None) -> Floats:
    """log Gamma(s + |d|) - log Gamma(s), documents x labels; less the same for the s of `less`."""
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


def as_rows(X: sparse.csr_array, n_terms: int) -> sparse.csr_array:
    """X as CSR of floats, each term once and no stored zeros."""
    if X.shape[1] != n_terms:
        raise InvalidSetting(f"the documents have {X.shape[1]} columns, the model {n_terms} terms: give the same terms")
    X = sparse.csr_array(X, dtype=np.float64)
    if not X.has_canonical_format or not X.data.all():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def mark_impossible(out: Floats, here: sparse.csr_array, parameters: Any) -> Floats:
    """-inf for documents with a term that a label, left unsmoothed, holds to be impossible."""
    for label in np.flatnonzero(parameters.unseen == 0):
        absent = parameters.row(label) <= 0
        out[here @ absent.astype(np.float64) > 0, label] = -np.inf
    return out


def check_unseen(unseen: float) -> None:
    """A share, 0 for no smoothing."""
    if not np.isfinite(unseen) or unseen < 0:
        raise InvalidSetting(f"unseen={unseen!r}: give a number, 0 or above; 0.01 is the paper's")


def positive_or_one(x: Floats) -> Floats:
    """x, and 1 in place of 0: what is impossible is left out of sums of logarithms, and seen to by `mark_impossible`."""
    return x if x.min(initial=1.0) > 0 else np.where(x > 0, x, 1.0)


def finite_or_zero(x: Floats) -> Floats:
    """x, and 0 where it is infinite."""
    return np.where(np.isfinite(x), x, 0.0)


def row_minima(table: sparse.csr_array, entries: Floats) -> Floats:
    """The smallest positive of these numbers in each row of a table's pattern; inf where there is none."""
    entries = np.append(np.where(entries > 0, entries, np.inf), np.inf)
    minima = np.minimum.reduceat(entries, table.indptr[:-1])
    return np.where(np.diff(table.indptr) > 0, minima, np.inf)
