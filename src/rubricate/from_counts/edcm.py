"""EDCM: a naive Bayes whose words come in bursts. Learns from: documents_with, lengths (one pass). Source: 003 sec. 2.1.3.

    p(d|c) = Gamma(s) / Gamma(s + |d|)  |d|!  prod over terms v of d of  beta_v / tf_vd                     [003 eq. 10]
    beta_v = n_cv / (sum over d of Psi(s + |d|) - Psi(s))                                                   [003 eq. 11]
    s      = sum over v of beta_v                                                                           [003 eq. 12]

so beta_v / s is the simplified multinomial's p(v|c) [003 eq. 13], and only s is to be found. The left side of
sum over d of s (Psi(s + |d|) - Psi(s)) = sum over v of n_cv grows from the number of documents that are not empty to the
number of words; what lies outside has no finite s (readings 003.3) and gets one by a rule:

    status         when                                     s
    ok             documents < pairs < words                of eq. 12; `pairs` is the sum over v of n_cv
    infinite       no term is repeated in a document        as if half a pair were a repetition: large, and grows with the data
    zero           every document repeats one single term   as if there were half a pair more: small, and falls with the data
    indeterminate  every document is one word               the number of words (any s is as good)
    empty          no words at all                          0, and smoothing gives every term 1: all terms are alike

Smoothing adds 0.01 times the smallest beta of the label to every term, and s is the sum of what comes out (readings 003.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from ..additive import Additive, present, row_sums
from ..entries import Entries
from ..errors import BadChoice
from ..estimator import CountModel, LengthScorer, Scorer
from ..evidence import Evidence

__all__ = [
    "EDCM",
    "STATUS",
    "Lengths",
    "Parameters",
    "contributions",
    "fit",
    "log_likelihood",
    "of_lengths",
    "rest",
    "scores",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
STATUS = ("ok", "infinite", "zero", "indeterminate", "empty")
CELLS = 4_000_000  # labels x lengths held at a time


@dataclass(frozen=True, eq=False)
class Parameters:
    """What EDCM has learned about each label, or about each label's rest.

    beta_cv is scale[c] n_cv, and scale[c] (n_cv + extra[c]) when smoothed: kept as whole numbers and two factors a label.
    """

    status: list[str]
    maximum: Floats  # s of eq. 12 as it is: 0, inf or nan where there is no finite one
    s: Floats  # the s in use, before smoothing
    scale: Floats
    extra: Floats
    documents_with: sparse.csr_array  # n_cv, labels x terms
    everything: Floats | None = None  # n_v, for rests: n_cv is then everything - documents_with

    @property
    def beta(self) -> sparse.csr_array:
        """beta before smoothing, labels x terms; of a rest, at the terms of its label."""
        table = self.documents_with
        counts = table.data if self.everything is None else self.everything[table.indices] - table.data
        data = counts * np.repeat(self.scale, np.diff(table.indptr))
        return sparse.csr_array((data, table.indices, table.indptr), shape=table.shape)

    @property
    def unseen(self) -> Floats:
        """What smoothing adds to every term of a label."""
        return self.scale * self.extra

    @property
    def s_smoothed(self) -> Floats:
        """The sum of the smoothed beta of each label."""
        total: Floats = self.s + self.documents_with.shape[1] * self.unseen
        return total

    def row(self, label: int) -> Floats:
        """beta of one label before smoothing, dense."""
        row = np.zeros(self.documents_with.shape[1])
        here = slice(*self.documents_with.indptr[label : label + 2])
        row[self.documents_with.indices[here]] = self.documents_with.data[here]
        beta: Floats = self.scale[label] * (row if self.everything is None else self.everything - row)
        return beta

    @cached_property
    def additive(self) -> Additive:
        """log of the smoothed beta; a logarithm of 0 is left out (see `scores`)."""
        n_labels = len(self.s)
        table = self.documents_with
        extra = np.repeat(self.extra, np.diff(table.indptr))
        groups = usual = default = None
        if self.everything is None:
            default = np.log(positive(self.scale)) + np.log(positive(self.extra))
            own, instead = table.data + extra, positive(extra)
        else:
            # where a label lacks a term its rest has n_v of it: terms of equal n_v form a group
            values, groups = np.unique(self.everything, return_inverse=True)
            groups = groups.reshape(-1).astype(np.int64)
            usual = np.log(positive(values[:, None] + self.extra)) + np.log(positive(self.scale))
            all_of_it = self.everything[table.indices]
            own, instead = all_of_it - table.data + extra, positive(all_of_it + extra)
        weights = sparse.csr_array((np.log(positive(own) / instead), table.indices, table.indptr), shape=table.shape)
        return Additive(np.zeros(n_labels), weights, default=default, groups=groups, table=usual)


def fit(evidence: Evidence, *, unseen: float = 0.01) -> Parameters:
    """EDCM of every label.                                                                                 [003 eq. 11-12]"""
    check_unseen(unseen)
    table = evidence.documents_with
    pairs = row_sums(table)
    status, maximum, s = solved(Lengths.of_labels(evidence), pairs)
    extra = unseen * finite(row_minima(table, table.data))
    return parameters(status, maximum, s, pairs, extra, table, None)


def rest(evidence: Evidence, *, unseen: float = 0.01) -> Parameters:
    """EDCM of every label's rest: everything - label, one row a label."""
    check_unseen(unseen)
    table, everything = evidence.documents_with, evidence.all_documents_with
    pairs = everything.sum() - row_sums(table)
    status: list[str] = []
    parts = []
    for first, last in Lengths.blocks(evidence):
        names, *numbers = solved(Lengths.of_rests(evidence, first, last), pairs[first:last])
        status += names
        parts.append(numbers)
    maximum, s = np.concatenate([np.empty((2, 0)), *(np.array(part) for part in parts)], axis=1)
    smallest = np.minimum(
        row_minima(table, everything[table.indices] - table.data), smallest_elsewhere(table, everything)
    )
    return parameters(status, maximum, s, pairs, unseen * smallest, table, everything)


def parameters(
    status: list[str], maximum: Floats, s: Floats, pairs: Floats, extra: Floats, table: Any, everything: Floats | None
) -> Parameters:
    """Parameters from s; where there are no words at all, smoothing gives every term 1."""
    empty = pairs == 0
    scale = np.where(empty, 1.0, s / np.where(empty, 1.0, pairs))
    return Parameters(status, maximum, s, scale, np.where(empty, 1.0, extra), table, everything)


def scores(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) without the factors |d|! and 1/tf, which no label changes: documents x labels.               [003 eq. 10]"""
    X = as_rows(X, parameters.documents_with.shape[1])
    here = present(X)
    out = parameters.additive.scores(here, jobs)
    out -= of_lengths(parameters.s_smoothed, row_sums(X))
    return impossible(out, here, parameters)


def log_likelihood(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c), complete: documents x labels.                                                               [003 eq. 10]"""
    X = as_rows(X, parameters.documents_with.shape[1])
    same = gammaln(row_sums(X) + 1) - row_sums(X, np.log(X.data))
    whole: Floats = scores(parameters, X, jobs=jobs) + same[:, None]
    return whole


def contributions(parameters: Parameters, X: sparse.csr_array) -> Floats:
    """What each term of one document adds to its scores, terms x labels; the rest of a score is the document's length."""
    X = as_rows(X, parameters.documents_with.shape[1])
    return parameters.additive.contributions(X.indices, np.ones(X.nnz))


# -- s


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


def solved(lengths: Lengths, pairs: Floats) -> tuple[list[str], Floats, Floats]:
    """Status, s of eq. 12, and the finite s in use; see the table above.                                      [003 eq. 12]"""
    from ..kernels.dirichlet import bursts

    documents, words = lengths.per_label
    few, many = pairs <= documents, pairs >= words
    status = np.select([pairs == 0, few & many, few, many], ["empty", "indeterminate", "zero", "infinite"], "ok")
    half = np.minimum(0.5, (words - documents) / 2)
    wanted = np.where(few, documents + half, np.where(many, words - half, pairs))
    s = np.where(status == "indeterminate", pairs, 0.0)
    solvable = np.flatnonzero((words > documents) & (pairs > 0))
    found = np.empty(len(solvable))
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


# -- plumbing that DCM shares


def of_lengths(s: Floats, lengths: Floats) -> Floats:
    """log Gamma(s + |d|) - log Gamma(s), documents x labels."""
    from ..kernels.dirichlet import log_rises

    different, place = np.unique(lengths, return_inverse=True)
    table = np.empty((len(different), len(s)))
    log_rises(s, different, table)
    return table[place.reshape(-1)]


def as_rows(X: sparse.csr_array, n_terms: int) -> sparse.csr_array:
    """X as CSR of floats, each term once and no stored zeros."""
    if X.shape[1] != n_terms:
        raise BadChoice(f"the documents have {X.shape[1]} columns, the model {n_terms} terms: give the same terms")
    X = sparse.csr_array(X, dtype=np.float64)
    if not X.has_canonical_format or not X.data.all():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def impossible(out: Floats, here: sparse.csr_array, parameters: Any) -> Floats:
    """-inf for documents with a term that a label, left unsmoothed, holds to be impossible."""
    for label in np.flatnonzero(parameters.unseen == 0):
        never = parameters.row(label) <= 0
        out[here @ never.astype(np.float64) > 0, label] = -np.inf
    return out


def check_unseen(unseen: float) -> None:
    """A share, 0 for no smoothing."""
    if not np.isfinite(unseen) or unseen < 0:
        raise BadChoice(f"unseen={unseen!r}: give a number, 0 or above; 0.01 is the paper's")


def positive(x: Floats) -> Floats:
    """x, and 1 in place of 0: what is impossible is left out of sums of logarithms, and seen to by `impossible`."""
    return np.where(x > 0, x, 1.0)


def sums(place: np.ndarray[Any, Any], numbers: Floats, n: int) -> Floats:
    """Sums of numbers by their place among n."""
    return np.bincount(place, weights=numbers, minlength=n).astype(np.float64, copy=False)


def finite(x: Floats) -> Floats:
    """x, and 0 where it is infinite."""
    return np.where(np.isfinite(x), x, 0.0)


def row_minima(table: sparse.csr_array, entries: Floats) -> Floats:
    """The smallest positive of these numbers in each row of a table's pattern; inf where there is none."""
    entries = np.append(np.where(entries > 0, entries, np.inf), np.inf)
    minima = np.minimum.reduceat(entries, table.indptr[:-1])
    return np.where(np.diff(table.indptr) > 0, minima, np.inf)


def smallest_elsewhere(table: sparse.csr_array, everything: Floats) -> Floats:
    """The smallest positive number of everything among the terms that a row does not have; inf where it has all."""
    order = np.argsort(everything, kind="stable")
    order = order[everything[order] > 0]
    rank = np.empty(len(everything), dtype=np.int64)
    rank[order] = np.arange(len(order))
    row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    ranks = rank[table.indices]
    ranks = ranks[np.lexsort((ranks, row))]
    place = np.arange(len(ranks)) - np.repeat(table.indptr[:-1], np.diff(table.indptr))
    # the first rank that is missing: where the sorted ranks of a row stop being 0, 1, 2, …
    gap = row_minima(table, np.where(ranks == place, np.inf, place + 1.0)) - 1
    gap = np.where(np.isfinite(gap), gap, np.diff(table.indptr)).astype(np.int64)
    smallest: Floats = np.append(everything[order], np.inf)[gap]
    return smallest


class EDCM(CountModel):
    """log p(c) + log p(d|c), the exponential-family approximation to DCM                                      [003 eq. 10]

    unseen: times the smallest beta of a label, added to every term. `status_` says of each label how its s was found.
    """

    def __init__(self, *, unseen: float = 0.01, priors: str = "learned") -> None:
        self.unseen = unseen
        self.priors = priors

    def _labels(self, evidence: Evidence) -> Scorer:
        self.parameters_ = fit(evidence, unseen=self.unseen)
        self.status_ = self.parameters_.status
        return LengthScorer(self.parameters_, scores, contributions)

    def _rest(self, evidence: Evidence) -> Scorer:
        return LengthScorer(rest(evidence, unseen=self.unseen), scores, contributions)
