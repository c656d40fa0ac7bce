"""Judgements of people (annotators x items, None or nan where somebody did not judge), and how far they disagree.

Observed disagreement and disagreement by chance, as functions of sums over items.

What each item adds is computed once; then a coefficient, and a bootstrap over items with a thousand draws, is one sparse product.
See `coefficients` for what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ..metrics.contingency import ratio
from ..metrics.sums import columns, total

Codes = np.ndarray[Any, np.dtype[np.intp]]
EMPTY = np.zeros(0, dtype=np.intp)
Disagreement = tuple[Floats, Floats]  # observed, expected; one number a draw


@dataclass(frozen=True, slots=True)
class Judgements:
    """codes[annotator, item]: a place in `labels`, or -1 for no judgement."""

    codes: Codes
    labels: tuple[Any, ...]

    @property
    def n_items(self) -> int:
        return int(self.codes.shape[1])


def encode(judgements: Any, *, order: Sequence[Any] | None = None) -> Judgements:
    """Rows of judgements, one row an annotator, as codes. Labels are sorted unless their order is given."""
    rows = [list(row) for row in judgements]
    if len(rows) < 2:
        raise InvalidSetting(f"judgements of {len(rows)} annotators: give one row for each of at least two")
    if len({len(row) for row in rows}) > 1:
        raise InvalidSetting(
            f"rows of {sorted({len(row) for row in rows})} judgements: give each annotator one an item, or None"
        )
    used: set[Hashable] = {label for row in rows for label in row if not is_missing(label)}
    if order is not None and (unknown := used.difference(order)):
        raise InvalidSetting(f"judgements {sorted(map(str, unknown))} are not in the order given: add them")
    labels = tuple(sorted(used, key=sort_key) if order is None else order)
    code = {label: n for n, label in enumerate(labels)}
    codes = [[-1 if is_missing(label) else code[label] for label in row] for row in rows]
    return Judgements(np.array(codes, dtype=np.intp).reshape(len(rows), -1), labels)


def label_against_others(judgements: Judgements, label: int) -> Judgements:
    """The same judgements as: this label, or another."""
    codes = judgements.codes
    return Judgements(np.where(codes < 0, -1, (codes == label).astype(np.intp)), (False, True))


def tally(judgements: Judgements) -> sparse.csr_array:
    annotator, item = np.nonzero(judgements.codes >= 0)
    cells = (np.ones(len(item)), (item, judgements.codes[annotator, item]))
    return sparse.csr_array(cells, shape=(judgements.n_items, len(judgements.labels)))


def is_missing(label: Any) -> bool:
    """None and nan: not judged."""
    return label is None or (isinstance(label, float | np.floating) and bool(np.isnan(label)))


def sort_key(label: Any) -> tuple[bool, Any]:
    """Numbers by size, before everything else by its name."""
    number = isinstance(label, int | float | np.number)
    return (not number, label if number else str(label))


# -- disagreement


@dataclass(frozen=True, slots=True)
class ItemSums:
    """A coefficient as a function of sums over items, as measures are of sums over documents (`metrics.sums`).

    parts: items x k, what each item adds. disagreement(sums): k x draws to observed and expected disagreement.
    """

    parts: sparse.csr_array
    disagreement: Callable[[Floats], Disagreement]


Coefficient = Callable[[Judgements], ItemSums]


def value(coefficient: Coefficient, judgements: Judgements) -> float:
    item_sums = coefficient(judgements)
    return float(beyond_chance(*item_sums.disagreement(total(item_sums.parts)[:, None]))[0])


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """1 - observed / expected; nan where nothing is expected."""
    return 1 - ratio(observed, expected)


@dataclass(frozen=True, slots=True)
class ItemTallies:
    """Of items with two judgements or more (nothing elsewhere): labels given, their number, the share of agreeing pairs."""

    labels: sparse.csr_array
    number: Floats
    agreeing: Floats


def item_tallies(judgements: Judgements) -> ItemTallies:
    labels = tally(judgements)
    number = np.asarray(labels.sum(axis=1)).ravel()
    labels = sparse.csr_array(labels.multiply((number >= 2)[:, None]))
    number = np.where(number >= 2, number, 0.0)
    agreeing = np.asarray(labels.multiply(labels).sum(axis=1)).ravel() - number
    return ItemTallies(labels, number, agreeing / np.maximum(number * (number - 1), 1))


def percent(judgements: Judgements) -> ItemSums:
    """1 - the mean share of agreeing pairs, against 1."""
    tallies = item_tallies(judgements)
    return ItemSums(
        columns(tallies.agreeing, tallies.number > 0), lambda s: (1 - ratio(s[0], s[1]), np.ones(s.shape[1]))
    )


def cohen(judgements: Judgements) -> ItemSums:
    """Averaged over pairs of annotators, each weighing as the items it shares; of each pair: agreed, both judged, labels of the
    first, labels of the second."""
    width = len(judgements.labels)
    block = 2 + 2 * width
    rows: list[Any] = []
    places: list[Any] = []
    for a, b in combinations(judgements.codes, 2):
        item = np.flatnonzero((a >= 0) & (b >= 0))
        if len(item):
            start, first, second = len(rows) * block, a[item], b[item]
            rows.append(np.concatenate([item[first == second], item, item, item]))
            agreed = np.zeros(int((first == second).sum()), dtype=np.intp)
            places.append(start + np.concatenate([agreed, np.ones_like(item), 2 + first, 2 + width + second]))
    cells = (np.concatenate([EMPTY, *rows]), np.concatenate([EMPTY, *places]))
    parts = sparse.csr_array((np.ones(len(cells[0])), cells), shape=(judgements.n_items, len(rows) * block))

    def disagreement(sums: Floats) -> Disagreement:
        pairs = np.moveaxis(sums.reshape(-1, block, sums.shape[1]), 1, 0)
        shared = pairs[1]
        observed, expected = (np.where(shared > 0, shared * part, 0.0).sum(axis=0) for part in two_annotators(pairs))
        return ratio(observed, shared.sum(axis=0)), ratio(expected, shared.sum(axis=0))

    return ItemSums(parts, disagreement)


def two_annotators(sums: Floats) -> Disagreement:
    """From agreed, both judged, labels of the first, labels of the second."""
    agreed, n, width = sums[0], sums[1], (len(sums) - 2) // 2
    by_chance = (sums[2 : 2 + width] * sums[2 + width :]).sum(axis=0)
    return 1 - ratio(agreed, n), 1 - ratio(by_chance, n**2)


def fleiss(judgements: Judgements) -> ItemSums:
    """Against two judgements drawn from all with replacement. Undefined if the numbers of judgements differ."""
    tallies = item_tallies(judgements)
    parts = sparse.csr_array(sparse.hstack([columns(tallies.agreeing, tallies.number > 0), tallies.labels]))

    def disagreement(sums: Floats) -> Disagreement:
        labels = sums[2:]
        return 1 - ratio(sums[0], sums[1]), 1 - ratio((labels**2).sum(axis=0), labels.sum(axis=0) ** 2)

    return ItemSums(parts if same_number(judgements) else sparse.csr_array(parts.shape), disagreement)


def same_number(judgements: Judgements) -> bool:
    """Whether all items have the same number of judgements, of at least two."""
    numbers = np.unique((judgements.codes >= 0).sum(axis=0))
    return len(numbers) == 1 and bool(numbers[0] >= 2)


def nominal(judgements: Judgements) -> ItemSums:
    """Against two judgements drawn from all without replacement; an item weighs as its judgements."""
    tallies = item_tallies(judgements)
    parts = sparse.csr_array(sparse.hstack([columns(tallies.agreeing * tallies.number), tallies.labels]))

    def disagreement(sums: Floats) -> Disagreement:
        labels = sums[1:]
        n = labels.sum(axis=0)
        return 1 - ratio(sums[0], n), 1 - ratio((labels * (labels - 1)).sum(axis=0), n * (n - 1))

    return ItemSums(parts, disagreement)


COEFFICIENTS: dict[str, Coefficient] = {"percent": percent, "cohen": cohen, "fleiss": fleiss, "krippendorff": nominal}
