"""Term scores: Counts -> one number a term, for looking at a collection and for choosing terms.

Learns from: documents, documents_with. Events are documents: a term is in it or not, a label is on it or not. [000 eq. 1-2]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import xlogy

from .counts import Counts
from .errors import BadChoice, UnknownName

__all__ = ["mutual_information", "telling_terms"]

Floats = np.ndarray[Any, np.dtype[np.float64]]


def mutual_information(counts: Counts, *, label: str | None = None) -> Floats:
    """I(T, w) = E(T) - E(T|w), in nats, for each term.                                                  [000 eq. 1-2]

    label: T is this label against all other documents. None: T is which of the labels a document has, all at once; that
    needs exactly one label a document.
    """
    everything = len(counts.labels)
    with_all = dense_row(counts, everything)
    n = counts.n_documents
    if label is None:
        if int(counts.documents[:-1].sum()) != n:
            raise BadChoice("documents with several labels or none: give label=, one label against the rest")
        joint = [(int(counts.documents[row]), dense_row(counts, row)) for row in range(everything)]
    else:
        row = label_row(counts, label)
        size, with_label = int(counts.documents[row]), dense_row(counts, row)
        joint = [(size, with_label), (n - size, with_all - with_label)]
    information = np.zeros(len(counts.term_array))
    for size, with_term in joint:
        # sum over labels of  p(c,w) log p(c,w)/(p(c)p(w))  for the word present, then absent
        information += _gain(with_term, with_all, size, n) + _gain(size - with_term, n - with_all, size, n)
    return np.maximum(information, 0.0)


def _gain(both: Floats, term: Floats, size: int, n: int) -> Floats:
    """p(c,w) log [ p(c,w) / (p(c) p(w)) ], with 0 log 0 = 0."""
    if n == 0 or size == 0:
        return np.zeros_like(both)
    expected = term * (size / n)
    gain: Floats = xlogy(both / n, np.divide(both, expected, out=np.ones_like(both), where=expected > 0))
    return gain


def telling_terms(counts: Counts, label: str, *, top: int = 10, min_documents: int = 2) -> list[tuple[str, float]]:
    """The terms that say most for a label: highest mutual information among those commoner in it than elsewhere."""
    row = label_row(counts, label)
    scores = mutual_information(counts, label=label)
    share = dense_row(counts, row) / max(int(counts.documents[row]), 1)
    overall = dense_row(counts, len(counts.labels)) / max(counts.n_documents, 1)
    scores[(share <= overall) | (dense_row(counts, row) < min_documents)] = -1.0
    best = np.argsort(-np.round(scores, 12), kind="stable")[:top]
    return [(counts.terms[term], float(scores[term])) for term in best.tolist() if scores[term] >= 0]


def label_row(counts: Counts, label: str) -> int:
    """The row of a label."""
    if label not in counts.labels:
        raise UnknownName("label", label, counts.labels)
    return counts.labels.index(label)


def dense_row(counts: Counts, row: int) -> Floats:
    """documents_with of one label, as floats over all terms."""
    table = counts.documents_with
    start, end = table.indptr[row], table.indptr[row + 1]
    dense = np.zeros(table.shape[1])
    dense[table.indices[start:end]] = table.data[start:end]
    return dense
