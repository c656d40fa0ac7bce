"""Multinomial naive Bayes: a document is drawn word by word. Learns from: documents, occurrences (one pass).
Sources: 000 sec. 4.3.2 (BAYES), 002 sec. 1, 003 sec. 2.1.1 (MM)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..additive import Additive
from ..estimator import CountModel, Scorer
from ..evidence import Evidence

__all__ = ["Multinomial", "log_probabilities", "log_probabilities_of_rest"]

Floats = np.ndarray[Any, np.dtype[np.float64]]


def log_probabilities(table: sparse.csr_array, smoothing: float) -> Additive:
    """log p(v|c), smoothed, for all labels.                                                  [000 eq. 14] [003 eq. 3]

    p(v|c) = (eps + n_cv) / (eps |V| + sum_v' n_cv')
    """
    totals = np.asarray(table.sum(axis=1)).ravel() + smoothing * table.shape[1]
    weights = table.copy()
    weights.data = np.log1p(weights.data / smoothing)
    default = np.log(smoothing) - np.log(np.where(totals > 0, totals, 1.0))  # 0 only where there is no term at all
    return Additive(np.zeros(table.shape[0]), weights, default=default)


def log_probabilities_of_rest(table: sparse.csr_array, everything: Floats, smoothing: float) -> Additive:
    """log p(v|rest of c): the same for everything - label."""
    totals = everything.sum() - np.asarray(table.sum(axis=1)).ravel() + smoothing * table.shape[1]
    weights = table.copy()
    whole = everything[table.indices] + smoothing
    weights.data = np.log((whole - weights.data) / whole)
    default = -np.log(np.where(totals > 0, totals, 1.0))
    return Additive(np.zeros(table.shape[0]), weights, default=default, common=np.log(everything + smoothing))


class Multinomial(CountModel):
    """log P(C) + sum over terms of tf log Pr(w|C)                                             [000 eq. 16] [002 eq. 1]

    smoothing: added to every count (1 is Laplace's; 003 uses 0.01). priors: "learned" or "uniform".
    """

    def __init__(self, *, smoothing: float = 1.0, priors: str = "learned") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _labels(self, evidence: Evidence) -> Scorer:
        return Scorer(log_probabilities(evidence.occurrences, self.smoothing), self._gains)

    def _rest(self, evidence: Evidence) -> Scorer:
        return Scorer(
            log_probabilities_of_rest(evidence.occurrences, evidence.all_occurrences, self.smoothing), self._gains
        )

    @staticmethod
    def _gains(X: sparse.csr_array) -> sparse.csr_array:
        return X
