"""The documents x terms table that `tabulate` gives, for what needs documents and not only their counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..foundation.arrays import Array, Longs, ends_of
from ..storage.checks import ascending, need, sized, table_size, within
from ..storage.registry import stored
from ..terms.recipe import Recipe
from . import Counts
from .accumulate import CountAccumulator, Rows


def _check_table(table: Table) -> None:
    n, n_terms = table_size(table.X, "X")
    terms, counts = table.term_array, table.X.data
    need(isinstance(terms, pa.LargeStringArray) and len(terms) == n_terms, "other terms than columns")
    need(isinstance(table.ids, list) and len(table.ids) == n, "other documents than rows")
    need(counts.dtype.kind in "iu" and (len(counts) == 0 or counts.min() > 0), "terms that occur less than once")
    sized(table.label_values, len(table.label_values), kinds="i", what="label_values")
    ascending(table.label_ends, len(table.label_values), n, "labels of documents")
    within(table.label_values, len(table.label_names), "labels of documents")


@stored(
    "table", keys=("X", "term_array", "ids", "label_ends", "label_values", "label_names", "recipe"), check=_check_table
)
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Documents x terms: `X` (sparse whole numbers), `terms`, `ids`, `labels` of each document, `counts`."""

    X: sparse.csr_array
    term_array: pa.LargeStringArray
    ids: list[str]
    label_ends: Longs
    label_values: Longs
    label_names: list[str]
    recipe: Recipe

    def __repr__(self) -> str:
        return f"<Table: {self.X.shape[0]:,} documents x {self.X.shape[1]:,} terms, {self.X.nnz:,} entries>"

    @cached_property
    def terms(self) -> list[str]:
        """The terms, in the order of the columns."""
        return self.term_array.to_pylist()  # type: ignore[no-any-return]

    @cached_property
    def labels(self) -> list[list[str]]:
        """The labels of each document."""
        names = [self.label_names[n] for n in self.label_values.tolist()]
        ends = self.label_ends.tolist()
        return [names[start:end] for start, end in pairwise(ends)]

    def at(self, chosen: Array) -> Table:
        """The documents where a mask is true; all columns stay."""
        positions = np.flatnonzero(chosen)
        sizes = np.diff(self.label_ends)
        ends, values = ends_of(sizes[positions]), self.label_values[np.repeat(chosen, sizes)]
        ids = [self.ids[n] for n in positions.tolist()]
        return Table(self.X[positions], self.term_array, ids, ends, values, self.label_names, self.recipe)

    @cached_property
    def counts(self) -> Counts:
        """The statistics of these documents, without another look at the text."""
        accumulator = CountAccumulator()
        names = pa.array(self.label_names, pa.string())
        dictionary = pa.DictionaryArray.from_arrays(pa.array(self.label_values, pa.int64()), names)
        columns = np.arange(self.X.shape[1], dtype=np.int32)
        rows = Rows(self.X.indptr.astype(np.int64), self.X.indices, self.X.data, columns)
        accumulator.add(rows, self.label_ends, dictionary)
        return accumulator.counts(self.term_array, columns, self.recipe)


def numbered_labels(labels: Sequence[Sequence[str]]) -> tuple[Longs, Longs, list[str]]:
    """Labels as a `Table` holds them: where each document's end (a 0 in front), their numbers, and the names, sorted."""
    flat = [label for document_labels in labels for label in document_labels]
    names = sorted(set(flat))
    place = {name: n for n, name in enumerate(names)}
    return ends_of([*map(len, labels)]), np.array([place[label] for label in flat], dtype=np.int64), names
