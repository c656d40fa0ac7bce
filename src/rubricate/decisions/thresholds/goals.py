"""What a threshold is to achieve for a label: the highest F_beta, or a precision or a recall that it must not fall below.

    FBeta(beta)          the highest F_beta                                                                [001 sec. 3.4]
    Precision(0.95)      the highest recall with a precision of at least 0.95
    Recall(0.9)          the highest precision with a recall of at least 0.9
    Abstain(0.05)        the highest share of right decisions, at most 5 % of the documents being left to human review; see
                         `fit_abstention`
    MicroF               made by `micro_thresholds`

A threshold on the very edge of a bound, as measured, breaks it on new documents about every second time. `sure` is therefore part
of the bound: a threshold counts only if a true share below the bound would look as good in at most 1 - sure of all cases (exact
binomial test). sure=None takes what was measured as it is. In simulations the promise was kept in 94 to 98 % of cases at
sure=0.95, and in 23 to 52 % at None. It is weakest, 82 %, where scores do not rank and the share of positives lies just under
the bound, since every threshold is one more try.

A goal gets running counts at candidate thresholds, none assigned first; arrays may have a second dimension, one column a draw.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import betainc

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ...foundation.jsonable import from_jsonable, jsonable
from ...measures.metrics import sums
from ...measures.metrics.contingency import ratio
from ...storage.registry import stored
from ..inputs import check_share
from .ranking import Ranking

if TYPE_CHECKING:
    from typing import Self

SAME = 1e-12


class Goal(ABC):
    """What the fitting of a threshold asks of a goal."""

    __slots__ = ()

    def places(self, ranking: Ranking) -> Longs:
        """The candidates: how many documents are above each threshold, ascending from 0; none, or down to one more positive."""
        return np.concatenate([[0], ranking.worthwhile])

    @abstractmethod
    def measure(self, right: Any, assigned: Any, positives: Any) -> Floats:
        """The number the goal is about; nan where it is not defined."""

    @abstractmethod
    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """The place of the best candidate."""

    def trials(self, right: Any, assigned: Any, positives: Any) -> Any:
        """The documents of which `right` are a share, such as those assigned; if it is all of them, the measure is 1."""
        return assigned

    def value(self, share: Any, wrong: float, missed: float) -> Any:
        """The measure at another share right of these, wrong and missed documents being mixed as they are here."""
        return share

    def met(self, right: int, assigned: int, positives: int) -> bool:
        """Whether so many reach the goal; always, where there is no bound."""
        return True


@stored("goal.f", keys=("beta",))
@dataclass(frozen=True, slots=True)
class FBeta(Goal):
    """The threshold with the highest F_beta; of equally good ones the highest."""

    beta: float = 1.0

    def __post_init__(self) -> None:
        if not (self.beta > 0 and np.isfinite(self.beta)):
            raise InvalidSetting(
                f"beta={self.beta}: give a positive number, above 1 where recall counts more than precision"
            )

    def measure(self, right: Any, assigned: Any, positives: Any) -> Floats:
        """F_beta, and 1 where nothing is or should be assigned."""
        return sums.f((right, assigned, positives), self.beta)

    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """The highest F_beta."""
        return best_candidate(self.measure(right, assigned, positives))

    def trials(self, right: Any, assigned: Any, positives: Any) -> Any:
        """Documents that are assigned or should be."""
        return assigned + positives - right

    def value(self, share: Any, wrong: float, missed: float) -> Any:
        """A wrong document costs 1, a missed one beta^2."""
        b2 = self.beta**2
        cost = (wrong + b2 * missed) / (wrong + missed) if wrong + missed > 0 else max(1.0, b2)
        return (1 + b2) * share / ((1 + b2) * share + cost * (1 - share))


@stored("goal.micro_f", keys=("beta", "reached"))
@dataclass(frozen=True, slots=True)
class MicroF(FBeta):
    """A label's part in the highest micro-averaged F_beta of all labels, which is `reached`."""

    reached: float = 1.0

    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """The highest (1 + beta^2) right - reached assigned."""
        return best_candidate(micro_worth(self, right, assigned))


@dataclass(frozen=True, slots=True)
class Bound(Goal):
    """A share that must not be below `at_least`, of which one must be `sure`."""

    at_least: float
    sure: float | None = 0.95

    def __post_init__(self) -> None:
        check_share(self.at_least, "at_least")
        if self.sure is not None and not 0.5 < self.sure < 1:
            raise InvalidSetting(
                f"sure={self.sure}: give a share above 0.5 and below 1, or None to take what is measured"
            )

    def measure(self, right: Any, assigned: Any, positives: Any) -> Floats:
        """The share; nan of nothing."""
        return ratio(right, self.trials(right, assigned, positives))

    def passing(self, right: Any, trials: Any) -> Any:
        """Where so many right of so many show that the bound holds."""
        right, trials = np.broadcast_arrays(right, trials)
        reached = right >= self.at_least * trials * (1 - SAME)
        if self.sure is None or self.at_least == 0:
            return reached
        # P(X >= right), X binomial at the bound; it takes more than the bound itself to pass
        chance = np.ones(right.shape)
        where = reached & (right > 0)
        chance[where] = betainc(right[where], trials[where] - right[where] + 1, self.at_least)
        return reached & (chance <= 1 - self.sure)


@stored("goal.precision", keys=("at_least", "sure"))
@dataclass(frozen=True, slots=True)
class Precision(Bound):
    """The threshold with the highest recall whose precision is at least this; none assigned if there is no such threshold."""

    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """Most right among those that pass."""
        places: Longs = np.argmax(np.where(self.passing(right, assigned), right, 0), axis=0)
        return places

    def met(self, right: int, assigned: int, positives: int) -> bool:
        """Something is assigned, and the bound holds."""
        return bool(assigned > 0 and self.passing(right, assigned))


@stored("goal.recall", keys=("at_least", "sure"))
@dataclass(frozen=True, slots=True)
class Recall(Bound):
    """The threshold with the highest precision whose recall is at least this.

    If no threshold can promise it, as with fewer than 29 positives for 0.9 at sure=0.95, it is the one where so much was
    measured, and `met` tells that nothing is promised; if positives that score -inf put even that out of reach, the one that
    finds most.
    """

    def places(self, ranking: Ranking) -> Longs:
        """None, down to one more positive, or all."""
        return np.unique(np.concatenate([[0], ranking.worthwhile, ranking.ends[-1:]]))

    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """The highest precision among those that pass; if none does, among those where it was measured, or nearest to it."""
        passing = self.passing(right, positives)
        measured = Recall(self.at_least, None).passing(right, positives)
        nearest = np.equal(right, np.max(right, axis=0))
        usable = np.where(passing.any(axis=0), passing, np.where(measured.any(axis=0), measured, nearest))
        return best_candidate(np.where(usable, np.nan_to_num(ratio(right, assigned), nan=1.0), -1.0))

    def trials(self, right: Any, assigned: Any, positives: Any) -> Any:
        """Documents to find."""
        return positives

    def met(self, right: int, assigned: int, positives: int) -> bool:
        """The bound holds."""
        return bool(self.passing(right, positives))


@stored("goal.to_person", keys=("at_most",))
@dataclass(frozen=True, slots=True)
class Abstain(Goal):
    """The highest share of right decisions, at most this share of the documents being left to human review."""

    at_most: float = 0.05

    def __post_init__(self) -> None:
        check_share(self.at_most, "at_most")

    def places(self, ranking: Ranking) -> Longs:
        """Every threshold there is."""
        return np.concatenate([[0], ranking.ends])

    def measure(self, right: Any, assigned: Any, positives: Any) -> Floats:
        """Right among those decided; nan if nothing is."""
        return ratio(right, assigned)

    def best(self, right: Any, assigned: Any, positives: Any, total: int) -> Longs:
        """The highest share right; of equals the one that decides most."""
        enough = assigned >= total * (1 - self.at_most) - 1e-9
        shares = np.where(enough, np.nan_to_num(ratio(right, assigned), nan=1.0), -1.0)
        places: Longs = len(shares) - 1 - best_candidate(shares[::-1])
        return places


def micro_worth(goal: MicroF, right: Any, assigned: Any) -> Floats:
    """(1 + beta^2) right - reached assigned: what a candidate adds to the micro F of all labels together."""
    worth: Floats = (1 + goal.beta**2) * np.asarray(right, dtype=np.float64) - goal.reached * assigned
    return worth


def best_candidate(values: Floats) -> Longs:
    """The place of the highest value along the first dimension; of those within 1e-12 of it, the first."""
    places: Longs = np.argmax(values >= values.max(axis=0) - SAME, axis=0)
    return places


NAMES: dict[str, type[Any]] = {
    "f": FBeta,
    "micro_f": MicroF,
    "precision": Precision,
    "recall": Recall,
    "to_person": Abstain,
}


def goal_to_dict(goal: Any) -> dict[str, Any]:
    return {"goal": next(name for name, cls in NAMES.items() if type(goal) is cls), **asdict(goal)}


def goal_from_dict(values: dict[str, Any]) -> Any:
    settings = dict(values)
    name = settings.pop("goal", "")
    if name not in NAMES:
        raise UnknownName("goal", str(name), NAMES)
    return NAMES[name](**settings)


class JsonReport:
    """A fitted report that can be written as JSON."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: infinities are "inf" and "-inf", nan is null."""
        values: dict[str, Any] = jsonable(self, forms=dict.fromkeys(NAMES.values(), goal_to_dict), infinities=True)
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        goals = {"goal": goal_from_dict, "goals": lambda goals: tuple(map(goal_from_dict, goals))}
        return from_jsonable(cls, values, parse=goals)
