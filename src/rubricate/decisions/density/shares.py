"""From neighbours to probabilities, and from probabilities to decisions."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats, Longs
from .nearest import Neighbours

__all__ = ["decisions", "shares", "weight_sums"]

HALF = 0.5 + 1e-12  # what is a half to 12 decimals is not more than a half


def shares(neighbours: Neighbours, labels: sparse.csr_array, *, epsilon: float) -> Floats:
    """P(C|d) = sum of I(t, C) / (D(d, t) + eps) over the neighbours t, / sum of 1 / (D(d, t) + eps).      [004 sec. 3]

    labels: 0/1, training documents x labels.
    """
    sums = weight_sums(neighbours.distances, neighbours.indices, with_everything(labels), epsilon=epsilon)
    found: Floats = sums[:, :-1] / sums[:, -1:]
    return found


def decisions(probabilities: Floats) -> Longs:
    """1 where P > 0.5 (readings 004.4)."""
    return (probabilities > HALF).astype(np.int64)


def with_everything(labels: sparse.csr_array) -> sparse.csr_array:
    """A last column that every document has: its sum is the denominator, added up in the same order as the numerators."""
    return sparse.hstack([labels, np.ones((labels.shape[0], 1))], format="csr")


def weight_sums(distances: Floats, indices: Longs, labels: sparse.csr_array, *, epsilon: float) -> Floats:
    """Sum over neighbours of label / (distance + epsilon): documents x labels."""
    n, k = indices.shape
    weights = 1 / (distances + epsilon)
    places = indices.ravel(), np.arange(0, n * k + 1, k) if k else np.zeros(n + 1, dtype=np.int64)
    table = sparse.csr_array((weights.ravel(), *places), shape=(n, labels.shape[0]))
    found: Floats = (table @ labels).toarray()
    return found
