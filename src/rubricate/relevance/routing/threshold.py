"""The threshold of a topic, from its judged documents.

Each judged document is scored out of fold: the documents are dealt into five folds, and the query of a fold, its expansion
included, is made from the other four. Where a fold would leave no relevant or no other document, the documents are scored by
the query made from all of them, and the threshold's `source` says so. Judged documents were mostly chosen because they ranked
high: a threshold promises something about documents like these, not about the whole stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from ...decisions.thresholds import fit_thresholds
from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from .query import Settings, Threshold, parse_goal
from .query_weights import Evidence, QueryWeights, weigh_query

FOLDS = 5


def deal_into_folds(truth: Bools) -> Longs:
    """The fold of each document: relevant ones dealt out in turn, the others too."""
    folds = np.empty(len(truth), dtype=np.int64)
    for relevant in (True, False):
        rows = np.flatnonzero(truth == relevant)
        folds[rows] = np.arange(len(rows)) % FOLDS
    return folds


def score_documents(X: sparse.csr_array, query: QueryWeights) -> Floats:
    """Weighted sums of the documents' beliefs, and the bias."""
    dense = np.zeros(X.shape[1])
    dense[query.columns] = query.weights
    scores: Floats = X @ dense + query.bias
    return scores


def sums_by_fold(X: sparse.csr_array, truth: Bools) -> Floats:
    """Sums of others and of relevant documents in each fold: 2 x folds x terms."""
    group = FOLDS * truth + deal_into_folds(truth)
    cells = np.repeat(group, np.diff(X.indptr)) * X.shape[1] + X.indices
    sums = np.bincount(cells, weights=X.data, minlength=2 * FOLDS * X.shape[1])
    return sums.reshape(2, FOLDS, X.shape[1]).astype(np.float64)


def out_of_fold_scores(evidence: Evidence, settings: Settings, names: Callable[[int], Any]) -> Floats:
    """The score of each judged document by a query made without its fold."""
    X, truth = evidence.X, evidence.truth
    if X is None or truth is None:
        raise InvalidSetting("a threshold needs the judged documents: give X and truth")
    folds = deal_into_folds(truth)
    sums = sums_by_fold(X, truth) if evidence.parts is None else evidence.parts
    sizes = np.bincount(FOLDS * truth + folds, minlength=2 * FOLDS).reshape(2, FOLDS)
    candidates = np.flatnonzero((evidence.relevant > 0) | (evidence.query > 0))  # no other term can come into a query
    query, sums = evidence.query[candidates], np.take(sums, candidates, axis=2)
    weights, bias = np.zeros((FOLDS, X.shape[1])), np.zeros(FOLDS)
    in_some_query = np.zeros(X.shape[1], dtype=bool)
    for fold in range(FOLDS):
        other_folds = np.arange(FOLDS) != fold
        others, relevant = sums[:, other_folds].sum(axis=1)  # added up: total minus fold would leave rounding errors
        n_others, n_relevant = sizes[:, other_folds].sum(axis=1).tolist()
        training_rows = folds != fold
        documents = (
            (None, None) if settings.learner == "rocchio" else (X[training_rows][:, candidates], truth[training_rows])
        )
        training = Evidence(query, relevant, others, n_relevant, n_others, *documents)
        fold_query = weigh_query(training, settings, lambda at: names(int(candidates[at])))
        columns = candidates[fold_query.columns]
        weights[fold, columns], bias[fold] = fold_query.weights, fold_query.bias
        in_some_query[columns] = True
    entries = np.flatnonzero(in_some_query[X.indices])  # few entries are of terms that a query has
    rows = np.searchsorted(X.indptr, entries, side="right") - 1
    products = X.data[entries] * weights.ravel()[folds[rows] * X.shape[1] + X.indices[entries]]
    scores: Floats = np.bincount(rows, weights=products, minlength=len(truth)) + bias[folds]
    return scores


def fit_threshold(
    evidence: Evidence, query: QueryWeights, settings: Settings, names: Callable[[int], Any]
) -> Threshold | None:
    """The threshold that serves the goal best on the judged documents; None unless some are relevant and some are not."""
    if not evidence.n_relevant or not evidence.n_others or evidence.X is None or evidence.truth is None:
        return None
    if min(evidence.n_relevant, evidence.n_others) >= 2:
        scores, source = out_of_fold_scores(evidence, settings, names), "out-of-fold"
    else:
        scores, source = score_documents(evidence.X, query), "resubstitution"
    truth, goal = evidence.truth.astype(np.int64), parse_goal(settings.goal)
    fit = fit_thresholds(scores, truth, by=goal, source=source, min_positives=0, draws=0)
    return Threshold(float(fit.cuts[0]), settings.goal, float(fit.measure[0]), bool(fit.met[0]), source, fit.why[0])
