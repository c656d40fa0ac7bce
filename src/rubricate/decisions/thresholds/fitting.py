"""Thresholds that can be defended: each label's goal, an interval, a fallback for rare labels, a word where something is missing.

Learns from: scores and truth of the same documents. Give out-of-fold scores, of each document by a model that never saw it:
`rubricate.validation.cross_validate(...).scores[name]`. The papers fit on the training scores themselves (resubstitution), where
a model knows its documents by heart: on the 90 topics of Reuters-21578 TFIDF's training scores promise a mean F1 of .89, and
the test part gives .46 (out-of-fold thresholds: .52). That is allowed, and noted in the report.

Intervals and promises are about documents of the same kind as these. They say nothing about a collection that changes.
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
from .goals import FBeta, Goal, MicroF, Precision, Recall, report_from_dict, report_to_dict
from .intervals import FittedThreshold, Weights, best_places_of_draws, draw_weights, with_intervals
from .pooled import common_depth, places_at, places_of_draws, pool_for, tenths
from .ranking import Ranking, rankings
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
    need(isinstance(values, np.ndarray) and not np.isnan(values).any(), "cuts that are no numbers")


@stored("cuts", keys=(*OF_LABELS, *OF_ALL), check=_check_thresholds)
@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
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

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: infinities are "inf" and "-inf", nan is null."""
        return report_to_dict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Thresholds:
        """What `as_dict` gave."""
        return report_from_dict(cls, values)

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
    min_positives: labels with fewer share a depth (see `pooled`); 0 gives each a threshold of its own.
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

    met = [goal.met(row.right, row.assigned, int(n)) for goal, row, n in zip(goals, rows, positives, strict=True)]
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
    """One label's threshold and its intervals; at a depth if there is one, otherwise where the goal is served best."""
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
    if isinstance(goal, Precision | Recall) and not goal.met(row.right, row.assigned, positives):
        measure = "precision" if isinstance(goal, Precision) else "recall"
        certainty = "" if goal.sure is None else f" with {100 * goal.sure:g} % certainty"
        outcome = "it is never assigned"
        if row.assigned:
            outcome = f"it is not promised; {row.right} of {positives} are found among {row.assigned} that are assigned"
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
    """Settings of a bootstrap that make sense."""
    if draws < 0 or not 0 < level < 1:
        raise InvalidSetting(f"{draws=}, {level=}: draws are not negative, and the level lies between 0 and 1")
