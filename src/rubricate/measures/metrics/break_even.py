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
from .averages import mean_of_defined
from .contingency import ratio
from .positions import TIES, Block, Places, blocks, places

__all__ = ["BreakEven", "break_even", "break_even_over", "pooled_break_even"]


@dataclass(frozen=True, slots=True, eq=False)
class BreakEven:
    """Break-even of each label (problem), and averages. nan where a label has no positives."""

    bep: Floats  # hits / positives
    hits: Floats  # positives among as many documents as there are positives
    positives: Longs
    interpolated: Floats  # where the curves over cuts that keep tied documents together cross
    micro: float  # sum of hits / sum of positives
    macro: float  # mean of bep over labels with positives
    micro_pooled: float  # one ranking of all decisions on all labels


def break_even(scores: Any, truth: Any, *, ties: str = "index") -> BreakEven:
    """Break-even of each label, from documents x labels; or of one, from one label's scores.    [002 sec. 4] [003 sec. 4]

    `interpolated`: a cut cannot part tied documents. Where a run of tied ones lies across n = positives, take precision and
    recall at the cut before the run and at the cut after it, draw straight lines from the one to the other, and see where
    they cross. Before the first document, where precision is undefined, it is taken as it is after the run. Without such a
    run this is `bep`.
    """
    return judged(lambda: blocks(scores, truth), ties)


def break_even_over(problems: Iterable[tuple[Any, Any]], *, ties: str = "index") -> BreakEven:
    """Break-even of binary problems, each with documents of its own: pairs of scores and 0/1 truth.         [003 sec. 4]"""
    held = [block for scores, truth in problems for block in blocks(np.ravel(scores), np.ravel(truth))]
    return judged(lambda: iter(held), ties)


def pooled_break_even(scores: Any, truth: Any, *, ties: str = "index") -> float:
    """Break-even of one ranking of all (document, label) pairs; of tied pairs the one of the first label comes first."""
    positives = sum(int(block.truth.sum()) for block in blocks(scores, truth))
    return float(ratio(pooled_hits(lambda: blocks(scores, truth), positives, ties), positives))


def micro_break_even(scores: Any, truth: Any, *, ties: str = "index") -> float:
    """Hits summed over labels, over positives summed over labels.                               [002 sec. 4] [003 sec. 4]"""
    hits, positives, _ = of_labels(blocks(scores, truth), ties)
    return float(ratio(hits.sum(), positives.sum()))


def interpolated_break_even(scores: Any, truth: Any) -> Floats:
    """Of each label, where precision and recall cross; see `break_even`."""
    return of_labels(blocks(scores, truth), "best")[2]  # by cuts, which the order of tied documents does not touch


def of_labels(parts: Iterator[Block], ties: str) -> tuple[Floats, Longs, Floats]:
    """Hits, positives and the crossing of each label."""
    hits, positives, crossed = [np.zeros(0)], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for block in parts:
        own = places(block, ties=ties)
        hits.append(own.hits(own.positives, ties=ties))
        positives.append(own.positives)
        crossed.append(crossing(own))
    return np.concatenate(hits), np.concatenate(positives), np.concatenate(crossed)


def judged(parts: Callable[[], Iterator[Block]], ties: str) -> BreakEven:
    """Everything about the labels of these blocks."""
    hits, positives, crossed = of_labels(parts(), ties)
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


def crossing(own: Places) -> Floats:
    """Where straight lines between neighbouring cuts make precision and recall cross; see `break_even`."""
    n = own.positives
    above, size, tied = np.zeros((3, len(n)))
    across = (own.above < n[own.label]) & (own.above + own.size > n[own.label])
    above[own.label[across]], size[own.label[across]] = own.above[across], own.size[across]
    tied[:] = np.bincount(own.label[across], minlength=len(n))
    before = np.bincount(own.label[own.above + own.size <= n[own.label]], minlength=len(n))
    recall, recall_after = ratio(before, n), ratio(before + tied, n)
    after = ratio(before + tied, above + size)
    precision = np.where(above > 0, ratio(before, above), after)
    lead, lag = precision - recall, recall_after - after
    step = np.nan_to_num(ratio(lead, lead + lag))
    # a run without members, or none at all, leaves recall as it is: the curves cross at that recall
    return np.where(tied > 0, recall + step * (recall_after - recall), recall)


def pooled_hits(parts: Callable[[], Iterator[Block]], n: int, ties: str) -> float:
    """Positives among the n highest scores of all labels together."""
    if ties not in TIES:
        raise UnknownName("rule of ties", ties, TIES)
    if not n:
        return 0.0
    highest = np.zeros(0)
    for block in parts():
        highest = np.concatenate([highest, block.keys.ravel()])
        if len(highest) > n:
            highest = np.partition(highest, len(highest) - n)[len(highest) - n :]
    cut = highest.min()
    room, certain, at_cut = int((highest == cut).sum()), 0, [np.zeros(0, dtype=bool)]
    for block in parts():
        certain += int((block.truth & (block.keys > cut)).sum())
        at_cut.append(block.truth[block.keys == cut])
    tied = np.concatenate(at_cut)
    chosen = {
        "index": tied[:room].sum(),
        "expected": room * tied.mean(),
        "best": min(room, tied.sum()),
        "worst": max(0, room - (~tied).sum()),
    }
    return float(certain + chosen[ties])
