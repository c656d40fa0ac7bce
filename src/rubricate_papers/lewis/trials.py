"""One trial: so many training documents in a random order, every method, F1 of every class on the test documents. Source: 001
sec. 6.3: all features, idf of the run's own training documents, one pass, mean vector, threshold with the best training F1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

import rubricate as rb

from ..arrays import Bools, Floats
from ..frame.published import published

PAPER = published("lewis")
Method = tuple[str, str]  # algorithm, representation
Trials = Mapping[Method, Floats]  # runs x classes

COLLECTIONS = {"reuters": "Reuters", "ohsumed": "OHSUMED"}
SEGMENTS = {"title": "titles", "body": "bodies"}
FORMS = ("binary", "tf x idf")
GROUPS = ("big", "small")
ALGORITHMS: Mapping[str, Any] = {
    "Rocchio": rb.models.Rocchio(),
    "WH": rb.models.WidrowHoff(),
    "EG": rb.models.ExponentiatedGradient(),
}
LAST: Mapping[str, Any] = {
    "WH, last vector": rb.models.WidrowHoff(average=False),
    "EG, last vector": rb.models.ExponentiatedGradient(average=False),
}


@dataclass(frozen=True, eq=False)
class Segment:
    """Titles or main texts of a collection; classes of at least 15 training documents."""

    collection: str
    name: str
    X: sparse.csr_array
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    classes: list[str]
    frequencies: Any  # of the classes, in all training documents

    @property
    def title(self) -> str:
        texts = "abstracts" if (self.collection, self.name) == ("ohsumed", "body") else SEGMENTS[self.name]
        return f"{COLLECTIONS[self.collection]} {texts}"

    def group(self, which: str) -> Bools:
        """Big or small classes. Reuters: 75 training documents and more, or 15 to 74, as in 001; OHSUMED's 23 classes nearly all
        have more, and are halved at the median."""
        limit = 75 if self.collection == "reuters" else np.median(self.frequencies)
        big: Bools = self.frequencies >= limit
        return big if which == "big" else ~big


def read_segments(collection: str, data: Path | None) -> tuple[list[Segment], tuple[rb.Corpus, rb.Corpus]]:
    name, version = ("reuters21578", "90") if collection == "reuters" else ("ohsumed", None)
    train, test = rb.collections.load(name, version=version, data=data)
    out = []
    for name in SEGMENTS:
        table = rb.tabulate(train, rb.Recipe.lewis().with_(fields=(name,), numbers="drop"))
        X_test = rb.tabulate(test, table.recipe, terms=table.terms).X
        names = sorted({label for labels in table.labels for label in labels})
        Y, T = rb.counts.indicator(table.labels, names), rb.counts.indicator(test.labels, names)
        frequencies = np.asarray(Y.sum(axis=0)).ravel()
        frequent = np.flatnonzero(frequencies >= 15)
        classes = [names[n] for n in frequent.tolist()]
        Y, T = Y[:, frequent], T[:, frequent]
        out.append(Segment(collection, name, table.X, Y, X_test, T, classes, frequencies[frequent]))
    return out, (train, test)


def represent(X: sparse.csr_array, new: sparse.csr_array, form: str) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Training and test documents as binary or tf x idf vectors; idf is that of these training documents."""
    if form == "binary":
        return rb.vectors.binary(X.astype(np.float64)), rb.vectors.binary(new.astype(np.float64))
    df = np.bincount(X.indices, minlength=X.shape[1])
    idf = np.log(X.shape[0] / np.maximum(df, 1)) * (df > 0)
    return rb.vectors.ltc(X.astype(np.float64), idf), rb.vectors.ltc(new.astype(np.float64), idf)


def trial(segment: Segment, rows: Any, models: Mapping[str, Any]) -> dict[Method, Floats]:
    """F1 of each class. rows: training documents in the order in which they are learned, the same for all methods."""
    Y, truth, out = segment.Y[rows], segment.T.toarray(), {}
    for form in FORMS:
        X, new = represent(segment.X[rows], segment.X_test, form)
        for name, model in models.items():
            fitted = clone(model)
            if not isinstance(model, rb.models.Rocchio):
                fitted.set_params(order=np.arange(len(rows)))
            out[name, form] = np.asarray(rb.metrics.f_beta(fitted.fit(X, Y).predict(new), truth))
    return out


def repeat_trials(
    segment: Segment, size: int, *, runs: int, seed: int, models: Mapping[str, Any] = ALGORITHMS
) -> Trials:
    """So many random training sets in random order. Size 0 is all documents: Rocchio, which has no order, then runs once."""
    n = segment.X.shape[0]
    results: list[dict[Method, Floats]] = []
    for run in range(runs):
        rows = np.random.default_rng([seed, run]).permutation(n)[: size or n]
        if results and size in (0, n):
            ordered = {name: model for name, model in models.items() if not isinstance(model, rb.models.Rocchio)}
            results.append({**results[0], **trial(segment, rows, ordered)})
        else:
            results.append(trial(segment, rows, models))
    return {key: np.array([result[key] for result in results]) for key in results[0]}
