"""Deciding: from scores to labels, by a rule that is fitted on scores of documents the model has not seen.

    scut            a cut a label: the highest F of each, or of all together, as the measure wants it      [001 sec. 3.4]
    precision:0.95  a cut a label: the most documents with a precision of at least 0.95; recall:0.9 likewise
    half            every label that is more probable than not
    top, top:K      the most probable label; the K with the best scores                                    [004 footnote 4]
    pcut            of a batch, each label's share in training                                             [004 sec. 7.3]
    density         shares of labels among the training documents with the most similar scores             [004 sec. 3]
    own             the model's own rule

Where documents have one label each, exactly one is given: top, density or own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidSetting, UnknownName
from ..foundation.arrays import Floats, Longs
from ..foundation.ties import TIE, first_best
from ..measures.metrics.names import Measure
from ..storage.checks import within
from ..storage.registry import stored
from .calibration import Bounds
from .density import DensityEstimation
from .thresholds import Cuts, Precision, Recall, fit_cuts, pcut, rcut

__all__ = ["RULES", "Decision", "Rule", "best_only", "bounded", "decided", "fitted", "rule"]

ONE = ("top", "density", "own")  # rules that give each document one label
RULES = {
    "scut": "a cut a label, the highest F",
    "precision": "precision:0.95, a cut a label that keeps to it",
    "recall": "recall:0.9, a cut a label that keeps to it",
    "half": "what is more probable than not",
    "top": "the best label; top:K, the K best",
    "pcut": "each label's share of a batch",
    "density": "shares among documents with similar scores",
    "own": "the model's own rule",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as people write it."""

    name: str
    number: float | None = None

    def __str__(self) -> str:
        return self.name if self.number is None else f"{self.name}:{self.number:g}"


def rule(text: str, *, several: bool) -> Rule:
    """The rule that is meant; "auto" is scut where documents have several labels, otherwise top."""
    if text == "auto":
        return Rule("scut" if several else "top")
    name, colon, number = str(text).partition(":")
    if name not in RULES:
        raise UnknownName("way to decide", str(text), ("auto", *RULES))
    if not several and (name not in ONE or colon):
        raise InvalidSetting(
            f"decide={text!r} gives a document none or several labels, and these have one each: choose {', '.join(ONE)}, or "
            "give lists of labels"
        )
    if name in ("precision", "recall"):
        if not _is_share(number):
            raise InvalidSetting(f"decide={text!r}: say at least how much, as in {name}:0.95")
        return Rule(name, float(number))
    if name == "top":
        if colon and not (number.isascii() and number.isdigit() and 0 < float(number) < 1e9):
            raise InvalidSetting(f"decide={text!r}: give a number of labels, as in top:3")
        return Rule(name, float(number) if colon else None)
    if colon:
        raise InvalidSetting(f"decide={text!r}: {name} takes no number")
    return Rule(name)


def _is_share(text: str) -> bool:
    try:
        return 0 < float(text) <= 1
    except ValueError:
        return False


def _check_decision(decision: Decision) -> None:
    """Density estimation of labels that there are."""
    if decision.density is not None:
        within(decision.density.classes_, decision.labels, "labels of density estimation")


@stored(
    "decision",
    keys=("rule", "several", "cuts", "k", "proportions", "density", "labels", "bounds"),
    check=_check_decision,
)
@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A fitted rule. What it does not need is None."""

    rule: str
    several: bool
    cuts: Cuts | None = None
    k: int = 1
    proportions: Floats | None = None  # of training documents, a label each
    density: DensityEstimation | None = None
    labels: int = 0
    bounds: Bounds | None = None  # of density's probabilities; None in files of earlier versions

    @property
    def of_batches(self) -> bool:
        """Whether what one document gets depends on the others."""
        return self.rule == "pcut"

    def probabilities(self, scores: Floats) -> Floats | None:
        """Of density estimation; None from other rules."""
        if self.density is None:
            return None
        out = np.zeros((len(scores), self.labels))
        if len(scores) == 0:  # of texts without a known word nothing is asked here
            return out
        out[:, self.density.classes_] = self.density.predict_proba(scores)
        return out if self.bounds is None else self.bounds.within(out)

    def of(self, scores: Floats, probabilities: Floats, *, ties_by_score: bool = True) -> Longs:
        """0/1, documents x labels, by any rule but the model's own. ties_by_score: of equal probabilities the better score wins,
        rather than the first label, as in files of earlier versions."""
        if self.cuts is not None:
            return self.cuts.decide(scores)
        if self.rule in ("density", "half") and self.several:
            return (probabilities > 0.5).astype(np.int64)
        if self.proportions is not None:
            return pcut(scores, self.proportions)
        if self.several:
            return rcut(scores, self.k)
        return best_only(probabilities, bounded(scores) if ties_by_score else None)


def best_only(values: Floats, ties: Floats | None = None) -> Longs:
    """1 for the best label of each document, 0 for the others. Of equally good ones the best by `ties`, then the first: steps of
    a calibration are equal for many documents, whose scores still differ."""
    if ties is not None:
        ties = np.where(values >= values.max(axis=1, keepdims=True) - TIE, ties, -np.inf)
    out = np.zeros(values.shape, dtype=np.int64)
    out[np.arange(len(out)), first_best(values if ties is None else ties)] = 1
    return out


def bounded(scores: Floats) -> Floats:
    """Labels of which nothing is known (-inf) come last, not nowhere."""
    return np.where(np.isneginf(scores), -1e300, scores)


def fitted(
    given: Rule,
    scores: Floats,
    truth: Any,
    *,
    several: bool,
    by: Measure,
    labels: Any = None,
    draws: int = 200,
    seed: int = 0,
) -> Decision:
    """The rule, fitted on out-of-fold scores: documents x labels, and the truth beside them."""
    n = scores.shape[1]
    if given.name in ("scut", "precision", "recall"):
        goals = {"precision": Precision, "recall": Recall}
        by_what: Any = goal_of(by) if given.name == "scut" else goals[given.name](float(given.number or 0))
        cuts = fit_cuts(scores, truth, by=by_what, beta=beta_of(by), labels=labels, draws=draws, random_state=seed)
        return Decision(given.name, several, cuts=cuts)
    if given.name == "pcut":
        shares = np.asarray(truth.sum(axis=0), dtype=np.float64).ravel() / truth.shape[0]
        return Decision("pcut", several, proportions=shares)
    if given.name == "density":
        members = truth if several else np.asarray(truth.argmax(axis=1)).ravel()
        own = DensityEstimation(random_state=seed).fit(scores, members)
        bounds = Bounds.of_neighbours(own.k_, exclusive=not several)
        return Decision("density", several, density=own, labels=n, bounds=bounds)
    return Decision(given.name, several, k=int(given.number or 1))


def decided(decision: Decision, scores: Floats, probabilities: Any, own: Any, *, ties_by_score: bool = True) -> Longs:
    """Decisions; probabilities and the model's own decisions are worked out only where the rule looks at them."""
    if decision.rule == "own":
        chosen: Longs = own(scores)
        return chosen
    seen = decision.probabilities(scores)
    if seen is None:
        seen = probabilities(scores) if decision.rule == "half" or not decision.several else scores
    return decision.of(scores, seen, ties_by_score=ties_by_score)


def goal_of(by: Measure) -> str:
    """Which cuts serve a measure: those of the best micro average, or of each label's best F."""
    return "micro_f" if by.name.startswith("micro") else "f"


def beta_of(by: Measure) -> float:
    """The beta of an F measure; 1 for others."""
    number = by.name.rsplit("F", 1)[-1] if "F" in by.name else ""
    return float(number) if number.replace(".", "", 1).isdigit() else 1.0
