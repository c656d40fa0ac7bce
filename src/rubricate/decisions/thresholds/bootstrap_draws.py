"""Bootstrap draws of documents, without sorting twice: a draw is a weight for each document, and along a ranking that was
sorted once every count of a draw is a running sum of weights.

All labels see the same draws, since it is documents that are drawn, with all their labels. Tables of documents x draws are
taken a block of draws at a time, so that a million documents fit as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...foundation.arrays import Bytes, Floats, Longs
from .goals import Goal
from .ranking import Ranking, midway

__all__ = [
    "Drawn",
    "Weights",
    "chosen",
    "counts_above",
    "left_out",
    "positives_drawn",
    "redrawn",
    "running",
    "weights_drawn",
]

Weights = Bytes
BLOCK = 1 << 26  # bytes


def weights_drawn(n_documents: int, draws: int, random_state: int) -> Weights:
    """Documents x draws: how often each document is drawn, n of n with replacement (more than 255 times does not happen)."""
    rng = np.random.default_rng(random_state)
    weights = np.zeros((n_documents, draws), dtype=np.uint8)
    if n_documents:
        for draw in range(draws):
            weights[:, draw] = np.bincount(rng.integers(0, n_documents, n_documents), minlength=n_documents)
    return weights


def blocks(weights: Weights, bytes_a_draw: int) -> Iterator[Weights]:
    """The draws, some at a time."""
    step = max(1, BLOCK // max(bytes_a_draw, 1))
    for start in range(0, weights.shape[1], step):
        yield weights[:, start : start + step]


def positives_drawn(ranking: Ranking, weights: Weights) -> Longs:
    """Documents of each draw that have the label."""
    found: Longs = weights[ranking.order[ranking.positive]].sum(axis=0, dtype=np.int64)
    return found


def running(ranking: Ranking, places: Longs, weights: Weights) -> tuple[Floats, Floats]:
    """Drawn documents above each place that have the label, and all above it: two tables, places x draws.

    places ascend from 0, each once.
    """
    assigned = np.zeros((len(places), weights.shape[1]))
    own = weights[ranking.order[: places[-1]]]
    if 4 * len(places) > len(own) > 0:  # hardly anything to skip: a sum at every document is quicker than one a stretch
        assigned[1:] = np.cumsum(own, axis=0, dtype=np.float64)[places[1:] - 1]
    elif len(own):
        np.add.reduceat(own, places[:-1], axis=0, dtype=np.float64, out=assigned[1:])
        np.cumsum(assigned, axis=0, out=assigned)
    members = ranking.order[ranking.positive]
    found = np.zeros((len(members) + 1, weights.shape[1]))
    np.cumsum(weights[members], axis=0, dtype=np.float64, out=found[1:])
    return found[ranking.right(places)], assigned


def chosen(goal: Goal, ranking: Ranking, weights: Weights) -> Longs:
    """The place that serves the goal best, in each draw."""
    candidates = goal.places(ranking)
    n = len(ranking.scores)
    found = []
    for some in blocks(weights, max(8 * len(candidates), int(candidates[-1]))):
        best = goal.best(*running(ranking, candidates, some), positives_drawn(ranking, some), n)
        found.append(candidates[best])
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def counts_above(ranking: Ranking, place: int, weights: Weights) -> tuple[Longs, Longs, Longs]:
    """Of each draw: right and assigned above one place, and positives in all."""
    own = ranking.order[:place]
    parts = [(some[own[ranking.positive[:place]]], some[own]) for some in blocks(weights, place)]
    right, assigned = (np.concatenate([part[n].sum(axis=0, dtype=np.int64) for part in parts]) for n in (0, 1))
    return right, assigned, positives_drawn(ranking, weights)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The cut of each draw: between the lowest drawn score above its place and the highest below."""

    above: Floats
    below: Floats

    @property
    def cuts(self) -> Floats:
        """Midway, as always; +inf where nothing is above."""
        return np.where(np.isposinf(self.above), self.above, midway(self.above, self.below))


def redrawn(ranking: Ranking, places: Longs, weights: Weights) -> Drawn:
    """The cuts of all draws, from the place of each."""
    draw = np.arange(weights.shape[1])
    n = len(ranking.scores)
    edged = np.concatenate([[np.inf], ranking.scores, [-np.inf]])  # so that one step too far meets an infinite score
    upper, lower = places.copy(), places + 1
    while (missing := (upper > 0) & (weights[ranking.order[np.maximum(upper - 1, 0)], draw] == 0)).any():
        upper[missing] -= 1
    while (missing := (lower <= n) & (weights[ranking.order[np.minimum(lower - 1, n - 1)], draw] == 0)).any():
        lower[missing] += 1
    return Drawn(edged[upper], edged[lower])


def left_out(ranking: Ranking, cuts: Floats, weights: Weights) -> tuple[int, int, int]:
    """Right, assigned and positives among documents that a draw left out, at the cut of that draw; summed over draws."""
    above = ranking.above(cuts)
    first = int(above.max(initial=0))
    inside = ranking.positive[:first]
    right = assigned = start = 0
    for some in blocks(weights, first):
        own = above[start : start + some.shape[1]]
        start += some.shape[1]
        out = (some[ranking.order[:first]] == 0) & (np.arange(first)[:, None] < own)
        right, assigned = right + int(np.count_nonzero(out[inside])), assigned + int(np.count_nonzero(out))
    positives = int(np.count_nonzero(weights[ranking.order[ranking.positive]] == 0))
    return right, assigned, positives
