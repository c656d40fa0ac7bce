"""DCM: each document draws its own multinomial, so that a word once used is used again. Learns from: the whole table of `Counts`,
(label, term, times) -> documents, and lengths. Source: 003 sec. 2.1.2.

    p(d|c) = Gamma(s) / Gamma(s + |d|)  |d|!  prod over terms v of d of  Gamma(tf_vd + alpha_v) / (tf_vd! Gamma(alpha_v))
    s      = sum over v of alpha_v                                                                           [003 eq. 7]

    alpha_v <- alpha_v  sum over d of (Psi(tf_vd + alpha_v) - Psi(alpha_v))
                      / sum over d of (Psi(|d| + s) - Psi(s))                                                [003 eq. 8]

(the denominator with |d|, readings 003.1), from EDCM's unsmoothed beta on. Never over documents: the upper sum runs over
how many documents have the term once, twice, …, the lower one over how many have which length. Terms of a label with the
same such histogram have the same alpha at every step, so each histogram is worked on once.

A maximum exists only where counts are more spread than a multinomial allows (readings 003.2); elsewhere alpha grows until
max_iter, and `converged` says so. Smoothing adds 0.01 times the smallest alpha of the label to every term; where there are
no words at all, 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from ..additive import BLOCK, csr_parts, present, row_sums, side_by_side
from ..entries import Entries
from ..errors import BadChoice
from ..estimator import CountModel, LengthScorer, Scorer, available_threads
from ..evidence import Evidence
from . import edcm
from .edcm import (
    Lengths,
    as_rows,
    check_unseen,
    finite,
    impossible,
    of_lengths,
    positive,
    row_minima,
    sums,
)
from .histograms import Cells, Pool

__all__ = ["DCM", "Parameters", "contributions", "fit", "log_likelihood", "rest", "scores"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
TABLE = 16  # occurrences up to which the score of a term the label lacks is looked up
LIMIT = 200_000_000  # values that the rests of all labels may have
AT_A_TIME = 4_000_000  # values of rests worked on at a time


@dataclass(frozen=True, eq=False)
class Parameters:
    """What DCM has learned about each label, or about each label's rest."""

    alpha: (
        sparse.csr_array
    )  # before smoothing, labels x terms; of a rest, at the terms of its label, which it may lack: 0
    unseen: Floats  # what smoothing adds to every term of a label
    s: Floats  # sums of alpha, before smoothing
    iterations: Longs
    converged: np.ndarray[Any, np.dtype[np.bool_]]
    kinds: Ints | None = None  # of a rest, terms -> row of `shared`: terms with the same histogram over everything
    shared: Floats | None = None  # of a rest, kinds x labels: alpha of the terms that its label lacks

    @property
    def s_smoothed(self) -> Floats:
        """The sum of the smoothed alpha of each label."""
        total: Floats = self.s + self.alpha.shape[1] * self.unseen
        return total

    def row(self, label: int) -> Floats:
        """alpha of one label before smoothing, dense."""
        row = np.zeros(self.alpha.shape[1])
        if self.kinds is not None and self.shared is not None:
            row = self.shared[self.kinds, label]
        here = slice(*self.alpha.indptr[label : label + 2])
        row[self.alpha.indices[here]] = self.alpha.data[here]
        return row

    @cached_property
    def stored(self) -> tuple[Longs, Ints, Floats, Floats, Floats]:
        """By term: ends, labels, smoothed alpha, what it would be if it were not stored, log of their ratio."""
        by_term = self.alpha.tocsc()
        labels = by_term.indices.astype(np.int32)
        unseen = self.unseen[labels]
        instead = unseen
        if self.kinds is not None and self.shared is not None:
            instead = self.shared[np.repeat(self.kinds, np.diff(by_term.indptr)), labels] + unseen
        values, instead = positive(by_term.data + unseen), positive(instead)
        return by_term.indptr.astype(np.int64), labels, values, instead, np.log(values / instead)

    @cached_property
    def unstored(self) -> tuple[Floats, Floats]:
        """What terms have that are not stored, smoothed, and what it comes to: for the first whole numbers of occurrences
        x labels, or, of a rest, for one occurrence, kinds x labels."""
        from ..kernels.dirichlet import log_rises

        if self.shared is not None:
            values = positive(self.shared + self.unseen)
            return values, np.log(values)
        values, table = positive(self.unseen), np.empty((TABLE, len(self.unseen)))
        log_rises(values, np.arange(1.0, TABLE + 1), table)
        return values, table


def fit(
    evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1
) -> Parameters:
    """DCM of every label. max_iter updates with tol=0 are exactly so many updates; none is the start.           [003 eq. 8]"""
    check_unseen(unseen)
    start = edcm.fit(evidence, unseen=unseen).beta
    n_labels = evidence.n_labels
    held = evidence.entries
    end = int(np.searchsorted(held.cells, n_labels << 32))
    cells = Cells.of(held.cells[:end], held.values[:end], held.documents[:end])
    kind, pool = cells.different()
    label = np.repeat(np.arange(n_labels), np.diff(start.indptr))
    groups, first, group_of, terms = np.unique(
        label << 32 | kind, return_index=True, return_inverse=True, return_counts=True
    )
    lengths = Lengths.of_labels(evidence)
    alpha, iterations, converged = updated(groups, terms, pool, lengths, start.data[first], max_iter, tol, jobs)
    table = sparse.csr_array((alpha[group_of.reshape(-1)], start.indices, start.indptr), shape=start.shape)
    smoothing = unseen * finite(row_minima(table, table.data))
    return Parameters(
        table, np.where(np.diff(table.indptr) > 0, smoothing, 1.0), row_sums(table), iterations, converged
    )


def rest(
    evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1
) -> Parameters:
    """DCM of every label's rest, everything - label, one row a label.                                           [003 eq. 8]

    The terms that a label lacks are in its rest as they are in everything: those of one kind (same histogram) have one
    alpha a label, so that what is kept is kinds x labels, and labels x terms only for the terms a label has.
    """
    check_unseen(unseen)
    start, table, n_labels = edcm.rest(evidence, unseen=unseen), evidence.documents_with, evidence.n_labels
    rests = Rests.of(evidence)
    if rests.n_kinds * n_labels > LIMIT:
        raise BadChoice(
            f"the rests of {n_labels:,} labels, with {rests.n_kinds:,} kinds of terms, would take "
            f"{rests.n_kinds * n_labels:,} values, more than {LIMIT:,}: select terms, or fit fewer labels at a time"
        )
    shared, alpha = np.zeros((rests.n_kinds, n_labels)), np.zeros(table.nnz)
    s, smallest = np.zeros(n_labels), np.full(n_labels, np.inf)
    iterations, converged = np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels, dtype=bool)
    for first, last in rests.blocks():
        groups, terms, pool, n_shared, group_of = rests.groups(first, last)
        order = np.argsort(groups, kind="stable")  # two sorted runs: a merge
        label, kind = first + (groups >> 32), groups & 0xFFFFFFFF
        found = start.scale[label] * pool.documents_with[kind]
        found[order], iterations[first:last], converged[first:last] = updated(
            groups[order], terms[order], pool, rests.lengths(first, last), found[order], max_iter, tol, jobs
        )
        shared[kind[:n_shared], label[:n_shared]] = found[:n_shared]
        alpha[table.indptr[first] : table.indptr[last]] = found[n_shared:][group_of]
        s += sums(label, terms * found, n_labels)
        np.minimum.at(smallest, label, np.where(found > 0, found, np.inf))
    smoothing = np.where(np.isfinite(smallest), unseen * finite(smallest), 1.0)
    stored = sparse.csr_array((alpha, table.indices, table.indptr), shape=table.shape)
    return Parameters(stored, smoothing, s, iterations, converged, rests.kinds, shared)


def scores(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) without the factors |d|! and 1/tf!, which no label changes: documents x labels.                [003 eq. 7]"""
    from ..kernels.dirichlet import add_shared, add_stored, add_unstored

    X = as_rows(X, parameters.alpha.shape[1])
    out = of_lengths(parameters.s_smoothed, row_sums(X))
    np.negative(out, out=out)
    rows, stored, (values, table) = csr_parts(X), parameters.stored, parameters.unstored

    def block(start: int) -> None:
        end = min(start + BLOCK, X.shape[0])
        if parameters.kinds is None:
            add_unstored(rows[0], rows[2], values, table, start, end, out)
        else:
            add_shared(rows, parameters.kinds, values, table, start, end, out)
        add_stored(rows, stored, start, end, out)

    side_by_side(block, range(0, X.shape[0], BLOCK), jobs)
    return impossible(out, present(X), parameters)


def log_likelihood(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c), complete: documents x labels.                                                                 [003 eq. 7]"""
    X = as_rows(X, parameters.alpha.shape[1])
    same = gammaln(row_sums(X) + 1) - row_sums(X, gammaln(X.data + 1))
    whole: Floats = scores(parameters, X, jobs=jobs) + same[:, None]
    return whole


def contributions(parameters: Parameters, X: sparse.csr_array) -> Floats:
    """What each term of one document adds to its scores, terms x labels; the rest of a score is the document's length."""
    from ..kernels.dirichlet import log_rises

    X = as_rows(X, parameters.alpha.shape[1])
    ends, labels, stored, _, _ = parameters.stored
    usual, _ = parameters.unstored
    out = np.empty((X.nnz, len(parameters.s)))
    for n, (term, times) in enumerate(zip(X.indices, X.data, strict=True)):
        values = (usual if parameters.kinds is None else usual[parameters.kinds[term]]).copy()
        here = slice(ends[term], ends[term + 1])
        values[labels[here]] = stored[here]
        log_rises(values, np.array([times]), out[n : n + 1])
    return out


@dataclass(frozen=True, eq=False)
class Rests:
    """What the rests of all labels have in common: the histograms of everything."""

    evidence: Evidence
    everything: Cells
    kinds: Ints  # the number of each term's histogram; the last is for terms that never occur
    pool: Pool

    @classmethod
    def of(cls, evidence: Evidence) -> Rests:
        """From the last row of the table."""
        held = evidence.entries
        start = int(np.searchsorted(held.cells, evidence.n_labels << 32))
        everything = Cells.of(held.cells[start:], held.values[start:], held.documents[start:])
        kind, pool = everything.different()
        kinds = np.full(evidence.n_terms, len(pool), dtype=np.int32)
        kinds[everything.columns] = kind
        return cls(evidence, everything, kinds, pool)

    @property
    def n_kinds(self) -> int:
        """Kinds of terms."""
        return len(self.pool) + 1

    def blocks(self) -> list[tuple[int, int]]:
        """Ranges of labels that take a bounded amount of memory."""
        n_labels = self.evidence.n_labels
        at_most = max((last - first for first, last in Lengths.blocks(self.evidence)), default=1)
        size = max(1, min(at_most, AT_A_TIME // self.n_kinds))
        return [(first, min(first + size, n_labels)) for first in range(0, n_labels, size)]

    def lengths(self, first: int, last: int) -> Lengths:
        """The lengths of the documents of each rest."""
        return Lengths.of_rests(self.evidence, first, last)

    def groups(self, first: int, last: int) -> tuple[Longs, Longs, Pool, int, Longs]:
        """Terms with the same histogram in a rest: (label - first) << 32 | histogram, how many terms, the histograms.

        First come those that the label lacks, whose histograms are those of everything; how many these are; and for
        each (label, term) that the label has, to which of the groups after them it belongs.
        """
        held, table, n = self.evidence.entries, self.evidence.documents_with, last - first
        columns = table.indices[table.indptr[first] : table.indptr[last]].astype(np.int64)
        label = np.repeat(np.arange(n, dtype=np.int64), np.diff(table.indptr[first : last + 1]))
        had = np.bincount(label * self.n_kinds + self.kinds[columns], minlength=n * self.n_kinds)
        lacking = np.bincount(self.kinds, minlength=self.n_kinds) - had.reshape(n, -1)
        of_label, kind = lacking[:, :-1].nonzero()
        part = slice(*np.searchsorted(held.cells, [first << 32, last << 32]))
        own = Entries(held.cells[part] - (first << 32), held.values[part], held.documents[part])
        place = np.searchsorted(self.everything.columns, columns)
        own_kind, own_pool = self.everything.less(place, label << 32 | columns, own).different()
        keys, group_of, own_terms = np.unique(
            label << 32 | own_kind + len(self.pool), return_inverse=True, return_counts=True
        )
        groups = np.concatenate([of_label << 32 | kind, keys])
        terms = np.concatenate([lacking[of_label, kind], own_terms])
        return groups, terms, self.pool.joined(own_pool), len(kind), group_of.reshape(-1)


def updated(
    groups: Longs, terms: Longs, pool: Pool, lengths: Lengths, start: Floats, max_iter: int, tol: float, jobs: int
) -> tuple[Floats, Longs, np.ndarray[Any, np.dtype[np.bool_]]]:
    """alpha of each group of terms (label << 32 | histogram, ascending) after the updates; their number; whether it rests."""
    from ..kernels.dirichlet import update

    if max_iter < 0 or not tol >= 0:
        raise BadChoice(f"max_iter={max_iter}, tol={tol}: neither may be below 0")
    n = len(lengths.ends) - 1
    ends = np.searchsorted(groups, np.arange(n + 1, dtype=np.int64) << 32)
    grouped = ends, (groups & 0xFFFFFFFF).astype(np.int32), terms.astype(np.float64)
    pooled = pool.step_ends, pool.steps, pool.jump_ends, pool.jump_from, pool.jump_by, pool.jump_documents
    documents = lengths.ends, lengths.lengths, lengths.documents
    alpha = start.astype(np.float64)
    iterations, converged = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=bool)

    def one(label: int) -> None:
        update(grouped, pooled, documents, label, label + 1, max_iter, tol, alpha, iterations, converged)

    side_by_side(one, range(n), jobs)
    return alpha, iterations, converged


class DCM(CountModel):
    """log p(c) + log p(d|c), a Dirichlet compound multinomial a label                                          [003 eq. 7]

    unseen: times the smallest alpha of a label, added to every term. max_iter, tol: when the updates of eq. 8 stop; how many
    were made and which labels came to rest is told in `iterations_` and `converged_` (a label whose counts are no more spread
    than a multinomial's has no finite maximum and stops at the cap, readings 003.2). jobs: threads.
    """

    def __init__(
        self,
        *,
        unseen: float = 0.01,
        max_iter: int = 1000,
        tol: float = 1e-8,
        priors: str = "learned",
        jobs: int | None = None,
    ) -> None:
        self.unseen = unseen
        self.max_iter = max_iter
        self.tol = tol
        self.priors = priors
        self.jobs = jobs

    def _settings(self) -> dict[str, Any]:
        if not isinstance(self.max_iter, int | np.integer) or self.max_iter < 0:
            raise BadChoice(f"max_iter={self.max_iter!r}: give a whole number from 0")
        jobs = self.jobs or available_threads()
        return {"unseen": self.unseen, "max_iter": int(self.max_iter), "tol": float(self.tol), "jobs": jobs}

    def _labels(self, evidence: Evidence) -> Scorer:
        learned = fit(evidence, **self._settings())
        self.parameters_, self.iterations_, self.converged_ = learned, learned.iterations, learned.converged
        self.n_iter_ = max(1, int(learned.iterations.max(initial=0)))
        return LengthScorer(learned, scores, contributions)

    def _rest(self, evidence: Evidence) -> Scorer:
        return LengthScorer(rest(evidence, **self._settings()), scores, contributions)
