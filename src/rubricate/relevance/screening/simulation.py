"""Screening replayed on documents whose labels are known: what would have been found after how many judgements?

    with_feedback    propose, judge, learn, and so on to the last document
    one_shot         the topic's text ranks, the first batch is judged, Rocchio learns from it once, and its ranking stays
    random_order     what chance does

Two settings speed up what a person would do one by one: a batch grows with what has been judged, as a share of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ..routing.query_weights import Evidence, weigh_query
from ..routing.settings import Settings
from ..routing.threshold import cut_of, scored
from .proposals import propose
from .remaining import Draw, Draws, Left
from .stopping import by_ranking, by_sample

__all__ = ["Look", "Pile", "Replay", "one_shot", "random_order", "with_feedback"]


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
    """After so many judgements: found, what the estimate says is left, what truly is, and whether each rule says stop."""

    judged: int
    found: int
    left: Left
    truly_left: int
    stop_by_sample: bool
    stop_by_ranking: bool


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The documents in the order in which they were judged, and what was known on the way."""

    order: Longs
    looks: list[Look]


def with_feedback(
    pile: Pile,
    settings: Settings | None = None,
    *,
    by: str = "relevance",
    batch: int = 25,
    growth: float = 0.1,
    random: float = 0.1,
    random_then: float | None = None,
    target: float = 0.95,
    level: float = 0.95,
    seed: int = 0,
    looks: bool = True,
) -> Replay:
    """Screening with feedback, to the last document. A batch is `batch` documents, or `growth` of those judged.

    random: the share drawn at random; random_then: once the ranking has said stop, where that is to be checked by draws.
    """
    settings, draw = settings or Settings(), np.random.default_rng(seed)
    n, seen = len(pile.relevant), _Seen(pile)
    draws, order = Draws(n), np.zeros(0, dtype=np.int64)
    found_at: list[Look] = []
    while len(order) < n:
        scores, cut = seen.scores(settings, cut=by != "relevance")
        size = max(batch, int(growth * len(order)))
        share = random_then if random_then is not None and found_at and found_at[-1].stop_by_ranking else random
        proposal = propose(scores, seen.judged, n=size, by=by, cut=cut, random=share, draw=draw)
        outside = seen.n_relevant + int(pile.relevant[proposal.chosen].sum())
        pool = n - len(order) - len(proposal.chosen)
        for at in proposal.random.tolist():
            draws.add(Draw(bool(pile.relevant[at]), pool, outside))
            pool, outside = pool - 1, outside + int(pile.relevant[at])
        seen.judge(proposal.all)
        order = np.concatenate([order, proposal.all])
        if looks or random_then is not None:
            found_at.append(_look(pile, order, draws, target, level))
    return Replay(order, found_at)


def one_shot(pile: Pile, settings: Settings | None = None, *, batch: int = 25) -> Longs:
    """The order of one ranking: the text's for the first batch, then that of Rocchio, learned from this batch alone."""
    settings, seen = settings or Settings(), _Seen(pile)
    start = np.argsort(-seen.scores(settings, cut=False)[0].round(12), kind="stable")[:batch]
    seen.judge(start)
    scores = seen.scores(settings, cut=False)[0]
    scores[start] = np.inf
    rest = np.argsort(-scores.round(12), kind="stable")[len(start) :]
    return np.concatenate([start, rest])


def random_order(pile: Pile, *, seed: int = 0) -> Longs:
    """All documents, by chance."""
    return np.random.default_rng(seed).permutation(len(pile.relevant)).astype(np.int64)


class _Seen:
    """What has been judged of a pile."""

    def __init__(self, pile: Pile) -> None:
        self.pile, self.judged = pile, np.zeros(len(pile.relevant), dtype=bool)
        self.sums, self.numbers = np.zeros((2, pile.X.shape[1])), [0, 0]

    @property
    def n_relevant(self) -> int:
        return self.numbers[1]

    def judge(self, documents: Longs) -> None:
        self.judged[documents] = True
        for kind in (0, 1):
            own = documents[self.pile.relevant[documents] == bool(kind)]
            self.sums[kind] += np.asarray(self.pile.X[own].sum(axis=0)).ravel()
            self.numbers[kind] += len(own)

    def scores(self, settings: Settings, *, cut: bool) -> tuple[Floats, float | None]:
        X, truth = None, None
        if cut or settings.learner != "rocchio":
            X, truth = self.pile.X[self.judged], self.pile.relevant[self.judged]
        evidence = Evidence(self.pile.query, self.sums[1], self.sums[0], self.numbers[1], self.numbers[0], X, truth)
        found = weigh_query(evidence, settings, int)
        own = cut_of(evidence, found, settings, int) if cut else None
        return scored(self.pile.X, found), None if own is None else own.at


def _look(pile: Pile, order: Longs, draws: Draws, target: float, level: float) -> Look:
    y = pile.relevant[order]
    found = int(y.sum())
    left = draws.left(found=found, judged=len(order), level=level)
    ranked = by_ranking(y.tolist(), n_documents=len(pile.relevant), target=target, level=level)
    return Look(
        len(order), found, left, int(pile.relevant.sum()) - found, by_sample(left, target=target).stop, ranked.stop
    )
