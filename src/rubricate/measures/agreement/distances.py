"""How far apart two labels are, squared, for Krippendorff's alpha on ordered labels and on numbers. Source: Krippendorff (2011).

    ordinal     (middle rank of one - middle rank of the other)^2, ranks among all judgements
    interval    (c - k)^2
    ratio       ((c - k) / (c + k))^2

Distances of positions sum up over all pairs without going through the pairs:
sum over c, k of n_c n_k (x_c - x_k)^2 = 2 n sum n_c (x_c - mean)^2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from .judgements import Judged

__all__ = ["SCALES", "Distances"]


@dataclass(frozen=True, slots=True)
class Distances:
    """`labels` are labels x draws, how often each was given. between: of the label at `low` and that at `high`, each pair x
    draws. all_pairs: summed over all ordered pairs of judgements, one number a draw."""

    between: Callable[[Judged, Floats, Any, Any], Floats]
    all_pairs: Callable[[Judged, Floats], Floats]


def of_positions(positions: Callable[[Judged, Floats], Floats]) -> Distances:
    """Squared differences of positions, labels x draws (or x 1)."""

    def between(judged: Judged, labels: Floats, low: Any, high: Any) -> Floats:
        at = positions(judged, labels)
        apart: Floats = at[low] - at[high]
        return apart**2

    def all_pairs(judged: Judged, labels: Floats) -> Floats:
        at, n = positions(judged, labels), labels.sum(axis=0)
        middle = (labels * at).sum(axis=0) / np.maximum(n, 1)
        total: Floats = 2 * n * (labels * (at - middle) ** 2).sum(axis=0)
        return total

    return Distances(between, all_pairs)


def middle_ranks(_: Judged, labels: Floats) -> Floats:
    """The middle of each label's judgements when all stand in order."""
    return labels.cumsum(axis=0) - labels / 2


def numbers(judged: Judged, _: Floats) -> Floats:
    """The labels themselves."""
    try:
        return np.array(judged.labels, dtype=np.float64).reshape(-1, 1)
    except (TypeError, ValueError) as problem:
        raise InvalidSetting(
            'labels are not numbers: take the scale "nominal", or "ordinal" with their order'
        ) from problem


def relative(judged: Judged, labels: Floats, low: Any, high: Any) -> Floats:
    """Squared difference over sum."""
    at = numbers(judged, labels)
    if (at < 0).any():
        raise InvalidSetting(f'a label of {at.min()}: the scale "ratio" takes numbers of at least 0')
    one, other = at[low], at[high]
    apart: Floats = np.zeros(np.broadcast_shapes(one.shape, other.shape))
    np.divide(one - other, one + other, out=apart, where=one + other > 0)
    return apart**2


def relative_all_pairs(judged: Judged, labels: Floats) -> Floats:
    """Label by label, so that no table of all pairs of labels is held."""
    everywhere, total = np.arange(len(labels)), np.zeros(labels.shape[1])
    for label in everywhere:
        total += labels[label] * (labels * relative(judged, labels, label, everywhere)).sum(axis=0)
    return total


SCALES = {
    "interval": of_positions(numbers),
    "ordinal": of_positions(middle_ranks),
    "ratio": Distances(relative, relative_all_pairs),
}
