"""Two cuts a label: yes above the upper one, no at or below the lower one, a person between. «At most 5 % to a person.»

Learns from: scores and truth. With a share of the documents to give away, the mistakes that are left,

    wrong(upper) + missed(lower),   documents between <= at_most x documents

are fewest for one of few pairs: missed only falls where the lower cut passes one more positive, and above a given lower cut
wrong is least with as many documents between as allowed. A band that saves no mistake is made narrower again.

Bands are a label's own: with many labels most documents lie in the band of some label. `share_of_documents` tells how many
need a person at all; `person` gives away whole documents instead.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Longs
from ...storage.registry import stored
from .bootstrap_draws import Weights, weights_drawn
from .fitting import check_draws
from .inputs import as_table, check_share, per_label, scores_given
from .intervals import FEW, exact, moved
from .plain import from_plain, plain
from .ranking import Ranking, midway
from .scut_thresholds import rankings

__all__ = ["PERSON", "Bands", "fit_bands"]

PERSON = -1
REFITTED = 20  # draws that get cuts of their own, enough for a mean; the others say how much it varies


@stored(
    "cuts.bands",
    keys=(
        "at_most", "lower", "upper", "to_person", "error", "expected", "low", "high", "error_without", "share_of_documents",
    ),
)  # fmt: skip
@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Two cuts a label, the share of documents between them, and the share of mistakes among the others.

    error is measured on the data that were given, expected among documents that a bootstrap draw left out, with that draw's
    cuts; [low, high] is its interval. nan: no draws were made, or nothing is decided.
    """

    at_most: Floats
    lower: Floats
    upper: Floats
    to_person: Floats
    error: Floats
    expected: Floats
    low: Floats
    high: Floats
    error_without: Floats  # with no person: both cuts in one, placed for the fewest mistakes
    share_of_documents: float  # documents that need a person for at least one label

    def decide(self, scores: Any) -> Longs:
        """1 yes, 0 no, -1 (PERSON): a person decides. In the shape of the scores."""
        return three_ways(scores, self.lower, self.upper)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; see `plain`."""
        return plain(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Bands:
        """What `as_dict` gave."""
        return from_plain(cls, values)


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


def three_ways(scores: Any, lower: Floats, upper: Floats) -> Longs:
    """1 above the upper cut, 0 at or below the lower one, -1 between."""
    found = scores_given(scores)
    table = as_table(found)
    if table.shape[1] != len(upper):
        raise InvalidSetting(f"scores of {table.shape[1]} labels for {len(upper)} bands: give the same labels")
    decisions: Longs = np.where(table > upper, 1, np.where(table > lower, PERSON, 0))
    return decisions.reshape(found.shape)


def fit_bands(
    scores: Any, truth: Any, *, at_most: Any = 0.05, draws: int = 200, level: float = 0.95, random_state: int = 0
) -> Bands:
    """For each label the two cuts that leave fewest mistakes, with at most this share of the documents between them.

    scores, truth: documents x labels, or one label's (1-d); out-of-fold scores, as for `fit_cuts`. at_most: one share, or one
    a label. draws: bootstrap draws for the interval of the error, 0 for none.
    """
    check_draws(draws, level)
    found = scores_given(scores)
    shares = per_label(at_most, as_table(found).shape[1], "at_most")
    for share in shares.tolist():
        check_share(share, "at_most")
    weights = weights_drawn(len(found), draws, random_state)
    pairs = zip(rankings(found, truth), shares.tolist(), strict=True)
    rows = [one_band(ranking, share, weights, level) for ranking, share in pairs]
    columns = {
        field.name: np.array([getattr(row, field.name) for row in rows], dtype=np.float64) for field in fields(Band)
    }
    asked = as_table(three_ways(found, columns["lower"], columns["upper"]) == PERSON).any(axis=1)
    share_of_documents = float(asked.mean()) if len(asked) else float("nan")
    return Bands(at_most=shares, share_of_documents=share_of_documents, **columns)


def one_band(ranking: Ranking, share: float, weights: Weights, level: float) -> Band:
    """One label's cuts and what they do."""
    n = len(ranking.scores)
    once = np.ones(n, dtype=np.int64)
    upper, lower = best_cuts(ranking, once, share)
    if n == 0:
        return Band(lower, upper, float("nan"), float("nan"))
    mistakes, decided = mistakes_at(ranking, upper, lower, once)
    without = mistakes_at(ranking, *best_cuts(ranking, once, 0.0), once)[0] / n
    row = Band(lower, upper, 1 - decided / n, mistakes / decided if decided else float("nan"), error_without=without)
    if not weights.shape[1] or not decided:
        return row
    out = np.zeros(2)
    for own in weights.T[:REFITTED, ranking.order].astype(np.int64):
        out += mistakes_at(ranking, *best_cuts(ranking, own, share), (own == 0).astype(np.int64))
    high, low = ranking.above(np.array([upper, lower]))
    wrong = np.concatenate(
        [ranking.order[:high][~ranking.positive[:high]], ranking.order[low:][ranking.positive[low:]]]
    )
    between = weights[ranking.order[high:low]].sum(axis=0, dtype=np.int64)
    drawn = weights[wrong].sum(axis=0, dtype=np.int64) / np.maximum(n - between, 1)
    expected = out[0] / out[1] if out[1] else row.error
    ends = moved(drawn, row.error, expected, float(decided), level)
    if decided * min(expected, 1 - expected) < FEW:
        sure = exact(expected, float(decided), level)
        ends = min(ends[0], sure[0]), max(ends[1], sure[1])
    return replace(row, expected=expected, low=ends[0], high=ends[1])


def best_cuts(ranking: Ranking, own: Longs, share: float) -> tuple[float, float]:
    """The upper and the lower cut; own: how often each document of the ranking counts."""
    high, low = best_places(ranking, own, share)
    return cut_between(ranking, high, own), cut_between(ranking, low, own)


def best_places(ranking: Ranking, own: Longs, share: float) -> tuple[int, int]:
    """How many documents lie above the upper and above the lower cut; own: how often each document of the ranking counts."""
    seen = np.concatenate([[0], np.cumsum(own)])
    right = np.concatenate([[0], np.cumsum(own * ranking.positive)])
    ends = np.concatenate([[0], ranking.ends])
    lows = np.concatenate([[0], ranking.worthwhile])
    allowed = share * seen[-1] + 1e-9
    highs = ends[np.searchsorted(seen[ends], seen[lows] - allowed, side="left")]
    wrong, missed = seen[highs] - right[highs], right[-1] - right[lows]
    # the same number wrong further down: nothing is gained by asking about what lies between
    reach = ends[np.searchsorted((seen - right)[ends], wrong, side="right") - 1]
    highs = np.minimum(np.maximum(highs, reach), lows)
    order = np.lexsort((lows, seen[lows] - seen[highs], wrong + missed))
    return int(highs[order[0]]), int(lows[order[0]])


def cut_between(ranking: Ranking, place: int, own: Longs) -> float:
    """The cut at a place, midway between the nearest documents that count."""
    above, below = np.flatnonzero(own[:place]), np.flatnonzero(own[place:])
    if place == 0 or not len(above):
        return float("inf")
    lower = ranking.scores[place + below[0]] if len(below) else -np.inf
    return float(midway(ranking.scores[above[-1]], lower))


def mistakes_at(ranking: Ranking, upper: float, lower: float, own: Longs) -> tuple[int, int]:
    """Mistakes among the documents that are decided, and how many are."""
    high, low = (int(place) for place in ranking.above(np.array([upper, lower])))
    wrong = int((own[:high] * ~ranking.positive[:high]).sum())
    missed = int((own[low:] * ranking.positive[low:]).sum())
    return wrong + missed, int(own[:high].sum() + own[low:].sum())
