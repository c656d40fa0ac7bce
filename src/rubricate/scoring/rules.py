"""Rules applied: from scores or probabilities, documents x labels, to decisions, 0/1 in the same shape. Nothing is fitted here.

    scut, precision, recall    score > the label's threshold                                              [001 sec. 3.4]
    half, density              probability > 0.5
    top, top:K                 the best label, or the K with the best scores                            [004 footnote 4]
    pcut                       of a batch of n documents, the round(n x proportion) with the highest scores    [004 sec. 7.3]
    own                        the model's own rule
    abstention                 a person decides where the confidence is not above a threshold

Of labels that exclude each other exactly one is decided for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from .arrays import Bools, Floats, Longs

TIE = 1e-12  # scores so near to the best are as good
SAME = 1e-12  # two scores are the same score if they agree to so many digits
PERSON = -1
RULES = {
    "scut": "a threshold a label, the highest F",
    "precision": "precision:0.95, a threshold a label that keeps to it",
    "recall": "recall:0.9, a threshold a label that keeps to it",
    "half": "what is more probable than not",
    "top": "the best label; top:K, the K best",
    "pcut": "each label's share of a batch",
    "density": "shares among documents with similar scores",
    "own": "the model's own rule",
}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A fitted rule. What it does not need is None."""

    name: str
    multilabel: bool
    thresholds: Floats | None = None  # labels
    k: int = 1
    proportions: Floats | None = None  # labels: shares of the training documents
    model_threshold: float = 0.0  # of "own": the score above which the model gives a label
    only_best: bool = False  # of "own": no other than the best label

    @classmethod
    def of(cls, decision: Any, **model_rule: Any) -> Rule:
        """decision: a fitted `decisions.rules.Decision`, or that of a file. model_rule: `model_threshold`, `only_best`."""
        thresholds = None if decision.cuts is None else decision.cuts.cuts
        return cls(
            decision.rule, bool(decision.several), thresholds, int(decision.k), decision.proportions, **model_rule
        )

    @property
    def of_batches(self) -> bool:
        """Whether what one document gets depends on the others."""
        return self.name == "pcut"

    @property
    def by_probabilities(self) -> bool:
        return self.name != "own" and (self.name in ("half", "density") or not self.multilabel)

    def decide(self, scores: Floats, probabilities: Floats, *, ties_by_score: bool = True) -> Longs:
        """0/1, documents x labels. ties_by_score: of equal probabilities the better score wins, rather than the first label, as
        in files of earlier versions."""
        if self.name == "own":
            return self._by_model(scores)
        if self.thresholds is not None:
            return (scores > self.thresholds).astype(np.int64)
        if self.name in ("density", "half") and self.multilabel:
            return (probabilities > 0.5).astype(np.int64)
        if self.proportions is not None:
            return share_of_batch(scores, self.proportions)
        if self.multilabel:
            return k_best(scores, self.k)
        return best_only(probabilities, bounded(scores) if ties_by_score else None)

    def _by_model(self, scores: Floats) -> Longs:
        if not self.multilabel:
            return best_only(bounded(scores))
        above = (scores > self.model_threshold).astype(np.int64)
        return above * best_only(scores) if self.only_best else above

    def by_prior(self, prior: Floats) -> Longs:
        """What is decided for a document without a known word: the commonest label, or the k commonest. Of labels that are
        decided one by one, those that most documents have by a rule of probabilities, and none by a threshold."""
        labels = ((prior > 0.5) & (self.name in ("half", "density"))).astype(np.int64)
        if not self.multilabel:
            labels = best_only(prior[None])[0]
        elif self.name == "top":
            labels = k_best(prior[None], self.k)[0]
        return labels


# -- the best labels


def best_only(values: Floats, ties: Floats | None = None) -> Longs:
    """1 for the best label of each document. Of those within 1e-12 of the best the best by `ties`, then the first."""
    if ties is not None:
        values = np.where(values >= values.max(axis=1, keepdims=True) - TIE, ties, -np.inf)
    best = values.max(axis=1, keepdims=True)
    out = np.zeros(values.shape, dtype=np.int64)
    out[np.arange(len(out)), (values >= best - TIE).argmax(axis=1)] = 1
    return out


def bounded(scores: Floats) -> Floats:
    """Labels of which nothing is known (-inf) come last, not nowhere."""
    return np.where(scores == -np.inf, -1e300, scores)


def k_best(scores: Floats, k: int) -> Longs:
    """1 for the k labels with the highest scores of each document; for all if there are no more than k."""
    return first_rows(scores.T, np.full(len(scores), k)).T.copy()


def share_of_batch(scores: Floats, proportions: Floats) -> Longs:
    """1 for as many documents of the batch as a label's proportion says, halves up, best first.                 [004 sec. 7.3]"""
    if len(scores) == 1:
        raise InvalidSetting(
            "Pcut deals a batch out by proportion and can say nothing of one document: "
            "use scut (a threshold a label), rcut or top_one, or give the whole batch"
        )
    return first_rows(scores, deals_out(len(scores), proportions))


def deals_out(n_documents: int, proportions: Floats) -> Longs:
    """round(n x proportion), halves up; a half that came from a fraction such as 45/90 may be a hair below a half."""
    return np.floor(n_documents * proportions + 0.5 + 1e-9).astype(np.int64)


def first_rows(scores: Floats, how_many: Longs) -> Longs:
    """1 for the how_many[c] rows with the highest scores of each column c; of the same score, to 12 digits, the first."""
    order = np.argsort(-scores, axis=0, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=0)
    steps = np.zeros(scores.shape, dtype=np.int64)
    steps[1:] = is_higher(ranked[:-1], ranked[1:])
    order = np.take_along_axis(order, np.lexsort((order, np.cumsum(steps, axis=0)), axis=0), axis=0)
    decisions = np.zeros(scores.shape, dtype=np.int64)
    inside = (np.arange(len(scores))[:, None] < how_many).astype(np.int64)
    np.put_along_axis(decisions, order, inside, axis=0)
    return decisions


def is_higher(scores: Floats, others: Floats) -> Bools:
    """Where a score is above the other and not the same to 12 digits."""
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf is nan, and not above
        gap = scores - others
    size = np.where(np.isfinite(scores) & np.isfinite(others), np.maximum(np.abs(scores), np.abs(others)), 0.0)
    higher: Bools = gap > SAME * size
    return higher


# -- abstention


def highest(scores: Floats) -> Floats:
    best: Floats = scores.max(axis=1)
    return best


def margin(scores: Floats) -> Floats:
    """The highest score of each document less the second highest; inf where all but one are impossible (-inf)."""
    if scores.shape[1] < 2:
        raise InvalidSetting(f"scores of shape {scores.shape}: a margin lies between two labels at least")
    best = np.partition(scores, -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):
        gaps = best[:, 1] - best[:, 0]
    return np.nan_to_num(gaps, nan=0.0, posinf=np.inf)


def certainty(probabilities: Floats, decisions: Longs) -> Floats:
    risks: Floats = -np.where(decisions > 0, 1 - probabilities, probabilities).sum(axis=1)
    return risks


def left_to_person(confidence: Floats, threshold: float) -> Bools:
    """Whether a person is asked, of each document: where the confidence is not above the threshold."""
    uncertain: Bools = ~(confidence > threshold)
    return uncertain


def in_bands(scores: Floats, lower: Floats, upper: Floats) -> Longs:
    """1 above a label's upper threshold, 0 at or below the lower one, -1 (PERSON) between."""
    decisions: Longs = np.where(scores > upper, 1, np.where(scores > lower, PERSON, 0))
    return decisions
