"""A label's documents by score: sorted once, a threshold anywhere. All measures at all thresholds are two running sums.

    Ranking     one label's documents
    Rankings    those of all labels, sorted together, or of any part of the documents; and the candidates of all (`Candidates`)

A threshold can only lie between two scores that differ, so the candidates are the ends of runs of equal scores. It is put midway;
+inf assigns none, -inf all but what scores -inf. The decision is score > threshold, everywhere.         [001 sec. 3.4]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...foundation.arrays import Bools, Bytes, Floats, Ints, Longs
from ...scoring.rules import SAME, is_higher
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


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Thresholds of all labels that are worth a look, one label after the other: none, then down to one more positive."""

    positives: Longs  # of each label
    ends: Longs  # of labels, a 0 in front
    places: Longs  # documents above
    hits: Longs  # those of them that have the label
    thresholds: Floats
    lowest: Floats  # of each label: the lowest finite score; 0 where there is none

    def of(self, label: int) -> slice:
        return slice(int(self.ends[label]), int(self.ends[label + 1]))

    def best_of_labels(self, values: Floats) -> Longs:
        """The candidate of each label with the highest value; of those within 1e-12 of it, the first."""
        starts = self.ends[:-1]
        highest = np.repeat(np.maximum.reduceat(values, starts), np.diff(self.ends))
        high = np.flatnonzero(values >= highest - SAME)
        best: Longs = high[np.searchsorted(high, starts)]
        return best


@dataclass(frozen=True, eq=False)
class Rankings:
    """The rankings of all labels; of the documents `inside`, those that take part."""

    order: Ints  # labels x places: documents by falling score
    scores: Floats  # labels x places
    positive: Bytes  # labels x places: whether each has the label, 0 and 1
    inside: Bools

    @classmethod
    def of(cls, scores: Any, truth: Any) -> Rankings:
        """scores, truth: documents x labels, or one label's (1-d)."""
        values = check_scores(scores)
        positive = np.ascontiguousarray(as_table(check_truth(truth, values)).T).view(np.uint8)
        by_label = np.ascontiguousarray(as_table(values).T)
        order = np.argsort(-by_label, axis=1)
        ranked_scores, members = (np.take_along_axis(table, order, axis=1) for table in (by_label, positive))
        return cls(order.astype(np.int32), ranked_scores, members, np.ones(len(values), dtype=np.bool_))

    def at(self, documents: Bools) -> Rankings:
        """The same with some of the documents; nothing is sorted again."""
        return Rankings(self.order, self.scores, self.positive, documents)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def n_documents(self) -> int:
        return int(np.count_nonzero(self.inside))

    @cached_property
    def positives(self) -> Longs:
        """Of each label."""
        return self.candidates.positives

    @cached_property
    def candidates(self) -> Candidates:
        from ...kernels.rankings import candidate_thresholds  # here: who applies thresholds need not wait for it

        most = int(np.count_nonzero(self.positive))
        inside = self.inside.view(np.uint8)
        return Candidates(*candidate_thresholds(self.scores, self.positive, self.order, inside, most))

    def ranking(self, label: int) -> Ranking:
        """Of one label; its documents are numbered among those inside."""
        places = self.inside[self.order[label]]
        numbers: Longs = np.cumsum(self.inside) - 1
        members = self.positive[label, places].view(np.bool_)
        return Ranking.from_sorted(numbers[self.order[label, places]], self.scores[label, places], members)


def rankings(scores: Any, truth: Any) -> Iterator[Ranking]:
    ranked = Rankings.of(scores, truth)
    return (ranked.ranking(label) for label in range(len(ranked)))


def midway(above: Any, below: Any) -> Floats:
    """Midway between scores that differ; where the upper one is infinite, or nothing lies between, at the lower one."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (above + below) / 2
        middle = np.where(np.isfinite(middle), middle, above / 2 + below / 2)
    threshold: Floats = np.where(middle < above, middle, below)
    return threshold
