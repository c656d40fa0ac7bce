"""Which documents to judge next: the likeliest, the least certain, or both in turn; and some at random, for the estimate.

    relevance      highest scores first: finds most relevant documents
    uncertainty    scores nearest to the topic's threshold first: the query learns most from these
    mixed          the two in turn

The random ones are drawn one by one after the others are chosen, from all further unjudged documents: `Draws` rests on that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs

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
    """The next n documents. random: the share drawn at random; cut: the topic's threshold, without which uncertainty is not known
    and relevance decides. Equal scores: the earlier document first."""
    if by not in WAYS:
        raise UnknownName("way of choosing", by, WAYS)
    if n < 1:
        raise InvalidSetting(f"n={n}: propose at least one document")
    if not 0 <= random <= 1:
        raise InvalidSetting(f"random={random}: give a share from 0 to 1")
    unjudged = np.flatnonzero(~judged)
    n = min(n, len(unjudged))
    whole, fraction = divmod(n * random, 1.0)
    n_random = int(whole) + int(fraction > 0 and draw.random() < fraction)
    chosen = best_candidates(scores, unjudged, n - n_random, by, cut)
    pool = np.setdiff1d(unjudged, chosen, assume_unique=True)
    return Proposal(chosen, draw.permutation(pool)[:n_random])


def best_candidates(scores: Floats, candidates: Longs, n: int, by: str, threshold: float | None) -> Longs:
    """The first n of the candidates, by this way of choosing."""
    likely = candidates[np.argsort(-scores[candidates].round(12), kind="stable")]
    if by == "relevance" or threshold is None or not np.isfinite(threshold):
        return likely[:n]
    uncertain = candidates[np.argsort(np.abs(scores[candidates] - threshold).round(12), kind="stable")]
    if by == "uncertainty":
        return uncertain[:n]
    in_turn = np.stack([likely, uncertain], axis=1).ravel()[: 2 * n]
    _, first_places = np.unique(in_turn, return_index=True)
    distinct: Longs = in_turn[np.sort(first_places)][:n]
    return distinct
