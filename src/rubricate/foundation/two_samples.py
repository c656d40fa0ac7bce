"""Two samples of counts: whether a share or a mean differs by more than chance, by numpy alone.

    share_p          a share: Fisher's exact test, two-sided
    shares_p         many shares that sum to 1: the chi-square statistic, permuted
    mean_p           a mean of values in bins: the difference of means, permuted
    holm             several tests at once
    detectable       the smallest difference that such samples would show most of the time

Permuted means: the larger sample is one that was drawn blindly from both together, again and again; since only counts matter, a
draw is one of the multivariate hypergeometric distribution. These tests hold their level however few or uneven the counts are.
Sources: Fisher (1935); Phipson & Smyth (2010) for the 1 added to draws; Holm (1979).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from .arrays import Floats, Longs

DRAWS = 4_999
POWER = 0.8  # how often a detectable difference is shown
SAME = 1e-9  # of a statistic: rounding


def share_p(hits: int, n: int, other_hits: int, m: int) -> float:
    """Fisher's exact test of hits / n = other_hits / m: the chance of a table that is no likelier than this one, its margins
    given.

    Pr(x) proportional to C(m, x) C(n, K - x), K = hits + other_hits; from one x to the next by the ratio
    (K - x)(m - x) / ((x + 1)(n - K + x + 1))
    """
    total = hits + other_hits
    x = np.arange(max(0, total - n), min(m, total))
    ratios = np.log((total - x) * (m - x)) - np.log((x + 1.0) * (n - total + x + 1))
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    p = np.exp(logs - logs.max())
    observed = p[other_hits - max(0, total - n)]
    return min(1.0, float(p[p <= observed * (1 + 1e-7)].sum() / p.sum()))


def shares_p(counts: Longs, other_counts: Longs, *, widen: float = 1.0, seed: int = 0) -> float:
    """Whether two samples fall into classes alike: sum of (observed - expected)^2 / expected, permuted. widen: see `mean_p`."""
    pooled = counts + other_counts
    used = pooled > 0
    expected = pooled[used] * (other_counts.sum() / pooled.sum())
    draws = permuted(pooled[used], int(other_counts.sum()), seed)
    observed = ((other_counts[used] - expected) ** 2 / expected).sum()
    return tail(widen**2 * ((draws - expected) ** 2 / expected).sum(axis=1), observed)


def mean_p(
    counts: Longs, other_counts: Longs, values: Floats, *, difference: float, widen: float = 1.0, seed: int = 0
) -> float:
    """Whether the means of two samples differ, two-sided. counts: of each value; difference: of the means, less what is to be
    allowed for; widen: how many times wider than by chance alone differences of draws are taken to be."""
    pooled = counts + other_counts
    used, n, m = pooled > 0, int(counts.sum()), int(other_counts.sum())
    expected = (pooled @ values) / (n + m)
    draws = permuted(pooled[used], m, seed) @ values[used] / m
    return tail(widen * np.abs(draws - expected), abs(difference) * n / (n + m))


def permuted(pooled: Longs, m: int, seed: int) -> Longs:
    """Counts of m that are drawn from all, DRAWS times."""
    return np.random.default_rng(seed).multivariate_hypergeometric(pooled, m, size=DRAWS, method="marginals")


def tail(statistics: Floats, observed: float) -> float:
    """The share of draws that are as extreme, the observed one counted among them."""
    extreme = np.count_nonzero(statistics >= observed - SAME * max(1.0, abs(observed)))
    return (1 + int(extreme)) / (1 + len(statistics))


def holm(p_values: Any) -> Floats:
    """Holm's adjusted p-values, in the order given: reject those below the level, and the chance of one false rejection or
    more among all of them is at most the level, however the tests depend on each other.

    The i-th smallest of m:  max over j <= i of (m - j + 1) p_j, at most 1

    Undefined ones (nan) stay undefined and do not count in m.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if ((p < 0) | (p > 1)).any():
        raise InvalidSetting(f"p-values from {np.nanmin(p)} to {np.nanmax(p)}: they lie between 0 and 1")
    adjusted = np.full(p.shape, np.nan)
    defined = np.flatnonzero(~np.isnan(p).ravel())
    order = defined[np.argsort(p.ravel()[defined], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted.ravel()[order] = np.minimum(1.0, np.maximum.accumulate(factors * p.ravel()[order]))
    return adjusted


def detectable(variance: float, n: float, m: float, *, level: float) -> float:
    """About the smallest difference of means that n and m documents show with probability POWER, by the normal approximation:

    (z_(1 - level/2) + z_POWER) sqrt(variance (1/n + 1/m))
    """
    from statistics import NormalDist

    quantile = NormalDist().inv_cdf
    return (quantile(1 - level / 2) + quantile(POWER)) * math.sqrt(variance * (1 / n + 1 / m))
