"""The naive way: a hundred examples of Widrow-Hoff on dense arrays, then a look at the pocket with scikit-learn's average
precision."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from rubricate.models.vectors import ABSENT
from rubricate.relevance.routing.query_weights import weigh_terms

from .trials import METHODS, Stream, evidence_of

__all__ = ["HOW", "one_hundred"]

HOW = "a hundred steps of numpy on a document's features one after the other, and one ranking by scikit-learn; median of five"


def one_hundred(own: Stream, at: int, rows: Any, *, words: int, seed: int) -> float:
    """Seconds for a hundred examples of one topic and a look at all its judged documents."""
    evidence = evidence_of(own, at, rows)
    found = weigh_terms(evidence, replace(METHODS["Rocchio"], expand=words), own.terms.__getitem__)
    X = own.B[rows][:, found.columns].toarray() + ABSENT
    truth, took = own.truth[rows, at], []
    rng = np.random.default_rng(seed)
    for _ in range(5):
        weights, begun = found.weights.copy(), perf_counter()
        for row in rng.integers(0, len(X), 100).tolist():
            x, y = X[row], 0.47 if truth[row] else 0.40
            weights -= (weights @ x - y) / (x @ x) * x
        average_precision_score(truth, X @ weights)
        took.append(perf_counter() - begun)
    return float(np.median(took))
