"""When to stop: two answers to «is the recall as high as it should be?», each with its confidence and what it takes for granted.

by_sample     from documents drawn at random (`remaining`). Takes nothing for granted and holds at every look. Needs many
              draws: that at most 1 document in 100 is left relevant takes about 300 draws without one.
by_ranking    from the ranked documents themselves, as if the last n of them had been drawn at random from all that was left
              then: a hypergeometric test of «recall is below the target» (Callaghan & Müller-Hansen 2020). Takes for
              granted that documents near the top of the ranking are no less likely to be relevant than those below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom

from ...errors import InvalidSetting
from ...foundation.share_text import at_least, decimals
from .remaining import RemainingEstimate

STARTS = 64  # places where «the last documents» may begin, at most
NOTHING_FOUND = "no relevant document has been found yet: there is no recall to speak of"


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
    if found.found == 0:
        sentence = NOTHING_FOUND
    elif stop:
        sentence = (
            f"stop: at least {at_least(100 * found.recall_low, 1):.1f} % of the relevant documents are found, "
            f"{100 * found.level:g} % sure, by {found.draws} documents drawn at random"
        )
    else:
        sentence = (
            f"go on: {found.draws} documents drawn at random show, {100 * found.level:g} % sure, only that at least "
            f"{at_least(100 * found.recall_low, 1):.1f} % of the relevant documents are found; wanted are {100 * target:g} %"
        )
    return Advice(stop, "sample", target, found.level if stop else float("nan"), found.level, sentence)


def by_ranking(relevant: Sequence[bool], *, n_documents: int, target: float = 0.95, level: float = 0.95) -> Advice:
    """Stop if so few of the last documents were relevant that a recall below the target would be a rare accident.

    relevant: the judged documents in the order in which they were judged, best ranked first.
    """
    check_shares(target, level)
    chance = chance_below_target(relevant, n_documents=n_documents, target=target)
    stop = chance <= 1 - level
    if not any(relevant):
        sentence = NOTHING_FOUND
    elif stop:
        sentence = (
            f"stop: a recall below {100 * target:g} % would let so few of the last documents be relevant with probability "
            f"{decimals(chance)} only, if the ranking is no worse than chance"
        )
    else:
        sentence = (
            f"go on: with a recall below {100 * target:g} % the last documents could look as they do (probability "
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
    total = (
        int(np.floor(n_found / target + 1e-9)) + 1
    )  # the fewest relevant documents with which the recall is below the target
    unfound = total - before[starts]
    unjudged = n_documents - starts
    chances = hypergeom.cdf(n_found - before[starts], unjudged, np.minimum(unfound, unjudged), n_judged - starts)
    return float(np.min(np.where(unfound > unjudged, 0.0, chances)))


def check_shares(target: float, level: float) -> None:
    """Refuse a target or a level that is no share."""
    if not 0 < target <= 1:
        raise InvalidSetting(f"target={target}: give a share of the relevant documents, above 0 and at most 1")
    if not 0 < level < 1:
        raise InvalidSetting(f"level={level}: give a share between 0 and 1")
