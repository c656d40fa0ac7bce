"""Label by label: counts, precision, recall, F1 with exact intervals, ranking, precision over recall; and errors: which labels
are given instead of which, and the documents in which the decision was surest and wrong.

Precision is a share of the documents assigned, recall one of those that have the label, and F1 follows from a share as well:

    F1 = 2 s / (1 + s),   s = a / (a + b + c)          a correct, b wrongly given, c missed

so that all three get the exact binomial interval (Clopper & Pearson 1934). A bootstrap would say of 5 correct out of 5 that
nothing else can happen. Curves of precision over recall are thinned to what an eye can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.thresholds import FBeta
from ..decisions.thresholds.intervals import clopper_pearson
from ..decisions.thresholds.ranking import Ranking, rankings
from ..foundation.arrays import Floats, Longs
from ..measures.metrics import Confusion, Contingency, average_precision, confusion, r_precision
from ..measures.metrics.contingency import ratio
from ..measures.significance import Interval
from .results import Confused, Curve, LabelRow, Mistake

POINTS = 100  # of a curve
PAIRS = 30
MISTAKES = 50


def share_interval(correct: int, trials: int, level: float) -> Interval:
    """correct / trials with its exact interval; nan of nothing."""
    if not trials:
        return Interval(math.nan, math.nan, math.nan, level, 0)
    return Interval(correct / trials, *clopper_pearson(correct / trials, trials, level), level, 0)


def f1_interval(correct: int, wrong: int, missed: int, level: float) -> Interval:
    share = share_interval(correct, correct + wrong + missed, level)
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
    rows = []
    for label, a, b, c, ap, bep in zip(labels, *columns, strict=True):
        shares = share_interval(a, a + b, level), share_interval(a, a + c, level), f1_interval(a, b, c, level)
        rows.append(LabelRow(label, a + c, a + b, a, *shares, ap, bep))
    return tuple(rows)


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
        points = spread_places(recall, POINTS - 3)
        if by_threshold and len(documents):
            here = int(np.searchsorted(places, len(documents)))
            points = np.union1d(points, np.arange(max(here - 1, 0), min(here + 2, len(places))))
        line = tuple(recall[points].tolist()), tuple(precision[points].tolist())
        share = ranking.positives / len(ranking.scores)
        curves.append(Curve(row.label, *line, row.recall.value, row.precision.value, share, by_threshold))
    return tuple(curves)


def is_top(ranking: Ranking, documents: Longs) -> bool:
    """Whether these documents are those above some threshold: the first of the ranking, and none that ties with them left out."""
    n = len(documents)
    return not n or (n in ranking.ends and bool(np.isin(ranking.order[:n], documents).all()))


# -- errors


def single_label_confusion(labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array) -> Confused:
    """One label a document, all labels. A document that was given none is in `alone`."""
    answered = np.diff(decisions.indptr) == 1
    true = [labels[column] for column in truth.indices[answered].tolist()]
    table = confusion([labels[column] for column in decisions.indices.tolist()], true, labels)
    alone = np.bincount(truth.indices[~answered], minlength=len(labels)).tolist()
    return Confused(table, tuple(alone), (0,) * len(labels), tuple(table.worst(PAIRS)), ())


def multilabel_confusion(
    labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array, columns: Sequence[int]
) -> Confused:
    """Several labels a document, among some of the labels: with thousands, most pairs were never met."""
    correct = truth.multiply(decisions).tocsr()
    missed, wrong = without_zeros(truth - correct), without_zeros(decisions - correct)
    nothing_wrong, nothing_missed = np.diff(wrong.indptr) == 0, np.diff(missed.indptr) == 0
    names = [labels[column] for column in columns]
    missed, wrong, correct = missed[:, columns], wrong[:, columns], correct[:, columns]
    instead, beside = (
        Confusion(sparse.csr_array(table.T @ wrong, dtype=np.int64), names) for table in (missed, correct)
    )
    diagonal = sparse.diags_array(correct.sum(axis=0), format="csr", dtype=np.int64)
    return Confused(
        table=Confusion(sparse.csr_array(instead.counts + diagonal, dtype=np.int64), names),
        alone=tuple(missed[nothing_wrong].sum(axis=0).astype(int).tolist()),
        added=tuple(wrong[nothing_missed].sum(axis=0).astype(int).tolist()),
        instead=tuple(instead.worst(PAIRS)),
        beside=tuple(beside.worst(PAIRS)),
    )


def without_zeros(table: sparse.csr_array) -> sparse.csr_array:
    table = table.tocsr()
    table.eliminate_zeros()
    return table


def surest_errors(
    labels: Sequence[str],
    truth: sparse.csr_array,
    decisions: sparse.csr_array,
    *,
    several: bool,
    sureness: Callable[..., Any] | None,
    ids: Sequence[str],
) -> tuple[tuple[Mistake, ...], int]:
    """The documents with an error of which the system was surest, and how many have one.

    sureness(rows, columns, assigned): how sure each wrong decision was; None: documents with most wrong decisions come first.
    Labels that were wrongly given and labels that were missed come in turn: rare labels are missed with great certainty, and
    would otherwise fill the list. Where each document has one label, the one it was given stands for the error.
    """
    wrong = without_zeros(decisions - truth).tocoo()
    width = np.bincount(wrong.row, minlength=truth.shape[0])
    listed = several | (wrong.data > 0) | (np.diff(decisions.indptr) == 0)[wrong.row]
    row, column, assigned = wrong.row[listed], wrong.col[listed], wrong.data[listed] > 0
    weight = np.full(len(row), np.nan) if sureness is None else sureness(row, column, assigned)
    order = np.lexsort((column, row, -(width[row] if sureness is None else weight)))
    turn = np.empty(len(order), dtype=np.int64)
    for kind in (assigned, ~assigned):
        turn[order[kind[order]]] = np.arange(np.count_nonzero(kind))
    order = np.lexsort((~assigned, turn))
    _, first = np.unique(row[order], return_index=True)
    worst = order[np.sort(first)[:MISTAKES]].tolist()

    def names(table: sparse.csr_array, document: int) -> tuple[str, ...]:
        return tuple(
            labels[n] for n in sorted(table.indices[table.indptr[document] : table.indptr[document + 1]].tolist())
        )

    errors = tuple(
        Mistake(
            int(row[n]),
            ids[row[n]],
            names(truth, row[n]),
            names(decisions, row[n]),
            labels[column[n]],
            float(weight[n]),
        )
        for n in worst
    )
    return errors, int(np.count_nonzero(width))
