"""The cut of a topic, from its judged documents.

Each judged document is scored by a query made without it: the documents are dealt into five parts, and the query, its expansion
included, is made anew from the other four. Where a part would leave no relevant or no other
document, the query's own scores have to do, and the cut says so. Judged documents were mostly chosen because they ranked high:
a cut promises something about documents like these, not about the whole stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from ...decisions.thresholds import fit_thresholds
from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from .query import Cut
from .query_weights import Evidence, QueryWeights, weigh_query
from .settings import Settings, goal_named

__all__ = ["FOLDS", "cut_of", "folds_of", "scores_apart"]

FOLDS = 5


def folds_of(truth: Bools) -> Longs:
    """The part of each document: relevant ones dealt out in turn, the others too."""
    part = np.empty(len(truth), dtype=np.int64)
    for kind in (True, False):
        own = np.flatnonzero(truth == kind)
        part[own] = np.arange(len(own)) % FOLDS
    return part


def scored(X: sparse.csr_array, found: QueryWeights) -> Floats:
    """The scores of documents."""
    dense = np.zeros(X.shape[1])
    dense[found.columns] = found.weights
    scores: Floats = X @ dense + found.bias
    return scores


def part_sums(X: sparse.csr_array, truth: Bools) -> Floats:
    """Sums of others and of relevant documents in each part: 2 x parts x terms."""
    group = FOLDS * truth + folds_of(truth)
    cells = np.repeat(group, np.diff(X.indptr)) * X.shape[1] + X.indices
    sums = np.bincount(cells, weights=X.data, minlength=2 * FOLDS * X.shape[1])
    return sums.reshape(2, FOLDS, X.shape[1]).astype(np.float64)


def scores_apart(evidence: Evidence, settings: Settings, names: Callable[[int], Any]) -> Floats:
    """The score of each judged document by a query made without it and the rest of its part."""
    X, truth = evidence.X, evidence.truth
    if X is None or truth is None:
        raise InvalidSetting("a cut needs the judged documents: give X and truth")
    part = folds_of(truth)
    sums = part_sums(X, truth) if evidence.parts is None else evidence.parts
    sizes = np.bincount(FOLDS * truth + part, minlength=2 * FOLDS).reshape(2, FOLDS)
    asked = np.flatnonzero((evidence.relevant > 0) | (evidence.query > 0))  # no other term can come into a query
    query, sums = evidence.query[asked], np.take(sums, asked, axis=2)
    weights, bias = np.zeros((FOLDS, X.shape[1])), np.zeros(FOLDS)
    chosen = np.zeros(X.shape[1], dtype=bool)
    learning = settings.learner != "rocchio"
    for fold in range(FOLDS):
        left = np.arange(FOLDS) != fold
        others, relevant = sums[:, left].sum(axis=1)  # added up, not subtracted: nothing is left of rounding
        n_others, n_relevant = sizes[:, left].sum(axis=1).tolist()
        kept = part != fold
        documents = (X[kept][:, asked], truth[kept]) if learning else (None, None)
        rest = Evidence(query, relevant, others, n_relevant, n_others, *documents)
        found = weigh_query(rest, settings, lambda at: names(int(asked[at])))
        weights[fold, asked[found.columns]], bias[fold] = found.weights, found.bias
        chosen[asked[found.columns]] = True
    own = np.flatnonzero(chosen[X.indices])  # few entries are of terms that a query has
    rows = np.searchsorted(X.indptr, own, side="right") - 1
    adds = X.data[own] * weights.ravel()[part[rows] * X.shape[1] + X.indices[own]]
    scores: Floats = np.bincount(rows, weights=adds, minlength=len(truth)) + bias[part]
    return scores


def cut_of(evidence: Evidence, found: QueryWeights, settings: Settings, names: Callable[[int], Any]) -> Cut | None:
    """The cut that serves the goal best on the judged documents; None unless some are relevant and some are not."""
    if not evidence.n_relevant or not evidence.n_others or evidence.X is None or evidence.truth is None:
        return None
    apart = min(evidence.n_relevant, evidence.n_others) >= 2
    scores = scores_apart(evidence, settings, names) if apart else scored(evidence.X, found)
    source = "out-of-fold" if apart else "resubstitution"
    fit = fit_thresholds(
        scores,
        evidence.truth.astype(np.int64),
        by=goal_named(settings.goal),
        source=source,
        min_positives=0,
        draws=0,
    )
    return Cut(
        float(fit.cuts[0]),
        settings.goal,
        float(fit.measure[0]),
        bool(fit.met[0]),
        source,
        fit.why[0],
    )
