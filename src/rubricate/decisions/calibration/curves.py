"""One curve a label from scores to probabilities, and what the families of curves share.

A label with fewer than 10 documents that have it (or that do not) has too few for a curve of its own: such labels share one,
fitted on all of them together, or on all labels if they are too few even so. `pooled` tells which they are.
Labels that exclude each other have a curve each as well; the probabilities of a document are then divided by their sum.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...storage.checks import need, sized
from ...storage.registry import stored
from ..inputs import Examples, Range, are_probabilities, check_score_table

if TYPE_CHECKING:
    from typing import Self

FEWEST = 10  # documents with and without a label that a curve of its own needs
SHARED = ("range", "pooled", "exclusive")  # keys that all curves store


def check_curves(curves: Any, *arrays: str) -> None:
    """Every array has a number a label."""
    need(isinstance(curves.pooled, np.ndarray) and curves.pooled.ndim == 1, "curves of no labels")
    n = len(curves.pooled)
    sized(curves.pooled, n, kinds="b", what="pooled")
    need(isinstance(curves.range, Range), "curves without a range of scores")
    sized(curves.range.lowest, n, what="lowest scores")
    sized(curves.range.highest, n, what="highest scores")
    for name in arrays:
        sized(getattr(curves, name), n, what=name)


@dataclass(frozen=True, slots=True, eq=False)
class Curves(ABC):
    """What a fitted calibrator is: predict_proba(scores). Frozen; `as_dict` is plain JSON."""

    name: ClassVar[str]

    range: Range  # of training scores: an infinite one is taken as the lowest or highest of its label
    pooled: Bools  # labels
    exclusive: bool

    @classmethod
    def fit(cls, scores: Any, Y: Any, *, labels: Sequence[Any] | None = None) -> Self:
        """Of scores, for some curves probabilities, documents x labels, and their truth (see `decisions.inputs`)."""
        return cls.of(Examples.of(scores, Y, labels))

    @classmethod
    @abstractmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""

    @abstractmethod
    def probabilities(self, scores: Floats) -> Floats:
        """The curve of each column, finite scores to numbers from 0 to 1."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Of the curves, as plain JSON."""

    def predict_proba(self, scores: Any) -> Floats:
        """Probabilities, documents x labels."""
        p = self.probabilities(self.range.clip_infinite(check_score_table(scores, len(self.pooled))))
        if not self.exclusive:
            return p
        totals = p.sum(axis=1, keepdims=True)
        return np.where(totals > 0, p / np.where(totals > 0, totals, 1.0), 1 / p.shape[1])

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {
            "name": self.name,
            "exclusive": self.exclusive,
            "pooled": self.pooled.tolist(),
            "lowest": self.range.lowest.tolist(),
            "highest": self.range.highest.tolist(),
            **self.parameters(),
        }


def shared_fields(values: dict[str, Any]) -> dict[str, Any]:
    """What all curves have, from `as_dict`."""
    return {
        "range": Range(np.array(values["lowest"], dtype=float), np.array(values["highest"], dtype=float)),
        "pooled": np.array(values["pooled"], dtype=bool),
        "exclusive": bool(values["exclusive"]),
    }


@stored("calibration.unchanged", keys=SHARED, check=check_curves)
@dataclass(frozen=True, slots=True, eq=False)
class Unchanged(Curves):
    """Scores that are probabilities already, as they are: what every other calibration has to beat."""

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
        return cls(**shared_fields(held))


def fit_by_label(examples: Examples, fit: Callable[[Floats, Bools], list[Any]]) -> tuple[list[Any], Bools]:
    """A curve for each label, and which labels share one. fit: scores and 0/1, documents x labels, to a curve a column."""
    positive, scores = examples.positive, examples.scores
    rare = too_few(positive)
    curves: list[Any] = [None] * positive.shape[1]
    frequent = np.flatnonzero(~rare)
    for label, curve in zip(
        frequent, fit(scores[:, frequent], positive[:, frequent]) if len(frequent) else [], strict=True
    ):
        curves[label] = curve
    if rare.any():
        pool = rare if not too_few(positive[:, rare].reshape(-1, 1)).any() else np.ones(len(rare), dtype=bool)
        (curve,) = fit(scores[:, pool].reshape(-1, 1), positive[:, pool].reshape(-1, 1))
        for label in np.flatnonzero(rare):
            curves[label] = curve
    return curves, rare


def too_few(positive: Bools) -> Bools:
    """Labels with too few documents that have them, or that do not."""
    have = positive.sum(axis=0)
    few: Bools = (have < FEWEST) | (len(positive) - have < FEWEST)
    return few
