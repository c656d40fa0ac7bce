"""Accuracy: the share of correct decisions, where a document may have several. Sources: 000 footnote 1, 004 sec. 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Longs
from ..inputs import is_lists, labels_in, paired, sklearn_keywords, yes_no
from .contingency import contingency


@sklearn_keywords("y_pred")
def accuracy(predicted: Any, truth: Any) -> float:
    """The share of decisions that are correct; nan if there are none.

    predicted: one label a document. truth: one label a document; or lists of labels, or a 0/1 array documents x labels (then
    predicted are its columns), and any of the document's labels is correct.                                 [000 sec. 6.1.1]
    If predicted is a 0/1 table documents x labels itself, each of its cells is a decision.                  [004 sec. 6]
    """
    if is_table(predicted):
        return 1 - float(contingency(predicted, truth).total.error)
    hits = correct(predicted, truth)
    return float(hits.mean()) if len(hits) else float("nan")


@sklearn_keywords("y_pred")
def error(predicted: Any, truth: Any) -> float:
    """The share of decisions that are wrong: 1 - accuracy.                                                  [004 sec. 6]"""
    if is_table(predicted):
        return float(contingency(predicted, truth).total.error)
    return 1 - accuracy(predicted, truth)


@sklearn_keywords("y_pred")
def exact_match(decisions: Any, truth: Any) -> float:
    """The share of documents all of whose labels are right (subset accuracy). Both are 0/1 tables; or one label a document."""
    if not is_table(decisions):
        return accuracy(decisions, truth)
    decided, true = paired(decisions, truth)
    if not decided.shape[0]:
        return float("nan")
    if not sparse.issparse(decided):
        return float((decided == true).all(axis=1).mean())
    wrong = (decided.astype(np.int8) - true.astype(np.int8)).tocsr()
    wrong.eliminate_zeros()
    return float((np.diff(wrong.indptr) == 0).mean())


subset_accuracy = exact_match  # as scikit-learn's users call it


def correct(predicted: Any, truth: Any) -> Bools:
    """For each document: whether the predicted label is among its labels.                                  [000 sec. 6.1.1]"""
    n = truth.shape[0] if sparse.issparse(truth) else len(truth)
    if are_numbers(predicted) and are_numbers(truth) and len(predicted) == n:
        return np.asarray(predicted == truth)
    labels = list_of(predicted)
    if len(labels) != n:
        raise InvalidSetting(f"{len(labels)} predictions for {n} documents: give one for each")
    if is_lists(truth):
        return np.array([label in document for label, document in zip(labels, truth, strict=True)], dtype=bool)
    if not is_table(truth):
        return np.array([label == true for label, true in zip(labels, list_of(truth), strict=True)], dtype=bool)
    table = yes_no(truth, "truth")
    width = table.shape[1]
    for row, label in enumerate(labels):
        if not (isinstance(label, int) and 0 <= label < width):
            raise InvalidSetting(
                f"row {row}: truth is a 0/1 table of {width} labels, so predictions are columns; found {label!r}"
            )
    return np.asarray(table[np.arange(n), np.array(labels, dtype=np.int64)]).astype(bool)


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each label was predicted for each true one: `counts[i, j]` documents of labels[i] were given labels[j]."""

    counts: sparse.csr_array
    labels: list[Any]

    @property
    def matrix(self) -> Longs:
        """The counts as a dense array: truth x predicted."""
        return np.asarray(self.counts.toarray())

    def worst(self, n: int = 10) -> list[tuple[Any, Any, int]]:
        """The n commonest errors: (true label, predicted label, documents), of equals the first labels first."""
        cells = self.counts.tocoo()
        wrong = cells.row != cells.col
        row, column, times = cells.row[wrong], cells.col[wrong], cells.data[wrong]
        order = np.lexsort((column, row, -times))[:n].tolist()
        return [(self.labels[row[i]], self.labels[column[i]], int(times[i])) for i in order]


@sklearn_keywords("y_pred")
def confusion(predicted: Any, truth: Any, labels: Sequence[Any] | None = None) -> Confusion:
    """Documents by true and predicted label, one of each a document. labels: their order; all that occur, sorted, if None."""
    decided, true = list_of(predicted), list_of(truth)
    if len(decided) != len(true):
        raise InvalidSetting(f"{len(decided)} predictions for {len(true)} documents: give one for each")
    names = labels_in(decided, true) if labels is None else list(labels)
    number = {name: n for n, name in enumerate(names)}
    if unknown := sorted({repr(label) for label in (*decided, *true) if label not in number}):
        raise InvalidSetting(
            f"the label {unknown[0]} is not among the {len(names)} given: add it, or leave its documents out"
        )
    cells = ([number[label] for label in true], [number[label] for label in decided])
    ones = np.ones(len(true), dtype=np.int64)
    return Confusion(sparse.coo_array((ones, cells), shape=(len(names), len(names))).tocsr(), names)


def list_of(labels: Any) -> list[Any]:
    return labels.tolist() if isinstance(labels, np.ndarray) else list(labels)


def are_numbers(labels: Any) -> bool:
    """Whether these are an array of numbers, one a document, which can be compared at once."""
    return isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "biuf"


def is_table(values: Any) -> bool:
    return bool(values.ndim == 2) if hasattr(values, "ndim") else is_lists(values)
