"""How many relevant documents are left: an estimate from documents drawn at random, with an interval that holds at every look.

Among the documents proposed for judging some are drawn at random from the rest of the pile. If the pile has r relevant documents
in all, and a of them lie outside the m documents that a draw is made from, the draw is relevant with probability

    p(r) = (r - a) / m                                        exactly, whatever chose the documents outside

so that the draws judged so far have the likelihood L(r) = product of p(r) or 1 - p(r). With weights w(r) = c / (r + 1), fixed
before anything is seen, the ratio  sum over s of w(s) L(s) / L(r)  is a martingale of mean 1 if r is the truth; it ever exceeds
1/(1 - level) with probability 1 - level at most (Ville's inequality). The interval is the r for which it does not. It holds at
all looks at once: one may look after each document and stop when one likes the answer. Learning from the drawn documents does no
harm either. (Waudby-Smith & Ramdas 2020: prior-posterior ratios for sampling without replacement.) No assumption is made about
scores or ranking. The best guess is the median of w(r) L(r) over what is still possible.

Learns from: draws (relevant or not, and from what). Source: not in the papers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats


@dataclass(frozen=True, slots=True)
class Draw:
    """A document drawn at random from `pool` documents; `outside` relevant ones are elsewhere in the pile."""

    relevant: bool
    pool: int
    outside: int


@dataclass(frozen=True, slots=True)
class RemainingEstimate:
    """Relevant documents that are not found yet: best guess, and an interval that holds with probability `level` at every look.
    recall_low, recall, recall_high: the share of all relevant documents that was found."""

    found: int
    best: int
    low: int
    high: int
    level: float
    draws: int

    @property
    def recall(self) -> float:
        """The recall, if the best guess is right."""
        return recall_of(self.found, self.best)

    @property
    def recall_low(self) -> float:
        """The recall, if the upper end of the interval is right."""
        return recall_of(self.found, self.high)

    @property
    def recall_high(self) -> float:
        """The recall, if the lower end of the interval is right."""
        return recall_of(self.found, self.low)


def recall_of(found: int, remaining: int) -> float:
    """The share found; 1 where nothing is relevant."""
    return found / (found + remaining) if found + remaining else 1.0


class Draws:
    """The draws so far: prior weight and likelihood of every possible number of relevant documents in a pile."""

    def __init__(self, n_documents: int) -> None:
        if n_documents < 1:
            raise InvalidSetting("a pile without documents: there is nothing to estimate")
        self.n_documents, self.n_draws = n_documents, 0
        self._totals = np.arange(n_documents + 1, dtype=np.float64)
        log_prior = -np.log1p(self._totals)
        self._log_prior: Floats = log_prior - np.log(np.exp(log_prior).sum())
        self._log_likelihood: Floats = np.zeros(n_documents + 1)

    def add(self, draw: Draw) -> None:
        """Learn one more draw."""
        if not 0 < draw.pool <= self.n_documents or not 0 <= draw.outside <= self.n_documents - draw.pool:
            raise InvalidSetting(
                f"a draw from {draw.pool} of {self.n_documents} documents with {draw.outside} relevant elsewhere: cannot be"
            )
        chance = np.clip((self._totals - draw.outside) / draw.pool, 0.0, 1.0)
        # impossible totals: they would leave fewer than 0 relevant documents in the pool, or more than its size
        impossible = (self._totals < draw.outside) | (self._totals > draw.outside + draw.pool)
        with np.errstate(divide="ignore"):
            self._log_likelihood += np.log(np.where(impossible, 0.0, chance if draw.relevant else 1 - chance))
        self.n_draws += 1

    def estimate(self, *, found: int, judged: int, level: float = 0.95) -> RemainingEstimate:
        """The relevant documents that remain when `found` of `judged` documents are relevant."""
        if not 0 < level < 1:
            raise InvalidSetting(f"level={level}: give a share between 0 and 1")
        if not 0 <= found <= judged <= self.n_documents:
            raise InvalidSetting(f"{found} relevant of {judged} judged in a pile of {self.n_documents}: cannot be")
        joint = self._log_prior + self._log_likelihood
        top = joint.max()
        total = top + np.log(np.exp(joint - top).sum())
        inside = total - self._log_likelihood < -np.log1p(-level)
        possible = (self._totals >= found) & (self._totals <= found + self.n_documents - judged)
        interval = np.flatnonzero(inside & possible)
        cumulated = np.cumsum(np.where(possible, np.exp(joint - top), 0.0))
        if not len(interval) or cumulated[-1] == 0:  # the draws contradict each other: nothing is known
            return RemainingEstimate(found, 0, 0, self.n_documents - judged, level, self.n_draws)
        low, high = int(interval[0]), int(interval[-1])
        best = min(max(int(np.searchsorted(cumulated, cumulated[-1] / 2)), low), high)
        return RemainingEstimate(found, best - found, low - found, high - found, level, self.n_draws)

    left = estimate  # earlier name


def estimate_remaining(
    draws: Iterable[Draw], *, n_documents: int, found: int, judged: int, level: float = 0.95
) -> RemainingEstimate:
    """The relevant documents that remain in a pile of n_documents when `found` of `judged` documents are relevant."""
    accumulated = Draws(n_documents)
    for draw in draws:
        accumulated.add(draw)
    return accumulated.estimate(found=found, judged=judged, level=level)
