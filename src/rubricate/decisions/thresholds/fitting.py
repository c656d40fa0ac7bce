"""Cuts that can be defended: each label's goal, an interval, a fallback for rare labels, and a word where something is missing.

Learns from: scores and truth of the same documents. Give out-of-fold scores, of each document by a model that never saw it:
`rubricate.validation.cross_validate(...).scores[name]`. The papers cut on the training scores themselves (resubstitution), where
a model knows its documents by heart: on the 90 topics of Reuters-21578 TFIDF's training scores promise a mean F1 of .89, and
the test part gives .46 (out-of-fold cuts: .52). That is allowed, and noted in the report.

Intervals and promises are about documents of the same kind as these. They say nothing about a collection that changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from .bootstrap_draws import Weights, chosen, weights_drawn
from .goals import FBeta, Goal, MicroF, Precision, Recall
from .inputs import per_label, scores_given
from .intervals import Judged, judged
from .joint import best_micro_f
from .pooled import common_depth, places_at, places_drawn, pool_for, tenths
from .ranking import Ranking
from .report import Cuts
from .scut_thresholds import best_place, rankings

__all__ = ["SOURCES", "check_draws", "fit_cuts", "fit_one"]

SOURCES = ("out-of-fold", "resubstitution")


def fit_cuts(
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
) -> Cuts:
    """One cut a label, with intervals.

    scores, truth: documents x labels, or one label's (1-d).
    by: "f", the highest F_beta of each label and so of the macro average; "micro_f", the highest micro average of all labels
    together; Precision(0.95), Recall(0.9); or a list with one of these for each label ("micro_f" is for all or none).
    beta: one number, or one a label. labels: their names, for the report.
    source: where the scores come from, "out-of-fold" or "resubstitution"; arrays do not show it, the report tells it.
    min_positives: labels with fewer share a depth (see `pooled`); 0 gives each a cut of its own.
    draws: bootstrap draws, 0 for no intervals; level: of the intervals.
    """
    if source not in SOURCES:
        raise UnknownName("source", source, SOURCES)
    check_draws(draws, level)
    found = scores_given(scores)
    ranked = list(rankings(found, truth))
    goals = goals_given(by, per_label(beta, len(ranked), "beta"), ranked)
    names = tuple(str(label) for label in (range(len(ranked)) if labels is None else labels))
    if len(names) != len(ranked):
        raise InvalidSetting(f"labels: {len(names)} names for {len(ranked)} labels")
    weights = weights_drawn(len(found), draws, random_state)
    positives: Longs = np.array([ranking.positives for ranking in ranked], dtype=np.int64)
    depths = pooled_depths(goals, ranked, positives, min_positives, tenths(len(found), random_state))
    rows: list[Judged] = []
    why = []
    for label, (goal, ranking) in enumerate(zip(goals, ranked, strict=True)):
        depth, together = depths.get(label, (None, 0))
        row = fit_one(goal, ranking, weights, level, depth)
        rows.append(row)
        why.append(reason(goal, row, int(positives[label]), min_positives, together))

    def column(name: str, kind: Any = np.float64) -> Any:
        return np.array([getattr(row, name) for row in rows], dtype=kind)

    met = [goal.met(row.right, row.assigned, int(n)) for goal, row, n in zip(goals, rows, positives, strict=True)]
    return Cuts(
        labels=names,
        goals=tuple(goals),
        cuts=column("cut"),
        cut_low=column("cut_low"),
        cut_high=column("cut_high"),
        measure=column("measure"),
        expected=column("expected"),
        low=column("low"),
        high=column("high"),
        positives=positives,
        assigned=column("assigned", np.int64),
        pooled=np.array([label in depths for label in range(len(ranked))], dtype=np.bool_),
        met=np.array(met, dtype=np.bool_),
        why=tuple(why),
        n_documents=len(found),
        source=source,
        draws=draws,
        level=float(level),
        random_state=random_state,
    )


def fit_one(goal: Goal, ranking: Ranking, weights: Weights, level: float, depth: float | None = None) -> Judged:
    """One label's cut and its intervals; at a depth if one is given, otherwise where the goal is served best."""
    if depth is None:
        place, places = best_place(goal, ranking), chosen(goal, ranking, weights)
    else:
        place, places = int(places_at(ranking, depth)), places_drawn(ranking, depth, weights)
    return judged(goal, ranking, place, places, weights, level)


def pooled_depths(
    goals: Sequence[Goal], ranked: Sequence[Ranking], positives: Longs, min_positives: int, parts: Weights
) -> dict[int, tuple[float, int]]:
    """For each rare label that has company: the depth that serves its goal best, and how many labels were asked."""
    rare: dict[Goal, list[int]] = {}
    for label, goal in enumerate(goals):
        if 0 < positives[label] < min_positives:
            rare.setdefault(goal, []).append(label)
    depths: dict[int, tuple[float, int]] = {}
    for goal, own in rare.items():
        pool = pool_for(own, positives, min_positives)
        if len(pool) > 1:
            depth = common_depth(goal, [ranked[label] for label in pool], parts)
            depths.update(dict.fromkeys(own, (depth, len(pool))))
    return depths


def reason(goal: Goal, row: Judged, positives: int, min_positives: int, together: int) -> str:
    """What a person should know of a cut; empty if it is what was asked for."""
    if positives == 0:
        return "no document has the label: it is never assigned"
    said = []
    if together:
        said.append(
            f"{positives} positives, fewer than {min_positives}: cut at the depth that serves {together} labels together"
        )
    elif positives < min_positives:
        said.append(
            f"{positives} positives, fewer than {min_positives}, and no other label to pool with: a cut of its own"
        )
    if isinstance(goal, Precision | Recall) and not goal.met(row.right, row.assigned, positives):
        kind = "precision" if isinstance(goal, Precision) else "recall"
        known = "" if goal.sure is None else f" with {100 * goal.sure:g} % certainty"
        what = "it is never assigned"
        if row.assigned:
            what = f"it is not promised; {row.right} of {positives} are found among {row.assigned} that are assigned"
        said.append(f"these data do not show a {kind} of {goal.at_least}{known} at any cut of its own: {what}")
    return "; ".join(said)


def goals_given(by: Any, betas: Floats, ranked: Sequence[Ranking]) -> list[Goal]:
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
