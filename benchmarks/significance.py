"""The randomisation test, 10,000 shuffles of two systems on 7,770 documents x 90 labels, against plain numpy; in one process.

`python -m benchmarks.significance` prints one JSON object.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

import numpy as np

from rubricate import significance

DOCUMENTS, LABELS, SHUFFLES, ROUNDS = 7_770, 90, 10_000, 5


def two_systems() -> tuple[Any, Any, Any]:
    """Decisions of two systems and the truth, labels as unequal as the topics of Reuters."""
    draw = np.random.default_rng(0)
    share = np.r_[0.37, 0.21, np.geomspace(0.07, 0.0003, LABELS - 2)]
    shape = (DOCUMENTS, LABELS)
    truth = draw.random(shape) < share

    def system(wrong: float) -> Any:
        return np.where(truth, draw.random(shape) >= wrong, draw.random(shape) < share * wrong)

    return system(0.15), system(0.18), truth


def f1(decisions: Any, truth: Any, macro: bool) -> float:
    hits, assigned, true = (decisions & truth).sum(axis=0), decisions.sum(axis=0), truth.sum(axis=0)
    if not macro:
        hits, assigned, true = hits.sum(), assigned.sum(), true.sum()
    below = assigned + true
    return float(np.where(below > 0, 2 * hits / np.maximum(below, 1), 1.0).mean())


def obvious(a: Any, b: Any, truth: Any, macro: bool, shuffles: int) -> float:
    """Swap rows by coin, measure both, count."""
    draw = np.random.default_rng(0)
    found = abs(f1(a, truth, macro) - f1(b, truth, macro))
    extreme = 0
    for _ in range(shuffles):
        coin = draw.random(len(truth))[:, None] < 0.5
        first, second = np.where(coin, b, a), np.where(coin, a, b)
        extreme += abs(f1(first, truth, macro) - f1(second, truth, macro)) >= found - 1e-12
    return (1 + extreme) / (1 + shuffles)


def main() -> dict[str, Any]:
    a, b, truth = two_systems()
    out = {}
    for name, macro in (("microF1", False), ("macroF1", True)):
        significance.randomisation(name, a[:100], b[:100], truth[:100], draws=10)
        ours, plain = [], []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            p = significance.randomisation(name, a, b, truth, draws=SHUFFLES).p
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            obvious(a, b, truth, macro, SHUFFLES // 100)
            plain.append((time.perf_counter() - start) * 100)
        out[name] = {"ours": statistics.median(ours), "numpy": statistics.median(plain), "p": p}
    return out


if __name__ == "__main__":
    print(json.dumps(main()))
