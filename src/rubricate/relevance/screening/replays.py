"""Screening replayed with several seeds, for one label of labelled documents or for many, and compared with two baselines.

The pairs of a test are topics where there are enough of them: each topic's mean over seeds against the same topic's one-shot
ranking, or random order. With fewer than ENOUGH topics the pairs are seeds, and the test says only that the difference is not due
to the random draws.
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
from ..routing.background import BackgroundCollection
from ..routing.query import Settings, terms_of
from .simulation import Look, Pile, documents_needed, one_shot, random_order, with_feedback, work_saved

ENOUGH = 6


@dataclass(frozen=True, slots=True)
class StoppingPoint:
    """Where a rule first said stop: the recall, and the share of the pile judged."""

    recall: float
    judged: float


@dataclass(frozen=True, slots=True)
class TopicReplays:
    """One topic: work saved with feedback and in random order, seed by seed, and by one ranking; how many documents had to be
    judged; the share of looks whose interval had the true number left, and whether all had; where the rules said stop."""

    topic: str
    documents: int
    relevant: int
    feedback: list[float]
    one_shot: float
    by_chance: list[float]
    needed: list[int]
    held: list[float]
    held_always: list[bool]
    by_sample: list[StoppingPoint]
    by_ranking: list[StoppingPoint]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Feedback against a baseline: mean work saved of both, wins, losses, ties, and two one-sided tests."""

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
    background = BackgroundCollection.of_counts(table.counts)
    frequencies = np.maximum(background.documents_with, 1.0)
    X = background.beliefs(table.X.astype(np.float64), frequencies, form=form)
    columns_by_term = {term: at for at, term in enumerate(table.terms)}
    numbers = {label: at for at, label in enumerate(table.label_names)}
    sizes = np.diff(table.label_ends)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    for label, text in texts.items():
        if label not in numbers:
            raise InvalidSetting(f"label {label!r}: no document has it")
        relevant = np.zeros(len(sizes), dtype=bool)
        relevant[rows[table.label_values == numbers[label]]] = True
        terms = {term: n for term, n in terms_of(text, table.recipe).items() if term in columns_by_term}
        query = np.zeros(len(columns_by_term))
        if terms:
            columns = np.array([columns_by_term[term] for term in terms])
            times = np.array(list(terms.values()), dtype=np.float64)
            row = sparse.csr_array((times, np.arange(len(terms)), [0, len(terms)]), shape=(1, len(terms)))
            query[columns] = background.beliefs(row, frequencies[columns], form=form).data
        yield label, Pile(X, relevant, query)


def replay_topic(
    topic: str,
    pile: Pile,
    settings: Settings | None = None,
    *,
    seeds: int = 5,
    recall: float = 0.95,
    level: float = 0.95,
    batch: int = 25,
    **options: Any,
) -> TopicReplays:
    """Feedback with seeds 0, 1, ..., against one ranking and random order. options: of `with_feedback`."""
    if seeds < 1:
        raise InvalidSetting(f"seeds={seeds}: give at least one")
    y = pile.relevant
    replays = [
        with_feedback(pile, settings, seed=seed, target=recall, level=level, batch=batch, **options)
        for seed in range(seeds)
    ]
    inside = [[look.left.low <= look.truly_left <= look.left.high for look in replay.looks] for replay in replays]
    return TopicReplays(
        topic,
        len(y),
        int(y.sum()),
        [work_saved(y[replay.order], recall=recall) for replay in replays],
        work_saved(y[one_shot(pile, settings, batch=batch)], recall=recall),
        [work_saved(y[random_order(pile, seed=seed)], recall=recall) for seed in range(seeds)],
        [documents_needed(y[replay.order], recall=recall) for replay in replays],
        [float(np.mean(looks)) for looks in inside],
        [all(looks) for looks in inside],
        [first_stop(replay.looks, "stop_by_sample", pile) for replay in replays],
        [first_stop(replay.looks, "stop_by_ranking", pile) for replay in replays],
    )


def first_stop(looks: list[Look], rule: str, pile: Pile) -> StoppingPoint:
    """Where a rule first said stop; the end of the pile where it never did."""
    look = next((look for look in looks if getattr(look, rule)), looks[-1])
    return StoppingPoint(look.found / int(pile.relevant.sum()), look.judged / len(pile.relevant))


def compare_with_baselines(topics: list[TopicReplays]) -> list[Comparison]:
    """Feedback against one ranking, and against random order."""
    comparisons = []
    by_topic = len(topics) >= ENOUGH
    for baseline in ("one-shot Rocchio", "random order"):
        ours, theirs = [], []
        for topic in topics:
            simpler = topic.by_chance if baseline == "random order" else [topic.one_shot] * len(topic.feedback)
            ours += [float(np.mean(topic.feedback))] if by_topic else topic.feedback
            theirs += [float(np.mean(simpler))] if by_topic else simpler
        a, b = np.array(ours), np.array(theirs)
        means = mean_of_defined(a), mean_of_defined(b)
        wins, losses, ties = (int(outcome.sum()) for outcome in (a > b, a < b, a == b))
        sign_p, wilcoxon_p = (float(test(ours, theirs, alternative="greater").p) for test in (sign_test, wilcoxon))
        pairs = "topics" if by_topic else "seeds"
        comparisons.append(Comparison(baseline, pairs, len(ours), *means, wins, losses, ties, sign_p, wilcoxon_p))
    return comparisons
