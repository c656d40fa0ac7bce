"""Multinomial naive Bayes: a document is drawn word by word. Learns from: documents, occurrences (one pass).
Sources: 000 sec. 4.3.2 (BAYES), 002 sec. 1, 003 sec. 2.1.1 (MM)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ...foundation.csr import with_data
from ...scoring.additive import Layer, Scorer
from .count_model import CountModel, stored_count_model
from .evidence import Evidence, shared


def log_probabilities(table: sparse.csr_array, smoothing: float) -> Layer:
    """log p(v|c), smoothed, for all labels.                                                  [000 eq. 14] [003 eq. 3]

    p(v|c) = (eps + n_cv) / (eps |V| + sum_v' n_cv')
    """
    totals = np.asarray(table.sum(axis=1)).ravel() + smoothing * table.shape[1]
    weights = with_data(table, np.log1p(table.data / smoothing))
    default = np.log(smoothing) - np.log(np.where(totals > 0, totals, 1.0))  # 0 only where there is no term at all
    return Layer(np.zeros(table.shape[0]), weights, default=default)


def log_probabilities_of_rest(table: sparse.csr_array, everything: Floats, smoothing: float) -> Layer:
    """log p(v|rest of c): the same for everything - label."""
    totals = everything.sum() - np.asarray(table.sum(axis=1)).ravel() + smoothing * table.shape[1]
    whole = everything[table.indices] + smoothing
    weights = with_data(table, np.log((whole - table.data) / whole))
    default = -np.log(np.where(totals > 0, totals, 1.0))
    return Layer(np.zeros(table.shape[0]), weights, default=default, common=np.log(everything + smoothing))


def log_odds(table: sparse.csr_array, everything: Floats, smoothing: float) -> Layer:
    """log p(v|c) - log p(v|rest of c): the difference of the two, with one logarithm an entry."""
    totals = np.asarray(table.sum(axis=1)).ravel()
    inside = totals + smoothing * table.shape[1]
    outside = everything.sum() - totals + smoothing * table.shape[1]
    whole = everything[table.indices]
    data = np.log((table.data + smoothing) / (whole - table.data + smoothing) * ((whole + smoothing) / smoothing))
    weights = with_data(table, data)
    default = (
        np.log(smoothing) - np.log(np.where(inside > 0, inside, 1.0)) + np.log(np.where(outside > 0, outside, 1.0))
    )
    return Layer(np.zeros(table.shape[0]), weights, default=default, common=-np.log(everything + smoothing))


@shared
def occurrence_odds(evidence: Evidence, smoothing: float) -> Layer:
    """`log_odds` of occurrences."""
    return log_odds(evidence.occurrences, evidence.all_occurrences, smoothing)


@stored_count_model("multinomial")
class Multinomial(CountModel):
    """log P(C) + sum over terms of tf log Pr(w|C)                                             [000 eq. 16] [002 eq. 1]

    smoothing: added to every count (1 is Laplace's; 003 uses 0.01). priors: "learned" or "uniform".
    """

    def __init__(self, *, smoothing: float = 1.0, priors: str = "learned") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        if self.several_labels_:
            return Scorer(occurrence_odds(evidence, float(self.smoothing)))
        return Scorer(log_probabilities(evidence.occurrences, self.smoothing))
