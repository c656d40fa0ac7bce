"""Reasons: why a document has a label, or why not. What its terms add to the score, or the training documents that it went by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import UnknownName
from ..terms.recipe import Recipe
from .arrays import Floats, Longs, TermVector
from .density import Density
from .forms import Form, Neighbours

__all__ = ["Reason", "TermReasons", "label_places", "nearest_documents", "reasons_by_terms"]

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
    neighbours: list[tuple[str, float]] = field(
        default_factory=list
    )  # training documents it was decided by, their weight


@dataclass(frozen=True, slots=True)
class TermReasons:
    """What terms add to the score of a label."""

    terms: list[tuple[str, float]]  # those that add or take the most, largest first
    others: float  # what the others add
    base: float


def reasons_by_terms(
    form: Form, document: TermVector, label: int, *, terms: Sequence[str], words: float, limit: int
) -> TermReasons | None:
    """What the terms of a document, as the model takes it, add to the score of a label; None where documents decide. words: the
    number by which the score is divided, 1 if it is not."""
    if isinstance(form, Neighbours):
        return None
    document = document.at(document.values != 0)
    adds = form.contributions(document, label) / words
    pairs = zip(document.columns.tolist(), adds.tolist(), strict=True)
    ranked = sorted(pairs, key=lambda pair: -abs(pair[1]))
    return TermReasons(
        [(terms[column], value) for column, value in ranked[:limit]],
        float(sum(value for _, value in ranked[limit:])),
        form.base(document, label) / words,
    )


def nearest_documents(
    form: Form, document: TermVector, scores: Floats, *, density: Density | None, ids: Sequence[str] | None
) -> list[tuple[str, float]]:
    """The training documents that decide on a document, the nearest first, with the share of each: those with the most similar
    scores (density), or those of nearest neighbours. ids: of the training documents; None where none of them decides."""
    if ids is None:
        return []
    if density is not None:
        distances, numbers = density.nearest(scores)
        weights = density.weights(distances)
    elif isinstance(form, Neighbours):
        weights, numbers = form.nearest(document.at(document.values != 0))
    else:
        return []
    shares = weights / max(float(weights.sum()), TINY)
    return [(ids[number], share) for number, share in zip(numbers[:NEAREST].tolist(), shares.tolist(), strict=False)]


def label_places(label: Any, labels: Sequence[Any], decisions: Longs | None, probabilities: Floats) -> list[int]:
    """The places of the labels to speak of: those with this name; without one, those decided for, or the most probable."""
    if label is None:
        places: list[int] = [] if decisions is None else np.flatnonzero(decisions).tolist()
        return places or [int(np.argmax(probabilities))]
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
