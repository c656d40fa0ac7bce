"""001 Lewis, Schapire, Callan and Papka (1996), the routing half: Rocchio, Widrow-Hoff and EG on topics, ranked and decided.

Tables 3 and 4 in form, on Reuters-90 and OHSUMED: a topic's text is its category's description, its judged documents are the
relevant ones and four others for each, as TREC's assessors saw. What the paper leaves open, and what differs:
`replications/001-routing/NOTES.md`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

import rubricate as rb

from ..arrays import Floats
from ..frame import Findings, Plan, Watch
from . import trials
from .claims import claims
from .results import ALL, Results
from .tables import best, figures, grids, tables
from .trials import BESIDE, COLLECTIONS, METHODS, PAPER, RECIPE, Measures, Stream, judged_pool, route_topics
from .variants import run_variants, variant_grids

HOW = "a hundred steps of numpy on a document's features one after the other, and one ranking by scikit-learn; median of five"


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    return PAPER.plan(recipes=[str(RECIPE)], methods=ALL, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    streams, parts = [], []
    for name, title in COLLECTIONS.items():
        with watch(f"{title}: read and weighted"):
            stream, both = trials.read_stream(name, data)
            streams.append(stream.sample(plan["topics"]))
            parts.append(both)
    pooled: dict[tuple[int, int, str], Measures] = {}
    whole: dict[tuple[int, int, str], Measures] = {}
    curves: dict[tuple[int, str], dict[int, Floats]] = {}
    for n, stream in enumerate(streams):
        pools = [judged_pool(stream, at, plan["others"]) for at in range(len(stream.topics))]
        title = COLLECTIONS[stream.collection]
        for size, (name, settings) in product(plan["words"], {**METHODS, **BESIDE}.items()):
            configured = replace(settings, expand=size, random_state=plan.seed)
            with watch(f"{title}: {name}"):
                pooled[n, size, name] = route_topics(stream, replace(configured, draws=plan["draws"]), pools=pools)
            with watch(f"{title}, all documents judged: {name}"):
                whole[n, size, name] = route_topics(stream, replace(configured, draws=plan["draws of whole"]))
        with watch(f"{title}: numbers of words"):
            for name, settings in (("Rocchio", METHODS["Rocchio"]), ("Rocchio above 0.4", BESIDE["Rocchio above 0.4"])):
                runs = {
                    size: route_topics(stream, replace(settings, expand=size), pools=pools) for size in plan["curve"]
                }
                curves[n, name] = {size: measures.values["R-precision"] for size, measures in runs.items()}
    results = Results(plan, streams, pooled, whole, {n: trials.text_alone(stream) for n, stream in enumerate(streams)})
    changed = None
    if plan["variants"]:
        with watch("what else might explain a difference"):
            changed = run_variants(plan, streams, parts)
    if not plan.quick:
        with watch("the naive way, a hundred examples"):
            naive(plan, streams, watch)
    return Findings(
        tables=tables(results),
        grids=(*grids(results), *(() if changed is None else variant_grids(plan, changed))),
        figures=figures(results, curves),
        claims=claims(results, changed),
        best=best(results),
        notes=(PAPER.texts["notes"]["data"],),
        fingerprints={
            **{
                f"{COLLECTIONS[stream.collection]}, {name}": rb.collections.fingerprint(part)
                for stream, both in zip(streams, parts, strict=True)
                for name, part in zip(("training", "test"), both, strict=True)
            },
            "recipe": RECIPE.fingerprint,
        },
    )


def naive(plan: Plan, streams: list[Stream], watch: Watch) -> None:
    """What the draws would have cost with arrays of all features, measured on a hundred examples and one look."""
    learners = sum(settings.learner != "rocchio" for settings in {**METHODS, **BESIDE}.values())
    for stream, size in product(streams, plan["words"]):
        topic = int(stream.relevant.argsort(kind="stable")[len(stream.topics) // 2])  # a topic of middling size
        pool = judged_pool(stream, topic, plan["others"])
        seconds = seconds_for_hundred(stream, topic, pool, words=size, seed=plan.seed)
        what = f"{COLLECTIONS[stream.collection]}, Q+{size}: each hundred draws"
        watch.naive(what, seconds=seconds, times=learners * len(stream.topics) * plan["draws"] // 100, how=HOW)


def seconds_for_hundred(stream: Stream, topic: int, rows: Any, *, words: int, seed: int) -> float:
    """Seconds for a hundred steps of Widrow-Hoff on dense arrays, and one ranking of all judged documents of the topic."""
    query = trials.weigh(stream, trials.evidence_of(stream, topic, rows), replace(METHODS["Rocchio"], expand=words))
    X = stream.B[rows][:, query.columns].toarray() + rb.vectors.ABSENT
    truth, times = stream.truth[rows, topic], []
    rng = np.random.default_rng(seed)
    for _ in range(5):
        weights, start = query.weights.copy(), perf_counter()
        for row in rng.integers(0, len(X), 100).tolist():
            x, y = X[row], 0.47 if truth[row] else 0.40
            weights -= (weights @ x - y) / (x @ x) * x
        average_precision_score(truth, X @ weights)
        times.append(perf_counter() - start)
    return float(np.median(times))
