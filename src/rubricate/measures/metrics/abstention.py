"""Abstention: the accuracy of a classifier on the documents it answers, as it answers more, the most confident first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ..inputs import checked_scores, sklearn_keywords, yes_no
from .probabilities import top_choice
from .ranking import rounded


@dataclass(frozen=True, slots=True, eq=False)
class AbstentionCurve:
    """One point a distinct confidence, highest first: answer where confidence >= cut, and so much is answered so well."""

    cut: Floats
    coverage: Floats  # documents answered / all
    accuracy: Floats  # correct answers / answers
    area: float

    def for_accuracy(self, wanted: float) -> tuple[float, float]:
        """The cut with the largest coverage whose accuracy is at least that, and that coverage; (inf, 0) if none is."""
        enough = np.flatnonzero(self.accuracy >= wanted - 1e-12)
        return (float(self.cut[enough[-1]]), float(self.coverage[enough[-1]])) if len(enough) else (float("inf"), 0.0)

    def for_coverage(self, wanted: float) -> tuple[float, float]:
        """The highest cut that answers at least this share of documents, and the accuracy there."""
        enough = np.flatnonzero(self.coverage >= wanted - 1e-12)
        if not len(enough):
            raise InvalidSetting(f"coverage {wanted}: give a share from 0 to 1 of at least one document")
        return float(self.cut[enough[0]]), float(self.accuracy[enough[0]])


@sklearn_keywords("y_score", "y_proba")
def abstention(confidence: Any, right: Any, *, labels: Sequence[Any] | None = None) -> AbstentionCurve:
    """Coverage and accuracy at every threshold.

    confidence, right: a number and 0/1 for each document; or probabilities (scores) documents x labels and the truth, one
    label a document or a 0/1 table: then the highest is the confidence, and any of the document's labels is right.
    Equal confidences (to 12 decimals) are answered together. area: the mean over n = 1 ... all of the accuracy of the n most
    confident answers, expected over the orders of equals.
    """
    sureness = checked_scores(confidence, "confidence")
    if sureness.ndim == 2:
        sureness, correct = top_choice(sureness, right, labels)
    else:
        correct = yes_no(right, "right")
        if correct.shape != sureness.shape:
            raise InvalidSetting(
                f"confidence of shape {sureness.shape} for answers of shape {correct.shape}: give one for each"
            )
    sureness = rounded(sureness)
    order = np.argsort(-sureness, kind="stable")
    sureness, correct = sureness[order], correct[order]
    last = np.flatnonzero(np.append(sureness[1:] != sureness[:-1], True)[: len(sureness)])
    answered, hits = last + 1, np.cumsum(correct)[last]
    size, gained = np.diff(answered, prepend=0), np.diff(hits, prepend=0)
    each = np.repeat(gained / size, size)  # in a run of equals every place has the run's share of correct answers
    running = np.cumsum(each) / np.arange(1, len(each) + 1)
    area = float(running.mean()) if len(running) else float("nan")
    return AbstentionCurve(sureness[last], answered / max(len(sureness), 1), hits / answered, area)
