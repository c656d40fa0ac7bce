"""Wilcoxon's signed-rank test: like the sign test, but larger differences count more. Source: Wilcoxon (1945)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

from ...foundation.arrays import Floats
from .outcome import Outcome, check_alternative
from .paired_tests import differences

__all__ = ["wilcoxon"]

EXACT_UP_TO = 50  # pairs; 2^50 sign patterns are still counted exactly in floats


def wilcoxon(a: Any, b: Any, *, alternative: str = "two-sided") -> Outcome:
    """Wilcoxon's signed-rank test of paired values, such as a measure over labels.

    Equal pairs are dropped (Wilcoxon's own rule); equal sizes of difference share their mean rank. statistic = sum of the ranks
    of pairs in which a is higher. Up to 50 pairs p is exact, shared ranks included: all sign patterns are counted; above, the
    normal approximation without correction for continuity. effect: the matched-pairs rank-biserial correlation,
    (ranks for - ranks against) / all ranks (Kerby 2014).
    """
    check_alternative(alternative)
    difference, _ = differences(a, b)
    difference = difference[difference != 0]
    ranks = shared_ranks(np.abs(difference))
    total, higher = float(ranks.sum()), float(ranks[difference > 0].sum())
    above, below = (exact_tails if len(ranks) <= EXACT_UP_TO else normal_tails)(ranks, higher)
    p = {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[alternative]
    return Outcome(
        test="Wilcoxon signed-rank test",
        statistic=higher,
        p=p,
        n=len(ranks),
        alternative=alternative,
        effect=(2 * higher - total) / total if total else math.nan,
        effect_of="rank-biserial correlation",
    )


def shared_ranks(sizes: Floats) -> Floats:
    """Ranks from 1, smallest first; sizes equal to 12 decimals share the mean of their ranks."""
    _, which, count = np.unique(sizes.round(12), return_inverse=True, return_counts=True)
    mean: Floats = np.cumsum(count) - (count - 1) / 2
    return mean[which]


def exact_tails(ranks: Floats, higher: float) -> tuple[float, float]:
    """P(W >= higher), P(W <= higher) over all sign patterns, one rank after the other."""
    doubled = np.rint(2 * ranks).astype(np.intp)  # mean ranks are whole or half
    patterns = np.zeros(int(doubled.sum()) + 1)
    patterns[0] = 1.0
    for rank in doubled:
        patterns[rank:] += patterns[:-rank].copy()
    at = round(2 * higher)
    return float(patterns[at:].sum() / patterns.sum()), float(patterns[: at + 1].sum() / patterns.sum())


def normal_tails(ranks: Floats, higher: float) -> tuple[float, float]:
    """The same by the normal law with the mean and variance of W."""
    z = (higher - ranks.sum() / 2) / math.sqrt(float((ranks**2).sum()) / 4)
    return float(ndtr(-z)), float(ndtr(z))
