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

from ...foundation.arrays import Bools, Floats
from ...storage.checks import need, sized
from .finite import Range, table_of
from .inputs import Examples

if TYPE_CHECKING:
    from typing import Self

__all__ = ["FEWEST", "Curves", "by_label"]

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

    range: Range  # scores seen: an infinite one is taken as the lowest or highest of its label
    pooled: Bools  # labels
    exclusive: bool

    @classmethod
    def fit(cls, scores: Any, Y: Any, *, labels: Sequence[Any] | None = None) -> Self:
        """Of scores, for some curves probabilities, documents x labels, and their truth (see `given`)."""
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
        p = self.probabilities(self.range.put(table_of(scores, len(self.pooled))))
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


def shared(held: dict[str, Any]) -> dict[str, Any]:
    """What all curves have, from `as_dict`."""
    return {
        "range": Range(np.array(held["lowest"], dtype=float), np.array(held["highest"], dtype=float)),
        "pooled": np.array(held["pooled"], dtype=bool),
        "exclusive": bool(held["exclusive"]),
    }


def by_label(examples: Examples, fit: Callable[[Floats, Bools], list[Any]]) -> tuple[list[Any], Bools]:
    """A curve for each label, and which labels share one. fit: scores and 0/1, documents x labels, to a curve a column."""
    yes, scores = examples.yes, examples.scores
    rare = too_few(yes)
    curves: list[Any] = [None] * yes.shape[1]
    own = np.flatnonzero(~rare)
    for label, curve in zip(own, fit(scores[:, own], yes[:, own]) if len(own) else [], strict=True):
        curves[label] = curve
    if rare.any():
        together = rare if not too_few(yes[:, rare].reshape(-1, 1)).any() else np.ones(len(rare), dtype=bool)
        (curve,) = fit(scores[:, together].reshape(-1, 1), yes[:, together].reshape(-1, 1))
        for label in np.flatnonzero(rare):
            curves[label] = curve
    return curves, rare


def too_few(yes: Bools) -> Bools:
    """Labels with too few documents that have them, or that do not."""
    have = yes.sum(axis=0)
    few: Bools = (have < FEWEST) | (len(yes) - have < FEWEST)
    return few
