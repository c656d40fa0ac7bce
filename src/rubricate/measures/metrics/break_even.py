"""Break-even: precision where it equals recall. Sources: 002 sec. 4, 003 sec. 4.

If as many documents are put in a class as it has members, precision = recall = hits / members. So the break-even point is
the share of members among that many documents with the highest scores (readings 002.8, 003.12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UnknownName
from ...foundation.arrays import Floats, Longs
from ..inputs import sklearn_keywords
from .contingency import mean_of_defined, ratio
from .ranking import TIES, Block, Positions, blocks, positions


@dataclass(frozen=True, slots=True, eq=False)
class BreakEven:
    """Break-even of each label (problem), and averages. nan where a label has no positives."""

    bep: Floats  # hits / positives
    hits: Floats  # positives among as many documents as there are positives
    positives: Longs
    interpolated: Floats  # where the curves over thresholds that keep tied documents together cross
    micro: float  # sum of hits / sum of positives
    macro: float  # mean of bep over labels with positives
    micro_pooled: float  # one ranking of all decisions on all labels


@sklearn_keywords("y_score")
def break_even(scores: Any, truth: Any, *, ties: str = "index") -> BreakEven:
    """Break-even of each label, from documents x labels; or of one, from one label's scores.    [002 sec. 4] [003 sec. 4]

    `interpolated`: a threshold cannot part tied documents. Where a run of tied ones lies across n = positives, take precision
    and recall at the threshold before the run and at the one after it, draw straight lines between them, and see where they
    cross. Before the first document, where precision is undefined, it is taken as it is after the run. Without such a run
    this is `bep`.
    """
    return break_even_of(lambda: blocks(scores, truth), ties)


def break_even_over(problems: Iterable[tuple[Any, Any]], *, ties: str = "index") -> BreakEven:
    """Break-even of binary problems, each with documents of its own: pairs of scores and 0/1 truth.         [003 sec. 4]"""
    held = [block for scores, truth in problems for block in blocks(np.ravel(scores), np.ravel(truth))]
    return break_even_of(lambda: iter(held), ties)


@sklearn_keywords("y_score")
def pooled_break_even(scores: Any, truth: Any, *, ties: str = "index") -> float:
    """Break-even of one ranking of all (document, label) pairs; of tied pairs the one of the first label comes first."""
    positives = sum(int(block.truth.sum()) for block in blocks(scores, truth))
    return float(ratio(pooled_hits(lambda: blocks(scores, truth), positives, ties), positives))


def micro_break_even(scores: Any, truth: Any, *, ties: str = "index") -> float:
    """Hits summed over labels, over positives summed over labels.                               [002 sec. 4] [003 sec. 4]"""
    hits, positives, _ = hits_and_crossings(blocks(scores, truth), ties)
    return float(ratio(hits.sum(), positives.sum()))


def interpolated_break_even(scores: Any, truth: Any) -> Floats:
    """Of each label, where precision and recall cross; see `break_even`."""
    return hits_and_crossings(blocks(scores, truth), "best")[
        2
    ]  # by thresholds, which the order of tied documents does not touch


def hits_and_crossings(parts: Iterator[Block], ties: str) -> tuple[Floats, Longs, Floats]:
    hits, positives, crossed = [np.zeros(0)], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for block in parts:
        at = positions(block, ties=ties)
        hits.append(at.hits(at.positives, ties=ties))
        positives.append(at.positives)
        crossed.append(crossing(at))
    return np.concatenate(hits), np.concatenate(positives), np.concatenate(crossed)


def break_even_of(parts: Callable[[], Iterator[Block]], ties: str) -> BreakEven:
    hits, positives, crossed = hits_and_crossings(parts(), ties)
    bep, total = ratio(hits, positives), int(positives.sum())
    return BreakEven(
        bep=bep,
        hits=hits,
        positives=positives,
        interpolated=crossed,
        micro=float(ratio(hits.sum(), total)),
        macro=mean_of_defined(bep),
        micro_pooled=float(ratio(pooled_hits(parts, total, ties), total)),
    )


def crossing(at: Positions) -> Floats:
    n = at.positives
    above, size, tied = np.zeros((3, len(n)))
    across = (at.above < n[at.label]) & (at.above + at.size > n[at.label])
    above[at.label[across]], size[at.label[across]] = at.above[across], at.size[across]
    tied[:] = np.bincount(at.label[across], minlength=len(n))
    before = np.bincount(at.label[at.above + at.size <= n[at.label]], minlength=len(n))
    recall, recall_after = ratio(before, n), ratio(before + tied, n)
    after = ratio(before + tied, above + size)
    precision = np.where(above > 0, ratio(before, above), after)
    lead, lag = precision - recall, recall_after - after
    step = np.nan_to_num(ratio(lead, lead + lag))
    # a run without members, or none at all, leaves recall as it is: the curves cross at that recall
    return np.where(tied > 0, recall + step * (recall_after - recall), recall)


def pooled_hits(parts: Callable[[], Iterator[Block]], n: int, ties: str) -> float:
    if ties not in TIES:
        raise UnknownName("rule of ties", ties, TIES)
    if not n:
        return 0.0
    highest = np.zeros(0)
    for block in parts():
        highest = np.concatenate([highest, block.scores.ravel()])
        if len(highest) > n:
            highest = np.partition(highest, len(highest) - n)[len(highest) - n :]
    threshold = highest.min()
    room, certain, at_threshold = int((highest == threshold).sum()), 0, [np.zeros(0, dtype=bool)]
    for block in parts():
        certain += int((block.truth & (block.scores > threshold)).sum())
        at_threshold.append(block.truth[block.scores == threshold])
    tied = np.concatenate(at_threshold)
    hits = {
        "index": tied[:room].sum(),
        "expected": room * tied.mean(),
        "best": min(room, tied.sum()),
        "worst": max(0, room - (~tied).sum()),
    }
    return float(certain + hits[ties])
