"""From judged documents to the weights of a query, and its threshold. Pure functions of arrays over terms.

    expansion       the best n terms of the relevant documents, by Rocchio's weights, beyond those of the query (Q+50, Q+1000)
    rocchio         alpha query + beta mean of the relevant - gamma mean of the others, never below 0        [001 eq. 1]
    learn_weights   Widrow-Hoff or EG on INQUERY's beliefs, started from those weights, draws at random (EG: balanced), the vector
                    pocketed that ranks the judged documents best, targets 0.47 and 0.40                 [001 sec. 7.2]

For the threshold each judged document is scored out of fold: documents are dealt into five folds, and the query of a fold, its
expansion included, is made from the other four. Where a fold would leave no relevant or no other document, the documents are
scored by the query made from all of them, and the threshold's `source` says so. Judged documents were mostly chosen because they
ranked high: a threshold promises something about documents like these, not about the whole stream.

Learns from: sums of weighted documents; Widrow-Hoff and EG from the documents. Source: 001 sec. 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ...decisions.thresholds import fit_thresholds
from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...models.from_vectors.exponentiated_gradient import ExponentiatedGradient
from ...models.from_vectors.widrow_hoff import WidrowHoff
from ...models.vectors import ABSENT
from .query import Settings, Threshold, parse_goal

TARGETS = (0.47, 0.40)
FOLDS = 5
DIGITS = 12  # scores equal to so many decimals are tied


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of a topic: its query, the sums of relevant and of other documents (each over terms), how many they are, and
    the documents themselves where a learner or a threshold needs them. parts: sums of others and of relevant documents in
    each fold, 2 x folds x terms, where they are at hand."""

    query: Floats
    relevant: Floats
    others: Floats
    n_relevant: int
    n_others: int
    X: sparse.csr_array | None = None
    truth: Bools | None = None
    parts: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class QueryWeights:
    """Terms by number, the weight of each, and the score of a document that has none of them."""

    columns: Longs
    weights: Floats
    bias: float = 0.0


def expansion(evidence: Evidence, names: Callable[[int], Any], *, n: int, beta: float, gamma: float) -> Longs:
    """The n terms with the highest beta mean(relevant) - gamma mean(others), if above 0, among those of relevant documents that
    the query does not have; the best first, equals by name."""
    if n == 0 or evidence.n_relevant == 0:
        return np.zeros(0, dtype=np.int64)
    candidates = np.flatnonzero((evidence.relevant > 0) & (evidence.query == 0))
    values = beta * evidence.relevant[candidates] / evidence.n_relevant
    if evidence.n_others:
        values -= gamma * evidence.others[candidates] / evidence.n_others
    values = values.round(DIGITS)
    if len(values) > n:
        least = values[np.argpartition(-values, n - 1)[:n]].min()
        highest = values >= least  # ties with the n-th included
        candidates, values = candidates[highest], values[highest]
    candidates, values = candidates[values > 0], values[values > 0]
    best = sorted(range(len(values)), key=lambda at: (-values[at], names(int(candidates[at]))))
    return candidates[best[:n]].astype(np.int64)


def rocchio(evidence: Evidence, columns: Longs, settings: Settings) -> Floats:
    """w = alpha query + beta mean of the relevant - gamma mean of the others, on these terms, never below 0.   [001 eq. 1]

    `models.Rocchio` for one label, whose sums are at hand: its sparse tables would take most of a judgement's time.
    """
    weights = settings.alpha * evidence.query[columns]
    if evidence.n_relevant:
        weights += settings.beta * (evidence.relevant[columns] / evidence.n_relevant + settings.absent)
    if evidence.n_others:
        weights -= settings.gamma * (evidence.others[columns] / evidence.n_others + settings.absent)
    nonnegative: Floats = np.maximum(weights, 0.0)
    return nonnegative


def learn_weights(X: sparse.csr_array, truth: Bools, start: Floats, settings: Settings, *, order: Any = None) -> Floats:
    """Weights by Widrow-Hoff or EG, which start from Rocchio's. X: judged documents x the query's terms, beliefs above 0.4.

    order: the examples in the order to learn from them; None draws them at random.
    """
    options: dict[str, Any] = {"average": False, "pocket": True, "targets": TARGETS, "absent": ABSENT}
    options |= {"start": start, "random_state": settings.random_state}
    options |= {"draws": settings.draws} if order is None else {"order": order}
    if settings.learner == "eg":
        model: Any = ExponentiatedGradient(rate=settings.rate or "range", balanced=order is None, **options)
    else:
        model = WidrowHoff(rate=settings.rate or "half-example", **options)
    weights: Floats = model.fit(X, sparse.csr_array(truth[:, None].astype(np.int8))).coef_[0]
    return weights


def weigh_query(evidence: Evidence, settings: Settings, names: Callable[[int], Any]) -> QueryWeights:
    """The weights of the query's terms and of those that expand it. names: term by number, to order equals."""
    query_terms = np.flatnonzero(evidence.query)
    added = expansion(evidence, names, n=settings.expand, beta=settings.beta, gamma=settings.gamma)
    columns = np.concatenate([query_terms, added]).astype(np.int64)
    weights = rocchio(evidence, columns, settings)
    both = evidence.n_relevant and evidence.n_others
    if settings.learner == "rocchio" or not both or evidence.X is None or evidence.truth is None:
        return QueryWeights(columns, weights, settings.absent * float(weights.sum()))
    weights = learn_weights(sparse.csr_array(evidence.X[:, columns]), evidence.truth, weights, settings)
    return QueryWeights(columns, weights, ABSENT * float(weights.sum()))


# -- the threshold


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
        training = Evidence(query, relevant, others, n_relevant, n_others)
        if settings.learner != "rocchio":
            training = replace(training, X=X[training_rows][:, candidates], truth=truth[training_rows])
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
