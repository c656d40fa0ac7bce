"""Scut: for each label the threshold with the highest F_beta on some scores; or for all labels the highest micro F_beta together.

    F_beta = (1 + beta^2) a / [(1 + beta^2) a + b + beta^2 c] = (1 + beta^2) a / (assigned + beta^2 positives)   [001 sec. 5]

Learns from: scores and truth. Candidates lie midway between neighbouring distinct scores, and at +inf (none) and -inf (all);
of equally good ones the highest, which assigns fewest. A label without positives gets +inf, with F = 1.    [001 sec. 3.4]
The papers fit on the training scores themselves; out-of-fold scores promise less and keep it. `fit_thresholds` is the same with
intervals, constraints, and help for rare labels.

`scut` gives the highest macro average, a mean of one F a label. In the micro average

    F = (1 + beta^2) sum of right / (sum of assigned + beta^2 sum of positives)

the labels meet only in F. If its highest value F* were known, each label alone would look for its highest
(1 + beta^2) right - F* assigned; the F of these thresholds is at least as high as the value they were made for, and equal only at
F* (Dinkelbach 1967). So the search starts anywhere, repeats until F stands still, a few rounds, and is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...measures.metrics.contingency import f_beta
from ..inputs import as_table, check_scores, check_truth, per_label
from .goals import FBeta, Goal, MicroF, micro_worth
from .ranking import Ranking, Rankings

BLOCK = 64  # labels that are laid out one after the other at a time
MANY = 4  # times as many documents as positives: only then is a bound on the documents that can matter worth its cost


def scut(scores: Any, truth: Any, beta: Any = 1.0) -> Any:
    """The threshold of each label with the highest F_beta on these scores; a document is in if score > threshold. [001 sec. 3.4]

    scores: documents x labels, or one label's (1-d; then the threshold is one float). truth: 0/1 in the same shape, dense or
    sparse. beta: one number, or one a label.
    """
    values = check_scores(scores)
    betas = per_label(beta, as_table(values).shape[1], "beta").tolist()
    table, positive = as_table(values), as_table(check_truth(truth, values))
    thresholds: Floats = np.empty(len(betas))
    for start in range(0, len(betas), BLOCK):
        block = slice(start, start + BLOCK)
        rows = zip(np.ascontiguousarray(table[:, block].T), np.ascontiguousarray(positive[:, block].T), strict=True)
        for label, (label_scores, members) in enumerate(rows, start):
            ranking, goal = Ranking.of(*relevant_part(label_scores, members, betas[label])), FBeta(betas[label])
            places, positives = goal.places(ranking), np.count_nonzero(members)
            best = goal.best(ranking.hits_above(places), places, positives, len(label_scores))
            thresholds[label] = ranking.thresholds(places[best])
    return float(thresholds[0]) if values.ndim == 1 else thresholds


def relevant_part(scores: Floats, truth: Bools, beta: float) -> tuple[Floats, Bools]:
    """The documents down to where no threshold can be better any more, and the one below: a label with few positives is not
    sorted to the end.

    That is the lowest positive; or before it. With P positives, F of a assigned documents is at most (1 + beta^2) P / (a + beta^2
    P); if the first P documents reach F', more than P ((1 + beta^2) / F' - beta^2) of them cannot be better.
    """
    members = scores[truth]
    lowest = members.min() if len(members) else np.inf
    if not np.isfinite(lowest):
        return scores, truth
    mask, b2, positives = scores >= slightly_below(lowest), beta**2, len(members)
    if np.count_nonzero(mask) > MANY * positives:
        bound = slightly_below(np.partition(scores, -positives)[-positives])
        hits, assigned = np.count_nonzero(members >= bound), np.count_nonzero(scores >= bound)
        reached = (1 + b2) * hits / (assigned + b2 * positives)
        most = positives * ((1 + b2) / reached - b2) + 1 if reached > 0 else np.inf
        if most < np.count_nonzero(mask):
            mask = scores >= slightly_below(np.partition(scores, -int(most) - 1)[-int(most) - 1])
    below = np.where(mask, -np.inf, scores).max()
    return np.append(scores[mask], below), np.append(truth[mask], False)


def slightly_below(score: Any) -> Any:
    """A little below a score: what is the same to 12 digits stays together."""
    return score - 1e-9 * abs(score) if np.isfinite(score) else score


def best_place(goal: Goal, ranking: Ranking) -> int:
    places = goal.places(ranking)
    counts = (ranking.hits_above(places), places, ranking.positives)
    return int(places[goal.best(*counts, len(ranking.scores))])


def micro_thresholds(scores: Any, truth: Any, *, beta: float = 1.0) -> Floats:
    """One threshold a label, so that micro-averaged F_beta over all labels is highest on these scores; exact.

    A rare label with poor scores gets a high threshold here, since its documents count no more than others; for F of each label
    alone use `scut`. Of equally good thresholds of a label the highest.
    """
    if np.ndim(scores) != 2:
        raise InvalidSetting(f"scores of shape {np.shape(scores)}: give documents x labels; for one label use scut")
    rankings = Rankings.of(scores, truth)
    if not len(rankings):
        return np.zeros(0)
    goal, candidates = best_micro_f(rankings, beta), rankings.candidates
    return candidates.thresholds[candidates.best_of_labels(micro_worth(goal, candidates.hits, candidates.places))]


def best_micro_f(rankings: Rankings, beta: float) -> MicroF:
    """The goal of every label: its part in the highest micro F, which the goal names."""
    goal, candidates = MicroF(beta, 0.0), rankings.candidates
    positives = int(rankings.positives.sum())
    while True:
        best = candidates.best_of_labels(micro_worth(goal, candidates.hits, candidates.places))
        hits, assigned = int(candidates.hits[best].sum()), int(candidates.places[best].sum())
        reached = float(f_beta(hits, assigned - hits, positives - hits, beta))
        if reached <= goal.reached + 1e-12:
            return goal
        goal = MicroF(beta, reached)
