"""Sigmoid and beta: curves fitted by logistic regression. Learn from: scores and truth.
Source: Platt 1999; Lin, Lin & Weng 2007; Kull, Silva Filho & Flach 2017.

    Sigmoid     log odds = slope s + offset,              slope >= 0                             (Platt's calibration)
    Beta        log odds = a ln p - b ln(1 - p) + c,      a, b >= 0, for scores p that are probabilities already

    minimise over theta  sum over documents of log(1 + exp(eta)) - t eta,   eta = offset + sum over features of slope x feature

t are Platt's targets, (N+ + 1)/(N+ + 2) for the N+ documents that have the label and 1/(N- + 2) for the others: nobody is surer
than the documents allow, and the minimum exists also where a score separates the labels completely.

A higher score never means a lower probability: where the likelihood asks for a slope below 0, the slope is 0 and the
probability the label's (smoothed) share. As the likelihood is concave, that is its maximum over slopes from 0 on. `flat` tells
which labels these are: their scores say nothing, or the contrary of what they should. Of beta's fits with both, one or none of
a and b the best whose a and b are not below 0 is taken, likewise the maximum under that condition.

a = b = 1, c = 0 leaves probabilities as they are, which a sigmoid cannot. 0 and 1 have no logarithm: scores come no nearer to
them than 1 / 2(n + 1), below which n documents cannot tell one from another.

    fit_rising      the slopes, none below 0, and the offset of one label
    fit_logistic    the same without that condition (`kernels.calibration_curves`)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundation.arrays import Bools, Bytes, Floats
from ...scoring import calibrated as scoring
from ...storage.registry import stored
from ..inputs import Examples
from .curves import SHARED, Curves, check_curves, fit_by_label, label_targets

if TYPE_CHECKING:
    from typing import Self


@stored(
    "calibration.sigmoid",
    keys=(*SHARED, "slope", "offset"),
    check=lambda curves: check_curves(curves, "slope", "offset"),
)
class Sigmoid(Curves, scoring.Sigmoid):
    """A sigmoid a label."""

    __slots__ = ()

    @classmethod
    def of(cls, examples: Examples) -> Self:
        curves, pooled = fit_by_label(examples, fit_sigmoid)
        slope, offset = np.array(curves).T
        return cls(examples.range, pooled, examples.exclusive, slope, offset)

    @property
    def flat(self) -> Bools:
        """Labels whose scores do not rise with the truth."""
        flat: Bools = self.slope <= 0
        return flat


@stored(
    "calibration.beta",
    keys=(*SHARED, "a", "b", "c", "surest"),
    check=lambda curves: check_curves(curves, "a", "b", "c"),
)
class Beta(Curves, scoring.Beta):
    """A beta curve a label."""

    __slots__ = ()

    @classmethod
    def of(cls, examples: Examples) -> Self:
        surest = 1 / (2 * len(examples.scores) + 2)
        curves, pooled = fit_by_label(examples, partial(fit_beta, surest=surest))
        a, b, c = np.array(curves).T
        return cls(examples.range, pooled, examples.exclusive, a, b, c, surest)


def fit_sigmoid(examples: Examples, label: int) -> Floats:
    return fit_rising(examples.scores_of_labels[label : label + 1], examples.positive_of_labels[label])


def fit_beta(examples: Examples, label: int, *, surest: float) -> Floats:
    parts = scoring.log_odds_parts(examples.scores_of_labels[label], surest)
    return fit_rising(parts, examples.positive_of_labels[label])


def fit_rising(features: Floats, positive: Bytes) -> Floats:
    """The most likely slopes, none below 0, and the offset. features: features x documents; positive: 0/1."""
    best, _ = fit_logistic(features, positive)
    if (best[:-1] >= 0).all():
        return best
    least = np.inf
    for used in [[], [0], [1]] if len(features) == 2 else [[]]:
        theta = np.zeros(len(best))
        theta[[*used, -1]], loss = fit_logistic(features[used], positive)
        if (theta[:-1] >= 0).all() and loss < least:
            best, least = theta, loss
    return best


def fit_logistic(features: Floats, positive: Bytes) -> tuple[Floats, float]:
    """Slopes and, last, the offset; and the loss with them."""
    from ...kernels.calibration_curves import logistic_regression  # here: who applies curves need not wait for it

    theta, loss = logistic_regression(np.ascontiguousarray(features), positive, *label_targets(positive))
    return theta, loss


def platt_targets(positive: Any) -> Floats:
    """0/1 documents x labels, a little less sure."""
    have = positive.sum(axis=0)
    high, low = (have + 1) / (have + 2), 1 / (len(positive) - have + 2)
    targets: Floats = np.where(positive, high, low)
    return targets
