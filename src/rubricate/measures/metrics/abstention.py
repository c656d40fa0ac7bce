"""Abstention: how right a classifier is on the part it answers, as it answers more, the most confident answers first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ..inputs import yes_no
from .positions import checked_scores, keys
from .probabilities import top_choice

__all__ = ["AbstentionCurve", "abstention"]


@dataclass(frozen=True, slots=True, eq=False)
class AbstentionCurve:
    """One point a distinct confidence, highest first: answer where confidence >= cut, and so much is answered so well."""

    cut: Floats
    coverage: Floats  # documents answered / all
    accuracy: Floats  # right answers / answers
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


def abstention(confidence: Any, right: Any, *, labels: Sequence[Any] | None = None) -> AbstentionCurve:
    """Coverage and accuracy at every cut.

    confidence, right: a number and 0/1 for each document; or probabilities (scores) documents x labels and the truth, one
    label a document or a 0/1 table: then the highest is the confidence, and any of the document's labels is right.
    Equal confidences (to 12 decimals) are answered together. area: the mean over n = 1 ... all of the accuracy of the n most
    confident answers, expected over the orders of equals.
    """
    sure = checked_scores(confidence, "confidence")
    if sure.ndim == 2:
        sure, good = top_choice(sure, right, labels)
    else:
        good = yes_no(right, "right")
        if good.shape != sure.shape:
            raise InvalidSetting(
                f"confidence of shape {sure.shape} for answers of shape {good.shape}: give one for each"
            )
    sure = keys(sure)
    order = np.argsort(-sure, kind="stable")
    sure, good = sure[order], good[order]
    last = np.flatnonzero(np.append(sure[1:] != sure[:-1], True)[: len(sure)])
    answered, hits = last + 1, np.cumsum(good)[last]
    size, gained = np.diff(answered, prepend=0), np.diff(hits, prepend=0)
    each = np.repeat(gained / size, size)  # of the answers in a run of equals, so many are right, wherever they stand
    running = np.cumsum(each) / np.arange(1, len(each) + 1)
    area = float(running.mean()) if len(running) else float("nan")
    return AbstentionCurve(sure[last], answered / max(len(sure), 1), hits / answered, area)
