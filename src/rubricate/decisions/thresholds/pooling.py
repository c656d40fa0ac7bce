"""Labels too rare to have their own threshold share a depth: how far down its ranking each label goes.

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
from dataclasses import dataclass

import numpy as np

from ...foundation.arrays import Floats, Longs
from .goals import FBeta, Goal, MicroF, Recall, best_candidate
from .intervals import Weights, positives_of_draws, running_counts
from .ranking import Ranking, Rankings

CANDIDATES = 200  # depths that are tried, at most
ENOUGH = 3  # times min_positives: positives that a pool should hold
PARTS = 10


@dataclass(frozen=True, slots=True)
class Pool:
    """The depth that serves some labels together, and how many they are."""

    depth: float
    size: int


def pooled_depths(goals: Sequence[Goal], rankings: Rankings, min_positives: int, random_state: int) -> dict[int, Pool]:
    """For each rare label that has company: the depth that serves its goal best, and how many labels are in its pool."""
    positives = rankings.positives
    rare: dict[Goal, list[int]] = {}
    for label in np.flatnonzero((positives > 0) & (positives < min_positives)).tolist():
        rare.setdefault(goals[label], []).append(label)
    pools: dict[int, Pool] = {}
    for goal, labels in rare.items():
        pool = pool_for(labels, positives, min_positives)
        if len(pool) > 1:
            depth = common_depth(goal, rankings, pool, tenths(rankings, random_state))
            pools.update(dict.fromkeys(labels, Pool(depth, len(pool))))
    return pools


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


def tenths(rankings: Rankings, random_state: int) -> Longs:
    """The tenth of each document, 0 to 9, at random; those outside are in none."""
    part = np.full(len(rankings.inside), -1, dtype=np.int64)
    part[rankings.inside] = np.random.default_rng(random_state).permutation(rankings.n_documents) % PARTS
    return part


def common_depth(goal: Goal, rankings: Rankings, pool: Sequence[int], part: Longs) -> float:
    from ...kernels.rankings import held_out_counts  # here: who applies thresholds need not wait for it

    depths = candidate_depths(goal, rankings, pool)
    hits, assigned, f = np.zeros(len(depths)), np.zeros(len(depths)), np.zeros(len(depths))
    for label in pool:
        ranking = rankings.scores[label], rankings.positive[label], rankings.order[label]
        counts = held_out_counts(*ranking, part, PARTS, depths)
        hits, assigned = hits + counts[0], assigned + counts[1]
        f += goal.measure(counts[0], counts[1], rankings.positives[label])
    if isinstance(goal, FBeta) and not isinstance(goal, MicroF):
        return float(depths[best_candidate(f / len(pool))])
    positives = int(rankings.positives[list(pool)].sum())
    return float(depths[goal.best(hits, assigned, positives, rankings.n_documents * len(pool))])


def candidate_depths(goal: Goal, rankings: Rankings, pool: Sequence[int]) -> Floats:
    """0, and the depths at which a label of the pool gains something; evenly thinned where there are very many."""
    candidates, everything = rankings.candidates, isinstance(goal, Recall)
    places = [
        goal.places(rankings.ranking(label)) if everything else candidates.places[candidates.of(label)]
        for label in pool
    ]
    label_depths = [row / rankings.positives[label] for row, label in zip(places, pool, strict=True)]
    depths: Floats = np.unique(np.round(np.concatenate(label_depths), 12))
    if len(depths) > CANDIDATES:
        depths = depths[np.linspace(0, len(depths) - 1, CANDIDATES).round().astype(np.int64)]
    return depths


def counts_at_depth(rankings: Rankings, label: int, depth: float) -> tuple[int, int, float]:
    """The documents above the last candidate within a depth, those of them that have the label, and the threshold."""
    from ...kernels.rankings import threshold_at_depth  # here: who applies thresholds need not wait for it

    scores, positives = rankings.scores[label], int(rankings.positives[label])
    inside = rankings.inside.view(np.uint8)
    place, threshold = threshold_at_depth(scores, rankings.order[label], inside, depth, positives)
    above = (scores > threshold) & rankings.inside[rankings.order[label]]
    return place, int(np.count_nonzero(rankings.positive[label, above])), threshold


def places_of_draws(ranking: Ranking, depth: float, weights: Weights) -> Longs:
    """The places of one depth in each draw, where documents and positives count as often as they were drawn."""
    most = depth * positives_of_draws(ranking, weights) * (1 + 1e-12)
    # a draw has so many documents within twice as many places, all but surely; otherwise the last of these is taken
    reach = np.searchsorted(ranking.ends, 2 * most.max(initial=0.0) + 30) + 1
    candidates = np.concatenate([[0], ranking.ends[:reach]])
    _, assigned = running_counts(ranking, candidates, weights)
    places: Longs = candidates[np.maximum((assigned <= most).sum(axis=0) - 1, 0)]
    return places
