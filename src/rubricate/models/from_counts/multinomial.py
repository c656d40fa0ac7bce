"""Multinomial naive Bayes: a document is drawn word by word. Learns from: documents, occurrences (one pass).
Sources: 000 sec. 4.3.2 (BAYES), 002 sec. 1, 003 sec. 2.1.1 (MM).

Simplified, it asks only whether a term is there. Learns from: documents, documents_with. Source: 003 sec. 2.1.1.
Complement: how badly a document fits everything else. Source: Rennie, Shih, Teevan & Karger 2003, a neighbour of 003's models.
"""

from __future__ import annotations

from typing import Any

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


@shared
def log_odds(evidence: Evidence, name: str, smoothing: float) -> Layer:
    """log p(v|c) - log p(v|rest of c), with one logarithm an entry; name: of the table, "occurrences" or "documents_with"."""
    table: sparse.csr_array = getattr(evidence, name)
    everything: Floats = getattr(evidence, f"all_{name}")
    totals = np.asarray(table.sum(axis=1)).ravel()
    inside = totals + smoothing * table.shape[1]
    outside = everything.sum() - totals + smoothing * table.shape[1]
    whole = everything[table.indices]
    data = np.log((table.data + smoothing) / (whole - table.data + smoothing) * ((whole + smoothing) / smoothing))
    default = (
        np.log(smoothing) - np.log(np.where(inside > 0, inside, 1.0)) + np.log(np.where(outside > 0, outside, 1.0))
    )
    return Layer(np.zeros(table.shape[0]), with_data(table, data), default, -np.log(everything + smoothing))


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
            return Scorer(log_odds(evidence, "occurrences", float(self.smoothing)))
        return Scorer(log_probabilities(evidence.occurrences, self.smoothing))


@stored_count_model("simplified_multinomial")
class SimplifiedMultinomial(CountModel):
    """log p(c) + sum over distinct terms of log p(v|c), p from documents_with                            [003 eq. 5-6]

    smoothing: added to every count. priors: "learned" or "uniform".
    """

    def __init__(self, *, smoothing: float = 0.01, priors: str = "learned") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        if self.several_labels_:
            return Scorer(log_odds(evidence, "documents_with", float(self.smoothing)))
        return Scorer(log_probabilities(evidence.documents_with, self.smoothing))


@stored_count_model("complement")
class Complement(Multinomial):
    """- sum over terms of tf log Pr(w|all but C); no prior, as scikit-learn's ComplementNB.

    With several labels a document, the two labels of each problem are each other's complement: the score is then the
    multinomial's log odds without the prior.
    """

    priors = "none"

    def __init__(self, *, smoothing: float = 1.0) -> None:
        self.smoothing = smoothing

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        if self.several_labels_:
            return super()._fit_scorer(evidence)
        rest: Any = log_probabilities_of_rest(evidence.occurrences, evidence.all_occurrences, self.smoothing)
        weights = with_data(rest.weights, -rest.weights.data)
        return Scorer(Layer(rest.bias, weights, -rest.default, -rest.common))
