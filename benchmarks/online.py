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
from threadpoolctl import threadpool_limits

import rubricate as rb
from rubricate import collections, models, vectors
from rubricate.counts import indicator
from rubricate.from_vectors.examples import shuffled

from .texts import data_folder

ROUNDS = 5
SIZES = (5_000, 50_000, 500_000)
LABELS = (1, 4, 16)  # learned together


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
    """One averaged pass over all labels, cuts included, against one-against-rest SGD; with one core, and with all.

    SGD as it comes, and with one thread for linear algebra: on a busy machine the threads it wakes for small products cost it
    half of its time, which is no merit of ours."""
    X, y = weighted(name, version)
    models.WidrowHoff().fit(X[:50], y[:50])  # loads what is compiled
    peer = OneVsRestClassifier(SGDClassifier(loss="squared_error", average=True, max_iter=1, tol=None, random_state=0))
    cores = os.sched_getaffinity(0)

    def alone() -> None:
        with threadpool_limits(1, "blas"):
            peer.fit(X, y)

    works = {"ours": lambda: models.WidrowHoff().fit(X, y), "sgd": lambda: peer.fit(X, y), "sgd_one_blas_thread": alone}
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
    """EG's cost a document, in microseconds: 4,000 more documents after the first 4,000, of 60 terms each, from vocabularies of
    three sizes; averaged. Terms are drawn by Zipf's law, as text does, and uniformly, the worst case for a cache."""
    draw = np.random.default_rng(0)
    works: dict[str, tuple[Any, Any]] = {}
    rows = []
    for law in ("zipf", "uniform"):
        drawn = {size: drawn_documents(size, draw, law) for size in SIZES}
        for kind in ("binary", "weights"):
            for labels in LABELS:
                rows.append(f"{law} {kind}, {labels} labels")
                for size, X in drawn.items():
                    values = draw.random(X.nnz) if kind == "weights" else X.data
                    own = sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
                    Y = sparse.csr_array((draw.random((X.shape[0], labels)) < 0.1).astype(np.int8))
                    works[f"{rows[-1]} {size}"] = own, Y
    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(3 * ROUNDS):
        for name, (X, Y) in works.items():
            costs[name].append(marginal(X, Y))
    found: dict[str, Any] = {}
    for name, times in costs.items():
        step, before = (statistics.median(column) * 1e6 for column in zip(*times, strict=True))
        found[name] = {"step": step, "before": before}
    for row in rows:
        own = [found[f"{row} {size}"] for size in SIZES]
        steps, sums = [one["step"] for one in own], [one["step"] + one["before"] for one in own]
        found[f"{row} largest by smallest"] = {"step": max(steps) / steps[0], "all": max(sums) / sums[0]}
    return found


def drawn_documents(size: int, draw: np.random.Generator, law: str) -> Any:
    """8,000 documents of exactly 60 different terms."""
    chances = 1 / np.arange(1, size + 1) if law == "zipf" else np.ones(size)
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


def marginal(X: Any, Y: Any) -> tuple[float, float]:
    """Seconds a document: its step, after the first half; and what it adds to what is done before (looking all over, numbering
    their terms). What a fit costs once, such as room for the vocabulary, is left out."""
    from rubricate.from_vectors.documents import Documents, looked_at, worth_numbering
    from rubricate.from_vectors.occurring import Occurring

    model = models.ExponentiatedGradient()
    marks = (Y.indptr.astype(np.int64), Y.indices.astype(np.int32))
    eta = np.full(X.shape[0], 2 / 3)
    order = shuffled(X.shape[0])
    start: Any = 1 / X.shape[1]

    def prepared(documents: Any, order: Any) -> Occurring | None:
        _, there = looked_at(documents)
        return (
            Occurring(documents, there, order) if worth_numbering(there, Y.shape[1], model._labels_in_row) else None
        )  # as `fit` does

    half = order[order < X.shape[0] // 2]
    few, before = prepared(X, order), seconds(lambda: prepared(X, order))
    before -= seconds(lambda: prepared(X[: X.shape[0] // 2], half))
    if few is not None:
        X, start = few.X, few.rows(start, Y.shape[1], others="sum")
    run = model._run(Documents(X), marks, eta, start, None, 0, Y.shape[1])
    run.advance(order[:4_000])
    return seconds(lambda: run.advance(order[4_000:])) / 4_000, before / (X.shape[0] // 2)


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
