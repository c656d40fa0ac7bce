"""What judges are given: 0/1 tables of documents x labels, dense or sparse, and labels as people write them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..errors import InvalidSetting

__all__ = ["indicator", "is_lists", "labels_in", "paired", "yes_no"]

YesNo = Any  # Bools or sparse.csr_array: scipy is not typed


def yes_no(values: Any, what: str) -> YesNo:
    """A 0/1 array as booleans, or a sparse 0/1 table as CSR with nothing but ones stored. What was given stays as it was."""
    if sparse.issparse(values):
        table = sparse.csr_array(values)
        if not table.has_canonical_format or (table.data == 0).any():
            table = table.copy()
            table.sum_duplicates()
            table.eliminate_zeros()
        if not (table.data == 1).all():
            raise InvalidSetting(f"found {table.data[table.data != 1].tolist()[0]!r} in {what}: give 0 and 1")
        return table
    try:
        found = np.asarray(values)
    except ValueError as problem:
        raise InvalidSetting(
            f"{what}: rows of unequal length; metrics.indicator makes a 0/1 table of labels"
        ) from problem
    if found.ndim not in (1, 2):
        raise InvalidSetting(f"{what} of shape {found.shape}: give documents, or documents x labels, of 0 and 1")
    if found.dtype == np.bool_:
        return found
    wrong = (found != 0) & (found != 1) if found.dtype.kind in "iufO" else np.ones(found.shape, dtype=bool)
    if wrong.any():
        raise InvalidSetting(
            f"found {found[wrong].tolist()[0]!r} in {what}: give 0 and 1; metrics.indicator makes them of labels"
        )
    return found == 1


def paired(values: Any, truth: Any, what: str = "decisions") -> tuple[YesNo, YesNo]:
    """Two 0/1 tables of one shape, both sparse if one is."""
    left, right = yes_no(values, what), yes_no(truth, "truth")
    if left.shape != right.shape:
        raise InvalidSetting(f"{what} of shape {left.shape} for truth of shape {right.shape}: give one for each")
    if left.ndim == 2 and sparse.issparse(left) != sparse.issparse(right):
        return sparse.csr_array(left), sparse.csr_array(right)
    return left, right


def is_lists(labels: Any) -> bool:
    """Whether these are lists (tuples, sets) of labels, one a document; a 0/1 table is an array instead."""
    if getattr(labels, "ndim", 1) != 1:
        return False
    return len(labels) > 0 and all(isinstance(own, Collection) and not isinstance(own, str | bytes) for own in labels)


def labels_in(*groups: Any) -> list[Any]:
    """All labels met, sorted; each group is labels, or lists of labels."""
    met: set[Any] = set()
    for group in groups:
        met.update(*group) if is_lists(group) else met.update(np.asarray(group).tolist())
    try:
        return sorted(met)
    except TypeError as problem:
        raise InvalidSetting("labels are of several types: use strings, or whole numbers") from problem


def indicator(labels: Any, names: Sequence[Any]) -> sparse.csr_array:
    """Labels, or lists of labels, one a document, as a sparse 0/1 table documents x names."""
    column = {name: n for n, name in enumerate(names)}
    rows = [set(own) for own in labels] if is_lists(labels) else [(own,) for own in np.asarray(labels).tolist()]
    indices: list[int] = []
    indptr = np.zeros(len(rows) + 1, dtype=np.int64)
    for n, own in enumerate(rows):
        for label in own:
            if label not in column:
                raise InvalidSetting(
                    f"row {n} has the label {label!r}, which is not among the {len(column)} names given"
                )
        indices.extend(sorted(column[label] for label in own))
        indptr[n + 1] = len(indices)
    ones = np.ones(len(indices), dtype=np.int64)
    return sparse.csr_array((ones, np.array(indices, dtype=np.int64), indptr), shape=(len(rows), len(column)))
