"""Thresholds that can be defended: each label's goal, an interval, a fallback for rare labels, a word where something is missing.

Learns from: scores and truth of the same documents. Give out-of-fold scores, of each document by a model that never saw it:
`rubricate.validation.cross_validate(...).scores[name]`. The papers fit on the training scores themselves (resubstitution), where
a model knows its documents by heart: on the 90 topics of Reuters-21578 TFIDF's training scores promise a mean F1 of .89, and
the test part gives .46 (out-of-fold thresholds: .52). That is allowed, and noted in the report.

Intervals and promises are about documents of the same kind as these. They say nothing about a collection that changes.

Labels too rare to have their own threshold share a depth: how far down its ranking each label goes.

    depth = documents above the threshold / positives of the label

Depth 1 takes as many documents as have the label. It says the same for any label and any model, because it asks only for the
order of a label's scores: not their scale, which differs from label to label, nor their spread, which positives themselves
stretch. The depth that serves the labels together is then a threshold in each label's own scores.

For F labels count alike (the mean of their F), so that the commonest of the rare does not decide for all. For a bound on
precision or recall documents count alike: the promise is one about the pool. A label's positives say both where its
threshold is and how many lie above it, so depths are compared on held-out documents: each tenth of the documents is decided
by thresholds that the other nine tenths place at that depth. Counted on the same documents, a bound with sure=0.95 was broken in
4 of 20 simulations.

Why not each label's own threshold: on the 90 topics of Reuters-21578 (out-of-fold scores of multinomial, Bernoulli, EDCM, ridge
regression, TFIDF; F1 on the test part) own thresholds of the 30 topics with fewer than 10 documents lie at the bottom of the
ranking for some of them. A common depth takes micro F1 from .19 .14 .23 .38 .81 to .56 .73 .76 .89 .83, and mean F1 from
.22 .29 .32 .62 .52 to .22 .32 .34 .63 .56. Raw scores, z-scores and shares of documents as the common scale were tried and
did worse more often than not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs
from ...storage.checks import need, sized
from ...storage.registry import stored
from ..inputs import as_table, check_scores, per_label
from .goals import FBeta, Goal, JsonReport, MicroF, Precision, Recall, best_candidate
from .intervals import (
    FittedThreshold,
    Weights,
    best_places_of_draws,
    draw_weights,
    positives_of_draws,
    running_counts,
    with_intervals,
)
from .ranking import Ranking, rankings
from .scut_thresholds import best_micro_f, best_place

SOURCES = ("out-of-fold", "resubstitution")
CANDIDATES = 200  # depths that are tried, at most
ENOUGH = 3  # times min_positives: positives that a pool should hold
PARTS = 10
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
    if source not in SOURCES:
        raise UnknownName("source", source, SOURCES)
    check_draws(draws, level)
    values = check_scores(scores)
    ranked = list(rankings(values, truth))
    goals = goals_of_labels(by, per_label(beta, len(ranked), "beta"), ranked)
    names = tuple(str(label) for label in (range(len(ranked)) if labels is None else labels))
    if len(names) != len(ranked):
        raise InvalidSetting(f"labels: {len(names)} names for {len(ranked)} labels")
    weights = draw_weights(len(values), draws, random_state)
    positives: Longs = np.array([ranking.positives for ranking in ranked], dtype=np.int64)
    depths = pooled_depths(goals, ranked, positives, min_positives, tenths(len(values), random_state))
    rows: list[FittedThreshold] = []
    why = []
    for label, (goal, ranking) in enumerate(zip(goals, ranked, strict=True)):
        depth, pool_size = depths.get(label, (None, 0))
        row = fit_threshold(goal, ranking, weights, level, depth)
        rows.append(row)
        why.append(shortcomings(goal, row, int(positives[label]), min_positives, pool_size))

    def column(name: str, dtype: Any = np.float64) -> Any:
        return np.array([getattr(row, name) for row in rows], dtype=dtype)

    met = [goal.met(row.hits, row.assigned, int(n)) for goal, row, n in zip(goals, rows, positives, strict=True)]
    return Thresholds(
        labels=names,
        goals=tuple(goals),
        cuts=column("threshold"),
        cut_low=column("threshold_low"),
        cut_high=column("threshold_high"),
        **{name: column(name) for name in ("measure", "expected", "low", "high")},
        positives=positives,
        assigned=column("assigned", np.int64),
        pooled=np.array([label in depths for label in range(len(ranked))], dtype=np.bool_),
        met=np.array(met, dtype=np.bool_),
        why=tuple(why),
        n_documents=len(values),
        source=source,
        draws=draws,
        level=float(level),
        random_state=random_state,
    )


def fit_threshold(
    goal: Goal, ranking: Ranking, weights: Weights, level: float, depth: float | None = None
) -> FittedThreshold:
    if depth is None:
        place, places = best_place(goal, ranking), best_places_of_draws(goal, ranking, weights)
    else:
        place, places = int(places_at(ranking, depth)), places_of_draws(ranking, depth, weights)
    return with_intervals(goal, ranking, place, places, weights, level)


def pooled_depths(
    goals: Sequence[Goal], ranked: Sequence[Ranking], positives: Longs, min_positives: int, parts: Weights
) -> dict[int, tuple[float, int]]:
    """For each rare label that has company: the depth that serves its goal best, and how many labels are in its pool."""
    rare: dict[Goal, list[int]] = {}
    for label, goal in enumerate(goals):
        if 0 < positives[label] < min_positives:
            rare.setdefault(goal, []).append(label)
    depths: dict[int, tuple[float, int]] = {}
    for goal, labels in rare.items():
        pool = pool_for(labels, positives, min_positives)
        if len(pool) > 1:
            depth = common_depth(goal, [ranked[label] for label in pool], parts)
            depths.update(dict.fromkeys(labels, (depth, len(pool))))
    return depths


def shortcomings(goal: Goal, row: FittedThreshold, positives: int, min_positives: int, pool_size: int) -> str:
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
    if isinstance(goal, Precision | Recall) and not goal.met(row.hits, row.assigned, positives):
        measure = "precision" if isinstance(goal, Precision) else "recall"
        certainty = "" if goal.sure is None else f" with {100 * goal.sure:g} % certainty"
        outcome = "it is never assigned"
        if row.assigned:
            outcome = f"it is not promised; {row.hits} of {positives} are found among {row.assigned} that are assigned"
        sentences.append(
            f"these data do not show a {measure} of {goal.at_least}{certainty} at any threshold of its own: {outcome}"
        )
    return "; ".join(sentences)


def goals_of_labels(by: Any, betas: Floats, ranked: Sequence[Ranking]) -> list[Goal]:
    """One goal a label, from a name, a goal, or one of these for each label."""
    if isinstance(by, str) and by == "micro_f":
        if len(set(betas.tolist())) > 1:
            raise InvalidSetting("by='micro_f' is one F over all labels: give one beta")
        return [best_micro_f(ranked, float(betas[0]))] * len(ranked) if len(betas) else []
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


# -- labels that share a depth


def pool_for(rare: Sequence[int], positives: Longs, min_positives: int) -> list[int]:
    """The rare labels, and the next rarest ones until the pool holds enough positives."""
    pool = list(rare)
    pooled_positives = int(positives[pool].sum())
    for label in np.argsort(positives, kind="stable").tolist():
        if pooled_positives >= ENOUGH * min_positives:
            break
        if positives[label] and label not in pool:
            pool.append(label)
            pooled_positives += int(positives[label])
    return sorted(pool)


def tenths(n_documents: int, random_state: int) -> Weights:
    """Documents x 10: 1 for a document of the other nine tenths, 0 for one of this tenth."""
    part = np.random.default_rng(random_state).permutation(n_documents) % PARTS
    others: Weights = (part[:, None] != np.arange(PARTS)).astype(np.uint8)
    return others


def common_depth(goal: Goal, pool: Sequence[Ranking], parts: Weights) -> float:
    depths = candidate_depths(goal, pool)
    hits, assigned, f = np.zeros(len(depths)), np.zeros(len(depths)), np.zeros(len(depths))
    positives = 0
    for ranking in pool:
        counts = held_out_counts(ranking, depths, parts)
        hits, assigned, positives = hits + counts[0], assigned + counts[1], positives + ranking.positives
        f += goal.measure(*counts, ranking.positives)
    if isinstance(goal, FBeta) and not isinstance(goal, MicroF):
        return float(depths[best_candidate(f / len(pool))])
    return float(depths[goal.best(hits, assigned, positives, len(parts) * len(pool))])


def candidate_depths(goal: Goal, pool: Sequence[Ranking]) -> Floats:
    """0, and the depths at which a label of the pool gains something; evenly thinned where there are very many."""
    label_depths = [goal.places(ranking) / ranking.positives for ranking in pool]
    depths: Floats = np.unique(np.round(np.concatenate(label_depths), 12))
    if len(depths) > CANDIDATES:
        depths = depths[np.linspace(0, len(depths) - 1, CANDIDATES).round().astype(np.int64)]
    return depths


def held_out_counts(ranking: Ranking, depths: Floats, parts: Weights) -> tuple[Floats, Floats]:
    """Right and assigned at each depth, over all documents, each tenth decided by thresholds that the others placed."""
    hits, assigned = np.zeros(len(depths)), np.zeros(len(depths))
    for others in parts.T[:, ranking.order] != 0:
        rest = ranking.subset(others)
        above = ranking.count_above(rest.thresholds(places_at(rest, depths)))
        assigned += np.concatenate([[0], np.cumsum(~others)])[above]
        hits += np.concatenate([[0], np.cumsum(~others & ranking.positive)])[above]
    return hits, assigned


def places_at(ranking: Ranking, depths: Any) -> Longs:
    """The place of the last candidate within each depth; 0 if there is none."""
    end_depths = ranking.ends / max(ranking.positives, 1)
    last = np.searchsorted(end_depths, depths * (1 + 1e-12), side="right")
    places: Longs = np.concatenate([[0], ranking.ends])[last]
    return places


def places_of_draws(ranking: Ranking, depth: float, weights: Weights) -> Longs:
    """The places of one depth in each draw, where documents and positives count as often as they were drawn."""
    most = depth * positives_of_draws(ranking, weights) * (1 + 1e-12)
    # a draw has so many documents within twice as many places, all but surely; otherwise the last of these is taken
    reach = np.searchsorted(ranking.ends, 2 * most.max(initial=0.0) + 30) + 1
    candidates = np.concatenate([[0], ranking.ends[:reach]])
    _, assigned = running_counts(ranking, candidates, weights)
    places: Longs = candidates[np.maximum((assigned <= most).sum(axis=0) - 1, 0)]
    return places
