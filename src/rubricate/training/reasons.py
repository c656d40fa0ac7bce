"""Reasons: why a text has a label, or why not. What its terms add to the score, or the training documents that it went by.

    asked_labels    which labels to speak of: the one that is named, otherwise those decided for, or the most probable
    by_terms        what each term adds to each score; nothing where the score comes from documents nearby
    nearest         the training documents that decided, where documents did, and the share of each in the decision
    reason          all of it for one label

Reads: a fitted model, and what a classifier with it said of one text (`Said`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.density import DensityEstimation
from ..errors import UnknownName
from ..foundation.arrays import Floats
from ..models.classifier import Explanation, lengths_of, per_word
from ..models.from_vectors.nearest_neighbours import NearestNeighbours

__all__ = ["Reason", "Said", "all_by_terms", "asked_labels", "by_terms", "nearest", "reason", "shows_documents"]

Neighbours = list[tuple[str, float]]
NEAREST = 5  # training documents that are shown as a reason
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text has or has not a label: what each term adds to the score, the score, the cut, the probability."""

    label: str
    score: float
    cut: float | None
    probability: float
    decided: bool | None  # None: the rule needs a whole batch
    terms: list[tuple[str, float]]  # largest first
    others: float  # what the terms that are not shown add
    base: float  # what is there without the terms
    neighbours: Neighbours = field(default_factory=list)  # training documents it was decided by, and their weight


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What a classifier said of one text: a value a label."""

    scores: Floats
    probabilities: Floats
    decisions: Any  # 0/1; None: the rule needs a whole batch
    cuts: Floats | None  # None where another rule decides


def asked_labels(label: Any, classes: Any, said: Said) -> list[int]:
    """The places of the labels to speak of."""
    if label is None:
        found: list[int] = [] if said.decisions is None else np.flatnonzero(said.decisions).tolist()
        return found or [int(np.argmax(said.probabilities))]
    known = classes.tolist()
    places = [n for n, own in enumerate(known) if own == label or str(own) == str(label)]
    if not places:
        raise UnknownName("label", str(label), [str(own) for own in known])
    return places


def by_terms(model: Any, X: sparse.csr_array, *, by_word: bool = False) -> Explanation | None:
    """What the terms of a text, its row as the model takes it, add to the scores; None where documents decide. by_word: to
    scores that are divided by the length of the text."""
    return None if isinstance(model, NearestNeighbours) else all_by_terms(model, X, by_word=by_word)[0]


def all_by_terms(model: Any, X: sparse.csr_array, *, by_word: bool = False) -> list[Explanation]:
    """What the terms of each text add to its scores."""
    told: list[Explanation] = model.explain(X)
    if not by_word:
        return told
    return [
        replace(one, contributions=per_word(one.contributions, n), base=per_word(one.base, n))
        for one, n in zip(told, lengths_of(X), strict=True)
    ]


def shows_documents(model: Any, density: DensityEstimation | None) -> bool:
    """Whether training documents are the reason of a decision."""
    return density is not None or isinstance(model, NearestNeighbours)


def nearest(
    model: Any, X: sparse.csr_array, scores: Floats, *, density: DensityEstimation | None, ids: Sequence[str] | None
) -> Neighbours:
    """The training documents that decide on a text, the nearest first: those with the most similar scores (density), or those
    of nearest neighbours. ids: of the training documents; None where none of them decides."""
    if ids is None:
        return []
    if density is not None:
        found = density.neighbours(scores)
        weights, places = 1 / (found.distances[0] + density.epsilon), found.indices[0]
    else:
        weights, places = (row[0] for row in model.neighbours(X))
    share = weights / max(float(weights.sum()), TINY)
    return [(ids[place], float(value)) for place, value in zip(places[:NEAREST], share, strict=False)]


def reason(
    n: int,
    name: str,
    said: Said,
    *,
    told: Explanation | None,
    terms: Sequence[str],
    neighbours: Neighbours,
    top: int,
) -> Reason:
    """Why the text has label n, or has not; of the terms, the `top` that add or take the most."""
    parts = [] if told is None else zip(told.terms.tolist(), told.contributions[:, n].tolist(), strict=True)
    parts = sorted(parts, key=lambda part: -abs(part[1]))
    return Reason(
        name,
        float(said.scores[n]),
        None if said.cuts is None else float(said.cuts[n]),
        float(said.probabilities[n]),
        None if said.decisions is None else bool(said.decisions[n]),
        [(terms[term], value) for term, value in parts[:top]],
        float(sum(value for _, value in parts[top:])),
        float(said.scores[n]) if told is None else float(told.base[n]),
        neighbours,
    )
