"""Sums of weighted documents, label by label: all that Rocchio needs. One pass over the documents.

Sums add, as counts do, but only up to rounding: they are no statistics of record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ...storage.checks import sized, table_size
from ...storage.registry import stored

__all__ = ["Sums", "sums_of"]


def _check_sums(sums: Sums) -> None:
    """Of one size."""
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
        """(labels, terms)."""
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
