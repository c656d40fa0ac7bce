"""From judged documents to the weights of a query. Pure functions of arrays over terms.

    expansion        the best n terms of the relevant documents, by Rocchio's weights, besides those of the query (Q+50, Q+1000)
    rocchio          alpha query + beta mean of the relevant - gamma mean of the others, never below 0           [001 eq. 1]
    learn_weights    Widrow-Hoff or EG on INQUERY's beliefs, started from those weights, draws at random (EG: balanced), the
                     vector pocketed that ranks the judged documents best, targets 0.47 and 0.40                    [001 sec. 7.2]

Learns from: sums of weighted documents; Widrow-Hoff and EG from the documents. Source: 001 sec. 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Bools, Floats, Longs
from ...models.from_vectors.exponentiated_gradient import ExponentiatedGradient
from ...models.from_vectors.widrow_hoff import WidrowHoff
from ...models.vectors import ABSENT
from .settings import Settings

__all__ = ["TARGETS", "Evidence", "QueryWeights", "expansion", "learn_weights", "rocchio", "weigh_query"]

TARGETS = (0.47, 0.40)
DIGITS = 12  # scores equal to so many decimals are tied


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of a topic: its query, the sums of relevant and of other documents (each over terms), how many they are, and
    the documents themselves where a learner or a cut needs them. parts: sums of others and of relevant documents in each part of
    `cuts`, 2 x parts x terms, where they are at hand."""

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
    """The n terms with the highest beta mean(relevant) - gamma mean(others), among those of relevant documents that the query
    does not have and that speak for the topic; the best first, equals by name."""
    if n == 0 or evidence.n_relevant == 0:
        return np.zeros(0, dtype=np.int64)
    candidates = np.flatnonzero((evidence.relevant > 0) & (evidence.query == 0))
    values = beta * evidence.relevant[candidates] / evidence.n_relevant
    if evidence.n_others:
        values -= gamma * evidence.others[candidates] / evidence.n_others
    values = values.round(DIGITS)
    if len(values) > n:
        least = values[np.argpartition(-values, n - 1)[:n]].min()
        near = values >= least
        candidates, values = candidates[near], values[near]
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
    found: Floats = np.maximum(weights, 0.0)
    return found


def learn_weights(X: sparse.csr_array, truth: Bools, start: Floats, settings: Settings, *, order: Any = None) -> Floats:
    """Weights that Widrow-Hoff or EG make of Rocchio's. X: judged documents x the query's terms, beliefs above 0.4.

    order: the examples one after the other, where they are not to be drawn.
    """
    words: dict[str, Any] = {
        "average": False,
        "pocket": True,
        "targets": TARGETS,
        "absent": ABSENT,
        "start": start,
        "random_state": settings.random_state,
    }
    words |= {"draws": settings.draws} if order is None else {"order": order}
    if settings.learner == "eg":
        model: Any = ExponentiatedGradient(rate=settings.rate or "range", balanced=order is None, **words)
    else:
        model = WidrowHoff(rate=settings.rate or "half-example", **words)
    found: Floats = model.fit(X, sparse.csr_array(truth[:, None].astype(np.int8))).coef_[0]
    return found


def weigh_query(evidence: Evidence, settings: Settings, names: Callable[[int], Any]) -> QueryWeights:
    """The query that the evidence makes: its own terms and the best ones besides, weighted."""
    own = np.flatnonzero(evidence.query)
    more = expansion(evidence, names, n=settings.expand, beta=settings.beta, gamma=settings.gamma)
    columns = np.concatenate([own, more]).astype(np.int64)
    weights = rocchio(evidence, columns, settings)
    both = evidence.n_relevant and evidence.n_others
    if settings.learner == "rocchio" or not both or evidence.X is None or evidence.truth is None:
        return QueryWeights(columns, weights, settings.absent * float(weights.sum()))
    weights = learn_weights(sparse.csr_array(evidence.X[:, columns]), evidence.truth, weights, settings)
    return QueryWeights(columns, weights, ABSENT * float(weights.sum()))
