"""Logistic regression on one or two features, a label at a time: Newton's method, halved where it would overshoot.

    minimise over theta  sum over documents of log(1 + exp(eta)) - t eta,   eta = offset + sum over features of slope x feature

t are Platt's targets, (N+ + 1)/(N+ + 2) for the N+ documents that have the label and 1/(N- + 2) for the others: nobody is surer
than the documents allow, and the minimum exists also where a score tells all (Platt 1999; Lin, Lin & Weng 2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

__all__ = ["loss_of", "maximum_likelihood", "platt_targets"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
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
