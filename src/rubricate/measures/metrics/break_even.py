"""Break-even: precision where it equals recall. Sources: 002 sec. 4, 003 sec. 4.

If as many documents are put in a class as it has members, precision = recall = hits / members. So the break-even point is
the share of members among that many documents with the highest scores (readings 002.8, 003.12).

Is a ranking better than chance (`shuffled`)? The scores are dealt anew to the documents, many times, and the break-even point is
taken each time (readings 003.13). No simulation is needed where no tie lies across the threshold: n documents drawn at random, n
the number of positives, hold a hypergeometric number of positives, and the mean break-even is the share of positives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs
from ..inputs import at_least_one, sklearn_keywords
from .contingency import mean_of_defined, ratio
from .ranking import TIES, Block, Positions, blocks, positions

States = np.ndarray[Any, np.dtype[np.int8]]
NORMAL = 1.959963984540054  # 95% of a normal distribution lies so many standard deviations about its mean
CELLS = 1 << 22


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
    problem_blocks = [block for scores, truth in problems for block in blocks(np.ravel(scores), np.ravel(truth))]
    return break_even_of(lambda: iter(problem_blocks), ties)


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
    _, _, crossed = hits_and_crossings(blocks(scores, truth), "best")  # the order of tied documents does not touch it
    return crossed


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


# -- what shuffled scores would get


@dataclass(frozen=True, slots=True, eq=False)
class Shuffled:
    """The break-even point of each label (one number for one label's scores), and that of its scores shuffled."""

    bep: Floats  # of the scores as they are
    mean: Floats
    lower: Floats  # of 1000 sorted values the 25th
    upper: Floats  # and the 975th
    deviation: Floats  # standard, n - 1
    normal_lower: Floats  # mean -+ 1.96 deviations
    normal_upper: Floats
    exact_mean: Floats  # share of positives
    exact_lower: Floats  # 2.5% and 97.5% points of the hypergeometric distribution
    exact_upper: Floats
    exact_p: Floats  # the probability that chance does as well, or better

    @property
    def above_random(self) -> Bools:
        """Whether the scores do better than the upper limit of shuffled ones.                             [003 sec. 5.2]"""
        return np.asarray(np.asarray(self.bep) > np.asarray(self.upper))


@sklearn_keywords("y_score")
def shuffled(
    scores: Any, truth: Any, *, draws: int = 1000, permutations: Any = None, random_state: int = 0
) -> Shuffled:
    """Break-even of scores shuffled among the documents, label by label; nan for a label without positives. [003 sec. 5.2]

    Limits are by nearest rank, in the middle 95% of `draws`. permutations: use these (draws x documents) instead of drawn
    ones; document j gets the score of document permutation[j]. Tied documents stand by index, as in `break_even`; where a tie
    lies across the threshold, shuffling cannot move the tied among each other, and the exact law, which is for scores that all
    differ, is only near.
    """
    at_least_one("draws", draws)
    rows: list[dict[str, float]] = []
    for block in blocks(scores, truth):
        for label_scores, true in zip(block.scores, block.truth, strict=True):
            orders = None if permutations is None else checked_permutations(permutations, len(label_scores))
            rows.append(of_label(label_scores, true, int(draws), orders, [random_state, len(rows)]))
    columns = [np.array([row.get(field.name, np.nan) for row in rows]) for field in fields(Shuffled)]
    return Shuffled(*(column[0] if np.ndim(scores) == 1 else column for column in columns))


def of_label(scores: Floats, true: Bools, draws: int, orders: Longs | None, seed: list[int]) -> dict[str, float]:
    """The numbers of one label by name; none without positives."""
    from scipy.stats import hypergeom  # takes longer to import than all of `measures`

    n = int(true.sum())
    if not n:
        return {}
    state = states(scores, n)
    hits = int(hits_of(state[None, :], true)[0])
    parts = deal(state, draws, seed) if orders is None else iter([state[orders]])
    beps = np.sort(np.concatenate([hits_of(part, true) for part in parts]) / n)
    mean, deviation = float(beps.mean()), float(beps.std(ddof=1)) if len(beps) > 1 else float("nan")
    law = hypergeom(len(scores), n, n)
    return {
        "bep": hits / n,
        "mean": mean,
        "lower": beps[nearest_rank(25, len(beps))],
        "upper": beps[nearest_rank(975, len(beps))],
        "deviation": deviation,
        "normal_lower": mean - NORMAL * deviation,
        "normal_upper": mean + NORMAL * deviation,
        "exact_mean": n / len(scores),
        "exact_lower": law.ppf(0.025) / n,
        "exact_upper": law.ppf(0.975) / n,
        "exact_p": law.sf(hits - 1),
    }


def states(scores: Floats, n: int) -> States:
    """2 for scores above the n-th highest, 1 for those tied with it, 0 below: all that the first n documents depend on."""
    threshold = np.partition(scores, len(scores) - n)[len(scores) - n]
    return np.asarray((scores >= threshold).astype(np.int8) + (scores > threshold))


def hits_of(states_of_draws: States, true: Bools) -> Longs:
    """Positives among the first n documents of each row of states, n = positives; tied documents by index."""
    above, tied = states_of_draws == 2, states_of_draws == 1
    room = true.sum() - above.sum(axis=1, keepdims=True)
    assigned = above | (tied & (np.cumsum(tied, axis=1) <= room))
    return np.asarray(assigned[:, true].sum(axis=1))


def deal(state: States, draws: int, seed: list[int]) -> Iterator[States]:
    """The states dealt anew, draws x documents, some draws at a time."""
    generator = np.random.default_rng(seed)
    step = max(1, CELLS // len(state))
    for start in range(0, draws, step):
        yield generator.permuted(np.tile(state, (min(step, draws - start), 1)), axis=1)


def nearest_rank(thousandths: int, n: int) -> int:
    """Where the value with at least so many thousandths of n sorted values up to it stands."""
    return max(-(-n * thousandths // 1000), 1) - 1


def checked_permutations(permutations: Any, n: int) -> Longs:
    rows = np.atleast_2d(np.asarray(permutations))
    if rows.shape[1] != n or not len(rows) or (np.sort(rows, axis=1) != np.arange(n)).any():
        raise InvalidSetting(
            f"permutations of shape {rows.shape}: each row must hold every number from 0 to {n - 1} once"
        )
    return rows.astype(np.int64)
