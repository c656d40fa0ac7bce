"""Curves, thinned to what an eye can tell apart: precision over recall of each label, and accuracy over coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.thresholds.ranking import Ranking, rankings
from ..foundation.arrays import Floats, Longs
from ..measures.metrics import AbstentionCurve
from ..measures.metrics.contingency import ratio
from .per_label import share_of
from .results import Coverage, Curve, LabelRow

__all__ = ["coverage", "precision_recall", "thinned"]

POINTS = 100


def thinned(rising: Floats, points: int = POINTS) -> Longs:
    """Places of at most so many values of a rising row, evenly spread, first and last among them; of equal values the first."""
    steps = np.linspace(rising[0], rising[-1], points - 1)
    found = np.searchsorted(rising, steps - 1e-12)
    return np.unique(np.concatenate([[0], found, [np.searchsorted(rising, rising[-1] - 1e-12)]]))


def precision_recall(scores: Any, truth: Any, decisions: Any, rows: Sequence[LabelRow]) -> tuple[Curve, ...]:
    """One curve a label that has documents; the tables hold the columns of these rows. Tied scores stay together.

    A curve goes through the places at which one more document is rightly found. Decisions by a threshold may lie between two of
    these, as many found and more of them wrong: then their place is on the curve too.
    """
    curves = []
    assigned = sparse.csc_array(decisions)
    for column, (row, ranking) in enumerate(zip(rows, rankings(scores, truth), strict=True)):
        places = ranking.worthwhile
        if not len(places):
            continue
        given = assigned.indices[assigned.indptr[column] : assigned.indptr[column + 1]]
        by_threshold = are_first(ranking, given)
        places = np.union1d(places, [len(given)]) if by_threshold and len(given) else places
        right = ranking.right_above(places)
        recall, precision = ratio(right, ranking.positives), ratio(right, places)
        kept = thinned(recall, POINTS - 3)
        if by_threshold and len(given):
            here = int(np.searchsorted(places, len(given)))
            kept = np.union1d(kept, np.arange(max(here - 1, 0), min(here + 2, len(places))))
        at = (row.recall.value, row.precision.value)
        share = ranking.positives / len(ranking.scores)
        points = tuple(recall[kept].tolist()), tuple(precision[kept].tolist())
        curves.append(Curve(row.label, *points, *at, share, by_threshold))
    return tuple(curves)


def are_first(ranking: Ranking, documents: Longs) -> bool:
    """Whether these documents are those above some threshold: the first of the ranking, and none that ties with them left out."""
    n = len(documents)
    return not n or (n in ranking.ends and bool(np.isin(ranking.order[:n], documents).all()))


def coverage(of: str, curve: AbstentionCurve, documents: int, level: float) -> Coverage:
    """A curve of abstention, thinned, with intervals."""
    kept = thinned(curve.coverage)
    covered, accuracy = curve.coverage[kept], curve.accuracy[kept]
    counts = np.rint(np.column_stack([covered * documents * accuracy, covered * documents])).astype(int).tolist()
    limits = [share_of(right, trials, level) for right, trials in counts]
    return Coverage(
        of=of,
        cut=tuple(curve.cut[kept].tolist()),
        coverage=tuple(covered.tolist()),
        accuracy=tuple(accuracy.tolist()),
        low=tuple(one.low for one in limits),
        high=tuple(one.high for one in limits),
        area=curve.area,
    )
