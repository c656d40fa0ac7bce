"""Calibration: from scores to probabilities that hold on held-out documents. One curve a label, multi-label or single-label.

    Sigmoid        1 / (1 + exp(-(slope s + offset)))                 Platt 1999
    Isotonic       the nearest rising steps                           Zadrozny & Elkan 2002
    Temperature    one divisor for all scores                         Guo et al. 2017
    Beta           a ln p - b ln(1 - p) + c, for probabilities        Kull et al. 2017
    Unchanged      probabilities as they are
    Bounds         no surer than the held-out documents bear out
    cross_fit      the best of these by log loss, fitted on all folds but one, for every fold
    choose         the one with the lowest log loss on held-out documents, with the evidence and the reliability diagram

`Sigmoid.fit(scores, Y)` gives frozen curves with `predict_proba(scores)`. A higher score never means a lower probability.
Density estimation, which looks at all scores of a document at once, is in `rubricate.decisions.density`.
"""

from __future__ import annotations

from .choice import CALIBRATORS, Calibrated, CrossFit, choose, cross_fit, diagram
from .curves import Bounds, Unchanged
from .isotonic import Isotonic
from .logistic import Beta, Sigmoid
from .temperature import Temperature

__all__ = [
    "CALIBRATORS",
    "Beta",
    "Bounds",
    "Calibrated",
    "CrossFit",
    "Isotonic",
    "Sigmoid",
    "Temperature",
    "Unchanged",
    "choose",
    "cross_fit",
    "diagram",
]
