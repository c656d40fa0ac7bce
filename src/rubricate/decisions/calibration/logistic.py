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

    fit_sigmoids    of all labels together, each with its score as the only feature and a slope not below 0
    fit_logistic    of one label, with any features; for `Beta`
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from ...foundation.arrays import Bools, Floats
from ...scoring import calibrated as scoring
from ...storage.registry import stored
from ..inputs import Examples
from .curves import SHARED, Curves, check_curves, fit_by_label

if TYPE_CHECKING:
    from typing import Self

CELLS = 2**22  # documents x labels that are fitted at a time
STEPS, HALVINGS = 100, 40
TOLERANCE = 1e-10  # of the mean gradient


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
        curves, pooled = fit_by_label(examples, sigmoids_of_columns)
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
        curves, pooled = fit_by_label(examples, partial(betas_of_columns, surest=surest))
        a, b, c = np.array(curves).T
        return cls(examples.range, pooled, examples.exclusive, a, b, c, surest)


def sigmoids_of_columns(scores: Floats, positive: Bools) -> list[tuple[float, float]]:
    curves: list[tuple[float, float]] = []
    width = max(1, CELLS // max(len(scores), 1))
    for start in range(0, scores.shape[1], width):
        block = slice(start, start + width)
        slopes, offsets = fit_sigmoids(np.ascontiguousarray(scores[:, block]), platt_targets(positive[:, block]))
        curves += zip(slopes.tolist(), offsets.tolist(), strict=True)
    return curves


def betas_of_columns(scores: Floats, positive: Bools, *, surest: float) -> list[Floats]:
    columns = np.ascontiguousarray(scoring.log_odds_parts(scores, surest).transpose(2, 0, 1))
    return [
        fit_rising(features, targets)
        for features, targets in zip(columns, platt_targets(positive).T.copy(), strict=True)
    ]


def fit_rising(features: Floats, targets: Floats) -> Floats:
    """The most likely a, b and c with a and b not below 0."""
    best, _ = fit_logistic(features, targets)
    if (best[:2] >= 0).all():
        return best
    least = np.inf
    for used in ([], [0], [1]):
        theta = np.zeros(3)
        theta[[*used, 2]], loss = fit_logistic(features[used], targets)
        if (theta[:2] >= 0).all() and loss < least:
            best, least = theta, loss
    return best


def platt_targets(positive: Any) -> Floats:
    """0/1 documents x labels, a little less sure."""
    have = positive.sum(axis=0)
    high, low = (have + 1) / (have + 2), 1 / (len(positive) - have + 2)
    targets: Floats = np.where(positive, high, low)
    return targets


def logistic_loss(eta: Floats, targets: Floats) -> Any:
    """Sum over documents of log(1 + exp(eta)) - t eta: of one label (documents), or of each (documents x labels)."""
    return (np.log1p(np.exp(-np.abs(eta))) + np.maximum(eta, 0) - targets * eta).sum(axis=0)


def fit_logistic(features: Floats, targets: Floats) -> tuple[Floats, float]:
    """Slopes and, last, the offset; and the loss with them. features: features x documents.

    A feature that does not vary has the slope 0. Newton's steps are taken on features with mean 0 and variance 1.
    """
    middle, width = features.mean(axis=1), features.std(axis=1)
    varies = width > 1e-12 * np.maximum(1.0, np.abs(middle))
    width = np.where(varies, width, 1.0)
    z = np.ones((len(features) + 1, features.shape[1]))
    z[:-1] = (features - middle[:, None]) * (varies / width)[:, None]
    share = targets.mean()
    theta = np.zeros(len(z))
    theta[-1] = np.log(share) - np.log1p(-share)
    eta = theta @ z
    loss = logistic_loss(eta, targets)
    for _ in range(STEPS):
        p = expit(eta)
        gradient = z @ (p - targets)
        if np.abs(gradient).max() <= TOLERANCE * len(targets):
            break
        hessian = (z * (p * (1 - p))) @ z.T
        step = np.linalg.solve(hessian + 1e-12 * (1 + np.trace(hessian)) * np.eye(len(z)), gradient)
        for _ in range(HALVINGS):
            eta = (theta - step) @ z
            new_loss = logistic_loss(eta, targets)
            if new_loss <= loss:
                break
            step = step / 2
        else:
            break  # rounding lets the loss fall no further
        theta, loss = theta - step, new_loss
    slopes = theta[:-1] / width
    return np.append(slopes, theta[-1] - slopes @ middle), float(loss)


def fit_sigmoids(scores: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """The slope, not below 0, and the offset of each column; documents x labels. A score that does not vary has the slope 0.

    Where the likelihood asks for a slope below 0, the slope is 0: the likelihood is concave, so that is its maximum from 0 on.
    """
    middle, width = scores.mean(axis=0), scores.std(axis=0)
    varies = width > 1e-12 * np.maximum(1.0, np.abs(middle))
    share = targets.mean(axis=0)
    slope, offset = np.zeros(len(middle)), np.log(share) - np.log1p(-share)  # of the score with mean 0 and variance 1
    rises = varies & (((scores - middle) * targets).sum(axis=0) > 0)  # else the likelihood falls from slope 0 on
    active = np.flatnonzero(rises)
    z = (scores[:, active] - middle[active]) / width[active]
    t = targets[:, active]
    eta = np.repeat(offset[None, active], len(scores), axis=0)
    loss = logistic_loss(eta, t)
    for _ in range(STEPS):
        p = expit(eta)
        difference, weight = p - t, p * (1 - p)
        by_slope, by_offset = (difference * z).sum(axis=0), difference.sum(axis=0)
        moving = np.maximum(np.abs(by_slope), np.abs(by_offset)) > TOLERANCE * len(scores)
        if not moving.any():
            break
        active, z, t, eta, loss = active[moving], z[:, moving], t[:, moving], eta[:, moving], loss[moving]
        weight, by_slope, by_offset = weight[:, moving], by_slope[moving], by_offset[moving]
        h11, h12, h22 = (weight * z * z).sum(axis=0), (weight * z).sum(axis=0), weight.sum(axis=0)
        ridge = 1e-12 * (1 + h11 + h22)
        h11, h22 = h11 + ridge, h22 + ridge
        determinant = h11 * h22 - h12 * h12
        steps = (h22 * by_slope - h12 * by_offset) / determinant, (h11 * by_offset - h12 * by_slope) / determinant
        scale = np.ones(len(active))
        for _ in range(HALVINGS):
            eta = (slope[active] - scale * steps[0]) * z + (offset[active] - scale * steps[1])
            new_loss = logistic_loss(eta, t)
            if (new_loss <= loss).all():
                break
            scale = np.where(new_loss <= loss, scale, scale / 2)
        scale = np.where(new_loss <= loss, scale, 0.0)  # rounding lets the loss fall no further
        slope[active] -= scale * steps[0]
        offset[active] -= scale * steps[1]
        stalled = scale == 0
        if stalled.any():
            active, z, t = active[~stalled], z[:, ~stalled], t[:, ~stalled]
            eta, new_loss = eta[:, ~stalled], new_loss[~stalled]
            if not len(active):
                break
        loss = new_loss
    slope = np.where(varies, slope / np.where(varies, width, 1.0), 0.0)
    return slope, offset - slope * middle
