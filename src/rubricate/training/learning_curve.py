"""Would more labels help? The same candidate, learned from an eighth, a quarter, half and all of the training documents.

Two folds are judged, each by models of smaller and smaller parts of the others; the parts are nested and seeded. The rule to
decide by is cross-fitted between the two, at each size anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..decisions.rules import Rule
from ..measures.metrics.names import Measure
from .candidates import Candidate
from .out_of_fold import OutOfFold, score_held_out
from .training_set import TrainingSet
from .trial import judge

SHARES = (0.125, 0.25, 0.5)
FOLDS = 2
FEWEST = 40  # documents below which a curve says nothing


def learning_curve(
    training: TrainingSet, candidate: Candidate, whole: OutOfFold, by: Measure, rule: Rule, *, seed: int = 0
) -> dict[str, Any] | None:
    """Sizes and values with their intervals; None for too few documents. whole: what it scored with all of the others."""
    if training.n_folds < FOLDS or len(training.labels) < FEWEST:
        return None
    table, place = training.table(candidate.recipe), np.random.default_rng(seed).permutation(len(training.labels))
    judged = training.folds < FOLDS
    points = []
    for share in (*SHARES, 1.0):
        scores, sizes = np.full(whole.scores.shape, -np.inf), []
        unknown = np.zeros(len(judged), dtype=bool)
        for fold in range(FOLDS):
            inside = training.folds == fold
            others = np.flatnonzero(~inside)
            train = np.zeros(len(inside), dtype=bool)
            train[others[np.argsort(place[others])[: max(1, round(share * len(others)))]]] = True
            sizes.append(int(train.sum()))
            if share < 1:
                scores[inside], unknown[inside] = score_held_out(
                    training, candidate, table.at(train).counts.pruned(), train, inside
                )
        result = replace(whole, scored=judged)
        if share < 1:
            result = replace(result, scores=scores, unknown=unknown)
        deciding = rule if rule.name != "own" else Rule("scut" if training.multilabel else "top")
        trial = judge(training, candidate, result, by, deciding, seed=seed)
        points.append((round(float(np.mean(sizes))), trial.value, trial.low, trial.high))
    sizes, values, low, high = (list(column) for column in zip(*points, strict=True))
    return {"measure": by.name, "sizes": sizes, "values": values, "low": low, "high": high}
