"""What a model file still knows of the documents it was trained on: how many have each term, and their counts of terms.

Models of weighted documents keep the counts of each document, models of counts their statistics; slim files neither.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..foundation.arrays import Array
from ..scoring.arrays import Csr, Longs, TermVector
from ..scoring.assembly import as_list

COLUMN = (1 << 32) - 1  # of a cell of counts: row << 32 | column
WHOLE = 1e-6  # so near to a whole number is a whole number
MOST_DOCUMENTS = 2_000  # evenly spaced


def document_frequencies(fitted: Any) -> Longs | None:
    """Training documents with each term; None if nothing in the file tells. fitted: a `TextClassifier`, or the parts of its file
    (`scoring.format_1`). A slim file has at most idf = ln(N / df)."""
    if fitted.documents_ is not None:
        X = fitted.documents_.X
        return at_terms(fitted, fitted.documents_, np.bincount(X.indices, minlength=X.shape[1]))
    if fitted.counts_ is not None:
        entries, everything = fitted.counts_.entries, len(fitted.counts_.labels)  # the row after those of the labels
        rows = entries.cells >> 32 == everything
        columns, size = entries.cells[rows] & COLUMN, len(fitted.counts_.term_array)
        documents = np.bincount(columns, weights=entries.documents[rows], minlength=size)
        return at_terms(fitted, fitted.counts_, documents)
    weighting = fitted.weighting_
    if weighting is not None and weighting.documents_with is not None:
        frequencies: Longs = np.rint(weighting.documents_with).astype(np.int64)
        return frequencies
    idf = getattr(fitted.model_, "idf_", None) if weighting is None else weighting.idf
    if idf is None:
        return None
    documents = fitted.report_["documents"] * np.exp(-idf)
    whole = np.rint(documents)
    return whole.astype(np.int64) if np.abs(documents - whole).max(initial=0.0) < WHOLE else None


def at_terms(fitted: Any, owner: Any, numbers: Array) -> Longs:
    """Numbers of the terms of counts, or of a table, at the terms of the model."""
    places = {term: place for place, term in enumerate(strings(owner.term_array))}
    chosen: Longs = numbers[[places[term] for term in as_list(fitted.terms_)]].astype(np.int64)
    return chosen


def strings(terms: Any) -> list[str]:
    """A list, whether Arrow holds it or not."""
    return terms.to_pylist() if hasattr(terms, "to_pylist") else list(terms)


def training_documents(fitted: Any) -> list[TermVector] | None:
    """Training documents as counts of the model's terms, if the file holds them: all, or evenly spaced ones."""
    table = fitted.documents_
    if table is None:
        return None
    known = {term: column for column, term in enumerate(as_list(fitted.terms_))}
    column_of = np.array([known.get(term, -1) for term in strings(table.term_array)], dtype=np.int64)
    rows = np.unique(np.linspace(0, table.X.shape[0] - 1, num=min(table.X.shape[0], MOST_DOCUMENTS)).astype(np.int64))
    return [counts_in_row(table.X, row, column_of) for row in rows.tolist()]


def counts_in_row(X: Csr, row: int, column_of: Longs) -> TermVector:
    entries = slice(X.indptr[row], X.indptr[row + 1])
    columns, values = column_of[X.indices[entries]], X.data[entries].astype(np.float64)
    order = np.argsort(columns, kind="stable")
    order = order[columns[order] >= 0]
    return TermVector(columns[order], values[order])
