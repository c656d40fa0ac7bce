"""Observed disagreement and disagreement by chance, as functions of sums over items.

What each item adds is computed once; then a coefficient, and a bootstrap over items with a thousand draws, is one sparse product.
See `coefficients` for what they mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import UnknownName
from ...foundation.arrays import Floats
from .distances import SCALES, Distances
from .judgements import Judged, tally

__all__ = [
    "COEFFICIENTS",
    "Additive",
    "beyond_chance",
    "coefficients_for",
    "krippendorff",
    "same_number",
    "two_annotators",
    "value",
]

EMPTY = np.zeros(0, dtype=np.intp)
Disagreement = tuple[Floats, Floats]  # observed, expected; one number a draw


@dataclass(frozen=True, slots=True)
class Additive:
    """parts: items x k, what each item adds. disagreement(sums): k x draws to observed and expected."""

    parts: sparse.csr_array
    disagreement: Callable[[Floats], Disagreement]


Coefficient = Callable[[Judged], Additive]


def value(coefficient: Coefficient, judged: Judged) -> float:
    """1 - observed / expected, of all items."""
    made = coefficient(judged)
    sums = np.asarray(made.parts.sum(axis=0), dtype=np.float64).reshape(-1, 1)
    return float(beyond_chance(*made.disagreement(sums))[0])


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """1 - observed / expected; nan where nothing is expected."""
    ratio: Floats = np.full(np.shape(observed), np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
    return 1 - ratio


@dataclass(frozen=True, slots=True)
class Given:
    """Of items with two judgements or more (nothing elsewhere): labels given, their number, the share of agreeing pairs."""

    labels: sparse.csr_array
    number: Floats
    agreeing: Floats


def given_to(judged: Judged) -> Given:
    """What was given to each item."""
    labels = tally(judged)
    number = np.asarray(labels.sum(axis=1)).ravel()
    labels = sparse.csr_array(labels.multiply((number >= 2)[:, None]))
    number = np.where(number >= 2, number, 0.0)
    agreeing = np.asarray(labels.multiply(labels).sum(axis=1)).ravel() - number
    return Given(labels, number, agreeing / np.maximum(number * (number - 1), 1))


def percent(judged: Judged) -> Additive:
    """1 - the mean share of agreeing pairs, against 1."""
    given = given_to(judged)
    return Additive(beside(given.agreeing, given.number > 0), lambda s: (1 - share(s[0], s[1]), np.ones(s.shape[1])))


def cohen(judged: Judged) -> Additive:
    """Averaged over pairs of annotators, each weighing as the items it shares; of each pair: agreed, both judged, labels of the
    one, labels of the other."""
    width = len(judged.labels)
    block = 2 + 2 * width
    rows: list[Any] = []
    columns: list[Any] = []
    for a, b in combinations(judged.codes, 2):
        item = np.flatnonzero((a >= 0) & (b >= 0))
        if len(item):
            start, one, other = len(rows) * block, a[item], b[item]
            rows.append(np.concatenate([item[one == other], item, item, item]))
            agreed = np.zeros(int((one == other).sum()), dtype=np.intp)
            columns.append(start + np.concatenate([agreed, np.ones_like(item), 2 + one, 2 + width + other]))
    at = (np.concatenate([EMPTY, *rows]), np.concatenate([EMPTY, *columns]))
    parts = sparse.csr_array((np.ones(len(at[0])), at), shape=(judged.n_items, len(rows) * block))

    def disagreement(sums: Floats) -> Disagreement:
        pairs = np.moveaxis(sums.reshape(-1, block, sums.shape[1]), 1, 0)
        shared = pairs[1]
        observed, expected = (np.where(shared > 0, shared * one, 0.0).sum(axis=0) for one in two_annotators(pairs))
        return share(observed, shared.sum(axis=0)), share(expected, shared.sum(axis=0))

    return Additive(parts, disagreement)


def two_annotators(sums: Floats) -> Disagreement:
    """From agreed, both judged, labels of the first, labels of the second."""
    agreed, n, width = sums[0], sums[1], (len(sums) - 2) // 2
    by_chance = (sums[2 : 2 + width] * sums[2 + width :]).sum(axis=0)
    return 1 - share(agreed, n), 1 - share(by_chance, n**2)


def fleiss(judged: Judged) -> Additive:
    """Against two judgements drawn from all with replacement. Undefined if the numbers of judgements differ."""
    given = given_to(judged)
    parts = sparse.csr_array(sparse.hstack([beside(given.agreeing, given.number > 0), given.labels]))

    def disagreement(sums: Floats) -> Disagreement:
        labels = sums[2:]
        return 1 - share(sums[0], sums[1]), 1 - share((labels**2).sum(axis=0), labels.sum(axis=0) ** 2)

    return Additive(parts if same_number(judged) else sparse.csr_array(parts.shape), disagreement)


def same_number(judged: Judged) -> bool:
    """Whether all items have the same number of judgements, of at least two."""
    numbers = np.unique((judged.codes >= 0).sum(axis=0))
    return len(numbers) == 1 and bool(numbers[0] >= 2)


def nominal(judged: Judged) -> Additive:
    """Against two judgements drawn from all without replacement; an item weighs as its judgements."""
    given = given_to(judged)
    parts = sparse.csr_array(sparse.hstack([beside(given.agreeing * given.number), given.labels]))

    def disagreement(sums: Floats) -> Disagreement:
        labels = sums[1:]
        n = labels.sum(axis=0)
        return 1 - share(sums[0], n), 1 - share((labels * (labels - 1)).sum(axis=0), n * (n - 1))

    return Additive(parts, disagreement)


def scaled(distances: Distances, judged: Judged) -> Additive:
    """The same with squared distances of labels. What an item adds: its pairs of different labels, over its judgements - 1;
    and its labels. Only pairs that some item has get a column."""
    given, width = given_to(judged), len(judged.labels)
    item, pair = [EMPTY], [EMPTY]
    for a, b in combinations(judged.codes, 2):
        apart = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))
        item.append(apart)
        pair.append(np.minimum(a, b)[apart] * width + np.maximum(a, b)[apart])
    items = np.concatenate(item)
    cells, column = np.unique(np.concatenate(pair), return_inverse=True)
    weights = 2 / np.maximum(given.number - 1, 1)[items]
    pairs = sparse.csr_array((weights, (items, column)), shape=(judged.n_items, len(cells)))
    low, high = cells // max(width, 1), cells % max(width, 1)

    def disagreement(sums: Floats) -> Disagreement:
        met, labels = sums[: len(cells)], sums[len(cells) :]
        n = labels.sum(axis=0)
        observed = (met * distances.between(judged, labels, low, high)).sum(axis=0)
        return share(observed, n), share(distances.all_pairs(judged, labels), n * (n - 1))

    return Additive(sparse.csr_array(sparse.hstack([pairs, given.labels])), disagreement)


def krippendorff(scale: str) -> Coefficient:
    """Alpha for a scale."""
    if scale == "nominal":
        return nominal
    if scale not in SCALES:
        raise UnknownName("scale", str(scale), ("nominal", *SCALES))
    return lambda judged: scaled(SCALES[scale], judged)


def coefficients_for(scale: str) -> dict[str, Coefficient]:
    """All coefficients, alpha on a scale."""
    return COEFFICIENTS | {"krippendorff": krippendorff(scale)}


def beside(*values: Any) -> sparse.csr_array:
    """Columns."""
    return sparse.csr_array(np.column_stack(values).astype(np.float64))


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, nan where there is nothing."""
    out: Floats = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


COEFFICIENTS: dict[str, Coefficient] = {"percent": percent, "cohen": cohen, "fleiss": fleiss, "krippendorff": nominal}
