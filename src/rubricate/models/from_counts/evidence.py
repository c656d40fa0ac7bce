"""Evidence: the tables of `Counts` as the models read them. Rows are labels; everything is apart; floats from here on.

One-against-rest problems need no further counting: the rest of a label is everything - label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
from scipy import sparse

from ...counts import Counts
from ...counts.entries import Entries
from ...errors import NeedsRecount
from ...foundation.arrays import Floats, Longs
from ..table_scores import Transposition

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Evidence:
    """Labels x terms tables (sparse), their totals over everything (dense), and the sizes of labels. Models fitted from the
    same evidence share its tables and the results of `shared` functions."""

    counts: Counts
    shared_results: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def n_labels(self) -> int:
        return len(self.counts.labels)

    @property
    def n_terms(self) -> int:
        """Terms: |F| in 000, |V| in 002 and 003. Terms that occur nowhere count, as the caller asked for them."""
        return len(self.counts.term_array)

    @cached_property
    def documents(self) -> Floats:
        return self.counts.documents[:-1].astype(np.float64)

    @property
    def n_documents(self) -> float:
        return float(self.counts.documents[-1])

    @cached_property
    def occurrences(self) -> sparse.csr_array:
        """TF(w, C) of 000: labels x terms, in the places of `documents_with`."""
        table, places = self.counts.occurrences, self.documents_with
        data = table.data[: places.nnz].astype(np.float64)
        return sparse.csr_array((data, places.indices, places.indptr), shape=places.shape)

    @cached_property
    def documents_with(self) -> sparse.csr_array:
        """n_cv of 003: labels x terms."""
        return rows_of(self.counts.documents_with, self.n_labels)

    @cached_property
    def transposition(self) -> Transposition:
        """Of `documents_with`, and of all tables that models make in its places."""
        return Transposition.of(self.documents_with)

    @cached_property
    def all_occurrences(self) -> Floats:
        return last_row(self.counts.occurrences)

    @cached_property
    def all_documents_with(self) -> Floats:
        """DF(w) of 000, n_v of 003."""
        return last_row(self.counts.documents_with)

    def reaching(self, k: int) -> tuple[Floats, Floats]:
        """n_cv(k) in the places of `documents_with`, 0 included, and n_v(k) of every term.             [003 eq. 26-27]"""
        from ...kernels.count_tables import documents_reaching

        entries = self.entries
        starts, cells = entries._distinct
        documents = np.empty(len(starts))
        documents_reaching(starts, entries.values, entries.documents, k, documents)
        n, everything = self.documents_with.nnz, np.zeros(self.n_terms)
        everything[cells[n:] & 0xFFFFFFFF] = documents[n:]
        return documents[:n], everything

    @cached_property
    def by_frequency(self) -> tuple[Floats, Longs]:
        """The different n_v, and the place of each term's among them: where a label lacks them, terms of equal n_v are the
        same to its rest."""
        values, places = np.unique(self.all_documents_with, return_inverse=True)
        return values, places.reshape(-1)

    @property
    def entries(self) -> Entries:
        """(label, term, times) -> documents; the last row is everything."""
        return self.counts.entries

    @cached_property
    def lengths(self) -> Entries:
        """(label, length) -> documents: `rows`, `values` and `documents` of each; the last row is everything."""
        if self.counts.length_entries is None:
            raise NeedsRecount(
                "this model needs document lengths, and selecting terms has changed them: count the documents again with "
                "the selected terms (rubricate.count(..., terms=...)), or fit on the selected columns of X"
            )
        return self.counts.length_entries


def shared(work: Callable[..., Result]) -> Callable[..., Result]:
    """work(evidence, *settings), done once for each evidence: its models share the result, which none of them may change."""

    @wraps(work)
    def result(evidence: Evidence, *settings: Any) -> Result:
        key = (work, *settings)
        if key not in evidence.shared_results:
            evidence.shared_results[key] = work(evidence, *settings)
        known: Result = evidence.shared_results[key]
        return known

    return result


def rows_of(table: sparse.csr_array, n: int) -> sparse.csr_array:
    """The first n rows, as floats."""
    end = table.indptr[n]
    parts = (table.data[:end].astype(np.float64), table.indices[:end], table.indptr[: n + 1])
    return sparse.csr_array(parts, shape=(n, table.shape[1]))


def last_row(table: sparse.csr_array) -> Floats:
    row = np.zeros(table.shape[1])
    start = table.indptr[-2]
    row[table.indices[start:]] = table.data[start:]
    return row
