"""What all forms of scores are made of: a document's terms with their weights, tables by term, and sums in a fixed order.

Sums are made in the order in which the compiled loops of the package make them, so that the floats are the same to the last bit.
Where a program has these loops loaded anyway (a `TextClassifier`, the service), products go through them: 5 us in place of 100.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..foundation.arrays import Bools, Floats, Ints, Longs

__all__ = ["Bools", "Floats", "Longs"]  # of `foundation`, handed on


class Csr(Protocol):
    """A sparse table by rows: scipy's `csr_array`, or a `Table`."""

    data: Any
    indices: Any
    indptr: Any
    shape: Any


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A sparse table by rows where scipy is not to be imported: the three arrays that a file holds of one."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class TermVector:
    """A document: the columns of its terms, ascending, and beside each how often it occurs, or its weight."""

    columns: Longs
    values: Floats
    length: float = 0.0  # of a document that was counted: all its terms, also those without a column

    def __len__(self) -> int:
        return len(self.columns)

    def at(self, places: Any) -> TermVector:
        return TermVector(self.columns[places], self.values[places])

    def with_values(self, values: Floats) -> TermVector:
        return TermVector(self.columns, values)

    @property
    def row(self) -> tuple[Longs, Ints, Floats]:
        """A table of this document alone, as compiled loops take it: ends, columns, values."""
        return np.array([0, len(self.columns)]), self.columns.astype(np.int32), self.values

    @property
    def total(self) -> float:
        """The sum of the values: of counts, the document's length in known words."""
        return running_sum(self.values)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a document has its scores: what each of its terms adds, and what is there without them (prior, length, absence)."""

    terms: Longs  # columns
    contributions: Floats  # terms x labels
    base: Floats  # labels

    @property
    def scores(self) -> Floats:
        total: Floats = self.base + self.contributions.sum(axis=0)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class TableByTerm:
    """A sparse table, terms x labels: where each term's entries end (a 0 in front), their labels, ascending, and values."""

    ends: Longs
    labels: Ints
    values: Floats

    @classmethod
    def of(cls, table: Csr) -> TableByTerm:
        """The table of labels x terms, transposed."""
        if hasattr(table, "tocsc"):  # scipy's own way is quicker than sorting
            by_column = table.tocsc()
            ends, labels, values = by_column.indptr, by_column.indices, by_column.data
        else:
            n_labels, n_terms = table.shape
            order = np.argsort(table.indices, kind="stable")
            labels = np.repeat(np.arange(n_labels, dtype=np.int32), np.diff(table.indptr))[order]
            ends, values = np.zeros(n_terms + 1, dtype=np.int64), table.data[order]
            np.cumsum(np.bincount(table.indices, minlength=n_terms), out=ends[1:])
        return cls(
            ends.astype(np.int64, copy=False),
            labels.astype(np.int32, copy=False),
            values.astype(np.float64, copy=False),
        )

    @property
    def arrays(self) -> tuple[Longs, Ints, Floats]:
        return self.ends, self.labels, self.values

    def places(self, columns: Longs) -> tuple[Longs, Longs]:
        """The entries of these terms, one term after the other, and how many each has."""
        starts = self.ends[columns]
        sizes = self.ends[columns + 1] - starts
        before = np.cumsum(sizes) - sizes
        return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum())), sizes

    def add_product(self, document: TermVector, out: Floats) -> None:
        """out[c] += value * weight, term after term and label after label."""
        if (loops := compiled_products()) is not None:
            loops.add_products(document.row, self.arrays, 0, 1, out[None])
            return
        places, sizes = self.places(document.columns)
        np.add.at(out, self.labels[places], np.repeat(document.values, sizes) * self.values[places])

    def write_rows(self, columns: Longs, out: Floats) -> Floats:
        """The entries of these terms, written into a dense table of these terms x labels."""
        places, sizes = self.places(columns)
        out[np.repeat(np.arange(len(columns)), sizes), self.labels[places]] = self.values[places]
        return out


def compiled_products() -> Any:
    """The compiled loops of `kernels.products`, if somebody has loaded them; nobody who has not need wait for that."""
    loops = sys.modules.get("rubricate.kernels.products")
    return loops if hasattr(loops, "match_topics") else None  # its last name: it may be on its way in another thread


def running_sum(numbers: Floats) -> float:
    """A sum one number after the other, as compiled loops make it; `np.sum` adds pairwise and differs in the last bits."""
    return float(np.cumsum(numbers)[-1]) if len(numbers) else 0.0


def pairwise_sum(numbers: Floats) -> float:
    """The sum of a row as scipy's `table.sum(axis=1)` makes it: pairwise, of what is not 0."""
    nonzero = numbers[numbers != 0]
    return float(np.add.reduceat(nonzero, [0])[0]) if len(nonzero) else 0.0
