"""What a score is summed over: cells of the labels x terms table, and nothing where the table is empty.

A score is written once, as a function of `Classes`: classes that share out the documents between them, with a number for
each of some terms. It is then asked about all labels at once (the non-zero cells of the table, block by block), about one
label and the rest (two dense rows), or about each label in turn; a dense labels x terms table is never made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from .. import Counts

__all__ = ["AVERAGES", "Cells", "Classes", "Score", "label_and_rest", "label_row", "scored"]


AVERAGES = ("joint", "weighted", "mean", "max")
BLOCK = 1 << 20  # cells at a time: a few arrays of 8 MB


@dataclass(frozen=True, slots=True)
class Cells:
    """Some cells (class, term), side by side: the counts there, and the size of the class."""

    terms: Longs | slice  # the term of each cell; a slice where there is one cell for every term
    documents_with: Floats
    occurrences: Floats
    documents: Floats | float  # of the whole class
    words: Floats | float


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes that share out all documents between them, each document in one; cells left out of `blocks` are empty."""

    n_terms: int  # |V|: terms that occur nowhere count, as the caller asked for them
    documents_with: Floats  # of all classes together, for each term
    occurrences: Floats
    sizes: Floats  # documents of each class
    words: Floats  # occurrences in each class
    blocks: Callable[[], Iterator[Cells]]

    @property
    def n_documents(self) -> float:
        """Documents of all classes together."""
        return float(self.sizes.sum())

    @property
    def n_words(self) -> float:
        """Occurrences in all classes together."""
        return float(self.words.sum())

    def summed(self, part: Callable[[Cells], Floats | float]) -> Floats:
        """For each term, the sum of `part` over its cells."""
        total = np.zeros(len(self.documents_with))
        for cells in self.blocks():
            if isinstance(cells.terms, slice):
                total[cells.terms] += part(cells)
            else:
                weights = np.broadcast_to(part(cells), cells.terms.shape)
                total += np.bincount(cells.terms, weights, minlength=len(total))
        return total


Score = Callable[[Classes], Floats]


def scored(counts: Counts, score: Score, *, label: str | None, average: str | None, joint: bool = True) -> Floats:
    """A score for one label against the rest, or for all labels; `joint`: it is defined for more than two classes."""
    if average is not None and average not in AVERAGES:
        raise UnknownName("average", average, AVERAGES)
    if label is not None:
        if average is not None:
            raise InvalidSetting(
                f"label={label!r} is one label against the rest: average={average!r} goes with all labels"
            )
        return score(label_against_rest(counts, label_row(counts, label)))
    if average == "joint" and not joint:
        raise InvalidSetting(
            'this score is defined for two classes: give label=, or average="max", "mean" or "weighted"'
        )
    if counts.n_documents == 0:
        return np.zeros(len(counts.term_array))
    if not counts.labels:
        raise InvalidSetting("these counts have no labels: choose among document_frequency, occurrences and idf")
    if average is None and not joint:
        average = "max"
    elif average is None:
        average = "joint" if one_label_each(counts) else "weighted"
    elif average == "joint" and not one_label_each(counts):
        raise InvalidSetting(
            "documents with several labels or none: give label=, one label against the rest, or an average"
        )
    return score(all_labels(counts)) if average == "joint" else over_labels(counts, score, average)


def label_row(counts: Counts, label: str) -> int:
    """The row of a label."""
    if label not in counts.labels:
        raise UnknownName("label", label, counts.labels)
    return counts.labels.index(label)


def one_label_each(counts: Counts) -> bool:
    """Whether the labels share out the documents: what they count adds up to everything, term by term."""
    if int(counts.documents[:-1].sum()) != counts.n_documents:
        return False
    table = counts.documents_with
    end, width = table.indptr[-2], table.shape[1]
    shared = np.bincount(table.indices[:end], table.data[:end], minlength=width)
    return bool((shared == dense_row(table, len(counts.labels))).all())


def dense_row(table: Any, row: int) -> Floats:
    """One row of a sparse table, over all terms."""
    start, end = table.indptr[row], table.indptr[row + 1]
    dense = np.zeros(table.shape[1])
    dense[table.indices[start:end]] = table.data[start:end]
    return dense


def words_of(counts: Counts) -> Floats:
    """Occurrences in the documents of each label, and in everything."""
    return np.asarray(counts.occurrences.sum(axis=1), dtype=np.float64).ravel()


def all_labels(counts: Counts) -> Classes:
    """The labels as classes."""
    # both tables are sums over the same entries: their cells are the same, in the same order
    with_term, times = counts.documents_with, counts.occurrences
    everything = len(counts.labels)
    sizes, words = counts.documents[:-1].astype(np.float64), words_of(counts)[:-1]

    def blocks() -> Iterator[Cells]:
        end = int(with_term.indptr[everything])
        for start in range(0, end, BLOCK):
            stop = min(start + BLOCK, end)
            row = np.searchsorted(with_term.indptr, np.arange(start, stop), side="right") - 1
            yield Cells(
                with_term.indices[start:stop],
                with_term.data[start:stop].astype(np.float64),
                times.data[start:stop].astype(np.float64),
                sizes[row],
                words[row],
            )

    return Classes(
        with_term.shape[1], dense_row(with_term, everything), dense_row(times, everything), sizes, words, blocks
    )


def label_against_rest(counts: Counts, row: int) -> Classes:
    """A label and the rest as two classes, the label first."""
    with_term, times, everything = counts.documents_with, counts.occurrences, len(counts.labels)
    words = words_of(counts)
    own = Cells(
        slice(None), dense_row(with_term, row), dense_row(times, row), float(counts.documents[row]), float(words[row])
    )
    every = Cells(
        slice(None),
        dense_row(with_term, everything),
        dense_row(times, everything),
        float(counts.n_documents),
        float(words[everything]),
    )
    return two_classes(own, every, with_term.shape[1])


def two_classes(own: Cells, every: Cells, n_terms: int) -> Classes:
    """What is counted in a label and in everything, as the label and the rest."""
    rest = Cells(
        slice(None),
        every.documents_with - own.documents_with,
        every.occurrences - own.occurrences,
        every.documents - own.documents,
        every.words - own.words,
    )
    sizes, words = np.array([own.documents, rest.documents]), np.array([own.words, rest.words])
    return Classes(n_terms, every.documents_with, every.occurrences, sizes, words, lambda: iter((own, rest)))


def label_and_rest(classes: Classes) -> tuple[Cells, Cells]:
    """The two classes of a score that is defined for two."""
    own, rest = classes.blocks()
    return own, rest


def over_labels(counts: Counts, score: Score, average: str) -> Floats:
    """A score of each label against the rest, averaged, or the highest.

    For a label that a term never has, the score depends on nothing but the term's totals, and most terms share theirs with
    many others: each distinct pair of totals is scored once a label.
    """
    with_term, times, everything = counts.documents_with, counts.occurrences, len(counts.labels)
    documents_with, occurrences = dense_row(with_term, everything), dense_row(times, everything)
    first, kind_of = distinct(documents_with, occurrences)
    words, n = words_of(counts), float(counts.n_documents)
    rows = counts.documents[:-1].nonzero()[0]
    weights = counts.documents[rows] / max(int(counts.documents[rows].sum()), 1)
    if average == "mean":
        weights = np.full(len(rows), 1 / max(len(rows), 1))
    total = np.full(len(documents_with), -np.inf if average == "max" and len(rows) else 0.0)
    none = np.zeros(len(first))
    for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        part = slice(with_term.indptr[row], with_term.indptr[row + 1])
        terms = with_term.indices[part]
        asked = np.concatenate([first, terms])
        own = Cells(
            slice(None),
            np.concatenate([none, with_term.data[part]]),
            np.concatenate([none, times.data[part]]),
            float(counts.documents[row]),
            float(words[row]),
        )
        every = Cells(slice(None), documents_with[asked], occurrences[asked], n, float(words[everything]))
        # a term in more documents than the rest has is in the label for certain: its answer without is not read below
        np.minimum(every.documents_with, own.documents_with + (n - own.documents), out=every.documents_with)
        np.minimum(every.occurrences, own.occurrences + (every.words - own.words), out=every.occurrences)
        answers = score(two_classes(own, every, len(documents_with)))
        values = answers[kind_of]
        values[terms] = answers[len(first) :]
        if average == "max":
            np.maximum(total, values, out=total)
        else:
            total += weight * values
    return total


def distinct(a: Floats, b: Floats) -> tuple[Longs, Longs]:
    """Where each distinct pair (a, b) first stands, and which of these pairs each place has."""
    order = np.lexsort((b, a))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (a[order][1:] != a[order][:-1]) | (b[order][1:] != b[order][:-1])
    kind = np.empty(len(order), dtype=np.int64)
    kind[order] = np.cumsum(new) - 1
    return order[new], kind
