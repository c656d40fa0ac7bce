"""Words chosen by mutual information, their number on held-out documents. Source: 003 sec. 5.1, fig. 3, table 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rubricate as rb

from ..arrays import Bools, Floats, Longs
from .methods import COUNT_METHODS, RankingQuality
from .tasks import Task

MODELS = ("MM", "SMM")


@dataclass(frozen=True, slots=True, eq=False)
class TermSelection:
    """sizes: the number of words chosen for each label; quality: with so many; curves: hits of each label at each share of the
    vocabulary, labels x shares."""

    sizes: list[int]
    quality: dict[str, RankingQuality]
    curves: dict[str, Floats]
    positives: Floats

    def micro(self, model: str) -> Floats:
        """Micro break-even at each share of the vocabulary, %."""
        return np.asarray(100 * self.curves[model].sum(axis=0) / self.positives.sum())


def select_terms(task: Task, inner: Task, *, points: int) -> TermSelection:
    """For each label: words ranked by word mutual information; the best number of them for MM, of `points` numbers, on the
    documents held out (`inner`); then so many words of the whole training part, for MM and for SMM.      [003 sec. 5.1]

    All numbers of words are one sweep over the ranking. Of equally good numbers the smallest is taken.
    """
    truth, inner_truth = task.truth, inner.truth
    hits = {name: np.zeros(truth.shape, dtype=bool) for name in MODELS}
    sizes: list[int] = []
    curves: dict[str, list[list[int]]] = {name: [] for name in MODELS}
    for n, label in enumerate(task.labels):
        inner_member = inner_truth[:, inner.labels.index(label)]
        steps = rb.term_scores.grid(len(inner.train.terms), points)
        by_size = hits_by_size(["MM"], binary_counts(inner.train, label), inner.test.X, inner_member, steps)["MM"]
        size = max(by_size, key=lambda n: (by_size[n].sum(), -n))
        sizes.append(size)
        steps = rb.term_scores.grid(len(task.train.terms), points)
        by_model = hits_by_size(MODELS, binary_counts(task.train, label), task.test.X, truth[:, n], [*steps, size])
        for name, retrieved in by_model.items():
            hits[name][:, n] = retrieved[size]
            curves[name].append([int(retrieved[int(step)].sum()) for step in steps])
    positives = truth.sum(axis=0).astype(np.float64)
    quality = {name: RankingQuality(task.labels, positives, retrieved) for name, retrieved in hits.items()}
    hits_by_share = {name: np.array(curve, dtype=float) for name, curve in curves.items()}
    return TermSelection(sizes, quality, hits_by_share, positives)


def binary_counts(table: rb.Table, label: str) -> rb.Counts:
    """Counts of one label and of everything: a binary problem."""
    inside = np.array([[label in labels] for labels in table.labels], dtype=np.int8)
    return rb.Counts.from_matrix(table.X, inside, table.terms)


def hits_by_size(
    models: Sequence[str], counts: rb.Counts, X: Any, truth: Bools, sizes: Sequence[int] | Longs
) -> dict[str, dict[int, Bools]]:
    """The label's documents that each model finds with so many words, for each number of words."""
    order = rb.term_scores.ranked(rb.term_scores.word_mutual_information(counts, label=counts.labels[0]))
    n_words, members = sorted({int(size) for size in sizes}), int(truth.sum())
    out = {}
    for name in models:
        hits: list[Bools] = []

        def keep(_: Any, scores: Floats, hits: list[Bools] = hits) -> float:
            retrieved = np.zeros(len(truth), dtype=bool)
            retrieved[np.argsort(-np.round(scores[:, 0], 12), kind="stable")[:members]] = True
            hits.append(retrieved & truth)
            return 0.0

        model = COUNT_METHODS[name]
        rb.validation.selection_curve(model, counts, order, X, None, n_words, measure=keep, on_scores=True)
        out[name] = dict(zip(n_words, hits, strict=True))
    return out
