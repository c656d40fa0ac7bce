"""20 Newsgroups: five-fold cross-validation by subtraction, numbers of words by cumulative sums. Source: 002 sec. 4, fig. 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np

import rubricate as rb

from ..arrays import Floats, in_terms_of

FOLDS = 5

Scores = Mapping[str, Callable[[rb.Counts], Floats]]


def read_articles(data: Path | None, *, version: str = "19997", headers: str = "none") -> tuple[rb.Table, rb.Corpus]:
    """The articles in words, without headers and the 100 most frequent words of English; and in text."""
    corpus = rb.collections.read("20newsgroups", version=version, data=data, headers=headers).in_memory()
    return rb.tabulate(corpus, rb.Recipe.schneider()), corpus


def by_fold(table: rb.Table, scores: Scores, sizes: Sequence[int], *, seed: int) -> dict[str, Floats]:
    """Accuracy in % of each score, by fold and number of words. A fold is trained on everything less the fold.  [002 fig. 1]"""
    folds = rb.validation.fold_numbers(table.labels, FOLDS, seed=seed)
    parts = rb.validation.fold_counts(table, folds)
    total = reduce(add, parts)
    y = np.array([labels[0] for labels in table.labels])
    out: dict[str, list[list[float]]] = {name: [] for name in scores}
    for fold, part in enumerate(parts):
        train, inside = total - part, np.flatnonzero(folds == fold)
        X = in_terms_of(train, table, inside)
        for name, score in scores.items():
            out[name].append(
                rb.validation.selection_curve(
                    rb.models.Multinomial(), train, rb.term_scores.ranked(score(train)), X, y[inside], sizes
                ).values
            )
    return {name: 100 * np.array(values) for name, values in out.items()}
