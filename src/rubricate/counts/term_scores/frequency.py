"""How common a term is: in how many documents, how often, and how rare. With `label`, in the documents of that label alone."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Floats
from .. import Counts
from .cells import dense_row, label_row

__all__ = ["document_frequency", "idf", "occurrences"]


def document_frequency(counts: Counts, *, label: str | None = None) -> Floats:
    """Documents that have the term: DF(w)."""
    return dense_row(counts.documents_with, row_of(counts, label))


def occurrences(counts: Counts, *, label: str | None = None) -> Floats:
    """How often the term occurs: TF(w)."""
    return dense_row(counts.occurrences, row_of(counts, label))


def idf(counts: Counts, *, label: str | None = None) -> Floats:
    """IDF(w) = log( documents / documents with w ); 0 for a term in no document, where it is undefined.     [000 eq. 3]"""
    with_term = document_frequency(counts, label=label)
    n = float(counts.documents[row_of(counts, label)])
    return np.log(np.divide(n, with_term, out=np.ones_like(with_term), where=with_term > 0))


def row_of(counts: Counts, label: str | None) -> int:
    """The row of a label; the last, of everything, without one."""
    return len(counts.labels) if label is None else label_row(counts, label)
