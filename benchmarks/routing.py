"""Routing: many topics in one pass against scipy topic by topic; what a judgement costs.

`python -m benchmarks.routing` prints one JSON object: medians of rounds taken in turn, in one process. `python -m
benchmarks.routing coverage` tells how often the interval of what is left holds at every look. No collection is needed.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb
from rubricate.relevance.routing import BackgroundCollection, Feedback, JudgedDocument, Query, Router, Topics
from rubricate.relevance.routing.query import Threshold
from rubricate.relevance.screening import Draw, Draws

ROUNDS = 5
VOCABULARY = 60_000


def in_turn(works: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, float]:
    """Medians of rounds taken in turn: seconds, and seconds of processor time of all threads, which other work on the machine
    changes less."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start, cpu = time.perf_counter(), time.process_time()
            work()
            found[name].append((time.perf_counter() - start, time.process_time() - cpu))
    out = {}
    for name, times in found.items():
        out[name], out[f"{name}_cpu"] = (statistics.median(own) for own in zip(*times, strict=True))
    return out


def zipf(draw: np.random.Generator, n: int, size: int) -> np.ndarray[Any, Any]:
    """Rows of distinct terms drawn by Zipf's law, about `size` each."""
    ends = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    return np.searchsorted(ends / ends[-1], draw.random((n, size)))


def documents(draw: np.random.Generator, n: int = 20_000, size: int = 150) -> sparse.csr_array:
    """Beliefs of documents of about 100 different terms."""
    terms = zipf(draw, n, size)
    rows = np.repeat(np.arange(n), size)
    X = sparse.csr_array((np.ones(n * size), (rows, terms.ravel())), shape=(n, VOCABULARY))
    X.sum_duplicates()
    X.data = draw.random(X.nnz) * 0.3
    return X


def queries(draw: np.random.Generator, n: int, *, skip: int) -> dict[str, Query]:
    """Topics of 60 terms each; the `skip` commonest terms, a stop list, are in none."""
    out = {}
    names = [f"t{at}" for at in range(VOCABULARY)]
    for at in range(n):
        own: set[int] = set()
        while len(own) < 60:
            own.update(term for term in zipf(draw, 1, 60)[0].tolist() if term >= skip)
        chosen = sorted(own)[:60]
        out[f"q{at}"] = Query(tuple(names[term] for term in chosen), draw.random(60))
    return out


def with_cuts(own: dict[str, Query], X: sparse.csr_array) -> dict[str, Query]:
    """Cuts that 5 in 1,000 documents pass."""
    some = X[:2000].tocsc()
    out = {}
    for name, query in own.items():
        scores = some[:, [int(term[1:]) for term in query.terms]] @ query.weights
        cut = Threshold(float(np.quantile(scores, 0.995)), "f1", 1.0, True, "out-of-fold")
        out[name] = Query(query.terms, query.weights, 0.0, cut)
    return out


class Bare(Router):
    """A router whose terms are numbers already: the text is not what is measured."""

    def __init__(self, own: dict[str, Query], collection: BackgroundCollection) -> None:
        super().__init__(own, collection)
        self.columns = np.array([int(term[1:]) for term in self.terms])


def one_pass(n_topics: int, *, skip: int) -> dict[str, Any]:
    """20,000 documents over topics of 60 terms: scores and cuts in one pass, and topic by topic with scipy."""
    draw = np.random.default_rng(0)
    X = documents(draw)
    own = with_cuts(queries(draw, n_topics, skip=skip), X)
    router = Bare(own, BackgroundCollection.of_counts(rb.count(["t1"])))
    place = np.full(VOCABULARY, -1)
    place[router.columns] = np.arange(len(router.columns))
    kept = place[X.indices] >= 0
    ends = np.concatenate([[0], np.cumsum(kept)])[X.indptr]
    ours = sparse.csr_array((X.data[kept], place[X.indices[kept]], ends), shape=(X.shape[0], len(router.columns)))
    weights = [
        (np.array([int(term[1:]) for term in query.terms]), query.weights, query.cut.at)
        for query in own.values()
        if query.cut is not None
    ]

    def ours_pass() -> Any:
        return router.above_thresholds(ours)

    def topic_by_topic() -> int:
        passed = 0
        for columns, values, cut in weights:
            dense = np.zeros(VOCABULARY)
            dense[columns] = values
            passed += int((X @ dense > cut).sum())
        return passed

    def by_sparse_columns() -> int:
        passed = 0
        for columns, values, cut in weights:
            passed += int((X_by_column[:, columns] @ values > cut).sum())
        return passed

    X_by_column = X.tocsc()
    router.above_thresholds(ours[:100])
    times = in_turn({"ours": ours_pass, "scipy": topic_by_topic, "scipy_by_columns": by_sparse_columns}, 3)
    found = len(ours_pass()[0])
    apart = max(abs(found - topic_by_topic()), abs(found - by_sparse_columns()))
    return times | {
        "topics": n_topics,
        "entries": int(X.nnz),
        "passes": found,
        "passes_differ": apart,  # sums in another order: a score on the cut itself may fall either way
        "times_faster": times["scipy"] / times["ours"],
        "times_less_cpu": times["scipy_cpu"] / times["ours_cpu"],
        "times_faster_than_by_columns": times["scipy_by_columns"] / times["ours"],
    }


def a_judgement(judged: int = 1000) -> dict[str, Any]:
    """Milliseconds from a judgement to the new query, cut included, after so many judged documents; in memory, and with the
    judgement and the query written to disk and synced."""
    draw = np.random.default_rng(0)
    rows = zipf(draw, judged + 200, 150)
    counts = rb.count([" ".join(f"t{term}" for term in row) for row in rows.tolist()])
    collection = BackgroundCollection.of_counts(counts)

    def terms(at: int) -> dict[str, int]:
        found, times = np.unique(rows[at], return_counts=True)
        return {f"t{term}": int(n) for term, n in zip(found.tolist(), times.tolist(), strict=True)}

    own = Feedback(collection, "t3000 t4000")
    for at in range(judged):
        own.judge(str(at), terms(at), relevant=at % 5 == 0)
    own.query()
    in_memory, of_cpu, on_disk = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        topics = Topics.make(Path(folder) / "topics", recipe=rb.Recipe())
        topics.keep_collection(counts)
        topic = topics.new("t", "t3000 t4000")
        topic.judge(JudgedDocument(str(at), at % 5 == 0, terms(at)) for at in range(judged))
        for at in range(judged, judged + 100):
            known = terms(at)
            start, cpu = time.perf_counter(), time.process_time()
            own.judge(str(at), known, relevant=at % 5 == 0)
            query = own.query()
            in_memory.append(time.perf_counter() - start)
            of_cpu.append(time.process_time() - cpu)
            topic.judge([JudgedDocument(str(at), at % 5 == 0, known)])
            topics.keep_query(topic, query)
            on_disk.append(time.perf_counter() - start)
    return {
        "judged": judged,
        "terms_a_document": float(np.mean([len(np.unique(row)) for row in rows])),
        "milliseconds": statistics.median(in_memory) * 1000,
        "milliseconds_of_cpu": statistics.median(of_cpu) * 1000,
        "milliseconds_90th": float(np.quantile(in_memory, 0.9)) * 1000,
        "milliseconds_with_disk": statistics.median(on_disk) * 1000,
    }


def coverage(level: float = 0.95) -> dict[str, Any]:
    """Piles judged to the last document: by random draws alone, and with four ranked documents between two draws. The share of
    piles in which the interval held at every look, and the share of all looks."""
    draw, out = np.random.default_rng(5), {}
    for between in (0, 4):
        for n, relevant, piles in ((500, 5, 200), (500, 50, 200), (2000, 40, 60)):
            held = [looks_held(draw, n, relevant, between, level) for _ in range(piles)]
            name = f"{n} documents, {relevant} relevant, {between} ranked between draws, {piles} piles"
            looks = [own for one in held for own in one]
            out[name] = {"every_look": float(np.mean([all(own) for own in held])), "looks": float(np.mean(looks))}
    return out


def looks_held(draw: np.random.Generator, n: int, relevant: int, between: int, level: float) -> list[bool]:
    """Whether the interval held, look by look, until all is judged."""
    y = np.zeros(n, dtype=bool)
    y[draw.choice(n, relevant, replace=False)] = True
    ranked = iter(np.argsort(-(1.5 * y + draw.normal(size=n))).tolist())
    free, found, draws, held = np.ones(n, dtype=bool), 0, Draws(n), []
    while free.any():
        for at in islice((one for one in ranked if free[one]), between):
            free[at] = False
            found += int(y[at])
        pool = np.flatnonzero(free)
        if not len(pool):
            break
        at = int(pool[draw.integers(len(pool))])
        draws.add(Draw(bool(y[at]), len(pool), found))
        free[at] = False
        found += int(y[at])
        left = draws.estimate(found=found, judged=n - int(free.sum()), level=level)
        held.append(left.low <= relevant - found <= left.high)
    return held


if __name__ == "__main__" and sys.argv[1:] == ["coverage"]:
    print(json.dumps(coverage(), indent=1))
elif __name__ == "__main__":
    print(
        json.dumps(
            {
                "one_pass_1000_topics": one_pass(1000, skip=150),
                "one_pass_1000_topics_no_stop_list": one_pass(1000, skip=0),
                "judgement": a_judgement(),
            },
        )
    )
