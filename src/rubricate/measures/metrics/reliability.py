"""Calibration: of what is given a probability of 0.8, is 80% true?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Longs
from ...storage.registry import stored
from ..inputs import checked_probabilities, sklearn_keywords
from .probabilities import exclusive, questions, top_choice
from .ranking import rounded


@stored("calibrated.reliability", keys=("probability", "share_true", "count"))
@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Bins by rising probability: the mean probability in each, the share that was true, and how many answers it has."""

    probability: Floats
    share_true: Floats
    count: Longs

    @property
    def error(self) -> float:
        """The mean of |probability - share true| over answers: the expected calibration error."""
        n = self.count.sum()
        return float((self.count * np.abs(self.probability - self.share_true)).sum() / n) if n else float("nan")

    @property
    def largest_gap(self) -> float:
        """The largest |probability - share true| of a bin."""
        return float(np.abs(self.probability - self.share_true).max()) if len(self.count) else float("nan")


@sklearn_keywords("y_proba")
def reliability(probabilities: Any, truth: Any, *, bins: int = 10, labels: Sequence[Any] | None = None) -> Reliability:
    """Answers in bins of equal mass. Shapes as in `log_loss`; of exclusive labels the most probable one is the answer.

    The answers, by rising probability, are dealt into `bins` bins as equal as can be. Equal probabilities (to 12 decimals)
    stay together, in the bin where their middle falls: bins are then unequal, and there may be fewer.
    """
    if isinstance(bins, bool) or int(bins) != bins or bins < 1:
        raise InvalidSetting(f"bins={bins!r}: give a whole number from 1")
    p = checked_probabilities(probabilities)
    p, true = top_choice(p, truth, labels) if exclusive(p, truth) else questions(p, truth)
    p, true = p.ravel(), true.ravel()
    order = np.argsort(rounded(p), kind="stable")
    p, true = p[order], true[order]
    first = np.flatnonzero(np.diff(rounded(p), prepend=-1.0) != 0)
    size = np.diff(first, append=len(p))
    middle = (2 * first + size - 1) * int(bins) // (2 * max(len(p), 1))
    _, first_of_bin = np.unique(middle, return_index=True)
    begin = first[first_of_bin] if len(p) else first
    count = np.diff(begin, append=len(p))
    if not len(p):
        return Reliability(np.zeros(0), np.zeros(0), count)
    return Reliability(np.add.reduceat(p, begin) / count, np.add.reduceat(true, begin, dtype=np.float64) / count, count)


@sklearn_keywords("y_proba")
def calibration_error(probabilities: Any, truth: Any, *, bins: int = 10, labels: Sequence[Any] | None = None) -> float:
    """The expected calibration error, in bins of equal mass: the mean over answers of their bin's
    |mean probability - share true|. Shapes and bins as in `reliability`."""
    return reliability(probabilities, truth, bins=bins, labels=labels).error
