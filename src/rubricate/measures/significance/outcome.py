"""What every test returns: a statistic, a p-value, the number of pairs it rests on, and how large the effect is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...errors import InvalidSetting, UnknownName
from ...foundation.jsonable import jsonable

ALTERNATIVES = ("two-sided", "greater", "less")
TIE = 1e-12  # values no further apart are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One test. p is nan where the test is undefined; `effect` is named by `effect_of` and nan where there is none."""

    test: str
    statistic: float
    p: float
    n: int
    alternative: str = "two-sided"
    effect: float = math.nan
    effect_of: str = ""

    def significant(self, level: float = 0.05) -> bool:
        """p < level; an undefined p is not significant."""
        return self.p < level

    def as_dict(self) -> dict[str, Any]:
        """For JSON: undefined and infinite numbers as None."""
        values: dict[str, Any] = jsonable(self)
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOutcome(Outcome):
    """A sign test; n = wins + losses. `undefined` pairs had no number on one side."""

    wins: int
    losses: int
    ties: int
    undefined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TOutcome(Outcome):
    """A t-test with its degrees of freedom."""

    df: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomisationOutcome(Outcome):
    """A randomisation test. `draws` shuffles; `exact` if these are all there are. `spread`: the standard deviation of the
    statistic over the shuffles, what it varies by when the systems are alike."""

    draws: int
    exact: bool
    spread: float


def check_alternative(alternative: str) -> str:
    if alternative not in ALTERNATIVES:
        raise UnknownName("alternative", str(alternative), ALTERNATIVES)
    return alternative


def by_alternative(above: float, below: float, alternative: str) -> float:
    """Of two tails the one asked for, or twice the smaller, at most 1."""
    return {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[alternative]


def check_share(name: str, value: float) -> float:
    if not 0 < value < 1:
        raise InvalidSetting(f"{name}={value}: give a number between 0 and 1")
    return float(value)
