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

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats, Longs
from ...foundation.csr import row_sums
from ...scoring.length_dependent import Beta, BetaOdds, LengthScorer
from .count_model import CountModel, stored_count_model
from .dirichlet import Lengths, check_unseen, finite_or_zero, row_minima, solve_s
from .evidence import Evidence, shared

CELLS = 4_000_000  # labels x frequencies held at a time


def fit(evidence: Evidence, *, unseen: float = 0.01) -> Beta:
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


def rest(evidence: Evidence, *, unseen: float = 0.01) -> Beta:
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
) -> Beta:
    """beta from s; where there are no words at all, smoothing gives every term 1."""
    empty = pairs == 0
    scale = np.where(empty, 1.0, s / np.where(empty, 1.0, pairs))
    return Beta(status, maximum, s, scale, np.where(empty, 1.0, extra), table, everything, frequencies)


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


@stored_count_model("edcm", "parameters_", "status_")
class EDCM(CountModel):
    """log p(c) + log p(d|c), the exponential-family approximation to DCM                                      [003 eq. 10]

    unseen: times the smallest beta of a label, added to every term. `status_` says of each label whether eq. 12 has a finite s.
    """

    def __init__(self, *, unseen: float = 0.01, priors: str = "learned") -> None:
        self.unseen = unseen
        self.priors = priors

    def _fit_scorer(self, evidence: Evidence) -> LengthScorer:
        self.parameters_ = fit(evidence, unseen=self.unseen)
        self.status_ = self.parameters_.status
        if not self.several_labels_:
            return LengthScorer(self.parameters_)
        return LengthScorer(BetaOdds(self.parameters_, rest(evidence, unseen=self.unseen)))
