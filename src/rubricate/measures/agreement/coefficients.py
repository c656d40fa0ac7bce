"""Coefficients of agreement: how far judgements agree, and how far beyond chance.

    percent         the share of agreeing pairs of judgements; nothing is expected
    cohen           1 - observed / expected disagreement; each annotator gives labels as often as they do. For more than two
                    annotators (in `report`) both are averaged over pairs of annotators (Conger 1980), a pair weighing as
                    the items it shares
    fleiss          all give labels as often as everybody does; the same number of judgements for each item
    krippendorff    as Fleiss, for small samples, any number of judgements an item, and ordered or numeric labels

For Krippendorff's alpha on ordered labels and on numbers, the squared distance of two labels is

    ordinal     (middle rank of the first - middle rank of the second)^2, ranks among all judgements
    interval    (c - k)^2
    ratio       ((c - k) / (c + k))^2

Distances of positions sum up over all pairs without going through the pairs:
sum over c, k of n_c n_k (x_c - x_k)^2 = 2 n sum n_c (x_c - mean)^2.

Sources: Cohen (1960), Fleiss (1971), Conger (1980), Krippendorff (2011). A judgement may be missing (None, nan); items with
fewer than two say nothing about agreement. Where chance alone would agree always (one label in use) they are undefined: nan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ..metrics.contingency import ratio
from .disagreement import (
    COEFFICIENTS,
    EMPTY,
    Coefficient,
    Disagreement,
    ItemSums,
    Judgements,
    beyond_chance,
    encode,
    item_tallies,
    same_number,
    two_annotators,
    value,
)


def percent(judgements: Any) -> float:
    """The share of pairs of judgements of an item that agree, averaged over items: 1 if all do."""
    return value(COEFFICIENTS["percent"], encode(judgements))


def cohen_kappa(a: Any, b: Any) -> float:
    """(P_o - P_e) / (1 - P_e),  P_e = sum over labels of share_a share_b (Cohen 1960), over items both have judged."""
    return value(COEFFICIENTS["cohen"], encode([a, b]))


def kappa_of_table(table: Any) -> float:
    """Cohen's kappa of a square table of counts: rows the labels of one annotator, columns those of the other."""
    cells = np.asarray(table, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or not (cells >= 0).all():
        raise InvalidSetting(f"a table of shape {cells.shape}: give a square table of counts, labels x labels")
    sums = np.concatenate([[np.trace(cells), cells.sum()], cells.sum(axis=1), cells.sum(axis=0)])
    return float(beyond_chance(*two_annotators(sums[:, None]))[0])


def fleiss_kappa(judgements: Any) -> float:
    """(P_o - P_e) / (1 - P_e),  P_e = sum over labels of share^2 (Fleiss 1971). Items may have been judged by different people,
    each by the same number of at least two."""
    encoded = encode(judgements)
    if not same_number(encoded):
        numbers_met = np.unique((encoded.codes >= 0).sum(axis=0)).tolist()
        raise InvalidSetting(
            f"items with {numbers_met} judgements: Fleiss' kappa needs the same number of at least two for each;"
            " krippendorff_alpha allows for missing ones"
        )
    return value(COEFFICIENTS["fleiss"], encoded)


def krippendorff_alpha(judgements: Any, *, scale: str = "nominal", order: Sequence[Any] | None = None) -> float:
    """1 - D_o / D_e (Krippendorff 2011). scale: how far apart two labels are,

    nominal   0 or 1               ordinal   the judgements between them, half of their own included, squared
    interval  (c - k)^2            ratio     ((c - k) / (c + k))^2

    order: the labels from low to high, where sorting them would not do ("ordinal"; "interval" and "ratio" take numbers).
    """
    return value(krippendorff(scale), encode(judgements, order=order))


# -- Krippendorff's alpha on a scale


def krippendorff(scale: str) -> Coefficient:
    if scale == "nominal":
        return COEFFICIENTS["krippendorff"]
    if scale not in SCALES:
        raise UnknownName("scale", str(scale), ("nominal", *SCALES))
    return lambda judgements: scaled(SCALES[scale], judgements)


def coefficients_for(scale: str) -> dict[str, Coefficient]:
    return COEFFICIENTS | {"krippendorff": krippendorff(scale)}


def scaled(distances: Distances, judgements: Judgements) -> ItemSums:
    """The same with squared distances of labels. What an item adds: its pairs of different labels, over its judgements - 1;
    and its labels. Only pairs that some item has get a column."""
    tallies, width = item_tallies(judgements), len(judgements.labels)
    item, pair = [EMPTY], [EMPTY]
    for a, b in combinations(judgements.codes, 2):
        differing = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))
        item.append(differing)
        pair.append(np.minimum(a, b)[differing] * width + np.maximum(a, b)[differing])
    items = np.concatenate(item)
    cells, column = np.unique(np.concatenate(pair), return_inverse=True)
    weights = 2 / np.maximum(tallies.number - 1, 1)[items]
    pairs = sparse.csr_array((weights, (items, column)), shape=(judgements.n_items, len(cells)))
    low, high = cells // max(width, 1), cells % max(width, 1)

    def disagreement(sums: Floats) -> Disagreement:
        pair_counts, labels = sums[: len(cells)], sums[len(cells) :]
        n = labels.sum(axis=0)
        observed = (pair_counts * distances.between(judgements, labels, low, high)).sum(axis=0)
        return ratio(observed, n), ratio(distances.all_pairs(judgements, labels), n * (n - 1))

    return ItemSums(sparse.csr_array(sparse.hstack([pairs, tallies.labels])), disagreement)


@dataclass(frozen=True, slots=True)
class Distances:
    """`labels` are labels x draws, how often each was given. between: of the label at `low` and that at `high`, each pair x
    draws. all_pairs: summed over all ordered pairs of judgements, one number a draw."""

    between: Callable[[Judgements, Floats, Any, Any], Floats]
    all_pairs: Callable[[Judgements, Floats], Floats]


def of_positions(positions: Callable[[Judgements, Floats], Floats]) -> Distances:
    """Squared differences of positions, labels x draws (or x 1)."""

    def between(judgements: Judgements, labels: Floats, low: Any, high: Any) -> Floats:
        at = positions(judgements, labels)
        distance: Floats = at[low] - at[high]
        return distance**2

    def all_pairs(judgements: Judgements, labels: Floats) -> Floats:
        at, n = positions(judgements, labels), labels.sum(axis=0)
        middle = (labels * at).sum(axis=0) / np.maximum(n, 1)
        total: Floats = 2 * n * (labels * (at - middle) ** 2).sum(axis=0)
        return total

    return Distances(between, all_pairs)


def middle_ranks(_: Judgements, labels: Floats) -> Floats:
    """The middle of each label's judgements when all stand in order."""
    return labels.cumsum(axis=0) - labels / 2


def numbers(judgements: Judgements, _: Floats) -> Floats:
    try:
        return np.array(judgements.labels, dtype=np.float64).reshape(-1, 1)
    except (TypeError, ValueError) as problem:
        raise InvalidSetting(
            'labels are not numbers: take the scale "nominal", or "ordinal" with their order'
        ) from problem


def relative(judgements: Judgements, labels: Floats, low: Any, high: Any) -> Floats:
    at = numbers(judgements, labels)
    if (at < 0).any():
        raise InvalidSetting(f'a label of {at.min()}: the scale "ratio" takes numbers of at least 0')
    first, second = at[low], at[high]
    distance: Floats = np.zeros(np.broadcast_shapes(first.shape, second.shape))
    np.divide(first - second, first + second, out=distance, where=first + second > 0)
    return distance**2


def relative_all_pairs(judgements: Judgements, labels: Floats) -> Floats:
    """Label by label, so that no table of all pairs of labels is held."""
    everywhere, total = np.arange(len(labels)), np.zeros(labels.shape[1])
    for label in everywhere:
        total += labels[label] * (labels * relative(judgements, labels, label, everywhere)).sum(axis=0)
    return total


SCALES = {
    "interval": of_positions(numbers),
    "ordinal": of_positions(middle_ranks),
    "ratio": Distances(relative, relative_all_pairs),
}
