"""Matrices that somebody else counted: documents x terms, and labels in the forms that scikit-learn takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..errors import InvalidSetting
from ..foundation.arrays import Longs, ends_of


def whole_numbers(X: Any) -> sparse.csr_array:
    """A matrix of counts as sorted CSR of integers without stored zeros; anything else is refused."""
    X = sparse.csr_array(X)
    if X.data.dtype.kind not in "iub":
        if not np.isfinite(X.data).all() or (X.data != np.floor(X.data)).any():
            raise InvalidSetting("the matrix has entries that are not whole numbers: counts are needed, not weights")
        X = X.astype(np.int64)
    if len(X.data) and X.data.min() < 0:
        raise InvalidSetting("the matrix has negative entries: counts are needed, not weights")
    if len(X.data) and X.data.max() > np.iinfo(np.int32).max:
        raise InvalidSetting("a term occurs more than 2,147,483,647 times in one document")
    X.sum_duplicates()
    if not X.data.all():
        X = X.copy()
        X.eliminate_zeros()
    return X.astype(np.int64)


def label_pairs(y: Any, n: int) -> tuple[list[str], Longs, Longs]:
    """Names of labels, and all (label, document) pairs, from labels a document or from an indicator matrix."""
    if not sparse.issparse(y):
        y = np.asarray(y)
    if y.shape[0] != n:
        raise InvalidSetting(f"{n} documents but labels for {y.shape[0]}")
    if y.ndim == 1:
        if y.dtype == object and any(not isinstance(label, str | int | np.integer) for label in y):
            raise InvalidSetting("y must hold one label a document; for several, give a 0/1 indicator matrix")
        values, label_of = np.unique(y, return_inverse=True)
        names = [str(value) for value in values.tolist()]
        if len(set(names)) != len(names):
            raise InvalidSetting("two labels have the same name as text")
        return names, label_of.reshape(-1).astype(np.int64), np.arange(n, dtype=np.int64)
    if not sparse.issparse(y) and y.dtype.kind not in "biuf":
        raise InvalidSetting("y must hold one label a document; for several, give a 0/1 indicator matrix")
    table = sparse.csr_array(y)
    if len(table.data) and not np.isin(table.data, (0, 1)).all():
        raise InvalidSetting("an indicator matrix holds 0 and 1 only")
    document_of, label_of = table.nonzero()
    return [str(n) for n in range(table.shape[1])], label_of.astype(np.int64), document_of.astype(np.int64)


def indicator(labels: Sequence[Sequence[str]], names: Sequence[str]) -> sparse.csr_array:
    """A sparse 0/1 documents x labels table."""
    place = {name: n for n, name in enumerate(names)}
    columns = [place[label] for document_labels in labels for label in document_labels]
    ends = ends_of([len(document_labels) for document_labels in labels])
    table = sparse.csr_array((np.ones(len(columns), dtype=np.int8), columns, ends), shape=(len(labels), len(names)))
    table.sort_indices()
    return table
