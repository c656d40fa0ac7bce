"""One label's documents by score: sorted once, a threshold anywhere. All measures at all thresholds are two running sums.

A threshold can only lie between two scores that differ, so the candidates are the ends of runs of equal scores. It is put midway;
+inf assigns none, -inf all but what scores -inf. The decision is score > threshold, everywhere.         [001 sec. 3.4]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...foundation.arrays import Bools, Floats, Longs
from ...scoring.rules import is_higher
from ..inputs import as_table, check_scores, check_truth


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """One label's documents, highest score first. A place is a number of documents, counted from the top."""

    order: Longs  # documents
    scores: Floats  # descending
    positive: Bools  # whether each has the label
    ends: Longs  # places of the candidates, ascending; without 0, and nothing that scores -inf is above a threshold

    @classmethod
    def of(cls, scores: Floats, truth: Bools) -> Ranking:
        order: Longs = np.argsort(-scores)
        return cls.from_sorted(order, scores[order], truth[order])

    @classmethod
    def from_sorted(cls, order: Longs, scores: Floats, positive: Bools) -> Ranking:
        last = np.ones(len(order), dtype=np.bool_)
        last[:-1] = is_higher(scores[:-1], scores[1:])
        ends: Longs = np.flatnonzero(last & (scores > -np.inf)) + 1
        return cls(order, scores, positive, ends)

    def subset(self, mask: Bools) -> Ranking:
        """The same with some of its documents; the mask follows the ranking."""
        return Ranking.from_sorted(self.order[mask], self.scores[mask], self.positive[mask])

    @property
    def positives(self) -> int:
        return int(np.count_nonzero(self.positive))

    @property
    def worthwhile(self) -> Longs:
        """Of `ends`, those that one more positive lies above: the others add errors only."""
        return self.ends[np.diff(self.hits_above(self.ends), prepend=0) > 0]

    def hits_above(self, places: Any) -> Longs:
        """How many of the first so many have the label."""
        counts: Longs = np.concatenate([[0], np.cumsum(self.positive)])[places]
        return counts

    def thresholds(self, places: Any) -> Floats:
        """The thresholds above which the first so many lie; places are of `ends`, or 0."""
        edged = np.concatenate([[np.inf], self.scores, [-np.inf]])
        above, below = edged[places], edged[np.add(places, 1)]
        return np.where(np.equal(places, 0), np.inf, midway(above, below))

    def count_above(self, thresholds: Any) -> Longs:
        counts: Longs = np.searchsorted(-self.scores, np.negative(thresholds), side="left")
        return counts


def rankings(scores: Any, truth: Any) -> Iterator[Ranking]:
    values = check_scores(scores)
    table, positive = as_table(values), as_table(check_truth(truth, values))
    return (Ranking.of(table[:, label], positive[:, label]) for label in range(table.shape[1]))


def midway(above: Any, below: Any) -> Floats:
    """Midway between scores that differ; where the upper one is infinite, or nothing lies between, at the lower one."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (above + below) / 2
        middle = np.where(np.isfinite(middle), middle, above / 2 + below / 2)
    threshold: Floats = np.where(middle < above, middle, below)
    return threshold
