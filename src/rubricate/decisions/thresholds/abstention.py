"""Abstention: documents whose answer is not certain enough go to a person.

Learns from: the confidence in each document's answer, and whether the answer was right.

    top           the highest score of the document                                        one label a document
    margin        the highest score less the second highest                                one label a document
    certainty     -(mistakes to be expected among all labels), from probabilities          any number of labels

If probabilities are calibrated, giving away the documents with the lowest `certainty` leaves fewest mistakes to be expected:
the sum over labels of what each decision risks. `fit_person` places the cut, for a share of documents (`ToPerson(0.05)`) or for a
share of right answers among the rest (`Precision(0.95)`), and tells what is gained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...storage.registry import stored
from .bootstrap_draws import weights_drawn
from .fitting import check_draws, fit_one
from .goals import Precision, ToPerson
from .inputs import scores_given, truth_given
from .plain import from_plain, plain
from .ranking import Ranking

__all__ = ["Person", "certainty", "fit_person", "margin", "top"]


def top(scores: Any) -> Floats:
    """The highest score of each document."""
    found: Floats = labels_of(scores, 1).max(axis=1)
    return found


def margin(scores: Any) -> Floats:
    """The highest score of each document less the second highest; inf where all but one are impossible (-inf)."""
    found = labels_of(scores, 2)
    best = np.partition(found, -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):
        gaps: Floats = best[:, 1] - best[:, 0]
    return np.nan_to_num(gaps, nan=0.0, posinf=np.inf)


def certainty(probabilities: Any, decisions: Any = None) -> Floats:
    """-(sum over labels of the probability that the decision on it is wrong); decisions: 0/1, or p > 0.5 if None."""
    p = scores_given(probabilities, "probabilities")
    if p.ndim != 2 or not ((p >= 0) & (p <= 1)).all():
        raise InvalidSetting("probabilities: give documents x labels of numbers from 0 to 1")
    if decisions is None:
        risk: Floats = np.minimum(p, 1 - p)
    else:
        risk = np.where(truth_given(decisions, p), 1 - p, p)
    summed: Floats = -risk.sum(axis=1)
    return summed


def labels_of(scores: Any, at_least: int) -> Floats:
    """Scores of documents x labels, with so many labels at least."""
    found = scores_given(scores)
    if found.ndim != 2 or found.shape[1] < at_least:
        raise InvalidSetting(f"scores of shape {found.shape}: give documents x labels, {at_least} labels at least")
    return found


@stored(
    "cuts.person",
    keys=(
        "cut", "cut_low", "cut_high", "coverage", "accuracy", "expected", "low", "high", "accuracy_of_all", "met", "goal",
    ),
)  # fmt: skip
@dataclass(frozen=True, slots=True, eq=False)
class Person:
    """A cut on confidence: at or below it a person is asked.

    coverage: the share of documents that are decided, accuracy: the share of right answers among them, on the data that were
    given; expected: the accuracy among documents that a bootstrap draw left out, at that draw's cut; [low, high]: its
    interval. accuracy_of_all: with no person. met: whether the data bear the goal out. nan: no draws, or nothing is decided.
    """

    cut: float
    cut_low: float
    cut_high: float
    coverage: float
    accuracy: float
    expected: float
    low: float
    high: float
    accuracy_of_all: float
    met: bool
    goal: ToPerson | Precision

    def asked(self, confidence: Any) -> Bools:
        """Whether a person is asked, of each document."""
        found = scores_given(confidence, "confidence")
        if found.ndim != 1:
            raise InvalidSetting(f"confidence of shape {found.shape}: give one number a document")
        return ~(found > self.cut)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; see `plain`."""
        return plain(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Person:
        """What `as_dict` gave."""
        return from_plain(cls, values)


def fit_person(
    confidence: Any,
    right: Any,
    *,
    goal: ToPerson | Precision | None = None,
    draws: int = 200,
    level: float = 0.95,
    random_state: int = 0,
) -> Person:
    """The cut on confidence that serves the goal best; ToPerson(0.05) if None.

    confidence: one number a document, such as `margin(scores)`; right: 0/1, whether the answer to it was right. Both from
    documents that the model never saw (out-of-fold), or the model's own certainty decides.
    """
    goal = ToPerson() if goal is None else goal
    if not isinstance(goal, ToPerson | Precision):
        raise InvalidSetting(
            f"goal={goal!r}: give ToPerson(at_most) or Precision(at_least), the share right among the decided"
        )
    check_draws(draws, level)
    found = scores_given(confidence, "confidence")
    good = truth_given(right, found)
    if found.ndim != 1:
        raise InvalidSetting(f"confidence of shape {found.shape}: give one number a document")
    n = len(found)
    row = fit_one(goal, Ranking.of(found, good), weights_drawn(n, draws, random_state), level)
    share = float("nan") if not n else 1 / n
    return Person(
        cut=row.cut,
        cut_low=row.cut_low,
        cut_high=row.cut_high,
        coverage=row.assigned * share,
        accuracy=row.measure,
        expected=row.expected,
        low=row.low,
        high=row.high,
        accuracy_of_all=int(good.sum()) * share,
        met=goal.met(row.right, row.assigned, int(good.sum())),
        goal=goal,
    )
