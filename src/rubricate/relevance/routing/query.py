"""A query: terms with weights, the cut above which a document goes to the topic, and what is known about that cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...terms.recipe import Recipe

__all__ = ["Cut", "Query", "terms_of"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a topic begins: a document is in if its score is above `at`. measure: what the goal is about (F1, recall, precision)
    on the judged documents. source: "out-of-fold" where each was scored by a query that was made without it, else
    "resubstitution". why: a sentence where something is not as asked."""

    at: float
    goal: str
    measure: float
    met: bool
    source: str
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """score(document) = bias + sum over terms of weight x belief above 0.4. cut: None where too little was judged for one."""

    terms: tuple[str, ...]
    weights: Floats
    bias: float = 0.0
    cut: Cut | None = None
    n_relevant: int = 0
    n_others: int = 0

    @property
    def best_first(self) -> list[tuple[str, float]]:
        """Terms and weights, the largest first."""
        order = np.argsort(-self.weights.round(12), kind="stable").tolist()
        return [(self.terms[at], float(self.weights[at])) for at in order]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, which has no infinities: they are written as words."""
        cut = self.cut
        return {
            "terms": dict(zip(self.terms, self.weights.tolist(), strict=True)),
            "bias": self.bias,
            "relevant": self.n_relevant,
            "others": self.n_others,
            "cut": None
            if cut is None
            else {
                "at": cut.at if np.isfinite(cut.at) else str(cut.at),
                "goal": cut.goal,
                "measure": cut.measure if np.isfinite(cut.measure) else None,
                "met": cut.met,
                "source": cut.source,
                "why": cut.why,
            },
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Query:
        """What `as_dict` gave."""
        cut, terms = values["cut"], values["terms"]
        if cut is not None:
            measure = float("nan") if cut["measure"] is None else float(cut["measure"])
            cut = Cut(**{**cut, "at": float(cut["at"]), "measure": measure})
            texts, truth = (cut.goal, cut.source, cut.why), cut.met
            if not all(isinstance(text, str) for text in texts) or not isinstance(truth, bool):
                raise TypeError("a cut whose goal, source or reason is no text")
        weights = np.array(list(terms.values()), dtype=np.float64)
        if weights.ndim != 1:
            raise TypeError("weights are numbers")
        return cls(tuple(terms), weights, float(values["bias"]), cut, int(values["relevant"]), int(values["others"]))


def terms_of(text: str, recipe: Recipe) -> dict[str, int]:
    """The terms of a text and how often each occurs. One without terms says nothing to look for: refused."""
    from ...counts.one_pass import thread_scanner

    found, times = thread_scanner(recipe).scan_text(text)
    if not len(found):
        shown = text.strip()[:60]
        raise InvalidSetting(
            f"the topic's text ({shown!r}) has no terms to look for (recipe: {recipe}); describe it in words that the "
            "documents would use"
            if shown
            else "the topic's text is empty: say in a sentence what you look for"
        )
    return dict(zip(found.strings(), times.tolist(), strict=True))
