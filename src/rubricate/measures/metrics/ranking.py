"""Measures of ranking: average precision, R-precision, precision at k. Source: 001 sec. 5 and 7 (as TREC's).

Of each label where scores and truth are documents x labels, one number where they are one label's. `ties` as in `places`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from .contingency import ratio
from .positions import Places, blocks, places

__all__ = ["average_precision", "precision_at", "r_precision"]


def average_precision(scores: Any, truth: Any, *, ties: str = "index") -> Floats:
    """The mean of precision measured at each class member in the ranking (SAP); nan without members.        [001 sec. 5]

    "expected": where g documents stand above a run of t tied ones, with q and p members, the run's j-th place has a member
    with probability p/t, before whom stand q + (j-1)(p-1)/(t-1) others on average: the sum over j of
    p/t [q + 1 + (j-1)(p-1)/(t-1)] / (g + j) is what the run adds.
    """
    found = []
    for block in blocks(scores, truth):
        own = places(block, ties=ties)
        sums = expected_sums(own) if ties == "expected" else sums_of(own, own.label, own.number / own.rank)
        found.append(ratio(sums, own.positives))
    return whole(found, scores)


def expected_sums(own: Places) -> Floats:
    """The sum of precisions at members, expected over all orders of tied documents."""
    begin = own.groups
    size, members = own.size[begin], np.diff(begin, append=len(own.label))
    more = (members - 1) / np.maximum(size - 1, 1)
    first, before = own.above[begin] + 1, own.number[begin]

    def at_places(values: Any) -> Any:
        return np.repeat(values, size)

    earlier = np.arange(size.sum()) - at_places(np.cumsum(size) - size)
    precisions = (at_places(before) + earlier * at_places(more)) / (at_places(first) + earlier)
    return sums_of(own, at_places(own.label[begin]), at_places(members / size) * precisions)


def sums_of(own: Places, label: Any, values: Floats) -> Floats:
    """Sums over each label."""
    return np.bincount(label, weights=values, minlength=len(own.positives)).astype(np.float64)


def r_precision(scores: Any, truth: Any, *, ties: str = "index") -> Floats:
    """Precision at as many documents as there are class members, which is recall there; nan without members.  [001 sec. 7.2]"""
    found = []
    for block in blocks(scores, truth):
        own = places(block, ties=ties)
        found.append(ratio(own.hits(own.positives, ties=ties), own.positives))
    return whole(found, scores)


def precision_at(scores: Any, truth: Any, k: int, *, ties: str = "index") -> Floats:
    """Class members among the first k documents, over k, also where there are fewer than k documents (as TREC's)."""
    if isinstance(k, bool) or int(k) != k or k < 1:
        raise InvalidSetting(f"k={k!r}: give a whole number from 1")
    found = []
    for block in blocks(scores, truth):
        own = places(block, ties=ties)
        found.append(own.hits(np.full(len(own.positives), int(k)), ties=ties) / k)
    return whole(found, scores)


def whole(parts: list[Floats], scores: Any) -> Floats:
    """The answers for all labels; one number where the scores were one label's."""
    values = np.concatenate(parts) if parts else np.zeros(0)
    return values[0] if np.ndim(scores) == 1 else values
