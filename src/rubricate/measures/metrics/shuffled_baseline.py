"""What shuffled scores would get: is a ranking better than chance? Source: 003 sec. 5.2.

The scores are dealt anew to the documents, many times, and the break-even point is taken each time (readings 003.13). No
simulation is needed where no tie lies across the cut: n documents drawn at random, n the number of positives, hold a
hypergeometric number of positives, and the mean break-even is the share of positives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from .positions import blocks

__all__ = ["Shuffled", "shuffled"]

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


def shuffled(
    scores: Any, truth: Any, *, draws: int = 1000, permutations: Any = None, random_state: int = 0
) -> Shuffled:
    """Break-even of scores shuffled among the documents, label by label; nan for a label without positives. [003 sec. 5.2]

    Limits are by nearest rank, in the middle 95% of `draws`. permutations: use these (draws x documents) instead of drawn
    ones; document j gets the score of document permutation[j]. Tied documents stand by index, as in `break_even`; where a tie
    lies across the cut, shuffling cannot move the tied among each other, and the exact law, which is for scores that all
    differ, is only near.
    """
    if isinstance(draws, bool) or int(draws) != draws or draws < 1:
        raise InvalidSetting(f"draws={draws!r}: give a whole number from 1")
    names = [field.name for field in fields(Shuffled)]
    found: list[dict[str, float]] = []
    for block in blocks(scores, truth):
        for own, true in zip(block.keys, block.truth, strict=True):
            given = None if permutations is None else checked_permutations(permutations, len(own))
            found.append(of_label(own, true, int(draws), given, [random_state, len(found)]))
    columns = {name: np.array([own.get(name, np.nan) for own in found]) for name in names}
    return Shuffled(**{name: column[0] if np.ndim(scores) == 1 else column for name, column in columns.items()})


def of_label(own: Floats, true: Bools, draws: int, given: Longs | None, seed: list[int]) -> dict[str, float]:
    """The numbers of one label by name; none without positives."""
    from scipy.stats import hypergeom  # takes longer to import than all the rest of this room

    n = int(true.sum())
    if not n:
        return {}
    state = states(own, n)
    hits = int(hits_of(state[None, :], true)[0])
    parts = dealt(state, draws, seed) if given is None else iter([state[given]])
    beps = np.sort(np.concatenate([hits_of(part, true) for part in parts]) / n)
    mean, deviation = float(beps.mean()), float(beps.std(ddof=1)) if len(beps) > 1 else float("nan")
    law = hypergeom(len(own), n, n)
    return {
        "bep": hits / n,
        "mean": mean,
        "lower": beps[nearest_rank(25, len(beps))],
        "upper": beps[nearest_rank(975, len(beps))],
        "deviation": deviation,
        "normal_lower": mean - NORMAL * deviation,
        "normal_upper": mean + NORMAL * deviation,
        "exact_mean": n / len(own),
        "exact_lower": law.ppf(0.025) / n,
        "exact_upper": law.ppf(0.975) / n,
        "exact_p": law.sf(hits - 1),
    }


def states(own: Floats, n: int) -> States:
    """2 for scores above the n-th highest, 1 for those tied with it, 0 below: all that the first n documents depend on."""
    cut = np.partition(own, len(own) - n)[len(own) - n]
    return np.asarray((own >= cut).astype(np.int8) + (own > cut))


def hits_of(dealt_states: States, true: Bools) -> Longs:
    """Positives among the first n documents of each row of states, n = positives; tied documents by index."""
    above, tied = dealt_states == 2, dealt_states == 1
    room = true.sum() - above.sum(axis=1, keepdims=True)
    chosen = above | (tied & (np.cumsum(tied, axis=1) <= room))
    return np.asarray(chosen[:, true].sum(axis=1))


def dealt(state: States, draws: int, seed: list[int]) -> Iterator[States]:
    """The states dealt anew, draws x documents, some draws at a time."""
    generator = np.random.default_rng(seed)
    step = max(1, CELLS // len(state))
    for start in range(0, draws, step):
        yield generator.permuted(np.tile(state, (min(step, draws - start), 1)), axis=1)


def nearest_rank(thousandths: int, n: int) -> int:
    """Where the value with at least so many thousandths of n sorted values up to it stands."""
    return max(-(-n * thousandths // 1000), 1) - 1


def checked_permutations(permutations: Any, n: int) -> Longs:
    """Rows that are permutations of 0 … n - 1."""
    found = np.atleast_2d(np.asarray(permutations))
    if found.shape[1] != n or not len(found) or (np.sort(found, axis=1) != np.arange(n)).any():
        raise InvalidSetting(
            f"permutations of shape {found.shape}: each row must hold every number from 0 to {n - 1} once"
        )
    return found.astype(np.int64)
