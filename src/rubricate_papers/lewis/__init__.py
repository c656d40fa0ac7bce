"""001 Lewis, Schapire, Callan & Papka (1996): Rocchio, Widrow-Hoff and exponentiated gradient for linear text classifiers.

Table 4's form: wins on classes and mean F1 with sign tests, on titles and main texts of Reuters and OHSUMED, small and large
training sets, big and small classes apart. The paper's TREC-AP and MeSH categories are not to be had; what differs:
`replications/001-lewis/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import rubricate as rb

from ..frame import Findings, Plan, Watch
from . import tables
from .claims import claims
from .trials import ALGORITHMS, COLLECTIONS, FORMS, LAST, PAPER, SEGMENTS, Segment, read_segments, repeat_trials


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    recipe = rb.Recipe.lewis().with_(numbers="drop")
    methods = [f"{name}, {form}" for name in ALGORITHMS for form in FORMS]
    return PAPER.plan(recipes=[str(recipe)], methods=methods, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    parts: list[Segment] = []
    texts: dict[str, tuple[rb.Corpus, rb.Corpus]] = {}
    for name in plan["collections"]:
        with watch(f"{COLLECTIONS[name]}: read and counted"):
            both_segments, texts[name] = read_segments(name, data)
            parts += both_segments
    trials = {}
    for n, part in enumerate(parts):
        with watch(f"{part.title}: random orders"):
            for size in plan["sizes"]:
                models = {**ALGORITHMS, **(LAST if plan["last"] and size in plan["table sizes"] else {})}
                trials[n, size] = repeat_trials(part, size, runs=plan.repetitions, seed=plan.seed, models=models)
    results = tables.Results(plan, parts, trials)
    if not plan.quick:
        with watch("the naive way, one class"):
            naive(plan, parts, texts["reuters"], watch)
    with watch("tests"):
        paper_claims = claims(results)
    return Findings(
        tables=(tables.shares_table(results), tables.mean_table(results)),
        grids=(tables.table4(results), tables.printed_grid()),
        figures=tables.figures(results),
        claims=paper_claims,
        best=tables.best(results),
        fingerprints={
            f"{name}, {part}": rb.collections.fingerprint(corpus)
            for name, both in texts.items()
            for part, corpus in zip(("train", "test"), both, strict=True)
        }
        | {f"recipe, {name}": rb.Recipe.lewis().with_(numbers="drop", fields=(name,)).fingerprint for name in SEGMENTS},
    )


def naive(plan: Plan, parts: list[Segment], texts: tuple[rb.Corpus, rb.Corpus], watch: Watch) -> None:
    """One run's words from text, and one class of WH as the formulas are usually written: dense vectors, one class at a time."""
    train, test = texts
    label = parts[0].classes[int(np.argmax(parts[0].frequencies))]
    start = perf_counter()
    weighting = TfidfVectorizer(sublinear_tf=True)
    X, new = weighting.fit_transform(train.texts), weighting.transform(test.texts)
    words = perf_counter() - start
    start = perf_counter()
    y = np.array([label in labels for labels in train.labels], dtype=float)
    w, mean = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for n in np.random.default_rng(plan.seed).permutation(len(y)).tolist():
        at = slice(X.indptr[n], X.indptr[n + 1])
        terms, values = X.indices[at], X.data[at]
        w[terms] -= 0.5 * (w[terms] @ values - y[n]) * values
        mean += w
    scores = X @ mean
    order = np.argsort(-scores)
    f1 = 2 * np.cumsum(y[order]) / (np.arange(1, len(y) + 1) + y.sum())
    truth = np.array([label in labels for labels in test.labels]).astype(int)
    rb.metrics.f_beta((new @ mean >= scores[order[int(np.argmax(f1))]]).astype(int), truth)
    seconds = perf_counter() - start
    runs = plan.repetitions * len(plan["sizes"]) * len(FORMS)
    how = "measured once in this run, on Reuters with all documents (smaller training sets take less)"
    watch.naive("text to words and weights, each run", seconds=words, times=len(parts) * runs, how=how)
    classes = sum(len(part.classes) for part in parts)
    what = "WH and EG, class by class, a dense vector that meets one document after the other"
    watch.naive(what, seconds=seconds, times=classes * runs * 2, how=how)
