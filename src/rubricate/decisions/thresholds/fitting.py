"""Thresholds that can be defended: each label's goal, an interval, a fallback for rare labels, a word where something is missing.

Learns from: scores and truth of the same documents. Give out-of-fold scores, of each document by a model that never saw it:
`rubricate.validation.cross_validate(...).scores[name]`. The papers fit on the training scores themselves (resubstitution), where
a model knows its documents by heart: on the 90 topics of Reuters-21578 TFIDF's training scores promise a mean F1 of .89, and
the test part gives .46 (out-of-fold thresholds: .52). That is allowed, and noted in the report.

Intervals and promises are about documents of the same kind as these. They say nothing about a collection that changes.

Labels too rare to have their own threshold share a depth: see `pooling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs
from ...storage.checks import need, sized
from ...storage.registry import stored
from ..inputs import as_table, check_scores, per_label
from .goals import FBeta, Goal, JsonReport, MicroF, Precision, Recall, micro_worth
from .intervals import best_places_of_draws, draw_weights, with_intervals
from .pooling import Pool, counts_at_depth, places_of_draws, pooled_depths
from .ranking import Rankings
from .scut_thresholds import best_micro_f, best_place

SOURCES = ("out-of-fold", "resubstitution")
# the stored keys: an array or a list with a value a label, and what holds for all of them
OF_LABELS = (
    "labels", "goals", "cuts", "cut_low", "cut_high", "measure", "expected", "low", "high", "positives", "assigned", "pooled",
    "met", "why",
)  # fmt: skip
OF_ALL = ("n_documents", "source", "draws", "level", "random_state")


def _check_thresholds(thresholds: Thresholds) -> None:
    """A number a label in every array, a word a label in every list."""
    for name in OF_LABELS:
        part = getattr(thresholds, name)
        if isinstance(part, np.ndarray):
            sized(part, len(thresholds.labels), kinds="fib", what=name)
        elif isinstance(part, tuple):
            need(len(part) == len(thresholds.labels), f"{name} of other labels")
    values = thresholds.cuts
    need(isinstance(values, np.ndarray) and not np.isnan(values).any(), "thresholds that are no numbers")


@stored("cuts", keys=(*OF_LABELS, *OF_ALL), check=_check_thresholds)
@dataclass(frozen=True, slots=True, eq=False)
class Thresholds(JsonReport):
    """One threshold a label (`cuts`). A document is in if its score > threshold. nan: not defined, or no draws were made.

    measure: what the goal is about (F_beta, precision, recall), on the data of the fit. expected: the same among documents that
    are not in a bootstrap draw, at that draw's threshold; this is the one to promise for new documents, [low, high] its interval.
    [cut_low, cut_high]: interval of the threshold. pooled: too rare for a threshold of its own, which lies at the depth that
    serves rare labels together. met: whether the data bear the goal out. why: a sentence wherever something is not as asked,
    otherwise empty.
    """

    labels: tuple[str, ...]
    goals: tuple[Goal, ...]
    cuts: Floats
    cut_low: Floats
    cut_high: Floats
    measure: Floats
    expected: Floats
    low: Floats
    high: Floats
    positives: Longs
    assigned: Longs
    pooled: Bools
    met: Bools
    why: tuple[str, ...]
    n_documents: int
    source: str
    draws: int
    level: float
    random_state: int

    def decide(self, scores: Any) -> Longs:
        """0/1 in the shape of the scores, documents x labels; one label's scores may come 1-d."""
        values = check_scores(scores)
        if as_table(values).shape[1] != len(self.cuts):
            raise InvalidSetting(
                f"scores of {as_table(values).shape[1]} labels for {len(self.cuts)} thresholds: give the same labels"
            )
        return (values > (self.cuts if values.ndim == 2 else self.cuts[0])).astype(np.int64)

    @property
    def not_promised(self) -> tuple[str, ...]:
        """Labels that documents have, too few or too mixed to bear the goal out."""
        return tuple(np.array(self.labels, dtype=object)[~self.met & (self.positives > 0)].tolist())

    def __repr__(self) -> str:
        n, pooled, met = len(self.cuts), int(self.pooled.sum()), int(self.met.sum())
        return f"<Thresholds: {n:,} labels, {pooled:,} pooled, {met:,} goals met, {self.source}, {self.draws} draws>"


def fit_thresholds(
    scores: Any,
    truth: Any,
    *,
    by: Any = "f",
    beta: Any = 1.0,
    labels: Sequence[str] | None = None,
    source: str = "out-of-fold",
    min_positives: int = 10,
    draws: int = 200,
    level: float = 0.95,
    random_state: int = 0,
) -> Thresholds:
    """One threshold a label, with intervals.

    scores, truth: documents x labels, or one label's (1-d).
    by: "f", the highest F_beta of each label and so of the macro average; "micro_f", the highest micro average of all labels
    together; Precision(0.95), Recall(0.9); or a list with one of these for each label ("micro_f" is for all or none).
    beta: one number, or one a label. labels: their names, for the report.
    source: where the scores come from, "out-of-fold" or "resubstitution"; arrays do not show it, the report tells it.
    min_positives: labels with fewer share a depth (see `pooled_depths`); 0 gives each a threshold of its own.
    draws: bootstrap draws, 0 for no intervals; level: of the intervals.
    """
    settings: dict[str, Any] = {"source": source, "min_positives": min_positives, "draws": draws, "level": level}
    return fit_ranked(
        Rankings.of(scores, truth), by=by, beta=beta, labels=labels, random_state=random_state, **settings
    )


def fit_ranked(
    rankings: Rankings,
    *,
    by: Any = "f",
    beta: Any = 1.0,
    labels: Sequence[str] | None = None,
    source: str = "out-of-fold",
    min_positives: int = 10,
    draws: int = 200,
    level: float = 0.95,
    random_state: int = 0,
) -> Thresholds:
    """The same, of documents that are in order already."""
    if source not in SOURCES:
        raise UnknownName("source", source, SOURCES)
    check_draws(draws, level)
    n_labels, positives = len(rankings), rankings.positives
    goals = goals_of_labels(by, per_label(beta, n_labels, "beta"), rankings)
    names = tuple(str(label) for label in (range(n_labels) if labels is None else labels))
    if len(names) != n_labels:
        raise InvalidSetting(f"labels: {len(names)} names for {n_labels} labels")
    pools = pooled_depths(goals, rankings, min_positives, random_state)
    places, hits, thresholds = best_places(goals, rankings, pools)
    measure = np.empty(n_labels)
    for goal in set(goals):
        those = np.array([other == goal for other in goals])
        measure[those] = goal.measure(hits[those], places[those], positives[those])
    ends = np.full((5, n_labels), np.nan)  # low and high of the threshold, the expected measure, low and high of that
    weights = draw_weights(rankings.n_documents, draws, random_state)
    for label in np.flatnonzero(positives).tolist() if draws else ():
        goal, ranking, pool = goals[label], rankings.ranking(label), pools.get(label)
        drawn = (
            best_places_of_draws(goal, ranking, weights)
            if pool is None
            else places_of_draws(ranking, pool.depth, weights)
        )
        row = with_intervals(goal, ranking, int(places[label]), drawn, weights, level)
        ends[:, label] = row.threshold_low, row.threshold_high, row.expected, row.low, row.high
    counts = list(zip(hits.tolist(), places.tolist(), positives.tolist(), strict=True))
    why = [
        shortcomings(goal, *counts[label], min_positives, pools[label].size if label in pools else 0)
        for label, goal in enumerate(goals)
    ]
    return Thresholds(
        labels=names,
        goals=tuple(goals),
        cuts=thresholds,
        cut_low=ends[0],
        cut_high=ends[1],
        measure=measure,
        expected=ends[2],
        low=ends[3],
        high=ends[4],
        positives=positives,
        assigned=places,
        pooled=np.array([label in pools for label in range(n_labels)], dtype=np.bool_),
        met=np.array([goal.met(*row) for goal, row in zip(goals, counts, strict=True)], dtype=np.bool_),
        why=tuple(why),
        n_documents=rankings.n_documents,
        source=source,
        draws=draws,
        level=float(level),
        random_state=random_state,
    )


def best_places(goals: Sequence[Goal], rankings: Rankings, pools: Mapping[int, Pool]) -> tuple[Longs, Longs, Floats]:
    """Of each label the documents above its threshold, those of them that have the label, and the threshold."""
    candidates, positives = rankings.candidates, rankings.positives.tolist()
    best = candidates.ends[:-1].copy()
    if goals and isinstance(goals[0], MicroF):  # one goal of all labels
        best = candidates.best_of_labels(micro_worth(goals[0], candidates.hits, candidates.places))
    else:
        for label, goal in enumerate(goals):
            those = candidates.of(label)
            counts = candidates.hits[those], candidates.places[those], positives[label]
            best[label] += int(goal.best(*counts, rankings.n_documents))
    places, hits, thresholds = candidates.places[best], candidates.hits[best], candidates.thresholds[best]
    for label, goal in enumerate(goals):
        if label in pools:
            places[label], hits[label], thresholds[label] = counts_at_depth(rankings, label, pools[label].depth)
        elif isinstance(goal, Recall):  # it may also take all
            ranking = rankings.ranking(label)
            places[label] = best_place(goal, ranking)
            hits[label], thresholds[label] = ranking.hits_above(places[label]), ranking.thresholds(places[label])
    return places, hits, thresholds


def shortcomings(goal: Goal, hits: int, assigned: int, positives: int, min_positives: int, pool_size: int) -> str:
    """What a person should know of a threshold; empty if it is what was asked for."""
    if positives == 0:
        return "no document has the label: it is never assigned"
    sentences = []
    if pool_size:
        sentences.append(
            f"{positives} positives, fewer than {min_positives}: a threshold at the depth that serves {pool_size} labels together"
        )
    elif positives < min_positives:
        sentences.append(
            f"{positives} positives, fewer than {min_positives}, and no other label to pool with: a threshold of its own"
        )
    if isinstance(goal, Precision | Recall) and not goal.met(hits, assigned, positives):
        measure = "precision" if isinstance(goal, Precision) else "recall"
        certainty = "" if goal.sure is None else f" with {100 * goal.sure:g} % certainty"
        outcome = "it is never assigned"
        if assigned:
            outcome = f"it is not promised; {hits} of {positives} are found among {assigned} that are assigned"
        sentences.append(
            f"these data do not show a {measure} of {goal.at_least}{certainty} at any threshold of its own: {outcome}"
        )
    return "; ".join(sentences)


def goals_of_labels(by: Any, betas: Floats, rankings: Rankings) -> list[Goal]:
    """One goal a label, from a name, a goal, or one of these for each label."""
    if isinstance(by, str) and by == "micro_f":
        if len(set(betas.tolist())) > 1:
            raise InvalidSetting("by='micro_f' is one F over all labels: give one beta")
        return [best_micro_f(rankings, float(betas[0]))] * len(betas) if len(betas) else []
    rows = list(by) if isinstance(by, Iterable) and not isinstance(by, str) else [by] * len(betas)
    if len(rows) != len(betas):
        raise InvalidSetting(f"by: {len(rows)} goals for {len(betas)} labels; give one, or one for each label")
    goals: list[Goal] = []
    for row, beta in zip(rows, betas.tolist(), strict=True):
        if isinstance(row, str) and row == "f":
            goals.append(FBeta(beta))
        elif isinstance(row, FBeta | Precision | Recall) and not isinstance(row, MicroF):
            goals.append(row)
        else:
            raise InvalidSetting(
                f"by={row!r}: give 'f', FBeta(…), Precision(…) or Recall(…); 'micro_f' is for all labels at once"
            )
    return goals


def check_draws(draws: int, level: float) -> None:
    if draws < 0 or not 0 < level < 1:
        raise InvalidSetting(f"{draws=}, {level=}: draws are not negative, and the level lies between 0 and 1")
