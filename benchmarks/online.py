"""Widrow-Hoff and exponentiated gradient against scikit-learn and against themselves, in one process.

`python -m benchmarks.online` prints one JSON object. Needs the real collections.
"""

from __future__ import annotations

import json
import os
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDClassifier
from sklearn.multiclass import OneVsRestClassifier

import rubricate as rb
from rubricate import collections, models, vectors
from rubricate.counts import indicator
from rubricate.from_vectors.examples import shuffled

from .texts import data_folder

ROUNDS = 5


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turn(works: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, float]:
    """Medians of rounds taken in turn."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            found[name].append(seconds(work))
    return {name: statistics.median(times) for name, times in found.items()}


def weighted(name: str, version: str) -> tuple[Any, Any]:
    """Training documents in tf x idf weights; labels as scikit-learn takes them."""
    train, _ = collections.load(name, version=version, data=data_folder())
    table = rb.tabulate(train, rb.Recipe.lewis())
    X = vectors.weighted(table.X, table.counts, "ltc")
    several = any(len(own) != 1 for own in table.labels)
    return X, indicator(table.labels, table.counts.labels) if several else np.array([own[0] for own in table.labels])


def averaged_pass(name: str, version: str) -> dict[str, Any]:
    """One averaged pass over all labels, cuts included, against one-against-rest SGD; with one core, and with all."""
    X, y = weighted(name, version)
    models.WidrowHoff().fit(X[:50], y[:50])  # loads what is compiled
    peer = OneVsRestClassifier(SGDClassifier(loss="squared_error", average=True, max_iter=1, tol=None, random_state=0))
    cores = os.sched_getaffinity(0)
    works = {"ours": lambda: models.WidrowHoff().fit(X, y), "sgd": lambda: peer.fit(X, y)}
    found: dict[str, Any] = in_turn(works)
    os.sched_setaffinity(0, {min(cores)})
    found |= {f"{who}_one_core": value for who, value in in_turn(works).items()}
    os.sched_setaffinity(0, cores)
    return found | {
        "documents": X.shape[0],
        "terms": X.shape[1],
        "labels": len(np.unique(y)) if np.ndim(y) == 1 else y.shape[1],
    }


def growing_vocabulary() -> dict[str, Any]:
    """EG's cost a document: 4,000 more documents after the first 4,000, of 60 terms each, drawn by Zipf's law from vocabularies
    of three sizes; 16 labels, averaged."""
    draw = np.random.default_rng(0)
    works: dict[str, Callable[[], Any]] = {}
    costs: dict[str, list[float]] = {}
    for size in (5_000, 50_000, 500_000):
        for kind in ("binary", "weights"):
            X = zipf_documents(size, draw)
            if kind == "weights":
                X.data = draw.random(X.nnz)
            Y = sparse.csr_array((draw.random((X.shape[0], 16)) < 0.1).astype(np.int8))
            works[f"{size} {kind}"] = lambda X=X, Y=Y: marginal(X, Y)
            costs[f"{size} {kind}"] = []
    for _ in range(ROUNDS):
        for name, work in works.items():
            costs[name].append(work())
    return {name: statistics.median(times) * 1e6 for name, times in costs.items()}  # microseconds a document


def zipf_documents(size: int, draw: np.random.Generator) -> Any:
    """8,000 documents of exactly 60 different terms."""
    chances = 1 / np.arange(1, size + 1)
    names = draw.permutation(size)  # frequent terms lie anywhere
    ends = np.cumsum(chances) / chances.sum()
    rows = []
    for _ in range(8_000):
        own: set[int] = set()
        while len(own) < 60:
            own.update(np.searchsorted(ends, draw.random(80))[: 60 - len(own)].tolist())
        rows.append(np.sort(names[list(own)]))
    columns = np.concatenate(rows)
    return sparse.csr_array((np.ones(len(columns)), columns, np.arange(0, len(columns) + 1, 60)), shape=(8_000, size))


def marginal(X: Any, Y: Any) -> float:
    """Seconds a document, after the first half: what a fit costs once is left out."""
    from rubricate.from_vectors.occurring import Occurring
    from rubricate.from_vectors.online import Documents, looked_at

    model = models.ExponentiatedGradient()
    marks = (Y.indptr.astype(np.int64), Y.indices.astype(np.int32))
    eta = np.full(X.shape[0], 2 / 3)
    _, there = looked_at(X)
    if 2 * there.sum() < X.shape[1]:  # as `fit` does: terms that do not occur share a row
        few = Occurring(X, there)
        X, start = few.X, few.rows(1 / few.n_terms, Y.shape[1], others="sum")
    else:
        start = np.full((X.shape[1], Y.shape[1]), 1 / X.shape[1])
    run = model._run(Documents(X), marks, eta, start, None, 0)
    order = shuffled(X.shape[0])
    run.advance(order[:4_000])
    return seconds(lambda: run.advance(order[4_000:])) / 4_000


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # one pass is not meant to converge
    print(
        json.dumps(
            {
                "reuters": averaged_pass("reuters21578", "90"),
                "newsgroups": averaged_pass("20newsgroups", "bydate"),
                "vocabulary": growing_vocabulary(),
            }
        )
    )
