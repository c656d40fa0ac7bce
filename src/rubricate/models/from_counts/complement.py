"""Complement naive Bayes: how badly a document fits everything else. Learns from: documents, occurrences.
Source: Rennie, Shih, Teevan & Karger 2003, the modern neighbour of 003's models."""

from __future__ import annotations

import numpy as np

from ...foundation.csr import with_data
from ...scoring.additive import Layer, Scorer
from .count_model import stored_count_model
from .evidence import Evidence
from .multinomial import Multinomial, log_probabilities_of_rest


@stored_count_model("complement")
class Complement(Multinomial):
    """- sum over terms of tf log Pr(w|all but C); no prior, as scikit-learn's ComplementNB.

    With several labels a document, the two labels of each problem are each other's complement: the score is then the
    multinomial's log odds without the prior.
    """

    def __init__(self, *, smoothing: float = 1.0) -> None:
        self.smoothing = smoothing

    priors = "none"

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        if self.several_labels_:
            return super()._fit_scorer(evidence)
        rest = log_probabilities_of_rest(evidence.occurrences, evidence.all_occurrences, self.smoothing)
        weights = with_data(rest.weights, -rest.weights.data)
        return Scorer(Layer(np.zeros(evidence.n_labels), weights, -rest.default, -rest.common))
