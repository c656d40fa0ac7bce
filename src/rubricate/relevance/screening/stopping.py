"""When to stop: how many relevant documents are left, and two answers to «is the recall as high as it should be?», each with its
confidence and what it takes for granted.

by_sample     from documents drawn at random (`wealth`). Takes nothing for granted and holds at every look.
by_ranking    from the ranked documents themselves, as if the last n of them had been drawn at random from all that was left
              then: a hypergeometric test of «recall is below the target» (Callaghan & Müller-Hansen 2020), the smallest of up to
              64. Takes for granted that documents near the top of the ranking are no less likely to be relevant than those
              below; where relevant documents are hidden at the end, it is often wrong. It is not made for many
              looks either, so it is tested at two fifths of the risk: 0.02 for 0.05.

`Draws` estimates what is left with an interval on both sides, without stakes. With weights w(r) = c / (r + 1) of the possible
numbers r of relevant documents, fixed before anything is seen, and the likelihood L(r) of the draws so far, the ratio

    sum over s of w(s) L(s) / L(r)

is a martingale of mean 1 if r is the truth; it ever exceeds 1/(1 - level) with probability 1 - level at most. The interval is the
r for which it does not, at all looks at once (Waudby-Smith & Ramdas 2020). The best guess is the median of w(r) L(r).

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
from .plan import State

STARTS = 64  # places where «the last documents» may begin, at most
RANKING_RISK = 0.4  # of the risk that is taken otherwise
PRICES = (0.8, 0.9, 0.95)  # targets whose cost is told beside the one that is wanted
MORE_THAN_LEAST = 1.15  # on 126 piles, draws that it took over those if none had been relevant
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


def estimate_by_draws(state: State, *, level: float = 0.95) -> RemainingEstimate:
    """The most relevant documents that can be left, with probability `level` at this look and all others; and a guess."""
    check_shares(1.0, level)
    most = state.wealth.most(found=state.found, judged=state.judged, n_documents=state.n_documents, level=level)
    high = most - state.found
    return RemainingEstimate(state.found, min(round(state.left), high), 0, high, level, state.wealth.draws)


def by_sample(found: RemainingEstimate, *, target: float = 0.95) -> Advice:
    """Stop if the recall reaches the target even at the upper end of the estimate."""
    check_shares(target, found.level)
    stop = found.recall_low >= target if found.found else found.high == 0
    sure = f"{100 * found.level:g} % sure, at this look and at every other"
    least = f"at most {found.high:,} more are left (recall at least {at_least(100 * found.recall_low, 1):.1f} %)"
    if stop and not found.found:
        sentence = f"stop: {100 * found.level:g} % sure that no document is relevant"
    elif stop:
        wrong = f"statements made so are wrong for one pile in {1 / (1 - found.level):.3g} at most"
        sentence = f"stop: {sure}, {least}, by {found.draws:,} documents drawn at random; {wrong}"
    elif found.found:
        sentence = f"go on: {sure}, only that {least}; wanted are {100 * target:g} %"
    else:
        sentence = f"{NOTHING_FOUND}; {sure}, at most {found.high:,} are left"
    return Advice(stop, "sample", target, found.level if stop else float("nan"), found.level, sentence)


@dataclass(frozen=True, slots=True)
class Price:
    """What it takes to be sure of a recall. least: documents to draw if none of them is relevant; about: what that is likely to
    become, as on piles of Reuters and OHSUMED; None while ranking finds, since nothing can be foretold then."""

    target: float
    reached: bool
    least: int | None
    about: int | None
    hidden: int  # relevant documents that would have to be left for the recall to be lower

    @property
    def sentence(self) -> str:
        """The price in words."""
        share = f"{100 * self.target:g} %"
        if self.reached:
            return f"{share}: reached"
        if self.least is None or self.about is None:
            return f"{share}: ranking still finds, no forecast yet"
        one = ", as one missed document would break this target" if self.hidden == 1 else ""
        documents = "document" if self.about == 1 else "documents"
        return (
            f"{share}: about {self.about:,} more {documents} ({self.least:,} if none of those drawn is relevant{one})"
        )


def price_list(state: State, *, target: float = 0.95, level: float = 0.95) -> list[Price]:
    """What it takes to be sure of the usual recalls and of the one that is wanted."""
    check_shares(target, level)
    prices = []
    for wanted in sorted({*PRICES, target}):
        reached = by_sample(estimate_by_draws(state, level=level), target=wanted).stop
        least = None if reached or state.ranking_finds(wanted) else state.to_go(wanted, level)
        about = None if least is None else min(state.unjudged, round(MORE_THAN_LEAST * least))
        prices.append(Price(wanted, reached, least, about, state.hidden(wanted)))
    return prices


def by_ranking(relevant: Sequence[bool], *, n_documents: int, target: float = 0.95, level: float = 0.95) -> Advice:
    """Stop if so few of the last documents were relevant that a recall below the target would be a rare accident, if the ranking
    is no worse than chance.

    relevant: the judged documents in the order in which they were judged, best ranked first.
    """
    check_shares(target, level)
    statistic, bound = chance_below_target(relevant, n_documents=n_documents, target=target), RANKING_RISK * (1 - level)
    stop = statistic <= bound
    sentence = NOTHING_FOUND
    if any(relevant):
        verdict, numbers = (
            "stop" if stop else "go on",
            f"{decimals(statistic, 2)}, and {decimals(bound, 2)} or less says stop",
        )
        sentence = (
            f"{verdict}: its statistic is {numbers}, on the assumption that the ranking is nowhere worse than chance; "
            "where relevant documents are hidden at its end, that is wrong"
        )
    return Advice(stop, "ranking", target, 1 - statistic, level, sentence)


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
