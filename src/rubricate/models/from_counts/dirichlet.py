"""What DCM and EDCM share: lengths of the documents of labels and of their rests, the s that solves EDCM's eq. 12, the
likelihood of documents. Learns from: lengths. Source: 003 sec. 2.1.2-3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from ...counts.entries import Entries
from ...errors import InvalidSetting
from ...foundation.arrays import Array, Floats, Longs
from ...foundation.csr import row_sums
from ...scoring.length_dependent import Alpha, Beta, LengthDependent
from ..table_scores import as_rows, scores
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


def sums(place: Array, numbers: Floats, n: int) -> Floats:
    """Sums of numbers by their place among n."""
    return np.bincount(place, weights=numbers, minlength=n).astype(np.float64, copy=False)


def log_likelihood(parameters: Alpha | Beta, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c), complete, with the factors that no label changes: documents x labels.          [003 eq. 7] [003 eq. 10]"""
    form = LengthDependent(parameters, np.zeros(parameters.shape[0]))
    X = as_rows(X, parameters.shape[1])
    repeated = np.log(X.data) if isinstance(parameters, Beta) else gammaln(X.data + 1)
    whole: Floats = scores(form, X, jobs) + (gammaln(row_sums(X) + 1) - row_sums(X, repeated))[:, None]
    return whole


def check_unseen(unseen: float) -> None:
    """A share, 0 for no smoothing."""
    if not np.isfinite(unseen) or unseen < 0:
        raise InvalidSetting(f"unseen={unseen!r}: give a number, 0 or above; 0.01 is the paper's")


def finite_or_zero(x: Floats) -> Floats:
    """x, and 0 where it is infinite."""
    return np.where(np.isfinite(x), x, 0.0)


def row_minima(table: sparse.csr_array, entries: Floats) -> Floats:
    """The smallest positive of these numbers in each row of a table's pattern; inf where there is none."""
    entries = np.append(np.where(entries > 0, entries, np.inf), np.inf)
    minima = np.minimum.reduceat(entries, table.indptr[:-1])
    return np.where(np.diff(table.indptr) > 0, minima, np.inf)
