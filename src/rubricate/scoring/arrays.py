"""What all forms of scores are made of: a document's terms with their weights, tables by term, and sums in a fixed order.

Sums are made in the order in which the compiled loops of the package make them, so that the floats are the same to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

__all__ = [
    "Bools",
    "Csr",
    "Floats",
    "Longs",
    "TableByTerm",
    "TermVector",
    "pairwise_sum",
    "running_sum",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]


class Csr(Protocol):
    """A sparse table by rows: scipy's `csr_array`, or the three arrays that a file holds of one."""

    data: Any
    indices: Any
    indptr: Any
    shape: Any


@dataclass(frozen=True, slots=True, eq=False)
class TermVector:
    """A document: the columns of its terms, ascending, and beside each how often it occurs, or its weight."""

    columns: Longs
    values: Floats

    def __len__(self) -> int:
        return len(self.columns)

    def at(self, places: Any) -> TermVector:
        """Some of the terms."""
        return TermVector(self.columns[places], self.values[places])

    def with_values(self, values: Floats) -> TermVector:
        """The same terms with other weights."""
        return TermVector(self.columns, values)

    @property
    def total(self) -> float:
        """The sum of the values: of counts, the document's length in known words."""
        return running_sum(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class TableByTerm:
    """A sparse table, terms x labels: where each term's entries end (a 0 in front), their labels, ascending, and values."""

    ends: Longs
    labels: Any
    values: Floats

    @classmethod
    def of(cls, table: Csr) -> TableByTerm:
        """The table of labels x terms, turned over."""
        n_labels, n_terms = table.shape
        order = np.argsort(table.indices, kind="stable")
        label_of = np.repeat(np.arange(n_labels, dtype=np.int32), np.diff(table.indptr))
        ends = np.zeros(n_terms + 1, dtype=np.int64)
        np.cumsum(np.bincount(table.indices, minlength=n_terms), out=ends[1:])
        return cls(ends, label_of[order], table.data[order])

    def places(self, columns: Longs) -> tuple[Longs, Longs]:
        """The entries of these terms, one term after the other, and how many each has."""
        starts = self.ends[columns]
        sizes = self.ends[columns + 1] - starts
        before = np.cumsum(sizes) - sizes
        return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum())), sizes

    def add_product(self, document: TermVector, out: Floats) -> None:
        """out[c] += value * weight, term after term and label after label."""
        places, sizes = self.places(document.columns)
        np.add.at(out, self.labels[places], np.repeat(document.values, sizes) * self.values[places])

    def of_label(self, columns: Longs, label: int) -> Floats:
        """The values that these terms have for a label, 0 where there is none."""
        places, sizes = self.places(columns)
        term_of = np.repeat(np.arange(len(columns)), sizes)
        here = self.labels[places] == label
        out = np.zeros(len(columns))
        out[term_of[here]] = self.values[places[here]]
        return out


def running_sum(numbers: Floats) -> float:
    """A sum one number after the other, as compiled loops make it; `np.sum` adds pairwise and differs in the last bits."""
    return float(np.cumsum(numbers)[-1]) if len(numbers) else 0.0


def pairwise_sum(numbers: Floats) -> float:
    """The sum of a row as scipy's `table.sum(axis=1)` makes it: pairwise, of what is not 0."""
    there = numbers[numbers != 0]
    return float(np.add.reduceat(there, [0])[0]) if len(there) else 0.0
