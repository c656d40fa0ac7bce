"""Temperature: all scores divided by one number, then the usual way to probabilities. Learns from: scores and truth.
Source: Guo, Pleiss, Sun & Weinberger 2017.

    labels that exclude each other:  P = softmax(s / T)
    several labels a document:       P = 1 / (1 + exp(-s / T)),  for scores that are log odds

s are log joints, log odds or other scores; probabilities become their logarithms, or log odds, first. The order of the labels of
a document never changes: naive Bayes keeps its decisions and loses its certainty. The truth is smoothed a little, as elsewhere
(see `logistic`): where scores separate the labels completely, the temperature stays above 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...foundation.arrays import Bools, Floats
from ...scoring import calibrated as scoring
from ...storage.registry import stored
from ..inputs import Examples, are_probabilities
from .curves import SHARED, Curves, check_curves
from .logistic import platt_targets

if TYPE_CHECKING:
    from typing import Self

LARGEST_LOG_FACTOR = 12.0  # exp of it, up and down, from scores of spread 1
STEPS, TOLERANCE = 200, 1e-10


@stored("calibration.temperature", keys=(*SHARED, "temperature", "of_probabilities"), check=check_curves)
class Temperature(Curves, scoring.Temperature):
    """One temperature for all labels."""

    __slots__ = ()

    @classmethod
    def of(cls, examples: Examples) -> Self:
        probable = are_probabilities(examples.scores, exclusive=examples.exclusive)
        s = scoring.logits(examples.scores, probable, examples.exclusive)
        targets = smoothed_targets(examples.positive) if examples.exclusive else platt_targets(examples.positive)
        size = s - s.mean(axis=1, keepdims=True) if examples.exclusive else s
        spread = float(np.sqrt((size**2).mean())) or 1.0
        none: Bools = np.zeros(s.shape[1], dtype=bool)
        s = np.ascontiguousarray(s / spread)
        temperature = spread / fit_inverse_temperature(s, float((targets * s).sum()), exclusive=examples.exclusive)
        return cls(examples.range, none, examples.exclusive, temperature, probable)


def fit_inverse_temperature(s: Floats, observed: float, *, exclusive: bool) -> float:
    """1 / T for scores of spread 1, by Newton's method: the loss is convex in it. Where a step would leave the interval that must
    hold it, the interval is halved instead. observed: the sum of t s over all cells.

    exclusive    loss' = sum over documents of E_P[s] - sum of t s,   loss'' = sum of Var_P[s]
    several      loss' = sum over cells of (P - t) s,                 loss'' = sum of P (1 - P) s^2
    """
    from ...kernels.calibration_curves import temperature_sums  # here: who applies curves need not wait for it

    low, high = np.exp(-LARGEST_LOG_FACTOR), np.exp(LARGEST_LOG_FACTOR)
    factor = 1.0
    for _ in range(STEPS):
        expected, curve = temperature_sums(s, factor, exclusive)
        slope = expected - observed
        low, high = (factor, high) if slope < 0 else (low, factor)
        step = slope / curve if curve > 0 else np.inf
        if abs(step) <= TOLERANCE * factor:  # the next would be a matter of rounding
            return float(factor - step)
        factor = factor - step if low < factor - step < high else np.sqrt(low * high)
    return float(factor)


def smoothed_targets(positive: Bools) -> Floats:
    """One document more of each label: the label that is true of n documents (n + 1)/(n + labels), the others 1/(n + labels)."""
    n, n_labels = positive.shape
    targets: Floats = (positive * n + 1) / (n + n_labels)
    return targets
