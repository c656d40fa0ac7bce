"""What the paper leaves open or says in passing, each changed alone, on some topics: rates, start, order, draws, beliefs.
Source: 001 sec. 7.2, 9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import rubricate as rb

from ..arrays import Floats
from ..frame import Grid, Plan
from .results import FREQUENT
from .trials import BESIDE, COLLECTIONS, LEARNERS, METHODS, PAPER, Stream, judged_pool, route_topics, stream_of_parts

NAMES = {**METHODS, **BESIDE}
MAX_NORM = "WH, rate 1/(4 X^2)"
EQUAL = "EG from equal weights"
OKAPI = "Rocchio, beliefs with document length"
OKAPI_ABOVE = "Rocchio above 0.4, beliefs with document length"


@dataclass(frozen=True, eq=False)
class Variants:
    """R-precision of some topics by stream, words and variant; of each seed for the two learners; and by draws."""

    streams: list[Stream]
    draws: int
    changed: Mapping[tuple[int, int, str], Floats]
    seeds: Mapping[tuple[int, int, str], Floats]  # seeds x topics
    by_draws: Mapping[tuple[int, int, str, int], Floats]

    def pair(self, first: str, second: str, size: int, stream: int) -> tuple[float, float, float]:
        """Both means and the two-sided sign test of two variants."""
        a, b = self.changed[stream, size, first], self.changed[stream, size, second]
        return float(a.mean()), float(b.mean()), float(rb.significance.sign_test(a, b).p)


def run_variants(plan: Plan, streams: list[Stream], parts: list[tuple[rb.Corpus, rb.Corpus]]) -> Variants:
    """Topics: so many as the plan says, of those with 15 relevant training documents and more."""
    subsets = [
        stream.subset(np.flatnonzero(stream.relevant >= FREQUENT)).sample(plan["variants"]) for stream in streams
    ]
    draws = plan["draws of variants"]
    changed: dict[tuple[int, int, str], Floats] = {}
    seeds: dict[tuple[int, int, str], Floats] = {}
    by_draws: dict[tuple[int, int, str, int], Floats] = {}
    for n, stream in enumerate(subsets):
        pools = [judged_pool(stream, at, plan["others"]) for at in range(len(stream.topics))]

        def run(
            settings: rb.routing.Settings, size: int, stream: Stream = stream, pools: Any = pools, **more: Any
        ) -> Floats:
            changes = {"draws": draws, "random_state": plan.seed} | more
            uniform = changes.pop("uniform", False)
            measures = route_topics(stream, replace(settings, expand=size, **changes), pools=pools, uniform=uniform)
            return measures.values["R-precision"]

        other = stream_of_parts(stream.collection, *parts[n], form="inquery_okapi")
        other = other.subset(np.array([other.topics.index(topic) for topic in stream.topics]))
        for size in plan["words"]:
            for name, settings in NAMES.items():
                changed[n, size, name] = run(settings, size)
            changed[n, size, MAX_NORM] = run(METHODS["WH"], size, rate="max-norm")
            changed[n, size, EQUAL] = run(METHODS["EG"], size, uniform=True)
            changed[n, size, OKAPI] = run(METHODS["Rocchio"], size, stream=other)
            changed[n, size, OKAPI_ABOVE] = run(BESIDE["Rocchio above 0.4"], size, stream=other)
            for name in LEARNERS:
                again = [
                    run(NAMES[name], size, random_state=plan.seed + 1 + more) for more in range(plan["orders"] - 1)
                ]
                seeds[n, size, name] = np.array([changed[n, size, name], *again])
                for few in plan["other draws"]:
                    by_draws[n, size, name, few] = run(NAMES[name], size, draws=few)
    return Variants(subsets, draws, changed, seeds, by_draws)


def variant_grids(plan: Plan, variants: Variants) -> tuple[Grid, ...]:
    heads = [(n, size) for n in range(len(variants.streams)) for size in plan["words"]]
    columns = ("", *(f"{COLLECTIONS[variants.streams[n].collection]}, Q+{size}" for n, size in heads))
    topics = ", ".join(f"{len(stream.topics)} of {COLLECTIONS[stream.collection]}" for stream in variants.streams)
    changed = [
        (name, *(round(float(variants.changed[n, size, name].mean()), 3) for n, size in heads))
        for name in (*NAMES, MAX_NORM, EQUAL, OKAPI, OKAPI_ABOVE)
    ]
    orders = [(name, *(spread_text(variants.seeds[n, size, name]) for n, size in heads)) for name in LEARNERS]
    draws = [
        (
            f"{name}, {few:,} draws",
            *(round(float(variants.by_draws[n, size, name, few].mean()), 3) for n, size in heads),
        )
        for name in LEARNERS
        for few in plan["other draws"]
    ]
    return (
        PAPER.grid("variants", changed, columns, topics=topics, draws=variants.draws),
        PAPER.grid("orders", orders, columns, orders=plan["orders"], draws=variants.draws),
        PAPER.grid("draws", draws, columns),
    )


def spread_text(values: Floats) -> str:
    """Of seeds x topics: the least and the largest mean over topics, and the mean standard deviation of a topic."""
    means = values.mean(axis=1)
    return f"{means.min():.3f} to {means.max():.3f}; {values.std(axis=0, ddof=1).mean():.3f}"
