"""Rocchio: the mean of a label's documents, pushed away from the mean of all others. Learns from: sums of weighted documents
(one pass), which add, as counts do, but only up to rounding. Source: 001 sec. 3.1; start vector and routing 001 sec. 7.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.csr import row_values, scaled_rows
from ...scoring.linear import Linear
from ...storage.checks import sized, table_size
from ...storage.registry import stored
from .vector_model import LinearModel, start_table, stored_vector_model

if TYPE_CHECKING:
    from typing import Self


def _check_sums(sums: Sums) -> None:
    n_labels, n_terms = table_size(sums.labels, "sums")
    sized(sums.everything, n_terms, what="everything")
    sized(sums.documents, n_labels, what="documents")


@stored("sums", keys=("labels", "everything", "documents", "n_documents"), check=_check_sums)
@dataclass(frozen=True, eq=False)
class Sums:
    """Weighted documents added up, for each label and for everything."""

    labels: sparse.csr_array  # labels x terms
    everything: Floats  # terms
    documents: Floats  # of each label
    n_documents: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.labels.shape  # type: ignore[no-any-return]

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            sparse.csr_array(self.labels + other.labels),
            self.everything + other.everything,
            self.documents + other.documents,
            self.n_documents + other.n_documents,
        )

    def placed(self, rows: Any, n_labels: int) -> Sums:
        """The same with label n in row rows[n] of n_labels."""
        move = sparse.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(n_labels, len(rows)))
        return Sums(sparse.csr_array(move @ self.labels), self.everything, move @ self.documents, self.n_documents)


def sums_of(X: sparse.csr_array, truth: sparse.csr_array) -> Sums:
    """Sums of documents x terms, by a documents x labels table of 0 and 1."""
    by_label = truth.T.astype(np.float64)
    return Sums(
        sparse.csr_array(by_label @ X),
        np.asarray(X.sum(axis=0)).ravel(),
        np.asarray(by_label.sum(axis=1)).ravel(),
        X.shape[0],
    )


def means(sums: Sums) -> tuple[Floats, Floats]:
    """1/n_C and 1/(n - n_C); a mean over no documents is 0."""
    rest = sums.n_documents - sums.documents
    with np.errstate(divide="ignore"):
        return np.where(sums.documents > 0, 1 / sums.documents, 0.0), np.where(rest > 0, 1 / rest, 0.0)


def weights(sums: Sums, *, alpha: float, beta: float, gamma: float, start: Any = None) -> Linear:
    """w = alpha w_1 + beta mean of the label's documents - gamma mean of the others, for all labels.       [001 eq. 1]

    Stored as the terms that a label's documents have, and the sum of everything, which all labels share in their proportions.
    """
    of_label, of_rest = means(sums)
    table = scaled_rows(sums.labels, beta * of_label + gamma * of_rest)
    if start is not None and alpha != 0:
        table = sparse.csr_array(table + alpha * start)
    return Linear(table, np.zeros(len(of_label)), factors=-gamma * of_rest, shared=sums.everything)


def clipped(linear: Linear) -> Linear:
    """w' = w where it is above 0, else 0.                                                              [001 sec. 3.1]

    Where no shared weight is negative, only the terms of a label's documents can be above 0: the table stays sparse.
    """
    if linear.factors is None or linear.shared is None or (linear.factors > 0).any() or (linear.shared < 0).any():
        return Linear(sparse.csr_array(np.maximum(linear.dense(), 0.0)), linear.bias)
    table = linear.weights.copy()
    table.data = np.maximum(table.data + row_values(table, linear.factors) * linear.shared[table.indices], 0.0)
    table.eliminate_zeros()
    return Linear(table, linear.bias)


def criterion(coefficients: Floats, sums: Sums) -> Floats:
    """The mean score of a label's documents less that of the others, for weights labels x terms.           [001 eq. 2]

    0/1/1 unclipped, divided by its length, is the unit vector with the highest criterion; nan where a mean is over no document.
    """
    of_label, of_rest = means(sums)
    label_sums = np.asarray(sums.labels.multiply(coefficients).sum(axis=1)).ravel()
    rest_sums = coefficients @ sums.everything - label_sums
    return np.where((of_label > 0) & (of_rest > 0), label_sums * of_label - rest_sums * of_rest, np.nan)


@stored_vector_model("rocchio", "linear_", "sums_")
class Rocchio(LinearModel):
    """w . x with w = alpha start + beta (mean of the label) - gamma (mean of the rest), never below 0      [001 eq. 1]

    alpha, beta, gamma: 0, 16, 4 for categories (001 sec. 6.3), 1, 2, 0.5 for topics with a query (sec. 7.2). clip: no weight
    below 0. start: a query or other weights, (terms,) or (labels, terms). absent: the weight of a term that is not there
    (INQUERY's 0.4), where X holds what is above it.
    """

    _only_to_learn = ("sums_",)

    def __init__(
        self,
        *,
        alpha: float = 0.0,
        beta: float = 16.0,
        gamma: float = 4.0,
        clip: bool = True,
        start: Any = None,
        absent: float = 0.0,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.clip = clip
        self.start = start
        self.absent = absent

    def _check_settings(self) -> None:
        for name in ("alpha", "beta", "gamma", "absent"):
            value: Any = getattr(self, name)
            if not isinstance(value, int | float | np.number) or not np.isfinite(value):
                raise InvalidSetting(f"{name}={value!r}: give a finite number")

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn further documents; a new label is learned, with all earlier documents among its others."""
        self._check_settings()
        if fitted := hasattr(self, "sums_"):
            self._refuse_slim()
        return self._partial_fit(X, y, classes, fitted=fitted)

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        self.sums_ = sums_of(X, truth)
        self._weigh()

    def _learn_more(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        self.sums_ = self.sums_.placed(rows, len(self.classes_)) + sums_of(X, truth)
        self._weigh()

    def _weigh(self) -> None:
        linear = weights(
            self._with_absent(self.sums_), alpha=self.alpha, beta=self.beta, gamma=self.gamma, start=self._start()
        )
        linear = clipped(linear) if self.clip else linear
        if self.absent:
            linear = Linear(linear.dense(), self.absent * linear.dense().sum(axis=1))
        self.linear_ = linear

    def _with_absent(self, sums: Sums) -> Sums:
        """Sums of documents in which every term has the weight of an absent one, or more."""
        if not self.absent:
            return sums
        return Sums(
            sparse.csr_array(sums.labels.toarray() + self.absent * sums.documents[:, None]),
            sums.everything + self.absent * sums.n_documents,
            sums.documents,
            sums.n_documents,
        )

    def _start(self) -> sparse.csr_array | None:
        return None if self.start is None else start_table(self.start, len(self.classes_), self.n_features_in_)
