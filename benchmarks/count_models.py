"""Count models: curves, cross-validation, text to model, DCM; each against doing it the long way in the same process.

`python -m benchmarks.count_models` prints one JSON object.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from scipy.special import digamma
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import rubricate as rb
from rubricate import collections, models
from rubricate.counts import indicator
from rubricate.counts.term_scores import select
from rubricate.foundation.folds import fold_numbers
from rubricate.models.from_counts import dcm
from rubricate.models.from_counts.evidence import Evidence
from rubricate.training.validation import cross_validate, fold_counts, selection_curve

from .text_to_csr import PATTERN
from .texts import data_folder, newsgroups

MEASURED = 4  # of ten folds that are fitted on documents; the others cost the same


def timed(work: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """The best of some runs, and the result."""
    best, result = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def curve() -> dict[str, Any]:
    """100 sizes of the vocabulary of 20 Newsgroups by dKL: one sweep, against fitting on the selected columns each time."""
    _, texts, labels = newsgroups()
    table = rb.tabulate(texts, rb.Recipe(min_length=2), labels=labels)
    test = fold_numbers(table.labels, 5, seed=0) == 0
    train, new = table.at(~test), table.at(test)
    counts = train.counts.pruned()
    columns = train.counts.positions(counts.terms)
    X, X_new = train.X[:, columns].tocsc(), new.X[:, columns].tocsc()
    y, y_new = (np.array([own[0] for own in part.labels]) for part in (train, new))
    order = select(counts, by="dkl", top=20_000)

    def refit(kind: Any, size: int) -> float:
        chosen = order[:size]
        model = kind().fit(X[:, chosen].tocsr(), y)
        return float(np.mean(model.predict(X_new[:, chosen].tocsr()) == y_new))

    def refit_from_counts(kind: Any, size: int) -> float:
        chosen = order[:size]
        model = kind().fit_counts(counts.select(chosen))
        return float(np.mean(model.predict(X_new[:, chosen].tocsr()) == y_new))

    return {
        kind.__name__: one_curve(
            kind, lambda own: selection_curve(own(), counts, order, X_new, y_new), refit, refit_from_counts
        )
        for kind in (models.Multinomial, models.SimplifiedMultinomial, models.Bernoulli, models.StackedBernoulli)
    }


def one_curve(kind: Any, sweep: Any, refit: Any, refit_from_counts: Any) -> list[float]:
    """Seconds of the sweep, of 100 fits on documents, of 100 fits from counts; a tenth of the fits is made and compared."""
    sweep(kind)  # loads what is compiled; every figure below is one run
    once, found = timed(lambda: sweep(kind))
    sizes = found.sizes[4::10]
    expected = [found.values[found.sizes.index(size)] for size in sizes]
    documents, values = timed(lambda: [refit(kind, size) for size in sizes])
    counts, others = timed(lambda: [refit_from_counts(kind, size) for size in sizes])
    if values != expected or others != expected:
        raise SystemExit(f"{kind.__name__}: the curve differs from refitting")
    scale = len(found.sizes) / len(sizes)
    return [once, documents * scale, counts * scale]


def reuters() -> Any:
    """Documents x terms of the 90 topics' training part."""
    train, _ = collections.load("reuters21578", version="90", data=data_folder())
    return rb.tabulate(train, rb.Recipe.wilbur_kim(pairs=False))


def dirichlet() -> dict[str, Any]:
    """DCM of 90 labels: a hundred updates over the table of counts, against the same over all (document, term) pairs of a
    label; and all the way to the maximum."""
    table = reuters()
    evidence = Evidence(table.counts)
    dcm.fit(evidence)
    ours, found = timed(lambda: dcm.fit(Evidence(table.counts), max_iter=100, tol=0.0), 3)
    labels = indicator(table.labels, table.counts.labels).tocsc()
    start = dcm.fit(evidence, max_iter=0)

    def over_documents() -> list[Any]:
        return [
            updates(table.X[labels[:, [n]].indices], start.row(n), int(found.iterations[n]))
            for n in range(len(table.counts.labels))
        ]

    slow, alphas = timed(over_documents)
    worst = max(np.abs(alpha / np.maximum(found.row(n), 1e-300) - 1)[alpha > 0].max() for n, alpha in enumerate(alphas))
    if worst > 1e-8:
        raise SystemExit(f"DCM differs by {worst}")
    whole, best = timed(lambda: dcm.fit(Evidence(table.counts)), 3)
    return {
        "ours": ours,
        "over_documents": slow,
        "updates": int(found.iterations.sum()),
        "to_rest": whole,
        "at_rest": int(best.converged.sum()),
    }


def updates(X: Any, alpha: Any, times: int) -> Any:
    """So many updates of eq. 8, vectorised over the non-zero entries of the documents."""
    lengths = np.asarray(X.sum(axis=1)).ravel()
    for _ in range(times):
        own, s = alpha[X.indices], alpha.sum()
        top = np.bincount(X.indices, weights=digamma(X.data + own) - digamma(own), minlength=X.shape[1])
        alpha = alpha * top / (digamma(lengths + s) - digamma(s)).sum()
    return alpha


def validation() -> dict[str, Any]:
    """Ten folds of the 90-topic Reuters, all nine count models: by subtraction, against our own `fit` on the documents of each
    fold for each model. Both with one core and one thread, and both with two threads, a fold each."""
    table = reuters()
    folds = fold_numbers(table.labels, 10, seed=0)
    chosen = {row.name: row.kind() for row in models.COUNT_MODELS.values()}
    chosen["dcm"] = models.DCM(jobs=1)  # threads are for folds, on both sides
    Y = indicator(table.labels, table.counts.labels)
    check_scores(table, folds, chosen, Y)

    def subtracting(threads: int) -> None:
        cross_validate(fold_counts(table, folds), table.X, folds, chosen, terms=table.terms, jobs=threads)

    def one_fold(fold: int) -> None:
        inside = folds == fold
        X, y, new = table.X[~inside], Y[~inside], table.X[inside]
        for model in chosen.values():
            fitted = clone(model).fit(X, y)
            fitted.decide(fitted.class_scores(new))

    def refitting(threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(one_fold, range(MEASURED)))

    found: dict[str, Any] = {"models": len(chosen), "folds_refitted": MEASURED}
    for threads in (1, 2):
        with cores(threads):
            sides = partial(subtracting, threads), partial(refitting, threads)
            seconds = [[timed(side)[0] for side in sides] for _ in range(3)]
        ours, again = (statistics.median(side) for side in zip(*seconds, strict=True))
        found[f"subtracting_{threads}"], found[f"refitting_{threads}"] = ours, again * 10 / MEASURED
    return found


def check_scores(table: Any, folds: Any, chosen: Any, Y: Any) -> None:
    """The first fold's scores are those of a fit on its training documents; this also loads what is compiled."""
    found = cross_validate(fold_counts(table, folds), table.X, folds, chosen, terms=table.terms)
    inside = folds == 0
    used = np.flatnonzero(np.asarray(table.X[~inside].sum(axis=0)).ravel())  # subtraction forgets the other terms
    labels = np.flatnonzero(np.asarray(Y[~inside].sum(axis=0)).ravel())
    for name, model in chosen.items():
        fitted = clone(model).fit(table.X[~inside][:, used], Y[~inside])
        scores = fitted.class_scores(table.X[inside][:, used])[:, labels]
        if not np.allclose(found.scores[name][inside][:, labels], scores, rtol=1e-9, atol=1e-9):
            raise SystemExit(f"{name}: the scores differ from those of a fit on documents")


@contextmanager
def cores(n: int) -> Iterator[None]:
    """With n of the cores this process may use, where the system lets it choose."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-n:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def text_to_model() -> dict[str, Any]:
    """Raw text to a trained multinomial on 20 Newsgroups, against CountVectorizer and MultinomialNB; same predictions."""
    _, texts, labels = newsgroups()
    recipe = rb.Recipe(min_length=2)
    ours, made = timed(lambda: models.Multinomial().fit_counts(rb.count(texts, recipe, labels=labels)), 3)
    vectorizer = CountVectorizer(preprocessor=str.casefold, token_pattern=PATTERN)
    peer, fitted = timed(lambda: MultinomialNB().fit(vectorizer.fit_transform(texts), labels), 3)
    some = texts[::10]
    same = made.predict(rb.tabulate(some, recipe, terms=made.counts_.terms).X) == fitted.predict(
        vectorizer.transform(some)
    )
    if not same.all():
        raise SystemExit("predictions differ")
    return {"ours": ours, "sklearn": peer}


if __name__ == "__main__":
    parts = {"curve": curve, "validation": validation, "dirichlet": dirichlet, "text_to_model": text_to_model}
    print(json.dumps({name: part() for name, part in parts.items()}))
