"""Scut: for each label the cut with the highest F_beta on given scores.

    F_beta = (1 + beta^2) a / [(1 + beta^2) a + b + beta^2 c] = (1 + beta^2) a / (assigned + beta^2 positives)   [001 sec. 5]

Learns from: scores and truth. Candidates lie midway between neighbouring distinct scores, and at +inf (none) and -inf (all);
of equally good ones the highest, which assigns fewest. A label without positives gets +inf, with F = 1.    [001 sec. 3.4]
The papers cut on the training scores themselves; scores of documents that the model never saw (out-of-fold) promise less and
keep it. `fit_cuts` is the same with intervals, constraints, and help for rare labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...foundation.arrays import Bools, Floats
from .goals import FBeta, Goal
from .inputs import as_table, per_label, scores_given, truth_given
from .ranking import Ranking

__all__ = ["best_place", "rankings", "scut"]

BLOCK = 64  # labels that are laid out one after the other at a time
MANY = 4  # times as many documents as positives are worth a look at how many can matter


def best_place(goal: Goal, ranking: Ranking) -> int:
    """How many documents lie above the cut that serves the goal best."""
    places = goal.places(ranking)
    counts = (ranking.right(places), places, ranking.positives)
    return int(places[goal.best(*counts, len(ranking.scores))])


def rankings(scores: Any, truth: Any) -> Iterator[Ranking]:
    """One ranking a label, one after the other."""
    found = scores_given(scores)
    table, known = as_table(found), as_table(truth_given(truth, found))
    return (Ranking.of(table[:, label], known[:, label]) for label in range(table.shape[1]))


def near(score: Any) -> Any:
    """A little below a score: what is the same to 12 digits stays together."""
    return score - 1e-9 * abs(score) if np.isfinite(score) else score


def upper(scores: Floats, truth: Bools, beta: float) -> tuple[Floats, Bools]:
    """The documents down to where no cut can be better any more, and the one below: a label with few positives is not sorted to
    the end.

    That is the lowest positive; or before it. With P positives, F of a assigned documents is at most (1 + beta^2) P / (a + beta^2
    P); if the first P documents reach F', more than P ((1 + beta^2) / F' - beta^2) of them cannot be better.
    """
    members = scores[truth]
    lowest = members.min() if len(members) else np.inf
    if not np.isfinite(lowest):
        return scores, truth
    kept, b2, positives = scores >= near(lowest), beta**2, len(members)
    if np.count_nonzero(kept) > MANY * positives:
        some = near(np.partition(scores, -positives)[-positives])
        right, assigned = np.count_nonzero(members >= some), np.count_nonzero(scores >= some)
        reached = (1 + b2) * right / (assigned + b2 * positives)
        most = positives * ((1 + b2) / reached - b2) + 1 if reached > 0 else np.inf
        if most < np.count_nonzero(kept):
            kept = scores >= near(np.partition(scores, -int(most) - 1)[-int(most) - 1])
    below = np.where(kept, -np.inf, scores).max()
    return np.append(scores[kept], below), np.append(truth[kept], False)


def scut(scores: Any, truth: Any, beta: Any = 1.0) -> Any:
    """The cut of each label with the highest F_beta on these scores; a document is in if score > cut.     [001 sec. 3.4]

    scores: documents x labels, or one label's (1-d; then the cut is one float). truth: 0/1 in the same shape, dense or sparse.
    beta: one number, or one a label.
    """
    found = scores_given(scores)
    betas = per_label(beta, as_table(found).shape[1], "beta").tolist()
    table, known = as_table(found), as_table(truth_given(truth, found))
    cuts: Floats = np.empty(len(betas))
    for start in range(0, len(betas), BLOCK):
        some = slice(start, start + BLOCK)
        rows = zip(np.ascontiguousarray(table[:, some].T), np.ascontiguousarray(known[:, some].T), strict=True)
        for label, (own, members) in enumerate(rows, start):
            ranking, goal = Ranking.of(*upper(own, members, betas[label])), FBeta(betas[label])
            places, positives = goal.places(ranking), np.count_nonzero(members)
            best = goal.best(ranking.right(places), places, positives, len(own))
            cuts[label] = ranking.cuts(places[best])
    return float(cuts[0]) if found.ndim == 1 else cuts
