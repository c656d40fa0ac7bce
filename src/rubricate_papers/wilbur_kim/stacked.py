"""MBM and stacked MBM: f_limit chosen on held-out documents; the higher levels alone against shuffled scores.
Source: 003 sec. 5.2, fig. 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import rubricate as rb

from ..arrays import Array, Floats, Longs, in_terms_of
from .methods import SMOOTHING, Judged, by_counts
from .tasks import Task

__all__ = ["LEVELS", "Stacked", "by_fold", "higher_levels", "stacked"]

LEVELS = (
    5  # local frequencies of 2 to 5                                                                   [003 sec. 5.2]
)


def model(f_limit: int) -> rb.models.StackedBernoulli:
    """f_limit = 1 is MBM."""
    return rb.models.StackedBernoulli(f_limit=f_limit, smoothing=SMOOTHING)


@dataclass(frozen=True, slots=True, eq=False)
class Stacked:
    """Every f_limit on the test part, and which one the held-out documents say: for each label, and for accuracy."""

    limits: tuple[int, ...]
    judged: dict[int, Judged]
    chosen: Longs
    chosen_above_one: Longs  # where 1, which is MBM itself, may not be chosen
    chosen_for_accuracy: int

    @property
    def bep(self) -> Floats:
        """Break-even of each label with the f_limit chosen for it, %."""
        return self.bep_with(self.chosen)

    def bep_with(self, chosen: Longs) -> Floats:
        """Break-even of each label with an f_limit for each, %."""
        return np.array([self.judged[int(limit)].bep[n] for n, limit in enumerate(chosen)])

    @property
    def hits(self) -> Longs:
        """Members found of each label, with the f_limit chosen for it."""
        return np.array([self.judged[int(limit)].hits[:, n].sum() for n, limit in enumerate(self.chosen)])

    @property
    def micro(self) -> float:
        """Of all labels together, each with its f_limit, %."""
        return float(100 * self.hits.sum() / self.judged[1].positives.sum())


def stacked(task: Task, inner: Task, limits: Sequence[int]) -> Stacked:
    """Choose f_limit for each label on `inner`, the training documents with some of them held out. Of equally good ones the
    smallest is taken; limits begin with 1."""
    models = {str(limit): model(limit) for limit in limits}
    tried = list(by_counts(inner, models).values())
    found = by_counts(task, models)
    order = [inner.labels.index(label) for label in task.labels]
    hits = np.array([own.hits.sum(axis=0)[order] for own in tried])
    best = int(np.argmax([own.accuracy for own in tried])) if task.exclusive else 0
    return Stacked(
        tuple(limits),
        {limit: found[str(limit)] for limit in limits},
        np.array(limits)[hits.argmax(axis=0)],
        np.array(limits)[1 + hits[1:].argmax(axis=0)],
        limits[best],
    )


def by_fold(
    table: rb.Table, folds: Array, tested: Sequence[int], limits: Sequence[int]
) -> list[tuple[float, float, int]]:
    """Accuracy in % of MBM, of stacked MBM, and its f_limit, in each fold: chosen on the next fold, by a model that saw neither.
    Counts of folds are subtracted."""
    parts = rb.validation.fold_counts(table, folds)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    out = []
    for fold in tested:
        other = (fold + 1) % len(parts)
        outside = total - parts[fold]
        tried = [share_right(outside - parts[other], table, folds == other, limit) for limit in limits]
        chosen = limits[int(np.argmax(tried))]
        plain, best = (share_right(outside, table, folds == fold, limit) for limit in (1, chosen))
        out.append((100 * plain, 100 * best, chosen))
    return out


def share_right(train: rb.Counts, table: rb.Table, inside: Array, limit: int) -> float:
    """Accuracy on some documents of a model fitted from counts."""
    X = in_terms_of(train, table, np.flatnonzero(inside))
    answers = model(limit).fit_counts(train, several_labels=False).predict(X)
    return float(np.mean(answers == np.array([own[0] for own in table.at(inside).labels])))


def higher_levels(task: Task, *, draws: int, seed: int) -> rb.metrics.Shuffled:
    """Levels 2 to 5 alone, and what shuffled scores get.                                                     [003 sec. 5.2]"""
    alone = rb.models.StackedBernoulli(f_limit=LEVELS, smoothing=SMOOTHING, higher_only=True)
    scores = alone.fit_counts(task.train.counts, several_labels=True).class_scores(task.test.X)
    return rb.metrics.shuffled(scores, task.truth, draws=draws, random_state=seed)
