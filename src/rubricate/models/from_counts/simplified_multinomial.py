"""Simplified multinomial: the multinomial that asks only whether a term is there. Learns from: documents, documents_with.
Source: 003 sec. 2.1.1."""

from __future__ import annotations

from ...scoring.additive import Scorer
from .count_model import CountModel, stored_count_model
from .evidence import Evidence
from .multinomial import log_odds, log_probabilities


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
            return Scorer(log_odds(evidence.documents_with, evidence.all_documents_with, self.smoothing))
        return Scorer(log_probabilities(evidence.documents_with, self.smoothing))
