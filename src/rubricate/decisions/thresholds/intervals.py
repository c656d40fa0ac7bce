"""Intervals of a cut and of what it achieves, from bootstrap draws of documents.

cut       From the low quantile of the lower ends to the high quantile of the upper ends of the draws' cuts: a draw's cut may lie
          anywhere between two drawn scores. Midpoints alone cover too little where classes hardly overlap.
measure   The cut was chosen on these data, so the measure is too good on them. `expected` is the measure among documents that a
          draw left out, at the cut of that draw (Efron's leave-one-out bootstrap). The interval is that of the measure at
          the fixed cut over the draws, moved on the log-odds scale to where it is centred on `expected`.
          A draw cannot show mistakes that the data do not have: with fewer than five mistakes, or fewer than five right, the
          interval takes in the exact binomial one (Clopper & Pearson 1934).

Measured by simulation: see tests/test_thresholds.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, expit, logit

from ...foundation.arrays import Floats, Longs
from .bootstrap_draws import Weights, counts_above, left_out, redrawn
from .goals import Goal
from .ranking import Ranking

__all__ = ["Judged", "between", "exact", "judged", "moved"]

FEW = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """One label's cut, and what it does."""

    cut: float
    cut_low: float
    cut_high: float
    measure: float
    expected: float
    low: float
    high: float
    assigned: int
    right: int


def judged(goal: Goal, ranking: Ranking, place: int, places: Longs, weights: Weights, level: float) -> Judged:
    """The cut at `place` with its intervals, from the places that the draws would choose."""
    nan = float("nan")
    right, cut = int(ranking.right(place)), float(ranking.cuts(place))
    measure = float(goal.measure(right, place, ranking.positives))
    if not len(places) or not ranking.positives:
        return Judged(cut, nan, nan, measure, nan, nan, nan, place, right)
    drawn = redrawn(ranking, places, weights)
    cut_low, cut_high = between(drawn.below, level)[0], between(drawn.above, level)[1]
    counts = left_out(ranking, drawn.cuts, weights)
    expected = float(goal.measure(*counts))
    if np.isnan(expected) or np.isnan(measure):
        return Judged(cut, cut_low, cut_high, measure, expected, nan, nan, place, right)
    trials = float(goal.trials(right, place, ranking.positives))
    values = goal.measure(*counts_above(ranking, place, weights))
    low, high = moved(values[~np.isnan(values)], measure, expected, trials, level)
    share = counts[0] / max(float(goal.trials(*counts)), 1.0)
    if trials * min(share, 1 - share) < FEW:
        ends = exact(share, trials, level)
        wrong, missed = counts[1] - counts[0], counts[2] - counts[0]
        low = min(low, float(goal.value(ends[0], wrong, missed)))
        high = max(high, float(goal.value(ends[1], wrong, missed)))
    return Judged(cut, cut_low, cut_high, measure, expected, low, high, place, right)


def between(values: Floats, level: float) -> tuple[float, float]:
    """The ends of the middle part of the values, by rank: nothing is interpolated, since values may be infinite."""
    ordered, tail = np.sort(values), (1 - level) / 2
    last = len(ordered) - 1
    return float(ordered[int(np.floor(tail * last))]), float(ordered[int(np.ceil((1 - tail) * last))])


def moved(values: Floats, measure: float, expected: float, trials: float, level: float) -> tuple[float, float]:
    """The middle part of the values, moved by logit(expected) - logit(measure); half a document keeps odds finite."""
    if not len(values):
        return 0.0, 1.0
    half = 0.5 / max(trials, 1.0)
    shift, *ends = logit(np.clip([expected, *between(values, level)], half, 1 - half))
    shift -= logit(np.clip(measure, half, 1 - half))
    low, high = expit(np.array(ends) + shift)
    return float(low), float(high)


def exact(share: float, trials: float, level: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share of so many; share x trials need not be whole."""
    right, tail = share * trials, (1 - level) / 2
    low = float(betaincinv(right, trials - right + 1, tail)) if right > 0 else 0.0
    high = float(betaincinv(right + 1, trials - right, 1 - tail)) if right < trials else 1.0
    return low, high
