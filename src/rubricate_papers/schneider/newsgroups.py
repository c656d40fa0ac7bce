"""20 Newsgroups: five-fold cross-validation by subtraction, numbers of words by cumulative sums. Source: 002 sec. 4, fig. 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from rubricate.corpus import Corpus, collections
from rubricate.counts import Counts
from rubricate.counts.one_pass import Table, tabulate
from rubricate.counts.term_scores import ranked
from rubricate.foundation.folds import fold_numbers
from rubricate.models.from_counts.multinomial import Multinomial
from rubricate.terms.recipe import Recipe
from rubricate.training.validation import fold_counts, selection_curve
from rubricate.training.validation.fold_subtraction import columns_of, with_columns

from ..arrays import Floats

__all__ = ["FOLDS", "articles", "by_fold"]

FOLDS = 5

Scores = Mapping[str, Callable[[Counts], Floats]]


def articles(data: Path | None, *, version: str = "19997", headers: str = "none") -> tuple[Table, Corpus]:
    """The articles in words, without headers and the 100 most frequent words of English; and in text."""
    corpus = collections.read("20newsgroups", version=version, data=data, headers=headers).in_memory()
    return tabulate(corpus, Recipe.schneider()), corpus


def by_fold(table: Table, scores: Scores, sizes: Sequence[int], *, seed: int) -> dict[str, Floats]:
    """Accuracy in % of each score, by fold and number of words. A fold is trained on everything less the fold.  [002 fig. 1]"""
    folds = fold_numbers(table.labels, FOLDS, seed=seed)
    parts = fold_counts(table, folds)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    names = pa.array(table.terms, pa.large_string())
    y = np.array([own[0] for own in table.labels])
    out: dict[str, list[list[float]]] = {name: [] for name in scores}
    for fold, part in enumerate(parts):
        train, inside = total - part, np.flatnonzero(folds == fold)
        X = with_columns(table.X[inside], columns_of(train, names))
        for name, score in scores.items():
            out[name].append(selection_curve(Multinomial(), train, ranked(score(train)), X, y[inside], sizes).values)
    return {name: 100 * np.array(values) for name, values in out.items()}
