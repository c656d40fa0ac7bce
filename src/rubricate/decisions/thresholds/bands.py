"""Two thresholds a label: yes above the upper one, no at or below the lower one, human review between. «At most 5 % to a person.»

Learns from: scores and truth. With a share of the documents to abstain on, the errors that are left,

    wrong(upper) + missed(lower),   documents between <= at_most x documents

are fewest for one of few pairs: missed only falls where the lower threshold passes one more positive, and above a lower threshold
wrong is least with as many documents between as allowed. A band that saves no error is made narrower again.

Each label has its band: with many labels most documents lie in the band of some label. `share_of_documents` tells how many
need human review at all; `fit_abstention` abstains on whole documents instead.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Longs
from ...scoring.rules import PERSON, in_bands
from ...storage.registry import stored
from ..inputs import as_table, check_scores, check_share, per_label
from .fitting import check_draws
from .goals import report_from_dict, report_to_dict
from .intervals import FEW, Weights, clopper_pearson, draw_weights, shifted_interval
from .ranking import Ranking, midway, rankings

ABSTAIN = PERSON
REFITTED = 20  # draws that get thresholds of their own, enough for a mean; the others say how much it varies


@stored(
    "cuts.bands",
    keys=(
        "at_most", "lower", "upper", "to_person", "error", "expected", "low", "high", "error_without", "share_of_documents",
    ),
)  # fmt: skip
@dataclass(frozen=True, slots=True, eq=False)
class Bands:
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

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: infinities are "inf" and "-inf", nan is null."""
        return report_to_dict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Bands:
        """What `as_dict` gave."""
        return report_from_dict(cls, values)


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
    """1 above the upper threshold, 0 at or below the lower one, -1 between."""
    values = check_scores(scores)
    table = as_table(values)
    if table.shape[1] != len(upper):
        raise InvalidSetting(f"scores of {table.shape[1]} labels for {len(upper)} bands: give the same labels")
    return in_bands(table, lower, upper).reshape(values.shape)


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
    """One label's thresholds and what they do."""
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
    right = np.concatenate([[0], np.cumsum(times * ranking.positive)])
    ends = np.concatenate([[0], ranking.ends])
    lows = np.concatenate([[0], ranking.worthwhile])
    allowed = share * above[-1] + 1e-9
    highs = ends[np.searchsorted(above[ends], above[lows] - allowed, side="left")]
    wrong, missed = above[highs] - right[highs], right[-1] - right[lows]
    # further down the same number is wrong: nothing is gained by abstaining on what lies between
    reach = ends[np.searchsorted((above - right)[ends], wrong, side="right") - 1]
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
