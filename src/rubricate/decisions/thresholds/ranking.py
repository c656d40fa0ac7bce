"""One label's documents by score: sorted once, cut anywhere. All measures at all cuts are two running sums along it.

A cut can only lie between two scores that differ, so the candidates are the ends of runs of equal scores. It is put midway;
+inf assigns none, -inf all but what scores -inf. The decision is score > cut, everywhere.               [001 sec. 3.4]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...foundation.arrays import Bools, Floats, Longs
from .inputs import higher

__all__ = ["Ranking", "midway"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """One label's documents, highest score first. A place is a number of documents, counted from the top."""

    order: Longs  # documents
    scores: Floats  # descending
    positive: Bools  # whether each has the label
    ends: Longs  # places of the candidates, ascending; without 0, and nothing that scores -inf is above a cut

    @classmethod
    def of(cls, scores: Floats, truth: Bools) -> Ranking:
        """From a label's scores and truth."""
        order: Longs = np.argsort(-scores)
        return cls.sorted(order, scores[order], truth[order])

    @classmethod
    def sorted(cls, order: Longs, scores: Floats, positive: Bools) -> Ranking:
        """From documents that are in order."""
        last = np.ones(len(order), dtype=np.bool_)
        last[:-1] = higher(scores[:-1], scores[1:])
        ends: Longs = np.flatnonzero(last & (scores > -np.inf)) + 1
        return cls(order, scores, positive, ends)

    def among(self, kept: Bools) -> Ranking:
        """The same without some documents; `kept` follows the ranking."""
        return Ranking.sorted(self.order[kept], self.scores[kept], self.positive[kept])

    @property
    def positives(self) -> int:
        """Documents that have the label."""
        return int(np.count_nonzero(self.positive))

    @property
    def worthwhile(self) -> Longs:
        """Of `ends`, those that one more positive lies above: the others add mistakes only."""
        return self.ends[np.diff(self.right(self.ends), prepend=0) > 0]

    def right(self, places: Any) -> Longs:
        """How many of the first so many have the label."""
        running = np.concatenate([[0], np.cumsum(self.positive)])
        found: Longs = running[places]
        return found

    def cuts(self, places: Any) -> Floats:
        """The cuts above which the first so many lie; places are of `ends`, or 0."""
        edged = np.concatenate([[np.inf], self.scores, [-np.inf]])
        above, below = edged[places], edged[np.add(places, 1)]
        return np.where(np.equal(places, 0), np.inf, midway(above, below))

    def above(self, cuts: Any) -> Longs:
        """How many score above each cut."""
        found: Longs = np.searchsorted(-self.scores, np.negative(cuts), side="left")
        return found


def midway(above: Any, below: Any) -> Floats:
    """Midway between scores that differ; where the upper one is infinite, or nothing lies between, at the lower one."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (above + below) / 2
        middle = np.where(np.isfinite(middle), middle, above / 2 + below / 2)
    found: Floats = np.where(middle < above, middle, below)
    return found
