"""When to stop: how many relevant documents are left, and two answers to «is the recall as high as it should be?», each with its
confidence and what it takes for granted.

by_sample     from documents drawn at random (`Draws`). Takes nothing for granted and holds at every look. Needs many draws: that
              at most 1 document in 100 is left relevant takes about 300 draws without one.
by_ranking    from the ranked documents themselves, as if the last n of them had been drawn at random from all that was left
              then: a hypergeometric test of «recall is below the target» (Callaghan & Müller-Hansen 2020). Takes for
              granted that documents near the top of the ranking are no less likely to be relevant than those below.

The estimate of what is left has an interval that holds at every look.

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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.share_text import at_least, decimals

STARTS = 64  # places where «the last documents» may begin, at most
NOTHING_FOUND = "no relevant document has been found yet: there is no recall to speak of"


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
    """1 where nothing is relevant."""
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


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to stop, by which rule, and how sure one is that `target` recall is reached; wanted: how sure one has to be."""

    stop: bool
    by: str
    target: float
    confidence: float
    wanted: float
    sentence: str


def by_sample(found: RemainingEstimate, *, target: float = 0.95) -> Advice:
    """Stop if the recall reaches the target even at the upper end of the estimate. found: what `Draws.estimate` returns."""
    check_shares(target, found.level)
    stop = found.found > 0 and found.recall_low >= target
    sure, least = f"{100 * found.level:g} % sure", f"{at_least(100 * found.recall_low, 1):.1f} %"
    sentence = NOTHING_FOUND
    if stop:
        by_draws = f"{sure}, by {found.draws} documents drawn at random"
        sentence = f"stop: at least {least} of the relevant documents are found, {by_draws}"
    elif found.found:
        sentence = (
            f"go on: {found.draws} documents drawn at random show, {sure}, only that at least {least} of the relevant documents "
            f"are found; wanted are {100 * target:g} %"
        )
    return Advice(stop, "sample", target, found.level if stop else float("nan"), found.level, sentence)


def by_ranking(relevant: Sequence[bool], *, n_documents: int, target: float = 0.95, level: float = 0.95) -> Advice:
    """Stop if so few of the last documents were relevant that a recall below the target would be a rare accident.

    relevant: the judged documents in the order in which they were judged, best ranked first.
    """
    check_shares(target, level)
    chance = chance_below_target(relevant, n_documents=n_documents, target=target)
    stop = chance <= 1 - level
    sentence = NOTHING_FOUND
    if any(relevant):
        sentence = (
            f"stop: a recall below {100 * target:g} % would let so few of the last documents be relevant with probability "
            f"{decimals(chance)} only, if the ranking is no worse than chance"
            if stop
            else f"go on: with a recall below {100 * target:g} % the last documents could look as they do (probability "
            f"{decimals(chance, 2)}), if the ranking is no worse than chance"
        )
    return Advice(stop, "ranking", target, 1 - chance, level, sentence)


def chance_below_target(relevant: Sequence[bool], *, n_documents: int, target: float) -> float:
    """The probability that no more of the last documents are relevant than were, if the recall is just below the target: the
    smallest over where «the last» begin. 1 where nothing was found, 0 where all documents have been judged."""
    y = np.asarray(relevant, dtype=np.int64)
    n_found, n_judged = int(y.sum()), len(y)
    if not n_found:
        return 1.0
    if n_judged >= n_documents:
        return 0.0
    before = np.concatenate([[0], np.cumsum(y)])
    starts = np.unique(np.linspace(0, n_judged - 1, min(n_judged, STARTS)).astype(np.int64))
    # the fewest relevant documents with which the recall is below the target
    total = int(np.floor(n_found / target + 1e-9)) + 1
    unfound = total - before[starts]
    unjudged = n_documents - starts
    chances = hypergeom.cdf(n_found - before[starts], unjudged, np.minimum(unfound, unjudged), n_judged - starts)
    return float(np.min(np.where(unfound > unjudged, 0.0, chances)))


def check_shares(target: float, level: float) -> None:
    if not 0 < target <= 1:
        raise InvalidSetting(f"target={target}: give a share of the relevant documents, above 0 and at most 1")
    if not 0 < level < 1:
        raise InvalidSetting(f"level={level}: give a share between 0 and 1")
