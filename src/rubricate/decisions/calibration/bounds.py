"""How sure a probability may be: no surer than the held-out documents beyond its score bear out.

Of the n held-out documents that were given at least some probability, k had the label. The rule of succession takes
(k + 1) / (n + 2) from that, and no group of documents at the top supports more than

    highest = max over groups at the top of      (k + 1) / (n + 2)
    lowest  = min over groups at the bottom of   (k + 1) / (n + 2)

A curve such as a sigmoid goes on rising where there are no documents, to 0.99998 after a thousand of them. What comes nearer to
1 than twice 1 - highest is moved half of the way back, so that 1 becomes `highest`; likewise at 0. The order of probabilities
never changes, so neither does a decision for the most probable label.

Labels that share a curve share their bounds. Of labels that exclude each other the most probable one is the claim: its
probability is bounded, and what is taken from it is spread over all labels alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...foundation.arrays import Bools, Floats
from ...scoring import calibrated as scoring
from ...storage.registry import stored

if TYPE_CHECKING:
    from typing import Self


@stored("calibrated.bounds", keys=("lowest", "highest", "exclusive"))
@dataclass(frozen=True, slots=True, eq=False)
class Bounds(scoring.Bounds):
    """Bounds fitted on held-out documents: `within` applies them."""

    @classmethod
    def of(cls, probabilities: Floats, yes: Bools, *, exclusive: bool, pooled: Bools) -> Self:
        """From held-out probabilities and the truth, documents x labels. pooled: labels that share a curve."""
        if exclusive:
            rows, best = np.arange(len(probabilities)), probabilities.argmax(axis=1)
            highest = highest_supported(probabilities[rows, best], yes[rows, best])
            return cls(np.zeros(1), np.array([highest]), True)
        highs, lows = np.empty(yes.shape[1]), np.empty(yes.shape[1])
        groups = [[label] for label in np.flatnonzero(~pooled).tolist()]
        if pooled.any():
            groups.append(np.flatnonzero(pooled).tolist())
        for labels in groups:
            p, truth = probabilities[:, labels].ravel(), yes[:, labels].ravel()
            highs[labels], lows[labels] = highest_supported(p, truth), 1 - highest_supported(-p, ~truth)
        return cls(lows, highs, False)

    @classmethod
    def of_neighbours(cls, k: int, *, exclusive: bool) -> Self:
        """What k documents bear out, where probabilities are shares of k documents."""
        lowest = np.zeros(1) if exclusive else np.array([1 / (k + 2)])
        return cls(lowest, np.array([(k + 1) / (k + 2)]), exclusive)


def highest_supported(values: Floats, right: Bools) -> float:
    """The most that a group at the top bears out: max over groups of (right + 1) / (size + 2). Equal values are in one group."""
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    sizes = np.flatnonzero(np.append(ordered[:-1] != ordered[1:], True)) + 1
    return float(((np.cumsum(right[order])[sizes - 1] + 1) / (sizes + 2)).max(initial=0.5))
