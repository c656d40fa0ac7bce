"""Screening replayed on documents whose labels are known: what would have been found after how many judgements?

    with_feedback    propose, judge, learn, and so on to the last document
    one_shot         the topic's text ranks, the first batch is judged, Rocchio learns from it once, and its ranking stays
    random_order     what chance does

To save time a batch is judged at once, and grows as a share of the documents judged so far. How good an order is, is measured by
the work saved over sampling (Cohen et al. 2006): with n of N documents judged when 95 % of the relevant ones are found,

    WSS@95 = (N - n) / N - 0.05

so that judging in random order saves nothing on average: 95 % of the work finds 95 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ..routing.query import Settings
from ..routing.query_weights import Evidence, fit_threshold, score_documents, weigh_query
from .plan import State, plan_batch
from .proposals import propose
from .stopping import RemainingEstimate, by_ranking, by_sample, estimate_by_draws
from .wealth import StakedDraw, Wealth


@dataclass(frozen=True, slots=True, eq=False)
class Pile:
    """Documents x terms of beliefs, whether each is relevant, and the topic's text as beliefs over the same terms (sorted)."""

    X: sparse.csr_array
    relevant: Bools
    query: Floats

    def __post_init__(self) -> None:
        if not self.relevant.any():
            raise InvalidSetting("no document of the pile is relevant: there is nothing to find")


@dataclass(frozen=True, slots=True)
class Look:
    """After `judged` judgements: relevant documents found, the estimate of those left, their true number; does each rule stop?"""

    judged: int
    found: int
    left: RemainingEstimate
    truly_left: int
    stop_by_sample: bool
    stop_by_ranking: bool


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The documents in the order in which they were judged, and the looks after each batch."""

    order: Longs
    looks: list[Look]


def with_feedback(
    pile: Pile,
    settings: Settings | None = None,
    *,
    by: str = "relevance",
    batch: int = 25,
    growth: float = 0.1,
    random: float | None = None,
    random_then: float | None = None,
    target: float = 0.95,
    level: float = 0.95,
    seed: int = 0,
    looks: bool = True,
) -> Replay:
    """Screening with feedback, to the last document. A batch is `batch` documents, or `growth` of those judged.

    random: the share drawn at random; None: as `plan_batch` says, ranked ones while ranking finds, then draws alone. random_then:
    the share once `by_ranking` has said stop, to check that by draws.
    """
    settings, draw = settings or Settings(), np.random.default_rng(seed)
    n, judgements = len(pile.relevant), _Judgements(pile)
    draws: list[StakedDraw] = []
    ranked: list[bool] = []
    order = np.zeros(0, dtype=np.int64)
    state = State(ranked, Wealth(), 0, 0, n)
    history: list[Look] = []
    while len(order) < n:
        scores, threshold = judgements.scores(settings, threshold=by != "relevance")
        size = max(batch, int(growth * len(order)))
        share = random_then if random_then is not None and history and history[-1].stop_by_ranking else random
        plan = plan_batch(state, batch=size, target=target, level=level)
        if share is None:
            share, size = float(plan.drawn > 0), plan.ranked + plan.drawn
        proposal = propose(scores, judgements.judged, n=size, by=by, cut=threshold, random=share, draw=draw)
        outside = judgements.numbers[1] + int(pile.relevant[proposal.chosen].sum())
        pool = n - len(order) - len(proposal.chosen)
        for at in proposal.random.tolist():
            draws.append(StakedDraw(bool(pile.relevant[at]), pool, outside, plan.stake))
            pool, outside = pool - 1, outside + int(pile.relevant[at])
        ranked += pile.relevant[proposal.chosen].tolist()
        judgements.judge(proposal.all)
        order = np.concatenate([order, proposal.all])
        state = State(ranked, Wealth(draws), outside, len(order), n)
        if looks or random_then is not None:
            history.append(_look(pile, order, state, target, level))
    return Replay(order, history)


def one_shot(pile: Pile, settings: Settings | None = None, *, batch: int = 25) -> Longs:
    """The order of one ranking: the text's for the first batch, then that of Rocchio, learned from this batch alone."""
    settings, judgements = settings or Settings(), _Judgements(pile)
    start = np.argsort(-judgements.scores(settings, threshold=False)[0].round(12), kind="stable")[:batch]
    judgements.judge(start)
    scores = judgements.scores(settings, threshold=False)[0]
    scores[start] = np.inf
    rest = np.argsort(-scores.round(12), kind="stable")[len(start) :]
    return np.concatenate([start, rest])


def random_order(pile: Pile, *, seed: int = 0) -> Longs:
    """All documents, shuffled."""
    return np.random.default_rng(seed).permutation(len(pile.relevant)).astype(np.int64)


def documents_needed(relevant: Any, *, recall: float = 0.95) -> int:
    """How many documents must be judged, in this order, until this share of the relevant ones is found."""
    y = np.asarray(relevant, dtype=np.int64)
    if not y.any():
        raise InvalidSetting("no document is relevant: there is nothing to find")
    if not 0 < recall <= 1:
        raise InvalidSetting(f"recall={recall}: give a share above 0 and at most 1")
    return int(np.searchsorted(np.cumsum(y), np.ceil(recall * y.sum() - 1e-9))) + 1


def work_saved(relevant: Any, *, recall: float = 0.95) -> float:
    """WSS at this recall; relevant: all documents of the pile in the order in which they are judged."""
    return 1 - documents_needed(relevant, recall=recall) / len(relevant) - (1 - recall)


class _Judgements:
    """Which documents of a pile were judged, and the sums and numbers of others and of relevant ones among them."""

    def __init__(self, pile: Pile) -> None:
        self.pile, self.judged = pile, np.zeros(len(pile.relevant), dtype=bool)
        self.sums, self.numbers = np.zeros((2, pile.X.shape[1])), [0, 0]

    def judge(self, documents: Longs) -> None:
        self.judged[documents] = True
        for relevant in (0, 1):
            rows = documents[self.pile.relevant[documents] == bool(relevant)]
            self.sums[relevant] += np.asarray(self.pile.X[rows].sum(axis=0)).ravel()
            self.numbers[relevant] += len(rows)

    def scores(self, settings: Settings, *, threshold: bool) -> tuple[Floats, float | None]:
        """The scores of all documents of the pile, and the threshold where it is asked for and there is one."""
        X, truth = None, None
        if threshold or settings.learner != "rocchio":
            X, truth = self.pile.X[self.judged], self.pile.relevant[self.judged]
        evidence = Evidence(self.pile.query, self.sums[1], self.sums[0], self.numbers[1], self.numbers[0], X, truth)
        query = weigh_query(evidence, settings, int)
        fit = fit_threshold(evidence, query, settings, int) if threshold else None
        return score_documents(self.pile.X, query), None if fit is None else fit.at


def _look(pile: Pile, order: Longs, state: State, target: float, level: float) -> Look:
    remaining = estimate_by_draws(state, level=level)
    stop_by_sample = by_sample(remaining, target=target).stop
    y = pile.relevant[order].tolist()
    stop_by_ranking = by_ranking(y, n_documents=state.n_documents, target=target, level=level).stop
    truly_left = int(pile.relevant.sum()) - state.found
    return Look(state.judged, state.found, remaining, truly_left, stop_by_sample, stop_by_ranking)
