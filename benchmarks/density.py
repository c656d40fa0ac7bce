"""Density estimation: probabilities of 3,019 documents against 7,770 (90 labels), against the obvious numpy code; and 100,000.

`python -m benchmarks.density` prints one JSON object. Seconds are medians of runs in turn; the probabilities are compared.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import rubricate as rb
from rubricate import collections, density, models
from rubricate.counts import indicator

from .texts import data_folder

EPSILON = 1e-9
LABELS, TRAIN, NEW, MANY = 90, 7770, 3019, 100_000


def in_turn(times: int, **works: Callable[[], Any]) -> dict[str, float]:
    """Each of some works done so many times, one after the other; medians."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def by_sorting(train: Any, Y: Any, new: Any, k: int) -> Any:
    """scipy's distances, sorted; then the formula of 004."""
    distances = cdist(new, train)
    nearest = np.argsort(np.round(distances, 12), axis=1, kind="stable")[:, :k]
    weights = 1 / (np.take_along_axis(distances, nearest, axis=1) + EPSILON)
    return np.einsum("dk,dkc->dc", weights, Y[nearest]) / weights.sum(axis=1, keepdims=True)


def by_partition(train: Any, Y: Any, new: Any, k: int) -> Any:
    """The same with a partition in place of the sort, for who thinks of it; ties fall as they may."""
    distances = cdist(new, train)
    nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
    weights = 1 / (np.take_along_axis(distances, nearest, axis=1) + EPSILON)
    return np.einsum("dk,dkc->dc", weights, Y[nearest]) / weights.sum(axis=1, keepdims=True)


def by_document(train: Any, Y: Any, new: Any, k: int) -> Any:
    """Numpy alone, a document at a time."""
    rows = []
    for vector in new:
        distances = np.sqrt(((train - vector) ** 2).sum(axis=1))
        nearest = np.argsort(np.round(distances, 12), kind="stable")[:k]
        weights = 1 / (distances[nearest] + EPSILON)
        rows.append(weights @ Y[nearest] / weights.sum())
    return np.array(rows)


def skewed(n: int, draw: np.random.Generator) -> tuple[Any, Any]:
    """Score vectors as a text classifier makes them: low for nearly all labels, high for the one or two that are there."""
    rates = 0.4 / np.arange(1, LABELS + 1)
    Y = (draw.random((n, LABELS)) < rates).astype(np.int64)
    return draw.gamma(0.6, 0.04, (n, LABELS)) + Y * draw.gamma(4.0, 0.08, (n, LABELS)), Y


def compared(train: Any, Y: Any, new: Any, k: int, times: int) -> dict[str, Any]:
    """Ours, fitted beforehand, against the three; the same probabilities."""
    model = density.DensityEstimation(k=k, epsilon=EPSILON).fit(train, Y)
    found = model.predict_proba(new)  # loads what is compiled
    worst = float(np.abs(found - by_sorting(train, Y, new, k)).max())
    if worst > 1e-9:
        raise SystemExit(f"probabilities differ by {worst}")
    done = in_turn(
        times,
        ours=lambda: model.predict_proba(new),
        cdist_sort=lambda: by_sorting(train, Y, new, k),
        cdist_partition=lambda: by_partition(train, Y, new, k),
        document_at_a_time=lambda: by_document(train, Y, new, k),
    )
    ratios = {f"{name}_over_ours": done[name] / done["ours"] for name in done if name != "ours"}
    return {"k": k, **done, **ratios, "largest_difference": worst}


def many(times: int) -> dict[str, Any]:
    """100,000 training vectors: a thousand documents, one document, and the choice of k."""
    draw = np.random.default_rng(1)
    train, Y = skewed(MANY, draw)
    new, _ = skewed(1000, draw)
    model = density.DensityEstimation(k=30, epsilon=EPSILON).fit(train, Y)
    model.predict_proba(new[:2])
    done = in_turn(
        times,
        thousand=lambda: model.predict_proba(new),
        one=lambda: model.predict_proba(new[:1]),
        fit_k_auto=lambda: density.DensityEstimation().fit(train, Y),
    )
    return {"k": 30, **done}


def reuters(times: int) -> dict[str, Any] | None:
    """The score vectors of the 90 topics: TFIDF's cosines, left out one by one for training."""
    folder = data_folder()
    if folder is None:
        return None
    train, test = collections.load("reuters21578", version="90", data=folder)
    recipe = rb.Recipe.wilbur_kim(pairs=False)
    table = rb.tabulate(train, recipe)
    new = rb.tabulate(test, recipe, terms=table.terms).X
    Y = indicator(table.labels, table.counts.labels)
    model = models.TFIDF(against_rest=False)
    start = time.perf_counter()
    scores = density.training_scores(model, table.X, Y, how="leave-one-out")
    leave_one_out = time.perf_counter() - start
    start = time.perf_counter()
    chosen = density.DensityEstimation(epsilon=EPSILON).fit(scores, Y)
    choosing = time.perf_counter() - start
    told = compared(scores, Y.toarray(), model.fit(table.X, Y).class_scores(new), chosen.k_, times)
    return {**told, "leave_one_out": leave_one_out, "choosing_k": choosing}


def main(times: int = 5) -> dict[str, Any]:
    """All of it."""
    draw = np.random.default_rng(0)
    train, Y = skewed(TRAIN, draw)
    new, _ = skewed(NEW, draw)
    return {
        "random": [compared(train, Y, new, k, times) for k in (5, 30)],
        "reuters": reuters(times),
        "many": many(times),
    }


if __name__ == "__main__":
    print(json.dumps(main()))
