"""Sigmoid: P = 1 / (1 + exp(-(slope s + offset))), Platt's calibration. Learns from: scores and truth.
Source: Platt 1999; Lin, Lin & Weng 2007.

A higher score never means a lower probability: where the likelihood asks for a slope below 0, the slope is 0 and the
probability the label's (smoothed) share. As the likelihood is concave, that is its maximum over slopes from 0 on. `flat` tells
which labels these are: their scores say nothing, or the contrary of what they should.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import expit

from ...foundation.arrays import Bools, Floats
from ...storage.registry import stored
from .curves import SHARED, Curves, by_label, check_curves, shared
from .inputs import Examples
from .logistic import platt_targets, rising_sigmoids

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Sigmoid"]

CELLS = 2**22  # documents x labels that are fitted at a time


@stored(
    "calibration.sigmoid",
    keys=(*SHARED, "slope", "offset"),
    check=lambda curves: check_curves(curves, "slope", "offset"),
)
@dataclass(frozen=True, slots=True, eq=False)
class Sigmoid(Curves):
    """A sigmoid a label."""

    name: ClassVar[str] = "sigmoid"

    slope: Floats  # labels, none below 0
    offset: Floats

    @classmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""
        curves, pooled = by_label(examples, fitted)
        slope, offset = np.array(curves).T
        return cls(examples.range, pooled, examples.exclusive, slope, offset)

    @property
    def flat(self) -> Bools:
        """Labels whose scores do not rise with the truth."""
        found: Bools = self.slope <= 0
        return found

    def probabilities(self, scores: Floats) -> Floats:
        """The sigmoid of each column."""
        p: Floats = expit(self.slope * scores + self.offset)
        return p

    def parameters(self) -> dict[str, Any]:
        """Slopes and offsets."""
        return {"slope": self.slope.tolist(), "offset": self.offset.tolist()}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        return cls(**shared(held), slope=np.array(held["slope"]), offset=np.array(held["offset"]))


def fitted(scores: Floats, yes: Bools) -> list[tuple[float, float]]:
    """Slope and offset of each column."""
    found: list[tuple[float, float]] = []
    width = max(1, CELLS // max(len(scores), 1))
    for start in range(0, scores.shape[1], width):
        block = slice(start, start + width)
        slopes, offsets = rising_sigmoids(np.ascontiguousarray(scores[:, block]), platt_targets(yes[:, block]))
        found += zip(slopes.tolist(), offsets.tolist(), strict=True)
    return found
