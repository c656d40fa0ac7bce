"""Cuts of all labels that together give the highest micro-averaged F_beta.

    F = (1 + beta^2) sum of right / (sum of assigned + beta^2 sum of positives)

The labels meet only in F. If its highest value F* were known, each label alone would look for its highest
(1 + beta^2) right - F* assigned; the F of these cuts is at least as high as the value they were made for, and equal only at F*
(Dinkelbach 1967). So the search starts anywhere, repeats until F stands still, a few rounds, and is exact.

The macro average is a mean of one F a label: `scut` gives the highest already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...measures.metrics.contingency import f_beta
from .goals import MicroF
from .ranking import Ranking
from .scut_thresholds import best_place, rankings

__all__ = ["best_micro_f", "micro_cuts"]


def best_micro_f(ranked: Sequence[Ranking], beta: float) -> MicroF:
    """The goal of every label: its part in the highest micro F, which the goal names."""
    goal = MicroF(beta, 0.0)
    candidates = [(goal.places(ranking), ranking) for ranking in ranked]
    counts = [(ranking.right(places), places) for places, ranking in candidates]
    positives = sum(ranking.positives for ranking in ranked)
    while True:
        best = [int(goal.best(right, places, 0, 0)) for right, places in counts]
        right, assigned = (sum(int(row[n][at]) for row, at in zip(counts, best, strict=True)) for n in (0, 1))
        reached = float(f_beta(right, assigned - right, positives - right, beta))
        if reached <= goal.reached + 1e-12:
            return goal
        goal = MicroF(beta, reached)


def micro_cuts(scores: Any, truth: Any, *, beta: float = 1.0) -> Floats:
    """One cut a label, so that micro-averaged F_beta over all labels is highest on these scores; exact.

    A rare label with poor scores is cut high here, since its documents count no more than others; for F of each label alone
    use `scut`. Of equally good cuts of a label the highest.
    """
    if np.ndim(scores) != 2:
        raise InvalidSetting(f"scores of shape {np.shape(scores)}: give documents x labels; for one label use scut")
    ranked = list(rankings(scores, truth))
    goal = best_micro_f(ranked, beta)
    return np.array([ranking.cuts(best_place(goal, ranking)) for ranking in ranked], dtype=np.float64)
