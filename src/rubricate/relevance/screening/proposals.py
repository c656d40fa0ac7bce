"""Which documents to judge next: the likeliest, the least certain, or both in turn; and some at random, for the estimate.

    relevance      highest scores first: finds most, and is what screening is for
    uncertainty    scores nearest to the topic's cut first: what the query would learn most from
    mixed          the two in turn

The random ones are drawn after the others are chosen, from all that is left, one after the other: `left` rests on that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs

__all__ = ["WAYS", "Proposal", "propose"]

WAYS = ("mixed", "relevance", "uncertainty")


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Documents to judge, by number: chosen ones best first, then those drawn at random, in the order of drawing."""

    chosen: Longs
    random: Longs

    @property
    def all(self) -> Longs:
        """All of them."""
        return np.concatenate([self.chosen, self.random])


def propose(
    scores: Floats,
    judged: Bools,
    *,
    n: int,
    by: str = "relevance",
    cut: float | None = None,
    random: float = 0.1,
    draw: np.random.Generator,
) -> Proposal:
    """The next n documents. random: the share drawn at random; cut: of the topic, without which uncertainty is not known and
    relevance decides. Equal scores: the earlier document first."""
    if by not in WAYS:
        raise UnknownName("way of choosing", by, WAYS)
    if n < 1:
        raise InvalidSetting(f"n={n}: propose at least one document")
    if not 0 <= random <= 1:
        raise InvalidSetting(f"random={random}: give a share from 0 to 1")
    free = np.flatnonzero(~judged)
    n = min(n, len(free))
    whole, rest = divmod(n * random, 1.0)
    n_random = int(whole) + int(rest > 0 and draw.random() < rest)
    chosen = first(scores, free, n - n_random, by, cut)
    pool = np.setdiff1d(free, chosen, assume_unique=True)
    return Proposal(chosen, draw.permutation(pool)[:n_random])


def first(scores: Floats, free: Longs, n: int, by: str, cut: float | None) -> Longs:
    """The first n of the free documents."""
    likely = free[np.argsort(-scores[free].round(12), kind="stable")]
    if by == "relevance" or cut is None or not np.isfinite(cut):
        return likely[:n]
    unsure = free[np.argsort(np.abs(scores[free] - cut).round(12), kind="stable")]
    if by == "uncertainty":
        return unsure[:n]
    in_turn = np.stack([likely, unsure], axis=1).ravel()[: 2 * n]
    _, places = np.unique(in_turn, return_index=True)
    found: Longs = in_turn[np.sort(places)][:n]
    return found
