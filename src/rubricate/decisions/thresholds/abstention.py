"""Abstention: documents whose prediction is not certain enough are left to human review.

Learns from: the confidence in each document's prediction, and whether it was right.

    top           the highest score of the document                                        single-label
    margin        the highest score less the second highest                                single-label
    certainty     -(errors to be expected among all labels), from probabilities          any number of labels

If probabilities are calibrated, abstaining on the documents with the lowest `certainty` leaves fewest errors to be expected:
the sum over labels of what each decision risks. `fit_abstention` places the threshold, for a share of documents (`Abstain(0.05)`)
or for a share of right predictions among the rest (`Precision(0.95)`), and tells what is gained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...scoring import rules
from ...storage.registry import stored
from ..inputs import check_scores, check_truth
from .fitting import check_draws, fit_threshold
from .goals import Abstain, Precision, report_from_dict, report_to_dict
from .intervals import draw_weights
from .ranking import Ranking


def top(scores: Any) -> Floats:
    """The highest score of each document."""
    return rules.highest(check_columns(scores, 1))


def margin(scores: Any) -> Floats:
    """The highest score of each document less the second highest; inf where all but one are impossible (-inf)."""
    return rules.margin(check_columns(scores, 2))


def certainty(probabilities: Any, decisions: Any = None) -> Floats:
    """-(sum over labels of the probability that the decision on it is wrong); decisions: 0/1, or p > 0.5 if None."""
    p = check_scores(probabilities, "probabilities")
    if p.ndim != 2 or not ((p >= 0) & (p <= 1)).all():
        raise InvalidSetting("probabilities: give documents x labels of numbers from 0 to 1")
    assigned: Any = p > 0.5 if decisions is None else check_truth(decisions, p)
    return rules.certainty(p, assigned)


def check_columns(scores: Any, at_least: int) -> Floats:
    """Scores of documents x labels, with so many labels at least."""
    table = check_scores(scores)
    if table.ndim != 2 or table.shape[1] < at_least:
        raise InvalidSetting(f"scores of shape {table.shape}: give documents x labels, {at_least} labels at least")
    return table


def check_confidence(confidence: Any) -> Floats:
    """One number a document."""
    values = check_scores(confidence, "confidence")
    if values.ndim != 1:
        raise InvalidSetting(f"confidence of shape {values.shape}: give one number a document")
    return values


@stored(
    "cuts.person",
    keys=(
        "cut", "cut_low", "cut_high", "coverage", "accuracy", "expected", "low", "high", "accuracy_of_all", "met", "goal",
    ),
)  # fmt: skip
@dataclass(frozen=True, slots=True, eq=False)
class Abstention:
    """A threshold on confidence (`cut`): at or below it a document is left to human review.

    coverage: the share of documents that are decided, accuracy: the share of right predictions among them, on the data of the
    fit; expected: the accuracy among documents that are not in a bootstrap draw, at that draw's threshold; [low, high]: its
    interval. accuracy_of_all: without human review. met: whether the data bear the goal out. nan: no draws, or nothing decided.
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
    goal: Abstain | Precision

    def abstains(self, confidence: Any) -> Bools:
        """Whether each document is left to human review."""
        return rules.left_to_person(check_confidence(confidence), self.cut)

    def asked(self, confidence: Any) -> Bools:
        """The earlier name of `abstains`."""
        return self.abstains(confidence)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: infinities are "inf" and "-inf", nan is null."""
        return report_to_dict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Abstention:
        """What `as_dict` gave."""
        return report_from_dict(cls, values)


def fit_abstention(
    confidence: Any,
    right: Any,
    *,
    goal: Abstain | Precision | None = None,
    draws: int = 200,
    level: float = 0.95,
    random_state: int = 0,
) -> Abstention:
    """The threshold on confidence that serves the goal best; Abstain(0.05) if None.

    confidence: one number a document, such as `margin(scores)`; right: 0/1, whether the prediction for it was right. Both
    from held-out documents (out-of-fold): of its training documents a model is too certain.
    """
    goal = Abstain() if goal is None else goal
    if not isinstance(goal, Abstain | Precision):
        raise InvalidSetting(
            f"goal={goal!r}: give Abstain(at_most) or Precision(at_least), the share right among the decided"
        )
    check_draws(draws, level)
    values = check_confidence(confidence)
    correct = check_truth(right, values)
    n = len(values)
    row = fit_threshold(goal, Ranking.of(values, correct), draw_weights(n, draws, random_state), level)
    share = float("nan") if not n else 1 / n
    return Abstention(
        cut=row.threshold,
        cut_low=row.threshold_low,
        cut_high=row.threshold_high,
        coverage=row.assigned * share,
        accuracy=row.measure,
        expected=row.expected,
        low=row.low,
        high=row.high,
        accuracy_of_all=int(correct.sum()) * share,
        met=goal.met(row.right, row.assigned, int(correct.sum())),
        goal=goal,
    )
