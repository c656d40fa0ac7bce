"""Abstention: what is not certain enough is left to human review. Whole documents, or labels of them.

Learns from: the confidence in each document's prediction, and whether it was correct.

    top           the highest score of the document                                        single-label
    margin        the highest score less the second highest                                single-label
    certainty     -(errors to be expected among all labels), from probabilities          any number of labels

If probabilities are calibrated, abstaining on the documents with the lowest `certainty` leaves fewest errors to be expected:
the sum over labels of what each decision risks. `fit_abstention` places the threshold, for a share of documents (`Abstain(0.05)`)
or for a share of correct predictions among the rest (`Precision(0.95)`), and tells what is gained.

`fit_bands` learns from scores and truth two thresholds a label: yes above the upper one, no at or below the lower one, human
review between. With a share of the documents to abstain on, the errors that are left,

    wrong(upper) + missed(lower),   documents between <= at_most x documents

are fewest for one of few pairs: missed only falls where the lower threshold passes one more positive, and above a lower threshold
wrong is least with as many documents between as allowed. A band that saves no error is made narrower again. Each label has its
band: with many labels most documents lie in the band of some label, and `share_of_documents` tells how many need human review
at all.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...scoring import rules
from ...storage.registry import stored
from ..inputs import as_table, check_scores, check_share, check_truth, per_label
from .fitting import check_draws
from .goals import Abstain, JsonReport, Precision
from .intervals import (
    FEW,
    Weights,
    best_places_of_draws,
    clopper_pearson,
    draw_weights,
    shifted_interval,
    with_intervals,
)
from .ranking import Ranking, midway, rankings
from .scut_thresholds import best_place

ABSTAIN = rules.PERSON
REFITTED = 20  # draws that get thresholds of their own, enough for a mean; the others say how much it varies


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
    table = check_scores(scores)
    if table.ndim != 2 or table.shape[1] < at_least:
        raise InvalidSetting(f"scores of shape {table.shape}: give documents x labels, {at_least} labels at least")
    return table


def check_confidence(confidence: Any) -> Floats:
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
class Abstention(JsonReport):
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
    ranking, weights = Ranking.of(values, correct), draw_weights(n, draws, random_state)
    drawn = best_places_of_draws(goal, ranking, weights)
    row = with_intervals(goal, ranking, best_place(goal, ranking), drawn, weights, level)
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
        met=goal.met(row.hits, row.assigned, int(correct.sum())),
        goal=goal,
    )


# -- two thresholds a label


@stored(
    "cuts.bands",
    keys=(
        "at_most", "lower", "upper", "to_person", "error", "expected", "low", "high", "error_without", "share_of_documents",
    ),
)  # fmt: skip
@dataclass(frozen=True, slots=True, eq=False)
class Bands(JsonReport):
    """Two thresholds a label, the share of documents between them, and the share of errors among the others.

    error is measured on the data of the fit, expected among documents that are not in a bootstrap draw, with that draw's
    thresholds; [low, high] is its interval. nan: no draws were made, or nothing is decided.
    """

    at_most: Floats
    lower: Floats
    upper: Floats
    to_person: Floats
    error: Floats
    expected: Floats
    low: Floats
    high: Floats
    error_without: Floats  # without human review: both thresholds in one, placed for the fewest errors
    share_of_documents: float  # documents that need human review for at least one label

    def decide(self, scores: Any) -> Longs:
        """1 yes, 0 no, -1 (ABSTAIN): left to human review. In the shape of the scores."""
        return decide_or_abstain(scores, self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Band:
    """One label's row of `Bands`."""

    lower: float
    upper: float
    to_person: float
    error: float
    expected: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    error_without: float = float("nan")


def decide_or_abstain(scores: Any, lower: Floats, upper: Floats) -> Longs:
    values = check_scores(scores)
    table = as_table(values)
    if table.shape[1] != len(upper):
        raise InvalidSetting(f"scores of {table.shape[1]} labels for {len(upper)} bands: give the same labels")
    return rules.in_bands(table, lower, upper).reshape(values.shape)


def fit_bands(
    scores: Any, truth: Any, *, at_most: Any = 0.05, draws: int = 200, level: float = 0.95, random_state: int = 0
) -> Bands:
    """For each label the two thresholds that leave fewest errors, with at most this share of the documents between them.

    scores, truth: documents x labels, or one label's (1-d); out-of-fold scores, as for `fit_thresholds`. at_most: one share, or
    one a label. draws: bootstrap draws for the interval of the error, 0 for none.
    """
    check_draws(draws, level)
    values = check_scores(scores)
    shares = per_label(at_most, as_table(values).shape[1], "at_most")
    for share in shares.tolist():
        check_share(share, "at_most")
    weights = draw_weights(len(values), draws, random_state)
    pairs = zip(rankings(values, truth), shares.tolist(), strict=True)
    rows = [fit_band(ranking, share, weights, level) for ranking, share in pairs]
    columns = {
        field.name: np.array([getattr(row, field.name) for row in rows], dtype=np.float64) for field in fields(Band)
    }
    abstained = as_table(decide_or_abstain(values, columns["lower"], columns["upper"]) == ABSTAIN).any(axis=1)
    share_of_documents = float(abstained.mean()) if len(abstained) else float("nan")
    return Bands(at_most=shares, share_of_documents=share_of_documents, **columns)


def fit_band(ranking: Ranking, share: float, weights: Weights, level: float) -> Band:
    n = len(ranking.scores)
    once = np.ones(n, dtype=np.int64)
    upper, lower = best_thresholds(ranking, once, share)
    if n == 0:
        return Band(lower, upper, float("nan"), float("nan"))
    errors, decided = count_errors(ranking, upper, lower, once)
    without = count_errors(ranking, *best_thresholds(ranking, once, 0.0), once)[0] / n
    row = Band(lower, upper, 1 - decided / n, errors / decided if decided else float("nan"), error_without=without)
    if not weights.shape[1] or not decided:
        return row
    outside = np.zeros(2)  # errors and decisions among documents that are not in a draw
    for times in weights.T[:REFITTED, ranking.order].astype(np.int64):
        outside += count_errors(ranking, *best_thresholds(ranking, times, share), (times == 0).astype(np.int64))
    high, low = ranking.count_above(np.array([upper, lower]))
    wrong = np.concatenate(
        [ranking.order[:high][~ranking.positive[:high]], ranking.order[low:][ranking.positive[low:]]]
    )
    between = weights[ranking.order[high:low]].sum(axis=0, dtype=np.int64)
    error_rates = weights[wrong].sum(axis=0, dtype=np.int64) / np.maximum(n - between, 1)
    expected = outside[0] / outside[1] if outside[1] else row.error
    ends = shifted_interval(error_rates, row.error, expected, float(decided), level)
    if decided * min(expected, 1 - expected) < FEW:
        exact = clopper_pearson(expected, float(decided), level)
        ends = min(ends[0], exact[0]), max(ends[1], exact[1])
    return replace(row, expected=expected, low=ends[0], high=ends[1])


def best_thresholds(ranking: Ranking, times: Longs, share: float) -> tuple[float, float]:
    """The upper and the lower threshold; times: how often each document of the ranking counts."""
    high, low = best_places(ranking, times, share)
    return threshold_at(ranking, high, times), threshold_at(ranking, low, times)


def best_places(ranking: Ranking, times: Longs, share: float) -> tuple[int, int]:
    """How many documents lie above the upper and above the lower threshold."""
    above = np.concatenate([[0], np.cumsum(times)])
    hits = np.concatenate([[0], np.cumsum(times * ranking.positive)])
    ends = np.concatenate([[0], ranking.ends])
    lows = np.concatenate([[0], ranking.worthwhile])
    allowed = share * above[-1] + 1e-9
    highs = ends[np.searchsorted(above[ends], above[lows] - allowed, side="left")]
    wrong, missed = above[highs] - hits[highs], hits[-1] - hits[lows]
    # further down the same number is wrong: nothing is gained by abstaining on what lies between
    reach = ends[np.searchsorted((above - hits)[ends], wrong, side="right") - 1]
    highs = np.minimum(np.maximum(highs, reach), lows)
    order = np.lexsort((lows, above[lows] - above[highs], wrong + missed))
    return int(highs[order[0]]), int(lows[order[0]])


def threshold_at(ranking: Ranking, place: int, times: Longs) -> float:
    """The threshold at a place, midway between the nearest documents that count."""
    above, below = np.flatnonzero(times[:place]), np.flatnonzero(times[place:])
    if place == 0 or not len(above):
        return float("inf")
    lower = ranking.scores[place + below[0]] if len(below) else -np.inf
    return float(midway(ranking.scores[above[-1]], lower))


def count_errors(ranking: Ranking, upper: float, lower: float, times: Longs) -> tuple[int, int]:
    """Errors among the documents that are decided, and how many are."""
    high, low = (int(place) for place in ranking.count_above(np.array([upper, lower])))
    wrong = int((times[:high] * ~ranking.positive[:high]).sum())
    missed = int((times[low:] * ranking.positive[low:]).sum())
    return wrong + missed, int(times[:high].sum() + times[low:].sum())
