"""Logistic regression on one or two features: Newton's method, halved where it would overshoot.

    minimise over theta  sum over documents of log(1 + exp(eta)) - t eta,   eta = offset + sum over features of slope x feature

t are Platt's targets, (N+ + 1)/(N+ + 2) for the N+ documents that have the label and 1/(N- + 2) for the others: nobody is surer
than the documents allow, and the minimum exists also where a score tells all (Platt 1999; Lin, Lin & Weng 2007).

    maximum_likelihood    of one label, with any features
    rising_sigmoids       of all labels together, each with its score as the only feature and a slope not below 0
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from ...foundation.arrays import Floats

__all__ = ["loss_of", "maximum_likelihood", "platt_targets", "rising_sigmoids"]

STEPS, HALVINGS = 100, 40
STILL = 1e-10  # of the mean gradient


def platt_targets(yes: Any) -> Floats:
    """0/1 documents x labels, a little less sure."""
    have = yes.sum(axis=0)
    high, low = (have + 1) / (have + 2), 1 / (len(yes) - have + 2)
    targets: Floats = np.where(yes, high, low)
    return targets


def loss_of(eta: Floats, targets: Floats) -> float:
    """Sum over documents of log(1 + exp(eta)) - t eta."""
    return float((np.log1p(np.exp(-np.abs(eta))) + np.maximum(eta, 0) - targets * eta).sum())


def maximum_likelihood(features: Floats, targets: Floats) -> tuple[Floats, float]:
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
    loss = loss_of(eta, targets)
    for _ in range(STEPS):
        p = expit(eta)
        gradient = z @ (p - targets)
        if np.abs(gradient).max() <= STILL * len(targets):
            break
        hessian = (z * (p * (1 - p))) @ z.T
        step = np.linalg.solve(hessian + 1e-12 * (1 + np.trace(hessian)) * np.eye(len(z)), gradient)
        for _ in range(HALVINGS):
            eta = (theta - step) @ z
            now = loss_of(eta, targets)
            if now <= loss:
                break
            step = step / 2
        else:
            break  # as low as rounding lets it go
        theta, loss = theta - step, now
    slopes = theta[:-1] / width
    return np.append(slopes, theta[-1] - slopes @ middle), loss


def rising_sigmoids(scores: Floats, targets: Floats) -> tuple[Floats, Floats]:
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
    loss = column_losses(eta, t)
    for _ in range(STEPS):
        p = expit(eta)
        difference, weight = p - t, p * (1 - p)
        by_slope, by_offset = (difference * z).sum(axis=0), difference.sum(axis=0)
        moving = np.maximum(np.abs(by_slope), np.abs(by_offset)) > STILL * len(scores)
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
            now = column_losses(eta, t)
            if (now <= loss).all():
                break
            scale = np.where(now <= loss, scale, scale / 2)
        scale = np.where(now <= loss, scale, 0.0)  # as low as rounding lets it go
        slope[active] -= scale * steps[0]
        offset[active] -= scale * steps[1]
        stands = scale == 0
        if stands.any():
            active, z, t = active[~stands], z[:, ~stands], t[:, ~stands]
            eta, now = eta[:, ~stands], now[~stands]
            if not len(active):
                break
        loss = now
    slope = np.where(varies, slope / np.where(varies, width, 1.0), 0.0)
    return slope, offset - slope * middle


def column_losses(eta: Floats, targets: Floats) -> Floats:
    """Sum over documents of log(1 + exp(eta)) - t eta, a label each."""
    losses: Floats = (np.log1p(np.exp(-np.abs(eta))) + np.maximum(eta, 0) - targets * eta).sum(axis=0)
    return losses
