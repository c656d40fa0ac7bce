"""Examples for learners that go through the documents one after the other: in which order they come, and how much each counts.

Pure functions of documents and seeds. Source: 001 sec. 3, 4, 6.3, 7.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ...foundation.csr import row_sums

RATES = ("max-norm", "example", "half-example", "range")


# -- the order of examples


def shuffled(n_documents: int, *, passes: int = 1, random_state: Any = 0) -> Longs:
    """The documents in random order, a new one for each pass. It depends on the seed alone, so that all labels and all
    learners with that seed see the same order.                                                        [001 sec. 6.3]"""
    draw = np.random.default_rng(random_state)
    return np.concatenate([draw.permutation(n_documents) for _ in range(passes)]).astype(np.int64)


def check_order(order: Any, n_documents: int, passes: int) -> Longs:
    """The caller's order, checked and repeated for each pass: numbers of documents, any number of times each."""
    documents = np.asarray(order)
    if documents.ndim != 1 or documents.dtype.kind not in "iu":
        raise InvalidSetting("order: give a list of whole numbers, the documents in the order in which they come")
    if len(documents) and not 0 <= documents.min() <= documents.max() < n_documents:
        raise InvalidSetting(
            f"order goes from {documents.min()} to {documents.max()}; there are {n_documents} documents, 0 the first"
        )
    return np.tile(documents.astype(np.int64), passes)


def balanced_draws(positive: Longs, n_documents: int, draws: int, draw: np.random.Generator) -> Longs:
    """Draws with replacement, from a label's documents or from the others with equal probability.     [001 sec. 7.2]"""
    negative = np.setdiff1d(np.arange(n_documents), positive)
    if len(positive) == 0 or len(negative) == 0:
        return draw.integers(0, n_documents, draws).astype(np.int64)
    from_label = draw.random(draws) < 0.5
    positives = np.where(from_label, positive[draw.integers(0, len(positive), draws)], 0)
    return np.where(from_label, positives, negative[draw.integers(0, len(negative), draws)]).astype(np.int64)


# -- learning rates


def squared_norms(X: sparse.csr_array, absent: float = 0.0, stored: Floats | None = None) -> Floats:
    """||x||^2 of each document; terms that are not there count with their weight. stored: of what is stored, if known."""
    norms = row_sums(X, X.data**2) if stored is None else stored
    return norms if absent == 0 else norms + 2 * absent * row_sums(X) + X.shape[1] * absent**2


def largest_norm(X: sparse.csr_array, absent: float = 0.0, stored: Floats | None = None) -> float:
    """X: the length of the longest document.                                                             [001 sec. 4]"""
    return float(np.sqrt(squared_norms(X, absent, stored).max(initial=0.0)))


def widest_range(X: sparse.csr_array) -> float:
    """R: the largest difference between two weights of a document, absent terms among them (0 of what is stored).
    [001 sec. 4]"""
    table = X.tocsr()
    nonempty = np.diff(table.indptr) > 0
    highest, lowest = np.zeros(X.shape[0]), np.zeros(X.shape[0])
    starts = table.indptr[:-1][nonempty]
    if len(starts):
        highest[nonempty] = np.maximum.reduceat(table.data, starts)
        lowest[nonempty] = np.minimum.reduceat(table.data, starts)
    complete = np.diff(table.indptr) == X.shape[1]
    highest = np.where(complete, highest, np.maximum(highest, 0.0))
    lowest = np.where(complete, lowest, np.minimum(lowest, 0.0))
    return float((highest - lowest).max(initial=0.0))


def rates(X: sparse.csr_array, rate: Any, *, norm: float, spread: float, absent: float = 0.0) -> Floats:
    """eta of each document.                                                                    [001 sec. 6.3, sec. 7.2]

    max-norm 1/(4 X^2); example 1/||x||^2 as printed; half-example 1/(2 ||x||^2), the projection; range 2/(3 R^2); or a number.
    0 where there is nothing to divide by: a zero vector teaches nothing.
    """
    if rate in ("example", "half-example"):
        norms = squared_norms(X, absent) * (1 if rate == "example" else 2)
        return np.where(norms > 0, 1 / np.where(norms > 0, norms, 1.0), 0.0)
    value = {"max-norm": 4 * norm**2, "range": 1.5 * spread**2}.get(rate) if isinstance(rate, str) else 1 / float(rate)
    if value is None:
        raise UnknownName("learning rate", str(rate), (*RATES, "a number"))
    return np.full(X.shape[0], 1 / value if value > 0 else 0.0)
