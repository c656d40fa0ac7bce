"""The table of labels: counts, precision, recall, F1 with exact intervals, and how well the scores rank.

Precision is a share of the documents assigned, recall one of those that have the label, and F1 follows from a share as well:

    F1 = 2 s / (1 + s),   s = a / (a + b + c)          a right, b wrongly given, c missed

so that all three get the exact binomial interval (Clopper & Pearson 1934). A bootstrap would say of 5 right out of 5 that
nothing else can happen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..decisions.thresholds import FBeta
from ..decisions.thresholds.intervals import clopper_pearson
from ..measures.metrics import Contingency, average_precision, r_precision
from ..measures.significance import Interval
from .results import LabelRow

__all__ = ["f_of", "rows", "share_of"]

NOTHING = math.nan


def share_of(right: int, trials: int, level: float) -> Interval:
    """right / trials with its exact interval; nan of nothing."""
    if not trials:
        return Interval(NOTHING, NOTHING, NOTHING, level, 0)
    return Interval(right / trials, *clopper_pearson(right / trials, trials, level), level, 0)


def f_of(right: int, wrong: int, missed: int, level: float) -> Interval:
    """F1 with its exact interval."""
    share = share_of(right, right + wrong + missed, level)
    value, low, high = (float(FBeta().value(s, wrong, missed)) for s in (share.value, share.low, share.high))
    return Interval(value, low, high, level, 0)


def rows(labels: Sequence[str], table: Contingency, ranking: Any, truth: Any, level: float) -> tuple[LabelRow, ...]:
    """One row a label. ranking: scores, or None."""
    unranked = np.full(len(labels), NOTHING)
    ranked = (
        [unranked, unranked] if ranking is None else [of(ranking, truth) for of in (average_precision, r_precision)]
    )
    columns = [np.asarray(column).tolist() for column in (table.a, table.b, table.c, *ranked)]
    return tuple(
        LabelRow(
            label=label,
            documents=a + c,
            assigned=a + b,
            right=a,
            precision=share_of(a, a + b, level),
            recall=share_of(a, a + c, level),
            f1=f_of(a, b, c, level),
            average_precision=ap,
            break_even=bep,
        )
        for label, a, b, c, ap, bep in zip(labels, *columns, strict=True)
    )
