"""The methods of figure 1, and what they are judged by: break-even of each label, accuracy where a document has one label.
Source: 003 sec. 2.1, 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

import rubricate as rb

from ..arrays import Bools, Floats
from .tasks import Task

__all__ = ["COUNTED", "MACHINE", "METHODS", "SMOOTHING", "VECTORS", "Judged", "by_counts", "by_machine", "judged"]

SMOOTHING = 0.01
COUNTED: dict[str, rb.models.CountModel] = {
    "MM": rb.models.Multinomial(smoothing=SMOOTHING),
    "SMM": rb.models.SimplifiedMultinomial(smoothing=SMOOTHING),
    "DCM": rb.models.DCM(),
    "EDCM": rb.models.EDCM(),
}
VECTORS = {"TF-IDF SVM": "wilbur_tfidf", "IDF SVM": "wilbur_idf"}
METHODS = (*COUNTED, *VECTORS)
MACHINE = rb.models.SupportVector(tol=1e-3)  # SVM-light stops at 0.001


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """How good a ranking of test documents is for each label; and which documents got their one label."""

    labels: list[str]
    positives: Floats
    hits: Bools  # documents x labels: members among as many documents as there are members
    right: Bools | None = None
    answers: Any = None  # the label each document got

    @property
    def bep(self) -> Floats:
        """Break-even of each label, %."""
        with np.errstate(invalid="ignore"):
            return np.asarray(100 * self.hits.sum(axis=0) / self.positives)

    @property
    def micro(self) -> float:
        """Hits over members, of all labels, %."""
        return float(100 * self.hits.sum() / self.positives.sum())

    @property
    def macro(self) -> float:
        """The mean over labels with members, %."""
        return float(np.nanmean(self.bep))

    @property
    def accuracy(self) -> float:
        """Documents that got their label, %."""
        return float("nan") if self.right is None else float(100 * self.right.mean())

    @property
    def by_document(self) -> Floats:
        """Hits of each document, for tests."""
        return np.asarray(self.hits.sum(axis=1), dtype=np.float64)


def judged(task: Task, scores: Floats, answers: Any = None) -> Judged:
    """Of scores documents x labels; answers: one label a document. Ties go by index (readings 003.12)."""
    truth = task.truth
    hits = np.zeros(truth.shape, dtype=bool)
    for n, own in enumerate(truth.T):
        top = np.argsort(-np.round(scores[:, n], 12), kind="stable")[: own.sum()]
        hits[top, n] = own[top]
    right = None if answers is None else np.asarray(answers) == task.own_label
    return Judged(task.labels, truth.sum(axis=0).astype(np.float64), hits, right, answers)


def by_counts(task: Task, models: Mapping[str, rb.models.CountModel]) -> dict[str, Judged]:
    """All labels in one fit, each against everything else; and once more, label against label, where a document has one."""
    counts, X, out = task.train.counts, task.test.X, {}
    for name, model in models.items():
        odds = clone(model).fit_counts(counts, several_labels=True).class_scores(X)
        answers = None
        if task.exclusive:
            answers = clone(model).fit_counts(counts, several_labels=False).predict(X)
        out[name] = judged(task, odds, answers)
    return out


def by_machine(
    task: Task, vectors: Mapping[str, str] = VECTORS, machine: rb.models.SupportVector = MACHINE
) -> dict[str, Judged]:
    """A machine a label; the highest score answers where a document has one label.                       [003 sec. 2.1.4]"""
    counts, out, names = task.train.counts, {}, np.array(task.labels)
    y = [own[0] for own in task.train.labels] if task.exclusive else task.train.labels
    for name, form in vectors.items():
        fitted = clone(machine).fit(rb.vectors.weighted(task.train.X, counts, form), y)
        scores = fitted.class_scores(rb.vectors.weighted(task.test.X, counts, form))
        out[name] = judged(task, scores, names[scores.argmax(axis=1)] if task.exclusive else None)
    return out
