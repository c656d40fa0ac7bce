"""Screening replayed with several seeds, for one label of labelled documents or for many, and compared with what is simpler.

The pairs of a test are topics where there are enough of them: each topic's mean over seeds against the same topic's one-shot
ranking, or random order. With fewer than ENOUGH topics the pairs are seeds, which tells only that the difference is no matter
of the draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...counts.document_table import Table
from ...errors import InvalidSetting
from ...measures.metrics.contingency import mean_of_defined
from ...measures.significance import sign_test, wilcoxon
from ..routing.background import Collection
from ..routing.query import terms_of
from ..routing.settings import Settings
from .simulation import Look, Pile, one_shot, random_order, with_feedback
from .work_saved import needed, work_saved

__all__ = ["ENOUGH", "Repeated", "Stopped", "Versus", "compared", "piles", "repeated"]

ENOUGH = 6


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a rule first said stop: the recall, and the share of the pile judged; None where it never did before the end."""

    recall: float
    judged: float


@dataclass(frozen=True, slots=True)
class Repeated:
    """One topic: work saved with feedback and in random order, seed by seed, and by one ranking; how many documents had to be
    judged; the share of looks at which the interval held, and whether it held at all of them; where the rules said stop."""

    topic: str
    documents: int
    relevant: int
    feedback: list[float]
    one_shot: float
    by_chance: list[float]
    needed: list[int]
    held: list[float]
    held_always: list[bool]
    by_sample: list[Stopped]
    by_ranking: list[Stopped]


@dataclass(frozen=True, slots=True)
class Versus:
    """Feedback against something simpler: mean work saved of both, wins, losses, ties, and two one-sided tests."""

    other: str
    pairs: str
    n: int
    feedback: float
    simpler: float
    wins: int
    losses: int
    ties: int
    sign_p: float
    wilcoxon_p: float


def piles(table: Table, texts: Mapping[str, str], *, form: str = "inquery") -> Iterator[tuple[str, Pile]]:
    """A pile for each label, all with the same documents; texts: what each label's topic says."""
    collection = Collection.of_counts(table.counts)
    frequencies = np.maximum(collection.documents_with, 1.0)
    X = collection.beliefs(table.X.astype(np.float64), frequencies, form=form)
    place = {term: at for at, term in enumerate(table.terms)}
    numbers = {label: at for at, label in enumerate(table.label_names)}
    sizes = np.diff(table.label_ends)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    for label, text in texts.items():
        if label not in numbers:
            raise InvalidSetting(f"label {label!r}: no document has it")
        relevant = np.zeros(len(sizes), dtype=bool)
        relevant[rows[table.label_values == numbers[label]]] = True
        terms = {term: n for term, n in terms_of(text, table.recipe).items() if term in place}
        query = np.zeros(len(place))
        if terms:
            columns = np.array([place[term] for term in terms])
            own = sparse.csr_array(
                (np.array(list(terms.values()), dtype=np.float64), np.arange(len(terms)), [0, len(terms)]),
                shape=(1, len(terms)),
            )
            query[columns] = collection.beliefs(own, frequencies[columns], form=form).data
        yield label, Pile(X, relevant, query)


def repeated(
    topic: str,
    pile: Pile,
    settings: Settings | None = None,
    *,
    seeds: int = 5,
    recall: float = 0.95,
    level: float = 0.95,
    batch: int = 25,
    **words: Any,
) -> Repeated:
    """Feedback with seeds 0, 1, ..., against one ranking and random order. words: of `with_feedback`."""
    if seeds < 1:
        raise InvalidSetting(f"seeds={seeds}: give at least one")
    y = pile.relevant
    replays = [
        with_feedback(pile, settings, seed=seed, target=recall, level=level, batch=batch, **words)
        for seed in range(seeds)
    ]
    inside = [[look.left.low <= look.truly_left <= look.left.high for look in one.looks] for one in replays]
    return Repeated(
        topic,
        len(y),
        int(y.sum()),
        [work_saved(y[one.order], recall=recall) for one in replays],
        work_saved(y[one_shot(pile, settings, batch=batch)], recall=recall),
        [work_saved(y[random_order(pile, seed=seed)], recall=recall) for seed in range(seeds)],
        [needed(y[one.order], recall=recall) for one in replays],
        [float(np.mean(own)) for own in inside],
        [all(own) for own in inside],
        [stopped(one.looks, "stop_by_sample", pile) for one in replays],
        [stopped(one.looks, "stop_by_ranking", pile) for one in replays],
    )


def stopped(looks: list[Look], rule: str, pile: Pile) -> Stopped:
    """Where a rule first said stop; at the end it always does."""
    look = next((one for one in looks if getattr(one, rule)), looks[-1])
    return Stopped(look.found / int(pile.relevant.sum()), look.judged / len(pile.relevant))


def compared(topics: list[Repeated]) -> list[Versus]:
    """Feedback against one ranking, and against random order."""
    out = []
    for other in ("one-shot Rocchio", "random order"):
        by_topic = len(topics) >= ENOUGH
        ours, theirs = [], []
        for one in topics:
            simple = one.by_chance if other == "random order" else [one.one_shot] * len(one.feedback)
            ours += [float(np.mean(one.feedback))] if by_topic else one.feedback
            theirs += [float(np.mean(simple))] if by_topic else simple
        signs = sign_test(ours, theirs, alternative="greater")
        ranks = wilcoxon(ours, theirs, alternative="greater")
        a, b = np.array(ours), np.array(theirs)
        out.append(
            Versus(
                other,
                "topics" if by_topic else "seeds",
                len(ours),
                mean_of_defined(a),
                mean_of_defined(b),
                int((a > b).sum()),
                int((a < b).sum()),
                int((a == b).sum()),
                float(signs.p),
                float(ranks.p),
            )
        )
    return out
