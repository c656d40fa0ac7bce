"""The query of a topic: settings to make it by, its weighted terms, and the threshold above which a document belongs to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from ...decisions.thresholds import FBeta, Precision, Recall
from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...terms.recipe import Recipe

LEARNERS = ("eg", "rocchio", "widrow-hoff")
GOALS = ("f1", "precision=SHARE", "recall=SHARE")
LARGEST = 2**31 - 1  # terms, draws, seeds: more would never end


@dataclass(frozen=True, slots=True)
class Settings:
    """expand: terms added to the query, at most (Q+50). alpha, beta, gamma: Rocchio's, of the query, the relevant documents and
    the others. learner: "rocchio", or "widrow-hoff" or "eg" started from its weights, with so many `draws` of judged
    documents. absent: the belief that Rocchio gives to a term that a document lacks; 0.4 as INQUERY has it, 0 counts only
    beliefs above it. rate: of the learner, its default if empty. goal: what the threshold is to achieve.   [001 sec. 7.2]
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
            if not isinstance(value, int) or not least <= value <= LARGEST:
                raise InvalidSetting(f"{name}={value!r}: give a whole number from {least} to {LARGEST:,}")
        for name in ("alpha", "beta", "gamma", "absent"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value < float("inf"):
                raise InvalidSetting(f"{name}={value!r}: give a number from 0")
        parse_goal(self.goal)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """What `as_dict` gave."""
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownName("setting of a topic", name, known)
        return cls(**values)


def parse_goal(text: str) -> FBeta | Recall | Precision:
    """f1, recall=0.9 or precision=0.8. A share is promised only where the judged documents show it, 95 % sure."""
    name, equals, value = text.partition("=")
    if name == "f1" and not equals:
        return FBeta(1.0)
    if name in ("recall", "precision") and equals:
        try:
            share = float(value)
        except ValueError:
            raise InvalidSetting(f"goal {text!r}: {value!r} is no number; write {name}=0.9") from None
        return Recall(share) if name == "recall" else Precision(share)
    raise UnknownName("goal", text, GOALS)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A document belongs to the topic if its score is above `at`. measure: what the goal is about (F1, recall, precision) on the
    judged documents. source: "out-of-fold" where each was scored by a query that was made without it, else "resubstitution".
    why: a sentence where something is not as asked."""

    at: float
    goal: str
    measure: float
    met: bool
    source: str
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """score(document) = bias + sum over terms of weight x belief above 0.4. cut: the threshold, None if too little was judged."""

    terms: tuple[str, ...]
    weights: Floats
    bias: float = 0.0
    cut: Threshold | None = None
    n_relevant: int = 0
    n_others: int = 0

    @property
    def best_first(self) -> list[tuple[str, float]]:
        """Terms and weights, the largest first."""
        order = np.argsort(-self.weights.round(12), kind="stable").tolist()
        return [(self.terms[at], float(self.weights[at])) for at in order]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, which has no infinities: they are written as words."""
        threshold = None if self.cut is None else asdict(self.cut)
        if threshold is not None:
            at, measure = threshold["at"], threshold["measure"]
            threshold["at"] = at if np.isfinite(at) else str(at)
            threshold["measure"] = measure if np.isfinite(measure) else None
        return {
            "terms": dict(zip(self.terms, self.weights.tolist(), strict=True)),
            "bias": self.bias,
            "relevant": self.n_relevant,
            "others": self.n_others,
            "cut": threshold,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Query:
        """What `as_dict` gave."""
        threshold, terms = values["cut"], values["terms"]
        if threshold is not None:
            measure = float("nan") if threshold["measure"] is None else float(threshold["measure"])
            threshold = Threshold(**{**threshold, "at": float(threshold["at"]), "measure": measure})
            texts = (threshold.goal, threshold.source, threshold.why)
            if not all(isinstance(text, str) for text in texts) or not isinstance(threshold.met, bool):
                raise TypeError("a threshold whose goal, source or reason is no text")
        weights = np.array(list(terms.values()), dtype=np.float64)
        if weights.ndim != 1:
            raise TypeError("weights are numbers")
        numbers = int(values["relevant"]), int(values["others"])
        return cls(tuple(terms), weights, float(values["bias"]), threshold, *numbers)


def terms_of(text: str, recipe: Recipe) -> dict[str, int]:
    """The terms of a text and how often each occurs. A text without terms gives nothing to look for: refused."""
    from ...counts.one_pass import thread_scanner

    terms, times = thread_scanner(recipe).scan_text(text)
    if not len(terms):
        if not (beginning := text.strip()[:60]):
            raise InvalidSetting("the topic's text is empty: say in a sentence what you look for")
        what = f"the topic's text ({beginning!r}) has no terms to look for (recipe: {recipe})"
        raise InvalidSetting(f"{what}; describe it in words that the documents would use")
    return dict(zip(terms.strings(), times.tolist(), strict=True))
