"""Reasons: why a document has a label, or why not. What its terms add to the score, or the training documents that it went by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import UnknownName
from ..terms.recipe import Recipe
from .arrays import Explanation, Floats, Longs

NEAREST = 5  # training documents that are shown as a reason
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a document has or has not a label: what each term adds to the score, the score, the threshold, the probability."""

    label: str
    score: float
    cut: float | None  # the threshold; None where another rule decides
    probability: float
    decided: bool | None  # None: the rule needs a whole batch
    terms: list[tuple[str, float]]  # largest first
    others: float  # what the terms that are not shown add
    base: float  # what is there without the terms
    neighbours: list[tuple[str, float]] = field(default_factory=list)  # training documents that decided, their weight


@dataclass(frozen=True, slots=True, eq=False)
class DocumentResult:
    """What a classifier makes of one document: a value a label."""

    scores: Floats
    probabilities: Floats
    decisions: Any  # 0/1; None: the rule needs a whole batch
    thresholds: Floats | None  # None where another rule decides


def label_places(label: Any, labels: Sequence[Any], result: DocumentResult) -> list[int]:
    """The places of the labels to speak of: those with this name; without one, those decided for, or the most probable."""
    if label is None:
        places: list[int] = [] if result.decisions is None else np.flatnonzero(result.decisions).tolist()
        return places or [int(np.argmax(result.probabilities))]
    places = [place for place, known in enumerate(labels) if known == label or str(known) == str(label)]
    if not places:
        raise UnknownName("label", str(label), [str(known) for known in labels])
    return places


def term_spans(text: str, recipe: Recipe, adds: Mapping[str, float]) -> list[tuple[int, int, float]]:
    """Where words of a text stand that become one of these terms: start, end (in characters), what the term adds. A word is a
    run of letters and digits or, where that is no term by itself (`don't`), what stands between spaces. Bigrams are not shown."""
    out = []
    for stretch in re.finditer(r"\S+", text):
        whole = recipe.terms(stretch[0])
        runs = [(match, recipe.terms(match[0])) for match in re.finditer(r"\w+", stretch[0])]
        if all(term in whole for _, terms in runs for term in terms):
            words = [(stretch.start() + match.start(), stretch.start() + match.end(), terms) for match, terms in runs]
        else:
            words = [(stretch.start(), stretch.end(), whole)]
        out += [(start, end, adds[terms[0]]) for start, end, terms in words if len(terms) == 1 and terms[0] in adds]
    return out


def per_word(explanation: Explanation, words: float) -> Explanation:
    """What terms add to scores that are divided by the number of words."""
    return Explanation(explanation.terms, explanation.contributions / words, explanation.base / words)


def shares_by_id(weights: Floats, numbers: Longs, ids: Sequence[str]) -> list[tuple[str, float]]:
    """The nearest training documents, the nearest first, with the share of each in all weights."""
    shares = weights / max(float(weights.sum()), TINY)
    return [(ids[number], share) for number, share in zip(numbers[:NEAREST].tolist(), shares.tolist(), strict=False)]


def reason(
    place: int,
    name: str,
    result: DocumentResult,
    explanation: Explanation | None,
    *,
    terms: Sequence[str],
    neighbours: list[tuple[str, float]],
    limit: int,
) -> Reason:
    """Why the document has the label at this place, or has not; of the terms, those that add or take the most. explanation: None
    where no term adds to the scores by itself."""
    score = float(result.scores[place])
    parts: list[tuple[int, float]] = []
    if explanation is not None:
        parts = list(zip(explanation.terms.tolist(), explanation.contributions[:, place].tolist(), strict=True))
        parts.sort(key=lambda part: -abs(part[1]))
    return Reason(
        name,
        score,
        None if result.thresholds is None else float(result.thresholds[place]),
        float(result.probabilities[place]),
        None if result.decisions is None else bool(result.decisions[place]),
        [(terms[term], value) for term, value in parts[:limit]],
        float(sum(value for _, value in parts[limit:])),
        score if explanation is None else float(explanation.base[place]),
        neighbours,
    )
