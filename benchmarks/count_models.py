"""Count models: curves, cross-validation, text to model, DCM; each against doing it the long way in the same process.

`python -m benchmarks.count_models` prints one JSON object.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import digamma
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import rubricate as rb
from rubricate import collections, models
from rubricate.counts import indicator
from rubricate.evidence import Evidence
from rubricate.from_counts import dcm
from rubricate.splits import fold_numbers
from rubricate.term_scores import select
from rubricate.validation import cross_validate, fold_counts, selection_curve

from .text_to_csr import PATTERN
from .texts import data_folder, newsgroups


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
    """DCM of 90 labels: over the table of counts, against the same updates over all (document, term) pairs of a label."""
    table = reuters()
    evidence = Evidence(table.counts)
    dcm.fit(evidence)
    ours, found = timed(lambda: dcm.fit(evidence))
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
    return {"ours": ours, "over_documents": slow, "updates": int(found.iterations.sum())}


def updates(X: Any, alpha: Any, times: int) -> Any:
    """So many updates of eq. 8, vectorised over the non-zero entries of the documents."""
    lengths = np.asarray(X.sum(axis=1)).ravel()
    for _ in range(times):
        own, s = alpha[X.indices], alpha.sum()
        top = np.bincount(X.indices, weights=digamma(X.data + own) - digamma(own), minlength=X.shape[1])
        alpha = alpha * top / (digamma(lengths + s) - digamma(s)).sum()
    return alpha


def validation() -> dict[str, Any]:
    """Ten folds of the 90-topic Reuters, all count models: by subtraction, against fitting on the documents."""
    table = reuters()
    folds = fold_numbers(table.labels, 10, seed=0)
    chosen = {row.name: row.kind() for row in models.MODELS.values() if row.name != "dcm"}
    labels = table.counts.labels

    def subtracting() -> Any:
        return cross_validate(fold_counts(table, folds), table.X, folds, chosen, terms=table.terms)

    once, _ = timed(subtracting)
    alone, _ = timed(
        lambda: cross_validate(fold_counts(table, folds), table.X, folds, chosen, terms=table.terms, jobs=1)
    )
    Y = indicator(table.labels, labels)
    rounds = 2  # of ten folds; the others cost the same

    def refitting() -> None:
        for fold in range(rounds):
            inside = folds == fold
            for model in chosen.values():
                type(model)().fit(table.X[~inside], Y[~inside]).class_scores(table.X[inside])

    again, _ = timed(refitting)
    with_dcm, _ = timed(
        lambda: cross_validate(fold_counts(table, folds), table.X, folds, {"dcm": models.DCM()}, terms=table.terms)
    )
    return {
        "models": len(chosen),
        "subtracting": once,
        "refitting": again * 10 / rounds,
        "dcm": with_dcm,
        "one_thread": alone,
    }


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
