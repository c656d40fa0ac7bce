"""Tables 3 and 4 in form: labels that exclude each other, two thirds of the documents for training. Source: 004 sec. 7.1-7.2.

The paper's images and news are not to be had; 20 Newsgroups and WebKB stand in for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats
from .rivals import RAINBOW, predict_labels
from .settings import Choice, cross_validate, decide
from .system import EXCLUSIVE, SETTINGS, Setting

FOUR = ("course", "faculty", "project", "student")
TASKS = {
    "newsgroups": "20 Newsgroups, 20 groups",
    "webkb4": "WebKB, 4 categories",
    "webkb7": "WebKB, 7 categories",
}


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test documents of one task, with the terms that the training documents have."""

    table: rb.Table
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    labels: list[str]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Which test documents each system classifies correctly, its F1 of each label, and the settings chosen."""

    correct: Mapping[str, Bools]
    f1: Mapping[str, Floats]
    choice: Choice
    labels: Sequence[str]
    sizes: tuple[int, int]
    largest: float  # share of the largest label


def read_documents(task: str, data: Path | None) -> rb.Corpus:
    if task == "newsgroups":
        return rb.collections.read("20newsgroups", version="bydate", data=data)
    pages = rb.collections.read("webkb", data=data)
    if task == "webkb7":
        return pages
    return pages.at([n for n, labels in enumerate(pages.labels) if labels[0] in FOUR])


def split(corpus: rb.Corpus, *, seed: int) -> Split:
    """A random third for testing, stratified by label."""
    table = rb.tabulate(corpus)
    test = rb.validation.held_out(table.labels, 1 / 3, seed=seed)
    train = table.at(~test)
    known = np.flatnonzero(np.bincount(train.X.indices, minlength=train.X.shape[1]))
    names = sorted(table.label_names)
    part = rb.Table(
        train.X[:, known],
        table.term_array.take(known),
        train.ids,
        train.label_ends,
        train.label_values,
        train.label_names,
        train.recipe,
    )
    truth = [table.labels[n] for n in np.flatnonzero(test).tolist()]
    return Split(
        part,
        rb.counts.indicator(train.labels, names),
        table.X[test][:, known],
        rb.counts.indicator(truth, names),
        names,
    )


def outcome(
    split: Split,
    *,
    folds: int,
    ks: Sequence[int],
    rivals: Sequence[str],
    seed: int,
    settings: Sequence[Setting] = SETTINGS,
) -> Outcome:
    """All systems on one split."""
    numbers = rb.validation.fold_numbers(split.table.labels, folds, seed=seed)
    choice = cross_validate(split.table.X, split.Y, numbers, EXCLUSIVE, settings=settings, ks=ks).choice()
    ours = decide(split.table.X, split.Y, split.X_test, EXCLUSIVE, choice)
    decisions = {"Rocchio/TF*IDF": ours.plain, "Density Estimation": ours.density}
    weighting = rb.vectors.Weighting.fitted(split.table.counts, "ltc")
    Z, Z_test = weighting.of(split.table.X), weighting.of(split.X_test)
    labels = [label for (label,) in split.table.labels]
    for name in rivals:
        predictions = predict_labels(RAINBOW[name], split.table.X, Z, labels, split.X_test, Z_test)
        decisions[name] = rb.counts.indicator([[str(label)] for label in predictions], split.labels).toarray()
    truth = split.T.toarray()
    return Outcome(
        {name: (table * truth).sum(axis=1) == 1 for name, table in decisions.items()},
        {name: 100 * rb.metrics.f_beta(table, truth) for name, table in decisions.items()},
        choice,
        split.labels,
        (split.table.X.shape[0], split.X_test.shape[0]),
        float(truth.mean(axis=0).max()),
    )
