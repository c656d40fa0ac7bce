"""Reasons of a fitted model: what the terms of texts add to their scores, or the training documents that decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scipy import sparse

from ..decisions.density import DensityEstimation
from ..foundation.arrays import Floats
from ..models.classifier import lengths_of
from ..models.from_vectors.nearest_neighbours import NearestNeighbours
from ..scoring.arrays import Explanation
from ..scoring.reasons import per_word, shares_by_id


def all_by_terms(model: Any, X: sparse.csr_array, *, by_word: bool = False) -> list[Explanation]:
    """What the terms of each text, its row as the model takes it, add to its scores. by_word: to scores that are divided by the
    length of the text."""
    explanations: list[Explanation] = model.explain(X)
    if not by_word:
        return explanations
    return [per_word(part, max(n, 1.0)) for part, n in zip(explanations, lengths_of(X).tolist(), strict=True)]


def shows_documents(model: Any, density: DensityEstimation | None) -> bool:
    """Whether training documents are the reason of a decision."""
    return density is not None or isinstance(model, NearestNeighbours)


def nearest(
    model: Any, X: sparse.csr_array, scores: Floats, *, density: DensityEstimation | None, ids: Sequence[str] | None
) -> list[tuple[str, float]]:
    """The training documents that decide on a text, the nearest first: those with the most similar scores (density), or those
    of nearest neighbours. ids: of the training documents; None where none of them decides."""
    if ids is None:
        return []
    if density is not None:
        neighbours = density.neighbours(scores)
        return shares_by_id(1 / (neighbours.distances[0] + density.epsilon), neighbours.indices[0], ids)
    weights, numbers = model.neighbours(X)
    return shares_by_id(weights[0], numbers[0], ids)
