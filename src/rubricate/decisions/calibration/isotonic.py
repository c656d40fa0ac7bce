"""Isotonic: the rising step curve nearest to the truth, straight between its steps. Learns from: scores and truth.
Source: Zadrozny & Elkan 2002; the fit is scikit-learn's.

The truth is taken as Platt's targets, not as 0 and 1: a step that holds only documents with the label would otherwise promise
certainty, and one exception would cost infinitely much. It is the same curve, squeezed by what the documents allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.isotonic import IsotonicRegression

from ...foundation.arrays import Bools, Floats
from .curves import Curves, by_label, shared
from .inputs import Examples
from .logistic import platt_targets

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Isotonic"]


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic(Curves):
    """A rising curve a label, given by its corners; level outside them."""

    name: ClassVar[str] = "isotonic"

    corners: tuple[tuple[Floats, Floats], ...]  # labels: scores, probabilities

    @classmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""
        curves, pooled = by_label(examples, fitted)
        return cls(examples.range, pooled, examples.exclusive, tuple(curves))

    def probabilities(self, scores: Floats) -> Floats:
        """The curve of each column."""
        p = np.empty(scores.shape)
        for label, (at, value) in enumerate(self.corners):
            p[:, label] = np.interp(scores[:, label], at, value)
        return p

    def parameters(self) -> dict[str, Any]:
        """The corners."""
        return {"corners": [[at.tolist(), value.tolist()] for at, value in self.corners]}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        return cls(**shared(held), corners=tuple((np.array(at), np.array(value)) for at, value in held["corners"]))


def fitted(scores: Floats, yes: Bools) -> list[tuple[Floats, Floats]]:
    """The corners of each column's curve."""
    targets = platt_targets(yes)
    found = []
    for label in range(scores.shape[1]):
        curve = IsotonicRegression().fit(scores[:, label], targets[:, label])
        found.append((curve.X_thresholds_.astype(np.float64), curve.y_thresholds_.astype(np.float64)))
    return found
