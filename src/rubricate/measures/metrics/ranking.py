"""Measures of ranking: average precision, R-precision, precision at k. Source: 001 sec. 5 and 7 (as TREC's).

Of each label where scores and truth are documents x labels, one number where they are one label's. All they need to know is
where the positives of each label stand in its ranking, highest score first (`positions`). Scores equal to 12 decimals are tied,
and a rule says in which order the tied stand:

    "index"     the document with the lower index first (readings 001.10)
    "expected"  all orders are as likely: the exact mean over them
    "worst"     positives last
    "best"      positives first
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import UnknownName
from ...foundation.arrays import Bools, Floats, Longs
from ..inputs import at_least_one, checked_scores, same_shape, sklearn_keywords, yes_no
from .contingency import ratio

TIES = ("index", "expected", "worst", "best")
CELLS = 1 << 20  # of a block of labels
COARSE = 8192.0  # from here on neighbouring floats are further apart than 12 decimals can tell


@sklearn_keywords("y_score")
def average_precision(scores: Any, truth: Any, *, ties: str = "index") -> Floats:
    """The mean of precision measured at each class member in the ranking (SAP); nan without members.        [001 sec. 5]

    "expected": where g documents stand above a run of t tied ones, with q and p members, the run's j-th place has a member
    with probability p/t, before whom stand q + (j-1)(p-1)/(t-1) others on average: the sum over j of
    p/t [q + 1 + (j-1)(p-1)/(t-1)] / (g + j) is what the run adds.
    """

    def of_block(at: Positions) -> Floats:
        sums = expected_sums(at) if ties == "expected" else sums_by_label(at, at.label, at.number / at.rank)
        return ratio(sums, at.positives)

    return by_label(of_block, scores, truth, ties)


@sklearn_keywords("y_score")
def r_precision(scores: Any, truth: Any, *, ties: str = "index") -> Floats:
    """Precision at as many documents as there are class members, which is recall there; nan without members.  [001 sec. 7.2]"""
    return by_label(lambda at: ratio(at.hits(at.positives, ties=ties), at.positives), scores, truth, ties)


@sklearn_keywords("y_score")
def precision_at(scores: Any, truth: Any, k: int, *, ties: str = "index") -> Floats:
    """Class members among the first k documents, over k, also where there are fewer than k documents (as TREC's)."""
    depth = at_least_one("k", k)
    return by_label(lambda at: at.hits(np.full(len(at.positives), depth), ties=ties) / k, scores, truth, ties)


def by_label(of_block: Callable[[Positions], Floats], scores: Any, truth: Any, ties: str) -> Floats:
    """A measure of all labels, block by block; one number where the scores were one label's."""
    values = [of_block(positions(block, ties=ties)) for block in blocks(scores, truth)]
    joined = np.concatenate(values) if values else np.zeros(0)
    return joined[0] if np.ndim(scores) == 1 else joined


def expected_sums(at: Positions) -> Floats:
    """The sum of precisions at members, expected over all orders of tied documents."""
    begin = at.groups
    size, members = at.size[begin], np.diff(begin, append=len(at.label))
    more = (members - 1) / np.maximum(size - 1, 1)
    first, before = at.above[begin] + 1, at.number[begin]

    def at_places(values: Any) -> Any:
        return np.repeat(values, size)

    earlier = np.arange(size.sum()) - at_places(np.cumsum(size) - size)
    precisions = (at_places(before) + earlier * at_places(more)) / (at_places(first) + earlier)
    return sums_by_label(at, at_places(at.label[begin]), at_places(members / size) * precisions)


def sums_by_label(at: Positions, label: Any, values: Any) -> Floats:
    return np.bincount(label, weights=values, minlength=len(at.positives)).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some labels: their scores, rounded so that tied ones are equal, and their truth. Labels x documents."""

    scores: Floats
    truth: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The positives of some labels, label by label, best first: five numbers a positive."""

    positives: Longs  # how many each label has
    label: Longs
    number: Longs  # 1 for the label's first positive, 2 for its second
    above: Longs  # documents with a higher score
    size: Longs  # documents with this score, itself included
    rank: Longs  # 1 for the first document; by the rule of ties, and without meaning for "expected"

    def hits(self, k: Longs, *, ties: str) -> Floats:
        """Positives among the first k documents of each label."""
        room = k[self.label] - self.above
        inside = np.clip(room / self.size, 0.0, 1.0) if ties == "expected" else self.rank <= k[self.label]
        return sums_by_label(self, self.label, inside)

    @property
    def groups(self) -> Longs:
        new = np.ones(len(self.label), dtype=bool)
        new[1:] = (self.label[1:] != self.label[:-1]) | (self.above[1:] != self.above[:-1])
        starts: Longs = np.flatnonzero(new)
        return starts


def blocks(scores: Any, truth: Any) -> Iterator[Block]:
    """Scores and truth, some labels at a time, so that a block has about CELLS cells."""
    scores, true = checked_scores(scores), yes_no(truth, "truth")
    same_shape(scores, true, "scores")
    if scores.ndim == 1:
        yield Block(rounded(scores)[None, :], true[None, :])
        return
    true = true.tocsc() if sparse.issparse(true) else true
    step = max(8, CELLS // max(len(scores), 1))
    for start in range(0, scores.shape[1], step):
        part = true[:, start : start + step]
        part = (part.toarray() == 1) if sparse.issparse(part) else part
        yield Block(np.ascontiguousarray(rounded(scores[:, start : start + step]).T), np.ascontiguousarray(part.T))


def positions(block: Block, *, ties: str) -> Positions:
    if ties not in TIES:
        raise UnknownName("rule of ties", ties, TIES)
    n = block.scores.shape[1]
    positives = block.truth.sum(axis=1)
    above, size, rank = np.zeros((3, int(positives.sum())), dtype=np.int64)
    ordered, ends = np.sort(block.scores, axis=1), np.cumsum(positives)
    tied = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    for row in np.flatnonzero(positives).tolist():
        label = slice(ends[row] - positives[row], ends[row])
        values = np.sort(block.scores[row, block.truth[row]])[::-1]
        not_above = np.searchsorted(ordered[row], values, "right")
        above[label], size[label], rank[label] = n - not_above, 1, n - not_above + 1
        if tied[row]:
            size[label] = not_above - np.searchsorted(ordered[row], values, "left")
            if ties == "index":
                rank[label] = np.sort(ranks(block.scores[row])[block.truth[row]])
    labels = np.repeat(np.arange(len(positives)), positives)
    result = Positions(positives, labels, count_up(positives), above, size, rank)
    if ties in ("best", "worst"):
        members = np.diff(result.groups, append=len(rank))
        rank[:] = above + count_up(members) + (size - np.repeat(members, members) if ties == "worst" else 0)
    return result


def ranks(scores: Floats) -> Longs:
    """The rank of each document, 1 for the first; tied ones by index."""
    out = np.empty(len(scores), dtype=np.int64)
    out[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return out


def count_up(counts: Longs) -> Longs:
    """1 … n for each of these n, one after another."""
    total = int(counts.sum())
    return np.arange(1, total + 1) - np.repeat(np.cumsum(counts) - counts, counts)


def rounded(scores: Floats) -> Floats:
    """Scores to 12 decimals, so that tied ones are equal; large ones, which have fewer, as they are."""
    if not scores.size or -COARSE < scores.min() <= scores.max() < COARSE:
        return np.asarray(np.round(scores, 12))
    return np.where(np.abs(scores) < COARSE, np.round(np.clip(scores, -COARSE, COARSE), 12), scores)
