"""Tables 3 and 4 in form: labels that exclude each other, two thirds of the documents for training. Source: 004 sec. 7.1-7.2.

The paper's images and news are not to be had; 20 Newsgroups and WebKB stand in for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from rubricate.corpus import Corpus, collections
from rubricate.corpus.splits import held_out
from rubricate.counts import indicator
from rubricate.counts.one_pass import Table, tabulate
from rubricate.foundation.folds import fold_numbers
from rubricate.measures.metrics import f_beta
from rubricate.models.vectors import Weighting

from ..arrays import Bools, Floats
from .rivals import RAINBOW, predicted
from .settings import Chosen, decided, tried
from .system import EXCLUSIVE, SETTINGS, Setting

__all__ = ["TASKS", "Outcome", "Split", "outcome", "read", "split"]

FOUR = ("course", "faculty", "project", "student")
TASKS = {
    "newsgroups": "20 Newsgroups, 20 groups",
    "webkb4": "WebKB, 4 categories",
    "webkb7": "WebKB, 7 categories",
}


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test documents of one task, with the terms that the training documents have."""

    table: Table
    Y: sparse.csr_array
    X_test: sparse.csr_array
    T: sparse.csr_array
    labels: list[str]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Which test documents each system gets right, its F1 of each label, and what was chosen."""

    right: Mapping[str, Bools]
    f1: Mapping[str, Floats]
    chosen: Chosen
    labels: Sequence[str]
    sizes: tuple[int, int]
    largest: float  # share of the largest label


def read(task: str, data: Path | None) -> Corpus:
    """The documents of a task."""
    if task == "newsgroups":
        return collections.read("20newsgroups", version="bydate", data=data)
    pages = collections.read("webkb", data=data)
    if task == "webkb7":
        return pages
    return pages.at([n for n, own in enumerate(pages.labels) if own[0] in FOUR])


def split(corpus: Corpus, *, seed: int) -> Split:
    """A random third for testing, in every label alike."""
    table = tabulate(corpus)
    test = held_out(table.labels, 1 / 3, seed=seed)
    own = table.at(~test)
    known = np.flatnonzero(np.bincount(own.X.indices, minlength=own.X.shape[1]))
    names = sorted(table.label_names)
    part = Table(
        own.X[:, known],
        table.term_array.take(known),
        own.ids,
        own.label_ends,
        own.label_values,
        own.label_names,
        own.recipe,
    )
    truth = [table.labels[n] for n in np.flatnonzero(test).tolist()]
    return Split(part, indicator(own.labels, names), table.X[test][:, known], indicator(truth, names), names)


def outcome(
    own: Split,
    *,
    folds: int,
    ks: Sequence[int],
    rivals: Sequence[str],
    seed: int,
    settings: Sequence[Setting] = SETTINGS,
) -> Outcome:
    """All systems on one split."""
    numbers = fold_numbers(own.table.labels, folds, seed=seed)
    chosen = tried(own.table.X, own.Y, numbers, EXCLUSIVE, settings=settings, ks=ks).chosen()
    both = decided(own.table.X, own.Y, own.X_test, EXCLUSIVE, chosen)
    answers = {"Rocchio/TF*IDF": both.plain, "Density Estimation": both.density}
    weighting = Weighting.fitted(own.table.counts, "ltc")
    Z, Z_test = weighting.of(own.table.X), weighting.of(own.X_test)
    labels = [label for (label,) in own.table.labels]
    for name in rivals:
        said = predicted(RAINBOW[name], own.table.X, Z, labels, own.X_test, Z_test)
        answers[name] = indicator([[str(label)] for label in said], own.labels).toarray()
    truth = own.T.toarray()
    return Outcome(
        {name: (table * truth).sum(axis=1) == 1 for name, table in answers.items()},
        {name: 100 * f_beta(table, truth) for name, table in answers.items()},
        chosen,
        own.labels,
        (own.table.X.shape[0], own.X_test.shape[0]),
        float(truth.mean(axis=0).max()),
    )
