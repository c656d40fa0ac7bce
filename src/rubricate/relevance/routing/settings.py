"""Settings of a topic: how many terms are added to its query, how they are weighted, and what its cut is to achieve."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from ...decisions.thresholds import FBeta, Precision, Recall
from ...errors import InvalidSetting, UnknownName

__all__ = ["GOALS", "LEARNERS", "Settings", "goal_named"]

LEARNERS = ("eg", "rocchio", "widrow-hoff")
MOST = 2**31 - 1  # terms, draws, seeds: more would never end
GOALS = ("f1", "precision=SHARE", "recall=SHARE")


@dataclass(frozen=True, slots=True)
class Settings:
    """expand: terms added to the query, at most (Q+50). alpha, beta, gamma: Rocchio's, of the query, the relevant documents and
    the others. learner: "rocchio", or "widrow-hoff" or "eg" started from its weights, with so many `draws` of judged
    documents. absent: what Rocchio takes a term for that a document lacks; 0.4 as INQUERY has it, 0 counts what is above
    it alone. rate: of the learner, its own if empty. goal: what the cut is to achieve.                 [001 sec. 7.2]
    """

    expand: int = 50
    learner: str = "rocchio"
    alpha: float = 1.0
    beta: float = 2.0
    gamma: float = 0.5
    absent: float = 0.0
    draws: int = 10_000
    rate: str = ""
    goal: str = "f1"
    random_state: int = 0

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise UnknownName("learner", self.learner, LEARNERS)
        for name, least in (("expand", 0), ("draws", 1), ("random_state", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= MOST:
                raise InvalidSetting(f"{name}={value!r}: give a whole number from {least} to {MOST:,}")
        for name in ("alpha", "beta", "gamma", "absent"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value < float("inf"):
                raise InvalidSetting(f"{name}={value!r}: give a number from 0")
        goal_named(self.goal)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """What `as_dict` gave."""
        known = {one.name for one in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownName("setting of a topic", name, known)
        return cls(**values)


def goal_named(text: str) -> Any:
    """f1, recall=0.9 or precision=0.8. A share is promised only where the judged documents show it, 95 % sure."""
    name, equals, value = text.partition("=")
    if name == "f1" and not equals:
        return FBeta(1.0)
    if name in ("recall", "precision") and equals:
        try:
            share = float(value)
        except ValueError:
            raise InvalidSetting(f"goal {text!r}: {value!r} is no number; write {name}=0.9") from None
        return (Recall if name == "recall" else Precision)(share)
    raise UnknownName("goal", text, GOALS)
