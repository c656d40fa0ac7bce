"""Types of arrays, one name each; ends of parts that lie one after the other; the best of each row, with exact ties."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]
Keys = np.ndarray[Any, np.dtype[np.uint64]]
Longs = np.ndarray[Any, np.dtype[np.int64]]

TIE = 1e-12  # scores so near the best count as the best, so that rounding decides nothing


def ends_of(sizes: Any) -> Longs:
    """Where each of some parts ends that lie one after the other, a 0 in front."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def with_exact_ties(scores: Floats) -> Floats:
    """Scores in which everything within 1e-12 of a row's best is as good as the best, so that ties are exact."""
    best = scores.max(axis=1, keepdims=True)
    return np.where(scores >= best - TIE, best, scores)


def first_best(scores: Floats) -> Longs:
    """The best column of each row; of those within 1e-12 of the best, the first."""
    places: Longs = np.argmax(with_exact_ties(scores), axis=1)
    return places
