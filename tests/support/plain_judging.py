"""What kernels of thresholds and calibration compute, as one would write it down; one label at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from rubricate.decisions.thresholds.ranking import Ranking


def logistic_loss(eta: Any, targets: Any) -> float:
    """Sum over documents of log(1 + exp(eta)) - t eta."""
    return float((np.logaddexp(0, eta) - targets * eta).sum())


def places_at(ranking: Ranking, depths: Any) -> Any:
    """The place of the last candidate within each depth; 0 if there is none."""
    last = np.searchsorted(ranking.ends / max(ranking.positives, 1), depths * (1 + 1e-12), side="right")
    return np.concatenate([[0], ranking.ends])[last]


def held_out_counts(ranking: Ranking, part: Any, n_parts: int, depths: Any) -> tuple[Any, Any]:
    """Right and assigned at each depth, each part decided by thresholds that the others place. part: of each document."""
    hits, assigned = np.zeros(len(depths), dtype=np.int64), np.zeros(len(depths), dtype=np.int64)
    for left_out in range(n_parts):
        inside = part[ranking.order] == left_out
        others = Ranking.from_sorted(ranking.order[~inside], ranking.scores[~inside], ranking.positive[~inside])
        for k, threshold in enumerate(others.thresholds(places_at(others, depths))):
            above = inside & (ranking.scores > threshold)
            hits[k] += np.count_nonzero(above & ranking.positive)
            assigned[k] += np.count_nonzero(above)
    return hits, assigned
