"""Cuts of 90 labels on 7,770 documents with 200 bootstrap draws, against the obvious numpy code in the same process.

The obvious code takes each draw and label in turn: resample, sort, sum, take the best F1 and its cut. A tenth of its draws is
made and counted ten times; its cuts must be ours. It makes cuts only, and no measure, no expected measure, no fallback.
`python -m benchmarks.thresholds` prints one JSON object; seconds are medians of interleaved rounds.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rubricate import thresholds
from rubricate.decisions.thresholds import FBeta
from rubricate.decisions.thresholds.intervals import best_places_of_draws, draw_weights, thresholds_of_draws
from rubricate.decisions.thresholds.ranking import Ranking

DOCUMENTS, LABELS, DRAWS, ROUNDS = 7770, 90, 200, 5
SEED = 0


def collection() -> tuple[Any, Any]:
    """Scores and truth, sizes as in the 90 topics of Reuters-21578: the nth has about 2877 / n^1.35 documents, at least 1."""
    rng = np.random.default_rng(1)
    sizes = np.maximum(2877 / np.arange(1, LABELS + 1) ** 1.35, 1).astype(int)
    scores, truth = rng.normal(size=(DOCUMENTS, LABELS)), np.zeros((DOCUMENTS, LABELS), dtype=bool)
    for label, size in enumerate(sizes):
        members = rng.choice(DOCUMENTS, size, replace=False)
        truth[members, label] = True
        scores[members, label] += 2.5
    return scores, truth


def obvious(scores: Any, truth: Any, draws: int) -> Any:
    """The cut of each label in each draw, as one would write it down."""
    rng = np.random.default_rng(SEED)
    cuts = np.empty((LABELS, draws))
    for draw in range(draws):
        drawn = rng.integers(0, DOCUMENTS, DOCUMENTS)
        for label in range(LABELS):
            s, t = scores[drawn, label], truth[drawn, label]
            order = np.argsort(-s)
            s, t = s[order], t[order]
            f = 2 * np.cumsum(t) / (np.arange(1, len(s) + 1) + t.sum())
            f[:-1][s[1:] == s[:-1]] = -1.0
            best = np.argmax(f)
            cuts[label, draw] = (s[best] + s[best + 1]) / 2 if t.any() else np.inf
    return cuts


def draws_thresholds(scores: Any, truth: Any) -> Any:
    """The same cuts along rankings that are sorted once."""
    weights = draw_weights(DOCUMENTS, DRAWS, SEED)
    rows = []
    for label in range(LABELS):
        ranking = Ranking.of(scores[:, label], truth[:, label])
        rows.append(thresholds_of_draws(ranking, best_places_of_draws(FBeta(), ranking, weights), weights)[0])
    return np.array(rows)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def measured() -> dict[str, Any]:
    """Seconds of each way, round after round."""
    scores, truth = collection()
    some = DRAWS // 10
    ways: dict[str, Callable[[], Any]] = {
        "fit_cuts": lambda: thresholds.fit_thresholds(scores, truth, draws=DRAWS, random_state=SEED),
        "fit_cuts_without_pool": lambda: thresholds.fit_thresholds(
            scores, truth, min_positives=0, draws=DRAWS, random_state=SEED
        ),
        "cuts_of_draws": lambda: draws_thresholds(scores, truth),
        "obvious": lambda: obvious(scores, truth, some),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    results: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            taken, results[name] = timed(way)
            seconds[name].append(taken * (DRAWS / some if name == "obvious" else 1))
    if not np.array_equal(results["cuts_of_draws"][:, :some], results["obvious"]):
        raise SystemExit("the cuts of the draws differ")
    if not np.array_equal(results["fit_cuts_without_pool"].cuts, thresholds.scut(scores, truth)):
        raise SystemExit("the cuts differ")
    found = {name: statistics.median(taken) for name, taken in seconds.items()}
    ratios = {f"obvious/{name}": found["obvious"] / found[name] for name in ways if name != "obvious"}
    return {
        "documents": DOCUMENTS,
        "labels": LABELS,
        "draws": DRAWS,
        "positives": int(truth.sum()),
        "seconds": found,
        "ratios": ratios,
    }


if __name__ == "__main__":
    print(json.dumps(measured()))
