"""Infinite scores: a label that a fold never saw scores -inf. It is then taken as low as the lowest score that was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...storage.registry import stored

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Range", "table_of"]


@stored("calibration.range", keys=("lowest", "highest"))
@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The lowest and the highest finite score of each label; 0 where a label has none."""

    lowest: Floats
    highest: Floats

    @classmethod
    def of(cls, scores: Floats) -> Self:
        """Of documents x labels."""
        known = np.isfinite(scores)
        none = ~known.any(axis=0)
        lowest = np.where(known, scores, np.inf).min(axis=0, initial=np.inf)
        highest = np.where(known, scores, -np.inf).max(axis=0, initial=-np.inf)
        return cls(np.where(none, 0.0, lowest), np.where(none, 0.0, highest))

    def put(self, scores: Floats) -> Floats:
        """Scores with -inf as the lowest and inf as the highest; finite ones stay, within the range or not."""
        if np.isfinite(scores).all():
            return scores
        return np.where(scores == -np.inf, self.lowest, np.where(scores == np.inf, self.highest, scores))

    def at(self, labels: Any) -> Range:
        """Of some labels."""
        return Range(self.lowest[labels], self.highest[labels])


def table_of(scores: Any, n_labels: int | None = None) -> Floats:
    """Scores as a table documents x labels; infinite ones may be there, nan may not."""
    if sparse.issparse(scores):
        raise InvalidSetting("scores are sparse: give a dense table documents x labels")
    found = np.ascontiguousarray(scores, dtype=np.float64)
    if found.ndim != 2:
        raise InvalidSetting(f"scores of shape {found.shape}: give documents x labels, one column for one label")
    if n_labels is not None and found.shape[1] != n_labels:
        raise InvalidSetting(
            f"scores of {found.shape[1]} labels, fitted on {n_labels}: give the same labels in the same order"
        )
    missing = np.isnan(found)
    if missing.any():
        document, label = np.argwhere(missing)[0].tolist()
        raise InvalidSetting(f"scores: nan at document {document}, label {label}; -inf says that a label is impossible")
    return found
