"""Beta calibration: P = 1 / (1 + 1 / (exp(c) p^a / (1 - p)^b)), for scores that are probabilities already.
Learns from: scores and truth. Source: Kull, Silva Filho & Flach 2017.

    log odds = a ln p - b ln(1 - p) + c,   a, b >= 0

a = b = 1, c = 0 leaves probabilities as they are, which a sigmoid cannot. The curve rises: of the fits with both, one or none of
a and b the best whose a and b are not below 0 is taken, which is the maximum of the likelihood under that condition.
0 and 1 have no logarithm: scores come no nearer to them than 1 / 2(n + 1), below which n documents cannot tell one from another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import expit

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...storage.registry import stored
from ..inputs import ROUNDING, Examples, are_probabilities
from .curves import SHARED, Curves, check_curves, fit_by_label, shared_fields
from .sigmoid import fit_logistic, platt_targets

if TYPE_CHECKING:
    from typing import Self


@stored(
    "calibration.beta",
    keys=(*SHARED, "a", "b", "c", "surest"),
    check=lambda curves: check_curves(curves, "a", "b", "c"),
)
@dataclass(frozen=True, slots=True, eq=False)
class Beta(Curves):
    """A beta curve a label."""

    name: ClassVar[str] = "beta"

    a: Floats  # labels, none below 0
    b: Floats
    c: Floats
    surest: float

    @classmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""
        refuse_outside(examples.scores)
        surest = 1 / (2 * len(examples.scores) + 2)
        curves, pooled = fit_by_label(examples, partial(fit_columns, surest=surest))
        a, b, c = np.array(curves).T
        return cls(examples.range, pooled, examples.exclusive, a, b, c, surest)

    def probabilities(self, scores: Floats) -> Floats:
        """The curve of each column."""
        refuse_outside(scores)
        up, down = log_odds_parts(scores, self.surest)
        p: Floats = expit(self.a * up + self.b * down + self.c)
        return p

    def parameters(self) -> dict[str, Any]:
        """a, b and c, and how near to 0 and 1 scores may come."""
        return {"a": self.a.tolist(), "b": self.b.tolist(), "c": self.c.tolist(), "surest": self.surest}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        a, b, c = (np.array(held[name]) for name in ("a", "b", "c"))
        return cls(**shared_fields(held), a=a, b=b, c=c, surest=held["surest"])


def log_odds_parts(p: Floats, surest: float) -> Floats:
    """ln p and -ln(1 - p), for p no nearer to 0 and 1 than `surest`."""
    p = np.clip(p, surest, 1 - surest)
    return np.stack([np.log(p), -np.log1p(-p)])


def refuse_outside(scores: Floats) -> None:
    """Beta calibration is of probabilities."""
    if not are_probabilities(scores, exclusive=False):
        wrong = scores[(scores < -ROUNDING) | (scores > 1 + ROUNDING)][0]
        raise InvalidSetting(
            f"beta calibration is for scores from 0 to 1, and {wrong:g} is among them: use sigmoid or isotonic"
        )


def fit_columns(scores: Floats, positive: Bools, *, surest: float) -> list[Floats]:
    """a, b and c of each column."""
    columns = np.ascontiguousarray(log_odds_parts(scores, surest).transpose(2, 0, 1))
    return [
        fit_rising(features, targets)
        for features, targets in zip(columns, platt_targets(positive).T.copy(), strict=True)
    ]


def fit_rising(features: Floats, targets: Floats) -> Floats:
    """The most likely a, b and c with a and b not below 0."""
    best, _ = fit_logistic(features, targets)
    if (best[:2] >= 0).all():
        return best
    least = np.inf
    for used in ([], [0], [1]):
        theta = np.zeros(3)
        theta[[*used, 2]], loss = fit_logistic(features[used], targets)
        if (theta[:2] >= 0).all() and loss < least:
            best, least = theta, loss
    return best
