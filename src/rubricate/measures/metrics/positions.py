"""Where the positives of each label stand in its ranking: all that measures of ranking need to know.

Scores are ranked highest first. Scores equal to 12 decimals are tied, and a rule says in which order the tied stand:

    "index"     the document with the lower index first (readings 001.10)
    "expected"  all orders are as likely: the exact mean over them
    "worst"     positives last
    "best"      positives first
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs
from ..inputs import yes_no

__all__ = ["TIES", "Block", "Places", "blocks", "checked_scores", "keys", "places"]

TIES = ("index", "expected", "worst", "best")
CELLS = 1 << 20  # of a block of labels
COARSE = 8192.0  # from here on neighbouring floats are further apart than 12 decimals can tell


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some labels: their scores, rounded so that tied ones are equal, and their truth. Labels x documents."""

    keys: Floats
    truth: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Places:
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
        return np.bincount(self.label, weights=inside, minlength=len(k)).astype(np.float64)

    @property
    def groups(self) -> Longs:
        """Where each run of tied positives begins."""
        new = np.ones(len(self.label), dtype=bool)
        new[1:] = (self.label[1:] != self.label[:-1]) | (self.above[1:] != self.above[:-1])
        starts: Longs = np.flatnonzero(new)
        return starts


def blocks(scores: Any, truth: Any) -> Iterator[Block]:
    """Scores and truth, label by label, so many labels at a time as are quickly handled."""
    scores, true = checked_scores(scores), yes_no(truth, "truth")
    if scores.shape != true.shape:
        raise InvalidSetting(f"scores of shape {scores.shape} for truth of shape {true.shape}: give one for each")
    if scores.ndim == 1:
        yield Block(keys(scores)[None, :], true[None, :])
        return
    true = true.tocsc() if sparse.issparse(true) else true
    step = max(8, CELLS // max(len(scores), 1))
    for start in range(0, scores.shape[1], step):
        part = true[:, start : start + step]
        part = (part.toarray() == 1) if sparse.issparse(part) else part
        yield Block(np.ascontiguousarray(keys(scores[:, start : start + step]).T), np.ascontiguousarray(part.T))


def places(block: Block, *, ties: str) -> Places:
    """Where the positives of a block stand."""
    if ties not in TIES:
        raise UnknownName("rule of ties", ties, TIES)
    n = block.keys.shape[1]
    positives = block.truth.sum(axis=1)
    above, size, rank = np.zeros((3, int(positives.sum())), dtype=np.int64)
    ordered, ends = np.sort(block.keys, axis=1), np.cumsum(positives)
    tied = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    for row in np.flatnonzero(positives).tolist():
        own = slice(ends[row] - positives[row], ends[row])
        values = np.sort(block.keys[row, block.truth[row]])[::-1]
        right = np.searchsorted(ordered[row], values, "right")
        above[own], size[own], rank[own] = n - right, 1, n - right + 1
        if tied[row]:
            size[own] = right - np.searchsorted(ordered[row], values, "left")
            if ties == "index":
                rank[own] = np.sort(ranks(block.keys[row])[block.truth[row]])
    found = Places(positives, np.repeat(np.arange(len(positives)), positives), one_up(positives), above, size, rank)
    if ties in ("best", "worst"):
        members = np.diff(found.groups, append=len(rank))
        rank[:] = above + one_up(members) + (size - np.repeat(members, members) if ties == "worst" else 0)
    return found


def ranks(own: Floats) -> Longs:
    """The rank of each document, 1 for the first; tied ones by index."""
    out = np.empty(len(own), dtype=np.int64)
    out[np.argsort(-own, kind="stable")] = np.arange(1, len(own) + 1)
    return out


def one_up(counts: Longs) -> Longs:
    """1 … n for each of these n, one after another."""
    total = int(counts.sum())
    return np.arange(1, total + 1) - np.repeat(np.cumsum(counts) - counts, counts)


def checked_scores(scores: Any, what: str = "scores") -> Floats:
    """Scores as floats, of documents or of documents x labels; infinite ones are fine, nan is not."""
    if sparse.issparse(scores):
        raise InvalidSetting(f"{what} are sparse: every document needs a score, give a dense array")
    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise InvalidSetting(f"{what} are not numbers: {problem}") from problem
    if found.ndim not in (1, 2):
        raise InvalidSetting(f"{what} of shape {found.shape}: give documents, or documents x labels")
    missing = np.isnan(found)
    if missing.any():
        row, *column = np.argwhere(missing)[0].tolist()
        raise InvalidSetting(
            f"{what}, row {row}{f', column {column[0]}' if column else ''}: nan; give a number, or -inf for last"
        )
    return found


def keys(scores: Floats) -> Floats:
    """Scores to 12 decimals, so that tied ones are equal; large ones, which have fewer, as they are."""
    if not scores.size or -COARSE < scores.min() <= scores.max() < COARSE:
        return np.asarray(np.round(scores, 12))
    return np.where(np.abs(scores) < COARSE, np.round(np.clip(scores, -COARSE, COARSE), 12), scores)
