"""Words chosen by mutual information, their number on held-out documents. Source: 003 sec. 5.1, fig. 3, table 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..arrays import Bools, Floats, Longs
from .methods import COUNTED, Judged
from .tasks import Task

__all__ = ["MODELS", "Selected", "selected"]

MODELS = ("MM", "SMM")


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """sizes: the number of words chosen for each label; judged: with so many; curves: hits of each label at each share of the
    vocabulary, labels x shares."""

    sizes: list[int]
    judged: dict[str, Judged]
    curves: dict[str, Floats]
    positives: Floats

    def micro(self, model: str) -> Floats:
        """Micro break-even at each share of the vocabulary, %."""
        return np.asarray(100 * self.curves[model].sum(axis=0) / self.positives.sum())


def selected(task: Task, inner: Task, *, points: int, labels: Sequence[str] | None = None) -> Selected:
    """For each label: words ranked by word mutual information; the best number of them for MM, of `points` numbers, on the
    documents held out (`inner`); then so many words of the whole training part, for MM and for SMM.      [003 sec. 5.1]

    All numbers of words are one sweep over the ranking. Of equally good numbers the smallest is taken.
    """
    truth, inner_truth = task.truth, inner.truth
    shape = truth.shape
    hits = {name: np.zeros(shape, dtype=bool) for name in MODELS}
    sizes: list[int] = []
    curves: dict[str, list[list[int]]] = {name: [] for name in MODELS}
    for n, label in enumerate(task.labels):
        if labels is not None and label not in labels:
            continue
        held = inner_truth[:, inner.labels.index(label)]
        steps = rb.term_scores.grid(len(inner.train.terms), points)
        tried = swept(["MM"], counted(inner.train, label), inner.test.X, held, steps)["MM"]
        size = max(tried, key=lambda own: (tried[own].sum(), -own))
        sizes.append(size)
        steps = rb.term_scores.grid(len(task.train.terms), points)
        found = swept(MODELS, counted(task.train, label), task.test.X, truth[:, n], [*steps, size])
        for name, own in found.items():
            hits[name][:, n] = own[size]
            curves[name].append([int(own[int(step)].sum()) for step in steps])
    kept = [n for n, label in enumerate(task.labels) if labels is None or label in labels]
    names, positives = [task.labels[n] for n in kept], truth.sum(axis=0)[kept].astype(np.float64)
    out = {name: Judged(names, positives, own[:, kept]) for name, own in hits.items()}
    return Selected(sizes, out, {name: np.array(own, dtype=float) for name, own in curves.items()}, positives)


def counted(table: rb.Table, label: str) -> rb.Counts:
    """Counts of one label and of everything: a binary problem."""
    inside = np.array([[label in own] for own in table.labels], dtype=np.int8)
    return rb.Counts.from_matrix(table.X, inside, table.terms)


def swept(
    models: Sequence[str], counts: rb.Counts, X: Any, truth: Bools, sizes: Sequence[int] | Longs
) -> dict[str, dict[int, Bools]]:
    """The label's documents that each model finds with so many words, for each number of words."""
    order = rb.term_scores.ranked(rb.term_scores.word_mutual_information(counts, label=counts.labels[0]))
    wanted, members = sorted({int(size) for size in sizes}), int(truth.sum())
    out = {}
    for name in models:
        found: list[Bools] = []

        def keep(_: Any, scores: Floats, found: list[Bools] = found) -> float:
            chosen = np.zeros(len(truth), dtype=bool)
            chosen[np.argsort(-np.round(scores[:, 0], 12), kind="stable")[:members]] = True
            found.append(chosen & truth)
            return 0.0

        rb.validation.selection_curve(COUNTED[name], counts, order, X, None, wanted, measure=keep, on_scores=True)
        out[name] = dict(zip(wanted, found, strict=True))
    return out
