"""Ties: scores within 1e-12 of the best count as the best, so that rounding decides nothing."""

from __future__ import annotations

import numpy as np

from .arrays import Floats, Longs

TIE = 1e-12


def with_exact_ties(scores: Floats) -> Floats:
    """Scores in which everything within 1e-12 of a row's best is as good as the best, so that ties are exact."""
    best = scores.max(axis=1, keepdims=True)
    return np.where(scores >= best - TIE, best, scores)


def first_best(scores: Floats) -> Longs:
    """The best column of each row; of those within 1e-12 of the best, the first."""
    places: Longs = np.argmax(with_exact_ties(scores), axis=1)
    return places
