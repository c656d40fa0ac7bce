"""Label by label: counts, precision, recall, F1 with exact intervals, how well the scores rank, and precision over recall.

Precision is a share of the documents assigned, recall one of those that have the label, and F1 follows from a share as well:

    F1 = 2 s / (1 + s),   s = a / (a + b + c)          a right, b wrongly given, c missed

so that all three get the exact binomial interval (Clopper & Pearson 1934). A bootstrap would say of 5 right out of 5 that
nothing else can happen. Curves of precision over recall are thinned to what an eye can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.thresholds import FBeta
from ..decisions.thresholds.intervals import clopper_pearson
from ..decisions.thresholds.ranking import Ranking, rankings
from ..foundation.arrays import Floats, Longs
from ..measures.metrics import Contingency, average_precision, r_precision
from ..measures.metrics.contingency import ratio
from ..measures.significance import Interval
from .results import Curve, LabelRow

POINTS = 100  # of a curve


def share_interval(right: int, trials: int, level: float) -> Interval:
    """right / trials with its exact interval; nan of nothing."""
    if not trials:
        return Interval(math.nan, math.nan, math.nan, level, 0)
    return Interval(right / trials, *clopper_pearson(right / trials, trials, level), level, 0)


def f1_interval(right: int, wrong: int, missed: int, level: float) -> Interval:
    """F1 with its exact interval."""
    share = share_interval(right, right + wrong + missed, level)
    value, low, high = (float(FBeta().value(s, wrong, missed)) for s in (share.value, share.low, share.high))
    return Interval(value, low, high, level, 0)


def label_rows(
    labels: Sequence[str], table: Contingency, ranking: Any, truth: Any, level: float
) -> tuple[LabelRow, ...]:
    """One row a label. ranking: scores, or None."""
    unranked = np.full(len(labels), math.nan)
    measures = (average_precision, r_precision)
    ranked = [unranked if ranking is None else measure(ranking, truth) for measure in measures]
    columns = [np.asarray(column).tolist() for column in (table.a, table.b, table.c, *ranked)]
    return tuple(
        LabelRow(
            label=label,
            documents=a + c,
            assigned=a + b,
            right=a,
            precision=share_interval(a, a + b, level),
            recall=share_interval(a, a + c, level),
            f1=f1_interval(a, b, c, level),
            average_precision=ap,
            break_even=bep,
        )
        for label, a, b, c, ap, bep in zip(labels, *columns, strict=True)
    )


def spread_places(rising: Floats, points: int = POINTS) -> Longs:
    """Places of at most so many values of a rising row, evenly spread, first and last among them; of equal values the first."""
    steps = np.linspace(rising[0], rising[-1], points - 1)
    places = np.searchsorted(rising, steps - 1e-12)
    return np.unique(np.concatenate([[0], places, [np.searchsorted(rising, rising[-1] - 1e-12)]]))


def precision_recall_curves(scores: Any, truth: Any, decisions: Any, rows: Sequence[LabelRow]) -> tuple[Curve, ...]:
    """One curve a label that has documents; the tables hold the columns of these rows. Tied scores stay together.

    A curve goes through the places of the ranking at which recall rises. Decisions by a threshold may lie between two of these,
    with the same recall and less precision: then their place is on the curve too.
    """
    curves = []
    assigned = sparse.csc_array(decisions)
    for column, (row, ranking) in enumerate(zip(rows, rankings(scores, truth), strict=True)):
        places = ranking.worthwhile
        if not len(places):
            continue
        documents = assigned.indices[assigned.indptr[column] : assigned.indptr[column + 1]]
        by_threshold = is_top(ranking, documents)
        places = np.union1d(places, [len(documents)]) if by_threshold and len(documents) else places
        hits = ranking.hits_above(places)
        recall, precision = ratio(hits, ranking.positives), ratio(hits, places)
        drawn = spread_places(recall, POINTS - 3)
        if by_threshold and len(documents):
            here = int(np.searchsorted(places, len(documents)))
            drawn = np.union1d(drawn, np.arange(max(here - 1, 0), min(here + 2, len(places))))
        at = (row.recall.value, row.precision.value)
        share = ranking.positives / len(ranking.scores)
        points = tuple(recall[drawn].tolist()), tuple(precision[drawn].tolist())
        curves.append(Curve(row.label, *points, *at, share, by_threshold))
    return tuple(curves)


def is_top(ranking: Ranking, documents: Longs) -> bool:
    """Whether these documents are those above some threshold: the first of the ranking, and none that ties with them left out."""
    n = len(documents)
    return not n or (n in ranking.ends and bool(np.isin(ranking.order[:n], documents).all()))
