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

SMOOTHING = 0.01
COUNT_METHODS: dict[str, rb.models.CountModel] = {
    "MM": rb.models.Multinomial(smoothing=SMOOTHING),
    "SMM": rb.models.SimplifiedMultinomial(smoothing=SMOOTHING),
    "DCM": rb.models.DCM(),
    "EDCM": rb.models.EDCM(),
}
VECTORS = {"TF-IDF SVM": "wilbur_tfidf", "IDF SVM": "wilbur_idf"}
METHODS = (*COUNT_METHODS, *VECTORS)
SVM = rb.models.SupportVector(tol=1e-3)  # SVM-light stops at 0.001


@dataclass(frozen=True, slots=True, eq=False)
class RankingQuality:
    """Which documents rank high enough for break-even of each label; and which documents got their single label."""

    labels: list[str]
    positives: Floats
    hits: Bools  # documents x labels: members among as many documents as there are members
    correct: Bools | None = None
    predictions: Any = None  # the label each document got

    @property
    def bep(self) -> Floats:
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
        """Documents that got their label, %; nan where they have several."""
        return float("nan") if self.correct is None else float(100 * self.correct.mean())

    @property
    def by_document(self) -> Floats:
        return np.asarray(self.hits.sum(axis=1), dtype=np.float64)


def ranking_quality(task: Task, scores: Floats, predictions: Any = None) -> RankingQuality:
    """Of scores documents x labels. predictions: one label a document. Ties go by index (readings 003.12)."""
    truth = task.truth
    hits = np.zeros(truth.shape, dtype=bool)
    for n, member in enumerate(truth.T):
        top = np.argsort(-np.round(scores[:, n], 12), kind="stable")[: member.sum()]
        hits[top, n] = member[top]
    correct = None if predictions is None else np.asarray(predictions) == task.label
    return RankingQuality(task.labels, truth.sum(axis=0).astype(np.float64), hits, correct, predictions)


def by_counts(task: Task, models: Mapping[str, rb.models.CountModel]) -> dict[str, RankingQuality]:
    """All labels in one fit, each against everything else; and once more, label against label, where a document has one."""
    counts, X, out = task.train.counts, task.test.X, {}
    for name, model in models.items():
        odds = clone(model).fit_counts(counts, several_labels=True).class_scores(X)
        predictions = None
        if task.exclusive:
            predictions = clone(model).fit_counts(counts, several_labels=False).predict(X)
        out[name] = ranking_quality(task, odds, predictions)
    return out


def by_svm(task: Task, vectors: Mapping[str, str] = VECTORS) -> dict[str, RankingQuality]:
    """A machine a label; the highest score answers where a document has one label.                       [003 sec. 2.1.4]"""
    counts, out, names = task.train.counts, {}, np.array(task.labels)
    y = [labels[0] for labels in task.train.labels] if task.exclusive else task.train.labels
    for name, form in vectors.items():
        fitted = clone(SVM).fit(rb.vectors.weighted(task.train.X, counts, form), y)
        scores = fitted.class_scores(rb.vectors.weighted(task.test.X, counts, form))
        out[name] = ranking_quality(task, scores, names[scores.argmax(axis=1)] if task.exclusive else None)
    return out
