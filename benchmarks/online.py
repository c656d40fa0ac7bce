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
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from threadpoolctl import threadpool_limits

import rubricate as rb
from rubricate import collections, models, vectors
from rubricate.counts import indicator

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


def wider_vocabulary(name: str, version: str) -> dict[str, Any]:
    """EG's cost a document, in microseconds of a whole fit with all labels: the same documents, of the 5,000 most frequent terms,
    in vocabularies of three sizes, most of which no document has."""
    X, y = weighted(name, version)
    frequent = np.sort(np.argsort(-np.diff(X.tocsc().indptr), kind="stable")[: SIZES[0]])
    weights = sparse.csr_array(X[:, frequent])
    weights = sparse.csr_array(weights.multiply(1 / np.maximum(sparse_norms(weights), 1e-300)[:, None]))
    binary = sparse.csr_array((np.ones(weights.nnz), weights.indices, weights.indptr), shape=weights.shape)
    draw = np.random.default_rng(0)
    works = {}
    for kind, table in (("binary", binary), ("weights", weights)):
        for size in SIZES:
            columns = np.sort(draw.permutation(size)[: SIZES[0]])
            wide = sparse.csr_array((table.data, columns[table.indices], table.indptr), shape=(table.shape[0], size))
            works[f"{kind} {size}"] = partial(fitted, wide, y)
    costs = {key: value / X.shape[0] * 1e6 for key, value in in_turn(works, 2 * ROUNDS).items()}
    return costs | {f"{kind} largest by smallest": by_smallest(costs, kind) for kind in ("binary", "weights")}


def by_smallest(costs: dict[str, float], row: str) -> float:
    """The dearest size by the smallest."""
    return max(costs[f"{row} {size}"] for size in SIZES) / costs[f"{row} {SIZES[0]}"]


def sparse_norms(X: Any) -> Any:
    return np.sqrt(X.multiply(X).sum(axis=1))


def fitted(X: Any, y: Any) -> None:
    models.ExponentiatedGradient().fit(X, y)


def richer_documents() -> dict[str, Any]:
    """EG's cost a document, in microseconds: 4,000 more documents after the first 4,000, of 60 terms each, from vocabularies of
    three sizes, all of whose terms are used. Terms are drawn by Zipf's law, as text does, and uniformly, the worst case for a
    cache. further: what a document adds to a fit; fit: a whole fit of 8,000."""
    draw = np.random.default_rng(0)
    works: dict[str, Callable[[], Any]] = {}
    rows = []
    for law in ("zipf", "uniform"):
        drawn = {size: drawn_documents(size, draw, law) for size in SIZES}
        for kind in ("binary", "weights"):
            for labels in LABELS:
                rows.append(f"{law} {kind}, {labels} labels")
                for size, X in drawn.items():
                    values = draw.random(X.nnz) if kind == "weights" else X.data
                    own = sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
                    Y = (draw.random((X.shape[0], labels)) < 0.1).astype(np.int8)
                    Y = Y if labels > 1 else Y.ravel()
                    works[f"half {rows[-1]} {size}"] = partial(fitted, own[:4_000], Y[:4_000])
                    works[f"{rows[-1]} {size}"] = partial(fitted, own, Y)
    times = in_turn(works, 2 * ROUNDS)
    found: dict[str, Any] = {}
    for row in rows:
        names = [f"{row} {size}" for size in SIZES]
        fit = {name: times[name] / 8_000 * 1e6 for name in names}
        further = {name: (times[name] - times[f"half {name}"]) / 4_000 * 1e6 for name in names}
        found |= {name: {"fit": fit[name], "further": further[name]} for name in names}
        found[f"{row} largest by smallest"] = {"fit": by_smallest(fit, row), "further": by_smallest(further, row)}
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


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # one pass is not meant to converge
    print(
        json.dumps(
            {
                "reuters": averaged_pass("reuters21578", "90"),
                "newsgroups": averaged_pass("20newsgroups", "bydate"),
                "wider": {
                    "reuters": wider_vocabulary("reuters21578", "90"),
                    "newsgroups": wider_vocabulary("20newsgroups", "bydate"),
                },
                "richer": richer_documents(),
            }
        )
    )
