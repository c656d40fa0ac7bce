"""Judgements of people: annotators x items, each judgement a label, or None / nan where somebody did not judge an item."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting

Codes = np.ndarray[Any, np.dtype[np.intp]]


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
