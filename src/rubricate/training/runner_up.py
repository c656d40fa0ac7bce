"""The chosen candidate against the runner-up: is the difference more than chance? A test on answers to documents not seen.

    difference    how far the chosen one is ahead, with the interval of a paired bootstrap over documents
    p             of a randomisation test: answers to whole documents are swapped (for rankings: values of labels)
    wins          on how many labels each of the two is better, with the sign test, where the measure has values by label

The models that answered are taken as they are: what the test allows for is the luck of these documents, not that of having
learned from them. Machinery and sources: `rubricate.significance.compare`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..foundation.jsonable import jsonable
from ..measures.metrics.names import Measure
from ..measures.significance import Pair, bootstrap_difference, compare
from ..measures.significance.bootstrap import system_answers
from ..measures.significance.comparison import swaps_labels, values_by_label

__all__ = ["Rival", "rivals"]

SHUFFLES = 10_000
FEWER = 500  # where each shuffle takes two calls of the measure
LEVEL = 0.05
CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class Rival:
    """Another candidate beside the chosen one. Where less is better, differences are turned round: ahead is always better."""

    chosen: str
    ahead: float  # the chosen one, of this one; below 0: behind
    low: float
    high: float
    p: float
    adjusted: float  # p allowing for the number of rivals, after Holm
    better: str | None  # "chosen" or "other", if one is by the adjusted p
    test: str
    swapped: str  # documents or labels
    shuffles: int
    exact: bool  # these are all there are
    documents: int
    apart: int  # documents (or labels) on which the two differ: what p rests on
    more_documents: float  # that it would take to tell them apart; nan: not known
    wins: int | None  # labels on which the chosen one is better; None: the measure has no value by label
    losses: int | None
    ties: int | None
    sign_p: float | None  # of the sign test over labels, adjusted too

    def as_dict(self) -> dict[str, Any]:
        """For JSON: what is undefined or infinite as None."""
        values: dict[str, Any] = jsonable(self)
        return values


def rivals(
    chosen: str, own: Any, others: Sequence[Any], truth: Any, *, by: Measure, draws: int, seed: int = 0
) -> list[Rival]:
    """Each of the others beside the chosen one. own, others: answers in the form that the measure takes, a row a document.

    draws: of the bootstrap. Measures that rank the documents of all labels together have no test: the scores of two models do
    not belong in one ranking.
    """
    given = system_answers(by.name, [own], truth)
    of_labels = swaps_labels(given, values_by_label(given))
    if by.needs == "scores" and not of_labels:
        return []
    names = [str(n) for n in range(len(others))]
    found = compare(
        {CHOSEN: own, **dict(zip(names, others, strict=True))},
        truth,
        measure=by.name,
        against=CHOSEN,
        level=LEVEL,
        draws=SHUFFLES if of_labels or given.value is not None else FEWER,
        interval_draws=1,  # what each is worth by itself is known from its trial
        random_state=seed,
    )
    up = 1 if by.higher_is_better else -1
    out = []
    for pair, answers in zip(found.pairs, others, strict=True):
        drawn = bootstrap_difference(by, own, answers, truth, draws=draws, random_state=seed)
        low, high = sorted((up * float(drawn.low), up * float(drawn.high)))
        distance = up * float(drawn.value), low, high
        out.append(of_pair(chosen, pair, distance, "labels" if of_labels else "documents", found.documents))
    return out


def of_pair(chosen: str, pair: Pair, distance: tuple[float, float, float], swapped: str, documents: int) -> Rival:
    """What a comparison found; there the rival comes first."""
    sign = pair.sign
    ahead, low, high = distance
    return Rival(
        chosen=chosen,
        ahead=ahead,
        low=low,
        high=high,
        p=pair.test.p,
        adjusted=pair.adjusted,
        better=None if pair.better is None else CHOSEN if pair.better == CHOSEN else "other",
        test=pair.test.test,
        swapped=swapped,
        shuffles=pair.test.draws,
        exact=pair.test.exact,
        documents=documents,
        apart=pair.test.n,
        more_documents=pair.needed.more,
        wins=None if sign is None else sign.losses,
        losses=None if sign is None else sign.wins,
        ties=None if sign is None else sign.ties,
        sign_p=None if sign is None else pair.sign_adjusted,
    )
