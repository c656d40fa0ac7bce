"""EDCM: a naive Bayes whose words come in bursts. Learns from: documents_with, lengths (one pass). Source: 003 sec. 2.1.3.

    p(d|c) = Gamma(s) / Gamma(s + |d|)  |d|!  prod over terms v of d of  beta_v / tf_vd                     [003 eq. 10]
    beta_v = n_cv / (sum over d of Psi(s + |d|) - Psi(s))                                                   [003 eq. 11]
    s      = sum over v of beta_v                                                                           [003 eq. 12]

so beta_v / s is the simplified multinomial's p(v|c) [003 eq. 13], and only s is unknown. The left side of
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

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from ...foundation.arrays import Floats, Longs
from ...foundation.csr import present, row_sums, with_data
from ...storage.checks import amounts, need, sized, table_size, within
from ...storage.registry import stored
from ..additive import Additive, Transposition
from .count_model import LENGTH_SCORES, CountModel, LengthScorer, Scorer, stored_count_model
from .dirichlet import (
    Lengths,
    as_rows,
    check_unseen,
    finite_or_zero,
    length_penalty,
    mark_impossible,
    positive_or_one,
    row_minima,
    solve_s,
)
from .evidence import Evidence, shared

CELLS = 4_000_000  # labels x frequencies held at a time


def _check_parameters(parameters: Parameters) -> None:
    """Of one size; frequencies that are in their table."""
    n_labels, n_terms = table_size(parameters.documents_with, "documents_with")
    for name in ("s", "scale", "extra"):
        amounts(getattr(parameters, name), n_labels, name)
    sized(parameters.maximum, n_labels, what="maximum")
    if parameters.everything is not None:
        sized(parameters.everything, n_terms, what="everything")
    if parameters.frequencies is not None:
        need(isinstance(parameters.frequencies, tuple) and len(parameters.frequencies) == 2, "frequencies are no pair")
        values, groups = parameters.frequencies
        sized(values, len(values), what="frequencies")
        sized(groups, n_terms, kinds="i", what="frequencies of terms")
        within(groups, len(values), "frequencies of terms")


@stored(
    "edcm.parameters",
    keys=("status", "maximum", "s", "scale", "extra", "documents_with", "everything", "frequencies"),
    check=_check_parameters,
)
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
    frequencies: tuple[Floats, Longs] | None = None  # for rests: the different n_v, and which one each term has

    @property
    def shape(self) -> tuple[int, int]:
        """(labels, terms)."""
        return self.documents_with.shape  # type: ignore[no-any-return]

    @property
    def beta(self) -> sparse.csr_array:
        """beta before smoothing, labels x terms; of a rest, at the terms of its label."""
        table = self.documents_with
        counts = table.data if self.everything is None else self.everything[table.indices] - table.data
        data = counts * np.repeat(self.scale, np.diff(table.indptr))
        return with_data(table, data)

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
        if self.everything is None or self.frequencies is None:
            default = np.log(positive_or_one(self.scale)) + np.log(positive_or_one(self.extra))
            smoothed, instead = table.data + extra, positive_or_one(extra)
        else:
            # where a label lacks a term its rest has n_v of it: terms of equal n_v form a group
            values, groups = self.frequencies
            usual = np.log(positive_or_one(values[:, None] + self.extra)) + np.log(positive_or_one(self.scale))
            everywhere = self.everything[table.indices]
            smoothed, instead = everywhere - table.data + extra, positive_or_one(everywhere + extra)
        weights = with_data(table, np.log(positive_or_one(smoothed) / instead))
        return Additive(np.zeros(n_labels), weights, default=default, groups=groups, table=usual)

    def transpose(self, places: Transposition) -> None:
        """Make the table that scoring reads, in the places that others share."""
        self.additive.transpose(places)


def _check_odds(both: Odds) -> None:
    """Labels and rests of one size."""
    need(isinstance(both.own, Parameters) and isinstance(both.rest, Parameters), "no parameters")
    need(both.own.shape == both.rest.shape, "labels and rests of different sizes")


@stored("edcm.odds", keys=("own", "rest"), check=_check_odds)
@dataclass(frozen=True, eq=False)
class Odds:
    """What has been learned about labels and about their rests, for the scores of the first less those of the second."""

    own: Parameters
    rest: Parameters

    @property
    def shape(self) -> tuple[int, int]:
        """(labels, terms)."""
        return self.own.shape

    @cached_property
    def additive(self) -> Additive:
        """The difference of the logarithms of the smoothed beta."""
        return self.own.additive.minus(self.rest.additive)

    def transpose(self, places: Transposition) -> None:
        """Make the table that scoring reads, in the places that others share."""
        self.additive.transpose(places)


def fit(evidence: Evidence, *, unseen: float = 0.01) -> Parameters:
    """EDCM of every label.                                                                                 [003 eq. 11-12]"""
    check_unseen(unseen)
    table = evidence.documents_with
    pairs = row_sums(table)
    status, maximum, s = solve_labels(evidence)
    extra = unseen * finite_or_zero(row_minima(table, table.data))
    return parameters(status, maximum, s, pairs, extra, table)


@shared
def solve_labels(evidence: Evidence) -> tuple[list[str], Floats, Floats]:
    """`solve_s` for all labels."""
    return solve_s(Lengths.of_labels(evidence), row_sums(evidence.documents_with))


def rest(evidence: Evidence, *, unseen: float = 0.01) -> Parameters:
    """EDCM of every label's rest: everything - label, one row a label."""
    check_unseen(unseen)
    table, everything = evidence.documents_with, evidence.all_documents_with
    pairs = everything.sum() - row_sums(table)
    status: list[str] = []
    parts = []
    _, _, (near,) = solve_s(Lengths.of_everything(evidence), everything.sum(keepdims=True))
    for first, last in Lengths.blocks(evidence):
        names, *numbers = solve_s(Lengths.of_rests(evidence, first, last), pairs[first:last], near)
        status += names
        parts.append(numbers)
    maximum, s = np.concatenate([np.empty((2, 0)), *(np.array(part) for part in parts)], axis=1)
    smallest = np.minimum(row_minima(table, everything[table.indices] - table.data), smallest_elsewhere(evidence))
    return parameters(status, maximum, s, pairs, unseen * smallest, table, everything, evidence.by_frequency)


def parameters(
    status: list[str],
    maximum: Floats,
    s: Floats,
    pairs: Floats,
    extra: Floats,
    table: sparse.csr_array,
    everything: Floats | None = None,
    frequencies: tuple[Floats, Longs] | None = None,
) -> Parameters:
    """Parameters from s; where there are no words at all, smoothing gives every term 1."""
    empty = pairs == 0
    scale = np.where(empty, 1.0, s / np.where(empty, 1.0, pairs))
    return Parameters(status, maximum, s, scale, np.where(empty, 1.0, extra), table, everything, frequencies)


def scores(parameters: Parameters, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) without the factors |d|! and 1/tf, which no label changes: documents x labels.               [003 eq. 10]"""
    X = as_rows(X, parameters.documents_with.shape[1])
    here = present(X)
    out = parameters.additive.scores(here, jobs)
    out -= length_penalty(parameters.s_smoothed, row_sums(X))
    return mark_impossible(out, here, parameters)


def odds(both: Odds, X: sparse.csr_array, *, jobs: int = 1) -> Floats:
    """log p(d|c) - log p(d|rest of c), for smoothed parameters: documents x labels.                           [003 eq. 10]"""
    X = as_rows(X, both.own.documents_with.shape[1])
    out = both.additive.scores(present(X), jobs)
    out -= length_penalty(both.own.s_smoothed, row_sums(X), less=both.rest.s_smoothed)
    return out


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


def odds_contributions(both: Odds, X: sparse.csr_array) -> Floats:
    """What each term of one document adds to its odds, terms x labels."""
    return contributions(both.own, X) - contributions(both.rest, X)


def smallest_elsewhere(evidence: Evidence) -> Floats:
    """The smallest positive n_v among the terms that a label does not have; inf where it has all."""
    values, groups = evidence.by_frequency
    table, n_values = evidence.documents_with, len(values)
    terms_of_value = np.where(values > 0, np.bincount(groups, minlength=n_values), 0)
    out = np.full(evidence.n_labels, np.inf)
    size = max(1, CELLS // max(1, n_values))
    for first in range(0, evidence.n_labels, size):
        ends = table.indptr[first : first + size + 1]
        label = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        places = label * n_values + groups[table.indices[ends[0] : ends[-1]]]
        lacking = np.bincount(places, minlength=(len(ends) - 1) * n_values).reshape(-1, n_values) < terms_of_value
        any_lacking = lacking.any(axis=1)
        out[first : first + size][any_lacking] = values[lacking.argmax(axis=1)][any_lacking]
    return out


LENGTH_SCORES |= {Parameters: (scores, contributions), Odds: (odds, odds_contributions)}


@stored_count_model("edcm", "parameters_", "status_")
class EDCM(CountModel):
    """log p(c) + log p(d|c), the exponential-family approximation to DCM                                      [003 eq. 10]

    unseen: times the smallest beta of a label, added to every term. `status_` says of each label whether eq. 12 has a finite s.
    """

    def __init__(self, *, unseen: float = 0.01, priors: str = "learned") -> None:
        self.unseen = unseen
        self.priors = priors

    def _labels(self, evidence: Evidence) -> Scorer:
        self.parameters_ = fit(evidence, unseen=self.unseen)
        self.status_ = self.parameters_.status
        if not self.several_labels_:
            return LengthScorer(self.parameters_)
        return LengthScorer(Odds(self.parameters_, rest(evidence, unseen=self.unseen)))

    def _rest(self, evidence: Evidence) -> None:
        return None  # `Odds` has the rest
