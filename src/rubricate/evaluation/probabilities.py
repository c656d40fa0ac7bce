"""What probabilities are worth: their losses beside those of the labels' mere shares, and whether they keep their word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..decisions.calibration import diagram
from ..foundation.arrays import Floats
from ..measures.metrics import brier, calibration_error, log_loss
from .per_label import share_of
from .results import Bin, Calibration

__all__ = ["calibrated"]

CELLS = 1 << 22


def calibrated(probabilities: Floats, truth: Any, given: Any, shares: Floats, level: float) -> Calibration:
    """truth: 0/1 documents x labels; or the column of each document's label, if it has one. given: (rows, columns) of the labels
    that were given, and whether each is right."""
    rows, columns, right = given
    p_given = probabilities[rows, columns]
    word = diagram(probabilities, truth)
    return Calibration(
        log_loss=by_rows(log_loss, probabilities, truth),
        log_loss_of_shares=by_rows(log_loss, shares, truth),
        brier=by_rows(brier, probabilities, truth),
        brier_of_shares=by_rows(brier, shares, truth),
        error=calibration_error(probabilities, truth),
        given=share_of(int(right.sum()), len(right), level),
        given_probability=float(p_given.mean()) if len(right) else float("nan"),
        given_error=calibration_error(p_given, right) if len(right) else float("nan"),
        bins=tuple(
            Bin(p, share, *limits(share, count, level), count)
            for p, share, count in zip(
                word.probability.tolist(), word.share_true.tolist(), word.count.tolist(), strict=True
            )
        ),
    )


def limits(share: float, count: int, level: float) -> tuple[float, float]:
    """The exact interval of a share."""
    own = share_of(round(share * count), count, level)
    return own.low, own.high


def by_rows(loss: Callable[[Any, Any], float], probabilities: Floats, truth: Any) -> float:
    """A loss that is a mean over documents, some documents at a time. probabilities: documents x labels, or one row for all."""
    n, width = truth.shape[0], probabilities.shape[-1]
    step = max(1, CELLS // max(width, 1))
    total = 0.0
    for start in range(0, n, step):
        part = truth[start : start + step]
        p = probabilities[start : start + step] if probabilities.ndim == 2 else np.tile(probabilities, (len(part), 1))
        total += len(part) * loss(p, part)
    return float(total / n)
