"""Combo: density estimation for the labels where it did better on held-out documents, another rule for the others.
Source: 004 sec. 7.3, where the other is Pcut and the measure F1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...measures.metrics import f_beta
from ...storage.registry import stored

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Combo", "combo"]


def combo(density_f1: Any, other_f1: Any) -> Bools:
    """For each label whether density estimation decides: only where its F1 is strictly higher (readings 004.8)."""
    ours, others = np.asarray(density_f1, dtype=np.float64), np.asarray(other_f1, dtype=np.float64)
    if ours.ndim != 1 or ours.shape != others.shape:
        raise InvalidSetting(f"F1 of shapes {ours.shape} and {others.shape}: give one number a label, for both")
    chosen: Bools = ours > others + 1e-12
    return chosen


@stored("density.combo", keys=("density_f1", "other_f1", "other"))
@dataclass(frozen=True, slots=True, eq=False)
class Combo:
    """Which of two rules decides each label, and the F1 on held-out documents that says so."""

    density_f1: Floats  # labels
    other_f1: Floats
    other: str = "pcut"

    @classmethod
    def of(cls, density_decisions: Any, other_decisions: Any, truth: Any, *, other: str = "pcut") -> Self:
        """From both rules' 0/1 decisions on documents that neither has learned from."""
        return cls(f_beta(density_decisions, truth), f_beta(other_decisions, truth), other)

    @property
    def by_density(self) -> Bools:
        """For each label whether density estimation decides."""
        return combo(self.density_f1, self.other_f1)

    @property
    def choice(self) -> list[str]:
        """The name of the rule that decides each label."""
        return ["density" if ours else self.other for ours in self.by_density]

    def decide(self, density_decisions: Any, other_decisions: Any) -> Longs:
        """Both rules' 0/1 decisions, documents x labels: of each label those of the rule that was chosen."""
        ours, others = np.asarray(density_decisions), np.asarray(other_decisions)
        if ours.shape != others.shape or ours.shape[1:] != self.density_f1.shape:
            raise InvalidSetting(
                f"decisions of shapes {ours.shape} and {others.shape} for {len(self.density_f1)} labels: "
                "give documents x labels, for both"
            )
        return np.where(self.by_density, ours, others).astype(np.int64)

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {"density_f1": self.density_f1.tolist(), "other_f1": self.other_f1.tolist(), "other": self.other}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        return cls(np.array(held["density_f1"]), np.array(held["other_f1"]), held["other"])
