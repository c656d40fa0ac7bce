"""Reasons of a fitted model: what the terms of texts add to their scores, or the training documents that decided."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from ..decisions.density import DensityEstimation
from ..models.classifier import lengths_of
from ..models.from_vectors.nearest_neighbours import NearestNeighbours
from ..scoring.arrays import Explanation
from ..scoring.reasons import per_word


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
