"""A number and its interval: over repetitions, or over documents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

Z = 1.959963984540054  # 97.5 % of a normal distribution lie below


@dataclass(frozen=True, slots=True)
class Summary:
    """A value, its 95 % limits (None where there are none), and what it rests on."""

    value: float
    low: float | None
    high: float | None
    n: int


def over(values: Any) -> Summary:
    """The mean over repetitions and Student's 95 % limits of that mean. What is undefined (nan) is left out.

    Repeated splits share documents: the limits say how the mean would vary over other splits of these documents, not over
    other documents.
    """
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    n = len(x)
    if n == 0:
        return Summary(math.nan, None, None, 0)
    mean = math.fsum(x) / n
    if n == 1:
        return Summary(mean, None, None, 1)
    half = float(stdtrit(n - 1, 0.975)) * float(x.std(ddof=1)) / math.sqrt(n)
    return Summary(mean, mean - half, mean + half, n)


def share_of(hits: int, n: int) -> Summary:
    """100 hits / n, and Wilson's 95 % limits over n documents."""
    if n == 0:
        return Summary(math.nan, None, None, 0)
    p, room = hits / n, Z * Z / n
    middle = (p + room / 2) / (1 + room)
    half = Z / (1 + room) * math.sqrt(p * (1 - p) / n + room / (4 * n))
    return Summary(100 * p, 100 * max(middle - half, 0.0), 100 * min(middle + half, 1.0), n)


def mean_of_shares(hits: Any, n: Any) -> Summary:
    """The mean of 100 hits / n over labels, and its 95 % limits over documents; the labels are fixed, not a sample.

    Each share varies as p (1 - p) / n, with Agresti & Coull's p = (hits + z^2/2) / (n + z^2) in it, since a share of 0 or 1 is
    not sure. Labels without documents are left out.
    """
    hits, of = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    hits, of = hits[of > 0], of[of > 0]
    if len(of) == 0:
        return Summary(math.nan, None, None, 0)
    p = (hits + Z * Z / 2) / (of + Z * Z)
    mean = 100 * math.fsum(hits / of) / len(of)
    half = 100 * Z * math.sqrt(math.fsum(p * (1 - p) / (of + Z * Z))) / len(of)
    return Summary(mean, max(mean - half, 0.0), min(mean + half, 100.0), int(of.sum()))


def alone(value: float, n: int = 1) -> Summary:
    return Summary(float(value), None, None, n)
