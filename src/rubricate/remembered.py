"""Documents that are remembered as their counts, so that a model which needs documents can be fitted anew with more or fewer.

No text is kept. A document is told from others by its terms, how often each occurs, and its labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from .counting import Table, numbered_labels
from .errors import BadChoice, NotContained

__all__ = ["joined", "table_of", "without"]


def joined(first: Table, second: Table) -> Table:
    """The documents of two tables over the terms of both."""
    terms = sorted({*first.terms, *second.terms})
    place = {term: n for n, term in enumerate(terms)}
    parts = []
    for table in (first, second):
        columns = np.array([place[term] for term in table.terms], dtype=np.int64)
        X = sparse.coo_array(table.X)
        rows = sparse.csr_array((X.data, (X.row, columns[X.col])), shape=(table.X.shape[0], len(terms)))
        parts.append(rows)
    return table_of(sparse.csr_array(sparse.vstack(parts)), terms, [*first.labels, *second.labels], first)


def without(table: Table, other: Table) -> Table:
    """The documents of a table without some of them: one is taken out for each that is given, same terms and labels."""
    place = {term: n for n, term in enumerate(table.terms)}
    rows: dict[Any, list[int]] = {}
    for n, key in enumerate(keys(table, np.arange(len(table.terms)))):
        rows.setdefault(key, []).append(n)
    columns = np.array([place.get(term, -1) for term in other.terms], dtype=np.int64)
    gone = []
    for n, key in enumerate(keys(other, columns)):
        if not rows.get(key):
            raise NotContained(
                f"document {n + 1} of those to forget was never learned with these labels: nothing was changed"
            )
        gone.append(rows[key].pop())
    kept = np.ones(table.X.shape[0], dtype=bool)
    kept[gone] = False
    if not kept.any():
        raise BadChoice(
            "these are all the documents it has learned from: nothing would be left; delete the model instead"
        )
    left = table.at(kept)
    there = np.flatnonzero(np.diff(left.X.tocsc().indptr))
    return table_of(left.X[:, there], [table.terms[n] for n in there], left.labels, table)


def keys(table: Table, columns: Any) -> list[Any]:
    """What tells documents apart: their terms, how often, and their labels."""
    out = []
    for n, own in enumerate(table.labels):
        part = slice(table.X.indptr[n], table.X.indptr[n + 1])
        terms = columns[table.X.indices[part]]
        order = np.argsort(terms)
        out.append((terms[order].tobytes(), table.X.data[part][order].astype(np.int64).tobytes(), tuple(sorted(own))))
    return out


def table_of(X: sparse.csr_array, terms: list[str], labels: list[list[str]], like: Table) -> Table:
    """A table from its parts."""
    X = sparse.csr_array(X)
    X.sort_indices()
    X.indices = X.indices.astype(np.int32)
    ids = [str(n) for n in range(X.shape[0])]
    return Table(X.astype(np.int32), pa.array(terms, pa.large_string()), ids, *numbered_labels(labels), like.recipe)
