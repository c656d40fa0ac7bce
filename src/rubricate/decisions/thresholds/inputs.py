"""What every way of cutting is given: scores (documents x labels) and truth (0/1 in the same shape), checked once.

A score may be infinite but not nan. Two scores are the same score if they agree to 12 significant digits: about 1 that is the
house rule of 12 decimals, while posteriors of 1e-30, which a naive Bayes gives every day, stay apart. A cut between scores
nearer than that would decide by the order in which a sum was taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...measures.inputs import yes_no

__all__ = ["as_table", "check_share", "higher", "per_label", "scores_given", "truth_given"]

SAME = 1e-12


def scores_given(scores: Any, name: str = "scores") -> Floats:
    """Scores as floats, 1-d (one label) or 2-d (documents x labels); nan is refused, with its place."""
    found = np.asarray(scores.toarray() if sparse.issparse(scores) else scores, dtype=np.float64)
    if found.ndim not in (1, 2):
        raise InvalidSetting(
            f"{name} of shape {found.shape}: give documents x labels, or one label's scores in one row"
        )
    missing = np.isnan(found)
    if missing.any():
        where = np.argwhere(missing)[0].tolist()
        label = f", label {where[1]}" if found.ndim == 2 else ""
        raise InvalidSetting(f"{name}: nan at document {where[0]}{label}; -inf says that a label is impossible")
    return found


def truth_given(truth: Any, scores: Floats) -> Bools:
    """Truth in the shape of the scores, as booleans; only 0 and 1 are truth."""
    table = yes_no(truth, "truth")
    found: Bools = table.toarray() != 0 if sparse.issparse(table) else table
    if sparse.issparse(table) and scores.ndim == 1 and found.shape[1] == 1:
        found = found.ravel()
    if found.shape != scores.shape:
        raise InvalidSetting(
            f"truth of shape {found.shape} for scores of shape {scores.shape}: give 0/1 in the same shape"
        )
    return found


def as_table(values: Any) -> Any:
    """Documents x labels, where one label may have come as a row."""
    return values[:, None] if values.ndim == 1 else values


def per_label(value: Any, n_labels: int, name: str) -> Floats:
    """One number a label, from a number or a row of them."""
    found = np.asarray(value, dtype=np.float64)
    if found.ndim > 1 or (found.ndim == 1 and len(found) != n_labels):
        raise InvalidSetting(
            f"{name} of shape {found.shape}: give one number, or one for each of the {n_labels} labels"
        )
    return np.broadcast_to(found, (n_labels,)).astype(np.float64)


def check_share(value: float, name: str) -> float:
    """A share lies between 0 and 1."""
    if not 0 <= value <= 1:
        raise InvalidSetting(f"{name}={value}: give a share from 0 to 1")
    return float(value)


def higher(left: Floats, right: Floats) -> Bools:
    """Where left is above right and not the same to 12 digits."""
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf is nan, and not above
        gap = left - right
    size = np.where(np.isfinite(left) & np.isfinite(right), np.maximum(np.abs(left), np.abs(right)), 0.0)
    found: Bools = gap > SAME * size
    return found
