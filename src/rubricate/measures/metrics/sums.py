"""Measures that depend on the documents only through sums over them: a measure is its sums.

`parts(decisions, truth)` has a row for each document, `value(sums)` is the measure of the columns' sums (one-dimensional), or of
many sums at once (sums x draws). A measure of decisions is `value` of the sum of all rows; a bootstrap and a randomisation test
hand `value` ten thousand other sums, made by one sparse product. For each label a document adds to

    hits       assigned and true
    assigned   given by the system
    true       given by people

and precision, recall and F are functions of these three; accuracy, log loss and the Brier score are means over documents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ..inputs import paired
from .accuracy import correct, is_table
from .contingency import f_of_counts, mean_of_defined, ratio

Parts = Callable[[Any, Any], sparse.csr_array]
Value = Callable[..., Floats]  # of sums, and of the number in the measure's name if it has one


def total(parts: sparse.csr_array) -> Floats:
    return np.asarray(parts.sum(axis=0), dtype=np.float64)


# -- what a document adds


def label_counts(decisions: Any, truth: Any) -> sparse.csr_array:
    """hits, assigned, true of every label, side by side: 3 x labels columns."""
    decided, true = sparse_pair(decisions, truth)
    return sparse.csr_array(sparse.hstack([decided.multiply(true), decided, true]))


def pooled_counts(decisions: Any, truth: Any) -> sparse.csr_array:
    """The same summed over labels: 3 columns."""
    decided, true = sparse_pair(decisions, truth)
    sums = [np.asarray(table.sum(axis=1)).ravel() for table in (decided.multiply(true), decided, true)]
    return columns(*sums)


def wrong_decisions(decisions: Any, truth: Any) -> sparse.csr_array:
    """Wrong decisions, all decisions: one a document, or one a cell of documents x labels."""
    if not is_table(decisions):
        wrong = ~correct(decisions, truth)
        return columns(wrong, np.ones(len(wrong)))
    decided, true = sparse_pair(decisions, truth)
    wrong = np.asarray(abs(decided - true).sum(axis=1)).ravel()
    return columns(wrong, np.full(len(wrong), decided.shape[1]))


def wrong_documents(decisions: Any, truth: Any) -> sparse.csr_array:
    wrong = wrong_decisions(decisions, truth)[:, [0]].toarray().ravel() > 0
    return columns(wrong, np.ones(len(wrong)))


def losses_of(losses: Callable[[Any, Any], Floats]) -> Parts:
    """What each document loses, of a loss that is the mean over documents or cells; and 1."""

    def parts(values: Any, truth: Any) -> sparse.csr_array:
        lost = losses(values, truth)
        return columns(lost if lost.ndim == 1 else lost.mean(axis=1), np.ones(len(lost)))

    return parts


def columns(*values: Any) -> sparse.csr_array:
    return sparse.csr_array(np.column_stack(values).astype(np.float64))


def sparse_pair(decisions: Any, truth: Any) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Decisions and truth as sparse tables of 0 and 1; one label's are one column."""
    tables = (
        table if sparse.issparse(table) or table.ndim == 2 else table[:, None] for table in paired(decisions, truth)
    )
    decided, true = (sparse.csr_array(table).astype(np.float64) for table in tables)
    return decided, true


# -- what the sums say; the first axis of sums is hits, assigned, true


def precision(sums: Floats) -> Floats:
    """hits / assigned, undefined where nothing is assigned."""
    return ratio(sums[0], sums[1])


def recall(sums: Floats) -> Floats:
    """hits / true, undefined where nothing is true."""
    return ratio(sums[0], sums[2])


def f(sums: Any, beta: float) -> Floats:
    """F_beta, 1 where nothing is assigned or true (readings 001.9)."""
    hits, assigned, true = sums
    return f_of_counts(hits, assigned - hits, true - hits, beta)


def over_labels(value: Value) -> Value:
    """The mean over labels for which a value is defined."""
    return lambda sums, *number: mean_of_defined(value(sums.reshape(3, -1, *sums.shape[1:]), *number))


def share(sums: Floats) -> Floats:
    return ratio(sums[0], sums[1])


def rest(sums: Floats) -> Floats:
    return 1 - share(sums)
