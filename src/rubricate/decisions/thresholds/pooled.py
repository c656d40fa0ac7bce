"""One threshold for labels too rare to have their own, made comparable by depth: how far down its ranking each label goes.

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

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...foundation.arrays import Floats, Longs
from .goals import FBeta, Goal, MicroF, best_candidate
from .intervals import Weights, positives_of_draws, running_counts
from .ranking import Ranking

CANDIDATES = 200  # depths that are tried, at most
ENOUGH = 3  # times min_positives: positives that a pool should hold
PARTS = 10


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
    """The depth that serves the goal best for the labels of the pool together."""
    depths = candidate_depths(goal, pool)
    right, assigned, f = np.zeros(len(depths)), np.zeros(len(depths)), np.zeros(len(depths))
    positives = 0
    for ranking in pool:
        counts = held_out_counts(ranking, depths, parts)
        right, assigned, positives = right + counts[0], assigned + counts[1], positives + ranking.positives
        f += goal.measure(*counts, ranking.positives)
    if isinstance(goal, FBeta) and not isinstance(goal, MicroF):
        return float(depths[best_candidate(f / len(pool))])
    return float(depths[goal.best(right, assigned, positives, len(parts) * len(pool))])


def candidate_depths(goal: Goal, pool: Sequence[Ranking]) -> Floats:
    """0, and the depths at which a label of the pool gains something; evenly thinned where there are very many."""
    label_depths = [goal.places(ranking) / ranking.positives for ranking in pool]
    depths: Floats = np.unique(np.round(np.concatenate(label_depths), 12))
    if len(depths) > CANDIDATES:
        depths = depths[np.linspace(0, len(depths) - 1, CANDIDATES).round().astype(np.int64)]
    return depths


def held_out_counts(ranking: Ranking, depths: Floats, parts: Weights) -> tuple[Floats, Floats]:
    """Right and assigned at each depth, over all documents, each tenth decided by thresholds that the others placed."""
    right, assigned = np.zeros(len(depths)), np.zeros(len(depths))
    for others in parts.T[:, ranking.order] != 0:
        rest = ranking.subset(others)
        above = ranking.count_above(rest.thresholds(places_at(rest, depths)))
        assigned += np.concatenate([[0], np.cumsum(~others)])[above]
        right += np.concatenate([[0], np.cumsum(~others & ranking.positive)])[above]
    return right, assigned


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
