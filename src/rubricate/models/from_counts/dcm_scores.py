"""Scores of DCM: log p(d|c) from what it has learned. Source: 003 eq. 7.

A label's smoothed alpha is one value for all terms it lacks, and a rest's one for each kind of them (same histogram over
everything): these are looked up, and put right for the terms that the label has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from ...foundation.arrays import Array, Bools, Floats, Ints, Longs
from ...foundation.csr import present, row_sums
from ...foundation.threads import side_by_side
from ...storage.checks import amounts, need, sized, table_size, within
from ...storage.registry import stored
from ..additive import BLOCK, Transposition
from .count_model import LENGTH_SCORES
from .dirichlet import as_rows, length_penalty, mark_impossible, positive_or_one

ROOM = 4_000_000  # values worked on at a time


def _check_parameters(parameters: Parameters) -> None:
    """Of one size; kinds of terms that are in their table."""
    n_labels, n_terms = table_size(parameters.alpha, "alpha")
    amounts(parameters.unseen, n_labels, "unseen")
    amounts(parameters.s, n_labels, "s")
    need((parameters.kinds is None) == (parameters.shared is None), "kinds of terms without their values")
    if parameters.kinds is not None and parameters.shared is not None:
        sized(parameters.kinds, n_terms, kinds="i", what="kinds")
        sized(parameters.shared, len(parameters.shared), n_labels, what="shared")
        within(parameters.kinds, len(parameters.shared), "kinds")


@stored(
    "dcm.parameters",
    keys=("alpha", "unseen", "s", "iterations", "converged", "kinds", "shared"),
    check=_check_parameters,
)
@dataclass(frozen=True, eq=False)
class Parameters:
    """What DCM has learned about each label, or about each label's rest."""

    alpha: (
        sparse.csr_array
    )  # before smoothing, labels x terms; of a rest, at the terms of its label (0 where it has none)
    unseen: Floats  # what smoothing adds to every term of a label
    s: Floats  # sums of alpha, before smoothing
    iterations: Longs
    converged: Bools
    kinds: Ints | None = None  # of a rest, terms -> row of `shared`: terms with the same histogram over everything
    shared: Floats | None = None  # of a rest, kinds x labels: alpha of the terms that its label lacks

    @property
    def shape(self) -> tuple[int, int]:
        """(labels, terms)."""
        return self.alpha.shape  # type: ignore[no-any-return]

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
    def stored(self) -> tuple[Longs, Ints, Floats, Floats]:
        """By term: ends, labels, smoothed alpha, what it would be if it were not stored."""
        return self._smoothed(self.alpha.T.tocsr())

    def transpose(self, places: Transposition) -> None:
        """Make `stored` now, in the places that other tables share."""
        vars(self)["stored"] = self._smoothed(places.transposed(self.alpha))

    def _smoothed(self, by_term: sparse.csr_array) -> tuple[Longs, Ints, Floats, Floats]:
        labels = by_term.indices.astype(np.int32)
        unseen = self.unseen[labels]
        instead = unseen
        if self.kinds is not None and self.shared is not None:
            place = np.repeat(self.kinds.astype(np.int64) * self.shared.shape[1], np.diff(by_term.indptr)) + labels
            instead = self.shared.ravel()[place] + unseen
        return by_term.indptr.astype(np.int64), labels, positive_or_one(by_term.data + unseen), positive_or_one(instead)

    @cached_property
    def unstored(self) -> Floats:
        """What terms have that are not stored, smoothed: kinds x labels; outside of rests there is one kind."""
        if self.shared is not None:
            return positive_or_one(self.shared + self.unseen)
        return positive_or_one(self.unseen)[None, :]


def _check_odds(both: Odds) -> None:
    """Labels and rests with entries in the same places."""
    need(isinstance(both.own, Parameters) and isinstance(both.rest, Parameters), "no parameters")
    own, rest = both.own.alpha, both.rest.alpha
    same = own.shape == rest.shape and own.nnz == rest.nnz
    same = same and np.array_equal(own.indptr, rest.indptr) and np.array_equal(own.indices, rest.indices)
    need(same, "labels and rests with different terms")


@stored("dcm.odds", keys=("own", "rest"), check=_check_odds)
@dataclass(frozen=True, eq=False)
class Odds:
    """What has been learned about labels and about their rests, for the scores of the first less those of the second."""

    own: Parameters
    rest: Parameters

    @property
    def shape(self) -> tuple[int, int]:
        """(labels, terms)."""
        return self.own.shape

    def transpose(self, places: Transposition) -> None:
        """Make the tables that scoring reads, in the places that others share."""
        self.own.transpose(places)
        self.rest.transpose(places)


def scores(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) without the factors |d|! and 1/tf!, which no label changes: documents x labels.                [003 eq. 7]"""
    X = as_rows(X, parameters.alpha.shape[1])
    out = -length_penalty(parameters.s_smoothed, row_sums(X))
    in_blocks([(1.0, parameters)], X, out, jobs)
    return mark_impossible(out, present(X), parameters)


def odds(both: Odds, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) - log p(d|rest of c), for smoothed parameters: documents x labels.                             [003 eq. 7]"""
    X = as_rows(X, both.own.alpha.shape[1])
    out = -length_penalty(both.own.s_smoothed, row_sums(X), less=both.rest.s_smoothed)
    in_blocks([(1.0, both.own), (-1.0, both.rest)], X, out, jobs)
    return out


def in_blocks(signed: list[tuple[float, Parameters]], X: sparse.csr_array, out: Floats, jobs: int) -> None:
    """`add_terms` in blocks of documents of a bounded size, one thread each."""
    size = max(1, min(BLOCK, ROOM * X.shape[0] // max(1, X.nnz * out.shape[1])))

    def block(start: int) -> None:
        end = min(start + size, X.shape[0])
        add_terms(signed, X if end - start == X.shape[0] else X[start:end], out[start:end])

    side_by_side(block, range(0, X.shape[0], size), jobs)


def add_terms(signed: list[tuple[float, Parameters]], X: sparse.csr_array, out: Floats) -> None:
    """Add log Gamma(tf + alpha) - log Gamma(alpha) of all terms of documents, once for each different (term, times), and where a
    term is not stored for each different (kind, times).                                                        [003 eq. 7]"""
    from ...kernels.dirichlet import add_stored
    from ...kernels.products import add_products, add_rows

    n, ends, times = X.shape[0], X.indptr.astype(np.int64), X.data
    kinds = next((parameters.kinds for _, parameters in signed if parameters.kinds is not None), None)
    kind = np.zeros(X.nnz, dtype=np.int32) if kinds is None else kinds[X.indices]
    first, place = pairs(kind, times)
    table = np.zeros((len(first), out.shape[1]))
    for sign, parameters in signed:
        add_unstored(parameters, sign, kind[first], times[first], table)
    add_rows(ends, place, table, 0, n, out)
    first, place = pairs(X.indices, times)
    terms, stored = X.indices[first].astype(np.int64), signed[0][1].stored
    sizes = np.diff(stored[0])[terms]
    row_ends = np.append(0, np.cumsum(sizes))
    entries = np.repeat(stored[0][terms] - row_ends[:-1], sizes) + np.arange(row_ends[-1])
    values = np.zeros(row_ends[-1])
    for sign, parameters in signed:  # a label and its rest have the same terms stored
        add_stored(terms, times[first], parameters.stored, sign, row_ends, values)
    add_products((ends, place.astype(np.int32), np.ones(X.nnz)), (row_ends, stored[1][entries], values), 0, n, out)


def add_unstored(parameters: Parameters, sign: float, kind: Ints, times: Floats, table: Floats) -> None:
    """Add what a term of each kind comes to, so many times, where a label has not stored it: kinds and times x labels."""
    from ...kernels.dirichlet import add_rises

    if parameters.kinds is None:
        different, place = np.unique(times, return_inverse=True)
        rises = np.zeros((len(different), table.shape[1]))
        add_rises(np.zeros(len(different), dtype=np.int64), different, parameters.unstored, sign, rises)
        table += rises[place.reshape(-1)]
    else:
        add_rises(kind.astype(np.int64), times, parameters.unstored, sign, table)


def pairs(numbers: Array, times: Floats) -> tuple[Longs, Longs]:
    """The different (number, times): a place of each, and which of them is at each place."""
    once, more = np.flatnonzero(times == 1), np.flatnonzero(times != 1)
    lookup = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
    lookup[numbers[once]] = once  # most occur once, and need no sorting
    present_numbers = np.flatnonzero(lookup >= 0)
    first = lookup[present_numbers]
    lookup[present_numbers] = np.arange(len(present_numbers))
    often = times[more]
    whole = bool((often == np.floor(often)).all()) and often.max(initial=0.0) < 1 << 20
    keys = numbers[more].astype(np.int64) << 20 | often.astype(np.int64) if whole else numbers[more] + 1j * often
    _, where, which = np.unique(keys, return_index=True, return_inverse=True)
    place = np.empty(len(numbers), dtype=np.int64)
    place[once] = lookup[numbers[once]]
    place[more] = len(first) + which.reshape(-1)
    return np.concatenate([first, more[where]]), place


def log_likelihood(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c), complete: documents x labels.                                                                 [003 eq. 7]"""
    X = as_rows(X, parameters.alpha.shape[1])
    same = gammaln(row_sums(X) + 1) - row_sums(X, gammaln(X.data + 1))
    whole: Floats = scores(parameters, X, jobs=jobs) + same[:, None]
    return whole


def contributions(parameters: Parameters, X: sparse.csr_array) -> Floats:
    """What each term of one document adds to its scores, terms x labels; the rest of a score is the document's length."""
    from ...kernels.dirichlet import log_rises

    X = as_rows(X, parameters.alpha.shape[1])
    ends, labels, stored, _ = parameters.stored
    out = np.empty((X.nnz, len(parameters.s)))
    for n, (term, times) in enumerate(zip(X.indices, X.data, strict=True)):
        values = parameters.unstored[0 if parameters.kinds is None else parameters.kinds[term]].copy()
        here = slice(ends[term], ends[term + 1])
        values[labels[here]] = stored[here]
        log_rises(values, np.array([times]), out[n : n + 1])
    return out


def odds_contributions(both: Odds, X: sparse.csr_array) -> Floats:
    """What each term of one document adds to its odds, terms x labels."""
    return contributions(both.own, X) - contributions(both.rest, X)


LENGTH_SCORES |= {Parameters: (scores, contributions), Odds: (odds, odds_contributions)}
