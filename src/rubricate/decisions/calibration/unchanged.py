"""Unchanged: scores that are probabilities already, as they are. What every other calibration has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...storage.registry import stored
from .curves import SHARED, Curves, check_curves, shared
from .inputs import Examples, are_probabilities

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Unchanged"]


@stored("calibration.unchanged", keys=SHARED, check=check_curves)
@dataclass(frozen=True, slots=True, eq=False)
class Unchanged(Curves):
    """The scores themselves."""

    name: ClassVar[str] = "unchanged"

    @classmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""
        if not are_probabilities(examples.scores, exclusive=examples.exclusive):
            raise InvalidSetting(
                "scores that are not probabilities cannot stay unchanged: use sigmoid, isotonic or temperature"
            )
        return cls(examples.range, np.zeros(examples.scores.shape[1], dtype=bool), examples.exclusive)

    def probabilities(self, scores: Floats) -> Floats:
        """As they came."""
        return np.clip(scores, 0.0, 1.0)

    def parameters(self) -> dict[str, Any]:
        """None."""
        return {}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        return cls(**shared(held))
