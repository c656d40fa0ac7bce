"""Cuts: one fitted cut a label with all that is needed to answer for it, to decide with it, and to store it as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...storage.checks import need, sized
from ...storage.registry import stored
from .goals import Goal
from .inputs import as_table, scores_given
from .plain import from_plain, plain

__all__ = ["Cuts"]


# the stored keys: an array or a list with a value a label, and what is told of all of them
OF_LABELS = (
    "labels", "goals", "cuts", "cut_low", "cut_high", "measure", "expected", "low", "high", "positives", "assigned", "pooled",
    "met", "why",
)  # fmt: skip
OF_ALL = ("n_documents", "source", "draws", "level", "random_state")


def _check_cuts(cuts: Cuts) -> None:
    """A number a label in every array, a word a label in every list."""
    for name in OF_LABELS:
        part = getattr(cuts, name)
        if isinstance(part, np.ndarray):
            sized(part, len(cuts.labels), kinds="fib", what=name)
        elif isinstance(part, tuple):
            need(len(part) == len(cuts.labels), f"{name} of other labels")
    need(isinstance(cuts.cuts, np.ndarray) and not np.isnan(cuts.cuts).any(), "cuts that are no numbers")


@stored("cuts", keys=(*OF_LABELS, *OF_ALL), check=_check_cuts)
@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """One cut a label. A document is in if its score > cut. nan: not defined, or no draws were made.

    measure: what the goal is about (F_beta, precision, recall), on the data that were given. expected: the same among documents
    that a bootstrap draw left out, at that draw's cut; this is the one to promise for new documents, [low, high] its interval.
    [cut_low, cut_high]: interval of the cut. pooled: too rare for a cut of its own, cut at the depth that serves rare labels
    together. met: whether the data bear the goal out. why: a sentence wherever something is not as asked, otherwise empty.
    """

    labels: tuple[str, ...]
    goals: tuple[Goal, ...]
    cuts: Floats
    cut_low: Floats
    cut_high: Floats
    measure: Floats
    expected: Floats
    low: Floats
    high: Floats
    positives: Longs
    assigned: Longs
    pooled: Bools
    met: Bools
    why: tuple[str, ...]
    n_documents: int
    source: str
    draws: int
    level: float
    random_state: int

    def decide(self, scores: Any) -> Longs:
        """0/1 in the shape of the scores, documents x labels; one label's scores may come 1-d."""
        found = scores_given(scores)
        if as_table(found).shape[1] != len(self.cuts):
            raise InvalidSetting(
                f"scores of {as_table(found).shape[1]} labels for {len(self.cuts)} cuts: give the same labels"
            )
        return (found > (self.cuts if found.ndim == 2 else self.cuts[0])).astype(np.int64)

    @property
    def not_promised(self) -> tuple[str, ...]:
        """Labels that documents have, too few or too mixed to bear the goal out."""
        return tuple(np.array(self.labels, dtype=object)[~self.met & (self.positives > 0)].tolist())

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; see `plain`."""
        return plain(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Cuts:
        """What `as_dict` gave."""
        return from_plain(cls, values)

    def __repr__(self) -> str:
        n, met = len(self.cuts), int(self.met.sum())
        return f"<Cuts: {n:,} labels, {int(self.pooled.sum()):,} pooled, {met:,} goals met, {self.source}, {self.draws} draws>"
