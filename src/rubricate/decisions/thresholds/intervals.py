"""Intervals of a threshold and of what it achieves, from bootstrap draws of documents.

threshold   From the low quantile of the lower ends to the high quantile of the upper ends of the draws' thresholds: a draw's
            threshold may lie anywhere between two drawn scores. Midpoints alone cover too little where classes hardly overlap.
measure     The threshold was chosen on these data, so the measure is too good on them. `expected` is the measure among documents
            that are not in a draw, at the threshold of that draw (Efron's leave-one-out bootstrap). The interval is that of the
            measure at the fixed threshold over the draws, moved on the log-odds scale to where it is centred on `expected`.
            A draw cannot show errors that the data do not have: with fewer than five errors, or fewer than five right, the
            interval takes in the exact binomial one (Clopper & Pearson 1934).

Measured by simulation: see tests/decisions/test_thresholds.py.

Draws are made without sorting twice: a draw is a weight for each document, and along a ranking that was sorted once every count
of a draw is a running sum of weights. All labels see the same draws, since it is documents that are drawn, with all their labels.
Tables of documents x draws are taken a block of draws at a time, so that a million documents fit as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, expit, logit

from ...foundation.arrays import Bytes, Floats, Longs
from .goals import Goal
from .ranking import Ranking, midway

Weights = Bytes  # documents x draws: how often each document is in a draw
BLOCK = 1 << 26  # bytes
FEW = 5


@dataclass(frozen=True, slots=True)
class FittedThreshold:
    threshold: float
    threshold_low: float
    threshold_high: float
    measure: float
    expected: float
    low: float
    high: float
    assigned: int
    hits: int


def with_intervals(
    goal: Goal, ranking: Ranking, place: int, places: Longs, weights: Weights, level: float
) -> FittedThreshold:
    """The threshold at `place` with its intervals, from the places that the draws would choose."""
    nan = float("nan")
    hits, threshold = int(ranking.hits_above(place)), float(ranking.thresholds(place))
    measure = float(goal.measure(hits, place, ranking.positives))
    if not len(places) or not ranking.positives:
        return FittedThreshold(threshold, nan, nan, measure, nan, nan, nan, place, hits)
    thresholds, above, below = thresholds_of_draws(ranking, places, weights)
    ends = central_interval(below, level)[0], central_interval(above, level)[1]
    counts = counts_outside_draws(ranking, thresholds, weights)
    expected = float(goal.measure(*counts))
    if np.isnan(expected) or np.isnan(measure):
        return FittedThreshold(threshold, *ends, measure, expected, nan, nan, place, hits)
    trials = float(goal.trials(hits, place, ranking.positives))
    values = goal.measure(*counts_above(ranking, place, weights))
    low, high = shifted_interval(values[~np.isnan(values)], measure, expected, trials, level)
    share = counts[0] / max(float(goal.trials(*counts)), 1.0)
    if trials * min(share, 1 - share) < FEW:
        exact = clopper_pearson(share, trials, level)
        wrong, missed = counts[1] - counts[0], counts[2] - counts[0]
        low = min(low, float(goal.value(exact[0], wrong, missed)))
        high = max(high, float(goal.value(exact[1], wrong, missed)))
    return FittedThreshold(threshold, *ends, measure, expected, low, high, place, hits)


def central_interval(values: Floats, level: float) -> tuple[float, float]:
    """The ends of the middle part of the values, by rank: nothing is interpolated, since values may be infinite."""
    ordered, tail = np.sort(values), (1 - level) / 2
    last = len(ordered) - 1
    return float(ordered[int(np.floor(tail * last))]), float(ordered[int(np.ceil((1 - tail) * last))])


def shifted_interval(
    values: Floats, measure: float, expected: float, trials: float, level: float
) -> tuple[float, float]:
    """The middle part of the values, moved by logit(expected) - logit(measure); half a document keeps odds finite."""
    if not len(values):
        return 0.0, 1.0
    half = 0.5 / max(trials, 1.0)
    shift, *ends = logit(np.clip([expected, *central_interval(values, level)], half, 1 - half))
    shift -= logit(np.clip(measure, half, 1 - half))
    low, high = expit(np.array(ends) + shift)
    return float(low), float(high)


def clopper_pearson(share: float, trials: float, level: float) -> tuple[float, float]:
    """The exact interval of a share of so many; share x trials need not be whole."""
    hits, tail = share * trials, (1 - level) / 2
    low = float(betaincinv(hits, trials - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0
    return low, high


# -- bootstrap draws


def draw_weights(n_documents: int, draws: int, random_state: int) -> Weights:
    """Documents x draws: how often each document is drawn, n of n with replacement (more than 255 times does not happen)."""
    rng = np.random.default_rng(random_state)
    weights = np.zeros((n_documents, draws), dtype=np.uint8)
    if n_documents:
        for draw in range(draws):
            weights[:, draw] = np.bincount(rng.integers(0, n_documents, n_documents), minlength=n_documents)
    return weights


def blocks_of_draws(weights: Weights, bytes_a_draw: int) -> Iterator[Weights]:
    step = max(1, BLOCK // max(bytes_a_draw, 1))
    for start in range(0, weights.shape[1], step):
        yield weights[:, start : start + step]


def positives_of_draws(ranking: Ranking, weights: Weights) -> Longs:
    positives: Longs = weights[ranking.order[ranking.positive]].sum(axis=0, dtype=np.int64)
    return positives


def running_counts(ranking: Ranking, places: Longs, weights: Weights) -> tuple[Floats, Floats]:
    """Drawn documents above each place that have the label, and all above it: two tables, places x draws.

    places ascend from 0, each once.
    """
    assigned = np.zeros((len(places), weights.shape[1]))
    ranked_weights = weights[ranking.order[: places[-1]]]
    if 4 * len(places) > len(ranked_weights) > 0:  # with few documents to skip, a sum at every document is quicker
        assigned[1:] = np.cumsum(ranked_weights, axis=0, dtype=np.float64)[places[1:] - 1]
    elif len(ranked_weights):
        np.add.reduceat(ranked_weights, places[:-1], axis=0, dtype=np.float64, out=assigned[1:])
        np.cumsum(assigned, axis=0, out=assigned)
    members = ranking.order[ranking.positive]
    hits = np.zeros((len(members) + 1, weights.shape[1]))
    np.cumsum(weights[members], axis=0, dtype=np.float64, out=hits[1:])
    return hits[ranking.hits_above(places)], assigned


def best_places_of_draws(goal: Goal, ranking: Ranking, weights: Weights) -> Longs:
    candidates = goal.places(ranking)
    n = len(ranking.scores)
    places = []
    for block in blocks_of_draws(weights, max(8 * len(candidates), int(candidates[-1]))):
        best = goal.best(*running_counts(ranking, candidates, block), positives_of_draws(ranking, block), n)
        places.append(candidates[best])
    return np.concatenate(places) if places else np.zeros(0, dtype=np.int64)


def counts_above(ranking: Ranking, place: int, weights: Weights) -> tuple[Longs, Longs, Longs]:
    """Of each draw: right and assigned above one place, and positives in all."""
    above = ranking.order[:place]
    parts = [(block[above[ranking.positive[:place]]], block[above]) for block in blocks_of_draws(weights, place)]
    hits, assigned = (np.concatenate([part[n].sum(axis=0, dtype=np.int64) for part in parts]) for n in (0, 1))
    return hits, assigned, positives_of_draws(ranking, weights)


def thresholds_of_draws(ranking: Ranking, places: Longs, weights: Weights) -> tuple[Floats, Floats, Floats]:
    """The threshold of each draw: between the lowest drawn score above its place, and the highest below; and these two."""
    draw = np.arange(weights.shape[1])
    n = len(ranking.scores)
    edged = np.concatenate([[np.inf], ranking.scores, [-np.inf]])  # so that one step too far meets an infinite score
    upper, lower = places.copy(), places + 1
    while (missing := (upper > 0) & (weights[ranking.order[np.maximum(upper - 1, 0)], draw] == 0)).any():
        upper[missing] -= 1
    while (missing := (lower <= n) & (weights[ranking.order[np.minimum(lower - 1, n - 1)], draw] == 0)).any():
        lower[missing] += 1
    above, below = edged[upper], edged[lower]
    return np.where(np.isposinf(above), above, midway(above, below)), above, below


def counts_outside_draws(ranking: Ranking, thresholds: Floats, weights: Weights) -> tuple[int, int, int]:
    """Right, assigned and positives among documents that are not in a draw, at the threshold of that draw; summed over draws."""
    above = ranking.count_above(thresholds)
    first = int(above.max(initial=0))
    inside = ranking.positive[:first]
    hits = assigned = start = 0
    for block in blocks_of_draws(weights, first):
        block_above = above[start : start + block.shape[1]]
        start += block.shape[1]
        outside = (block[ranking.order[:first]] == 0) & (np.arange(first)[:, None] < block_above)
        hits, assigned = hits + int(np.count_nonzero(outside[inside])), assigned + int(np.count_nonzero(outside))
    positives = int(np.count_nonzero(weights[ranking.order[ranking.positive]] == 0))
    return hits, assigned, positives
