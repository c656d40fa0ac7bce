"""MBM and stacked MBM: f_limit chosen on held-out documents; the higher levels alone against shuffled scores.
Source: 003 sec. 5.2, fig. 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

import rubricate as rb

from ..arrays import Array, Floats, Longs, in_terms_of
from .methods import SMOOTHING, RankingQuality, by_counts
from .tasks import Task

LEVELS = 5  # local frequencies of 2 to 5: 003 sec. 5.2


def model(f_limit: int) -> rb.models.StackedBernoulli:
    """f_limit = 1 is MBM."""
    return rb.models.StackedBernoulli(f_limit=f_limit, smoothing=SMOOTHING)


@dataclass(frozen=True, slots=True, eq=False)
class Stacked:
    """Every f_limit on the test part, and the one chosen on held-out documents: for each label, and for accuracy."""

    limits: tuple[int, ...]
    quality: dict[int, RankingQuality]
    chosen_limits: Longs
    chosen_above_one: Longs  # where 1, which is MBM itself, may not be chosen
    chosen_for_accuracy: int

    @property
    def bep(self) -> Floats:
        """Break-even of each label with the f_limit chosen for it, %."""
        return self.bep_with(self.chosen_limits)

    def bep_with(self, limits: Longs) -> Floats:
        """Break-even of each label with an f_limit for each, %."""
        return np.array([self.quality[int(limit)].bep[n] for n, limit in enumerate(limits)])

    @property
    def hits(self) -> Longs:
        """Members found of each label, with the f_limit chosen for it."""
        return np.array([self.quality[int(limit)].hits[:, n].sum() for n, limit in enumerate(self.chosen_limits)])

    @property
    def micro(self) -> float:
        """Of all labels together, each with its f_limit, %."""
        return float(100 * self.hits.sum() / self.quality[1].positives.sum())


def choose_f_limit(task: Task, inner: Task, limits: Sequence[int]) -> Stacked:
    """Choose f_limit for each label on `inner`, the training documents with some of them held out. Of equally good ones the
    smallest is taken; limits begin with 1."""
    models = {str(limit): model(limit) for limit in limits}
    inner_quality = list(by_counts(inner, models).values())
    quality = dict(zip(limits, by_counts(task, models).values(), strict=True))
    order = [inner.labels.index(label) for label in task.labels]
    hits = np.array([of_limit.hits.sum(axis=0)[order] for of_limit in inner_quality])
    best = int(np.argmax([of_limit.accuracy for of_limit in inner_quality])) if task.exclusive else 0
    best_limits, best_above_one = hits.argmax(axis=0), 1 + hits[1:].argmax(axis=0)
    return Stacked(
        tuple(limits), quality, np.array(limits)[best_limits], np.array(limits)[best_above_one], limits[best]
    )


def by_fold(
    table: rb.Table, folds: Array, tested: Sequence[int], limits: Sequence[int]
) -> list[tuple[float, float, int]]:
    """Accuracy in % of MBM, of stacked MBM, and its f_limit, in each fold: chosen on the next fold, by a model that saw neither.
    Counts of folds are subtracted."""
    parts = rb.validation.fold_counts(table, folds)
    total = reduce(add, parts)
    out = []
    for fold in tested:
        other = (fold + 1) % len(parts)
        outside = total - parts[fold]
        accuracies = [accuracy_of(outside - parts[other], table, folds == other, limit) for limit in limits]
        best_limit = limits[int(np.argmax(accuracies))]
        plain, best = (accuracy_of(outside, table, folds == fold, limit) for limit in (1, best_limit))
        out.append((100 * plain, 100 * best, best_limit))
    return out


def accuracy_of(train: rb.Counts, table: rb.Table, inside: Array, limit: int) -> float:
    X = in_terms_of(train, table, np.flatnonzero(inside))
    predictions = model(limit).fit_counts(train, several_labels=False).predict(X)
    return float(np.mean(predictions == np.array([labels[0] for labels in table.at(inside).labels])))


def higher_levels(task: Task, *, draws: int, seed: int) -> rb.metrics.Shuffled:
    """Levels 2 to 5 alone, and what shuffled scores get.                                                     [003 sec. 5.2]"""
    alone = rb.models.StackedBernoulli(f_limit=LEVELS, smoothing=SMOOTHING, higher_only=True)
    scores = alone.fit_counts(task.train.counts, several_labels=True).class_scores(task.test.X)
    return rb.metrics.shuffled(scores, task.truth, draws=draws, random_state=seed)
