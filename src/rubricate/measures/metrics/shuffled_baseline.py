"""What shuffled scores would get: is a ranking better than chance? Source: 003 sec. 5.2.

The scores are dealt anew to the documents, many times, and the break-even point is taken each time (readings 003.13). No
simulation is needed where no tie lies across the threshold: n documents drawn at random, n the number of positives, hold a
hypergeometric number of positives, and the mean break-even is the share of positives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ..inputs import sklearn_keywords
from .ranking import blocks

States = np.ndarray[Any, np.dtype[np.int8]]
NORMAL = 1.959963984540054  # 95% of a normal distribution lies so many standard deviations about its mean
CELLS = 1 << 22


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
    if isinstance(draws, bool) or int(draws) != draws or draws < 1:
        raise InvalidSetting(f"draws={draws!r}: give a whole number from 1")
    names = [field.name for field in fields(Shuffled)]
    rows: list[dict[str, float]] = []
    for block in blocks(scores, truth):
        for label_scores, true in zip(block.scores, block.truth, strict=True):
            orders = None if permutations is None else checked_permutations(permutations, len(label_scores))
            rows.append(of_label(label_scores, true, int(draws), orders, [random_state, len(rows)]))
    columns = {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}
    return Shuffled(**{name: column[0] if np.ndim(scores) == 1 else column for name, column in columns.items()})


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
