"""001 Lewis, Schapire, Callan and Papka (1996), the routing half: Rocchio, Widrow-Hoff and EG on topics, ranked and decided.

Tables 3 and 4 in form, on Reuters-90 and OHSUMED: a topic's text is its category's description, its judged documents are the
relevant ones and four others for each, as TREC's assessors saw. What the paper leaves open, and what differs:
`replications/001-routing/NOTES.md`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

import rubricate as rb

from ..frame import Findings, Plan, Watch, published
from .claims import claims
from .figures import best, figures
from .results import ALL, Results
from .tables import grids, tables
from .trials import (
    BESIDE,
    COLLECTIONS,
    METHODS,
    RECIPE,
    Measures,
    Stream,
    evidence_of,
    judged_pool,
    read_stream,
    route_topics,
    text_alone,
)
from .variants import run_variants, variant_grids

__all__ = ["plan", "run"]

HOW = "a hundred steps of numpy on a document's features one after the other, and one ranking by scikit-learn; median of five"


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    """All topics and 100,000 draws; or six topics a collection and few draws."""
    settings = {
        "words": [50, 1000],
        "curve": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
        "topics": 0,
        "others": 1000,
        "draws": 100_000,
        "draws of whole": 10_000,
        "variants": 12,
        "draws of variants": 20_000,
        "other draws": [1000, 5000, 50_000],
        "orders": 4,
    }
    if quick:
        settings |= {"curve": [1, 50, 1000], "topics": 6, "others": 500, "draws": 1000, "draws of whole": 1000}
        settings |= {"variants": 0, "draws of variants": 1000, "other draws": [1000], "orders": 2}
    return Plan(
        paper="001",
        name="routing",
        title="Lewis et al. 1996: routing with Rocchio, Widrow-Hoff and EG",
        data=("Reuters-21578, 90 topics, title and body", "OHSUMED 1991, 23 MeSH disease chapters, title and abstract"),
        split="as distributed: 7,770 / 3,019 stories; 6,286 / 7,643 abstracts; relevant documents and 4 others each judged",
        recipes=(str(RECIPE),),
        methods=ALL,
        repetitions=1,
        seed=seed,
        quick=quick,
        settings=settings,
    )


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    streams, parts = [], []
    for name, title in COLLECTIONS.items():
        with watch(f"{title}: read and weighted"):
            stream, both = read_stream(name, data)
            streams.append(stream.sample(plan["topics"]))
            parts.append(both)
    pooled: dict[tuple[int, int, str], Measures] = {}
    whole: dict[tuple[int, int, str], Measures] = {}
    curves: dict[tuple[int, str], dict[int, list[float]]] = {}
    for n, stream in enumerate(streams):
        pools = [judged_pool(stream, at, plan["others"]) for at in range(len(stream.topics))]
        for size in plan["words"]:
            for name, settings in {**METHODS, **BESIDE}.items():
                configured = replace(settings, expand=size, random_state=plan.seed)
                with watch(f"{COLLECTIONS[stream.collection]}: {name}"):
                    pooled[n, size, name] = route_topics(stream, replace(configured, draws=plan["draws"]), pools=pools)
                with watch(f"{COLLECTIONS[stream.collection]}, all documents judged: {name}"):
                    whole[n, size, name] = route_topics(stream, replace(configured, draws=plan["draws of whole"]))
        with watch(f"{COLLECTIONS[stream.collection]}: numbers of words"):
            for name, settings in (("Rocchio", METHODS["Rocchio"]), ("Rocchio above 0.4", BESIDE["Rocchio above 0.4"])):
                curves[n, name] = {
                    size: route_topics(stream, replace(settings, expand=size), pools=pools)
                    .values["R-precision"]
                    .tolist()
                    for size in plan["curve"]
                }
    results = Results(plan, streams, pooled, whole, {n: text_alone(stream) for n, stream in enumerate(streams)})
    changed = None
    if plan["variants"]:
        with watch("what else might explain a difference"):
            changed = run_variants(plan, streams, parts)
    printed = published("routing")
    if not plan.quick:
        with watch("the naive way, a hundred examples"):
            naive(plan, streams, watch)
    return Findings(
        tables=tables(results, printed),
        grids=(*grids(results, printed), *(() if changed is None else variant_grids(plan, changed))),
        figures=figures(results, curves, printed),
        claims=claims(results, changed),
        best=best(results),
        notes=(
            "The paper's data (TREC topics 51-150 on 1,078,166 documents) are licensed and not here; tables 3 and 4 are rebuilt "
            "in form, and what is compared with print are ratios and shares of topics won.",
        ),
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
    for stream in streams:
        for size in plan["words"]:
            topic = int(stream.relevant.argsort(kind="stable")[len(stream.topics) // 2])  # a topic of middling size
            took = seconds_for_hundred(
                stream, topic, judged_pool(stream, topic, plan["others"]), words=size, seed=plan.seed
            )
            learners = sum(settings.learner != "rocchio" for settings in {**METHODS, **BESIDE}.values())
            times = learners * len(stream.topics) * plan["draws"] // 100
            watch.naive(
                f"{COLLECTIONS[stream.collection]}, Q+{size}: each hundred draws", seconds=took, times=times, how=HOW
            )


def seconds_for_hundred(stream: Stream, topic: int, rows: Any, *, words: int, seed: int) -> float:
    """Seconds for a hundred steps of Widrow-Hoff on dense arrays, and one ranking of all judged documents of the topic."""
    evidence = evidence_of(stream, topic, rows)
    query = rb.routing.weigh_query(evidence, replace(METHODS["Rocchio"], expand=words), stream.terms.__getitem__)
    X = stream.B[rows][:, query.columns].toarray() + rb.vectors.ABSENT
    truth, took = stream.truth[rows, topic], []
    rng = np.random.default_rng(seed)
    for _ in range(5):
        weights, start = query.weights.copy(), perf_counter()
        for row in rng.integers(0, len(X), 100).tolist():
            x, y = X[row], 0.47 if truth[row] else 0.40
            weights -= (weights @ x - y) / (x @ x) * x
        average_precision_score(truth, X @ weights)
        took.append(perf_counter() - start)
    return float(np.median(took))
