"""Logarithms, exponentials and log gamma by the C library, a number at a time.

numpy's own are vectorised and differ from the C library's in the last bit; scipy's `expit` and the compiled loops of the package
use the C library's. scipy is never imported here, but used where somebody has imported it, as all that fits does.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from .arrays import Floats

OVERFLOW = 709.78  # exp of more is no double
DIRECT = 16.0  # factors up to which log Gamma(x + t) - log Gamma(x) is the log of a product
STEADY = 10.0  # from here on the asymptotic series is exact to 1e-14


def exp(x: Floats) -> Floats:
    values = [math.inf if value > OVERFLOW else math.exp(value) for value in x.ravel().tolist()]
    return np.array(values, dtype=np.float64).reshape(x.shape)


def log(x: Floats) -> Floats:
    """ln x of each number; -inf of 0."""
    values = [-math.inf if value == 0 else math.log(value) for value in x.ravel().tolist()]
    return np.array(values, dtype=np.float64).reshape(x.shape)


def log1p(x: Floats) -> Floats:
    return np.array(list(map(math.log1p, x.ravel().tolist())), dtype=np.float64).reshape(x.shape)


def expit(x: Floats) -> Floats:
    """1 / (1 + e^-x)."""
    compiled = getattr(sys.modules.get("scipy.special"), "expit", None)
    shares: Floats = 1 / (1 + exp(-x)) if compiled is None else compiled(x)
    return shares


def softmax(x: Floats) -> Floats:
    """e^x / sum of e^x, a row a document."""
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def log_posteriors(joint: Floats) -> Floats:
    """log Pr(C|d) = log Pr(C, d) - log sum over C' of Pr(C', d), a row a document.                        [000 eq. 11]

    The highest of a row, and what equals it, stand apart from the sum: log(m (1 + s / m)) = log1p(s / m) + log m.
    """
    if not joint.size:
        return joint
    highest = np.maximum.reduce(joint, axis=1, keepdims=True)  # for one document twice as quick as joint.max
    best = joint == highest
    m = np.add.reduce(best, axis=1, keepdims=True, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s = np.add.reduce(np.exp(np.where(best, -np.inf, joint) - highest), axis=1, keepdims=True)
        totals = np.log1p(s / m) + np.log(m) + highest
    posteriors: Floats = joint - np.where(np.isfinite(totals), totals, 0.0)
    return posteriors


def log_rise(x: Floats, t: float) -> Floats:
    """log Gamma(x + t) - log Gamma(x) of each x >= 0: the log of x (x + 1) ... (x + t - 1) for few whole t, else a series that
    does not cancel. For x = 0 and t > 0 it is -inf.

    x < 10:   Gamma(x + t) / Gamma(x) = x / (x + t) ... y / (y + t)  Gamma(y + 1 + t) / Gamma(y + 1)
    x >= 10:  (x - 1/2) ln(1 + t/x) + t (ln(x + t) - 1) + 1/12 (1/(x + t) - 1/x) - ...                       (Stirling)
    """
    if t == 0.0:
        return np.zeros(x.shape)
    if not (t <= DIRECT and t == math.floor(t)):
        return by_series(x, t)
    product = x.copy()
    for factor in range(1, int(t)):
        product *= x + factor
    rises = log(product)
    large = x >= 1e15
    if large.any():
        rises[large] = by_series(x[large], t)
    return rises


def by_series(x: Floats, t: float) -> Floats:
    x, total = x.copy(), np.zeros(x.shape)
    small = x < STEADY
    if small.any():
        y = x[small]
        total[small] = log(y) - log(y + t)
        y += 1.0
        ratio = np.ones(y.shape)
        while (below := y < STEADY).any():
            ratio[below] *= y[below] / (y[below] + t)
            y[below] += 1.0
        total[small] += log(ratio)
        x[small] = y
    z = x + t
    rises: Floats = total + (x - 0.5) * log1p(t / x) + t * (log(z) - 1.0) + (stirling(z) - stirling(x))
    return rises


def stirling(x: Floats) -> Floats:
    """1/(12 x) - 1/(360 x^3) + 1/(1260 x^5) - 1/(1680 x^7) + 1/(1188 x^9)."""
    a = 1.0 / x
    p = a * a
    series: Floats = a * (1 / 12 - p * (1 / 360 - p * (1 / 1260 - p * (1 / 1680 - p / 1188))))
    return series
