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

    n_terms: int  # |V|, with the terms of the counts that occur nowhere
    documents_with: Floats  # of all classes together, for each term
    occurrences: Floats
    sizes: Floats  # documents of each class
    words: Floats  # occurrences in each class
    blocks: Callable[[], Iterator[Cells]]

    @property
    def n_documents(self) -> float:
        return float(self.sizes.sum())

    @property
    def n_words(self) -> float:
        return float(self.words.sum())

    def term_sums(self, part: Callable[[Cells], Floats | float]) -> Floats:
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


def score_terms(counts: Counts, score: Score, *, label: str | None, average: str | None, joint: bool = True) -> Floats:
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
        average = "joint" if counts.one_label_each else "weighted"
    elif average == "joint" and not counts.one_label_each:
        raise InvalidSetting(
            "documents with several labels or none: give label=, one label against the rest, or an average"
        )
    return score(all_labels(counts)) if average == "joint" else over_labels(counts, score, average)


def check_smoothing(smoothing: float) -> None:
    if not (smoothing >= 0 and np.isfinite(smoothing)):
        raise InvalidSetting(f"smoothing={smoothing}: give a number that is not negative")


def label_row(counts: Counts, label: str) -> int:
    if label not in counts.labels:
        raise UnknownName("label", label, counts.labels)
    return counts.labels.index(label)


def dense_row(table: Any, row: int) -> Floats:
    start, end = table.indptr[row], table.indptr[row + 1]
    dense = np.zeros(table.shape[1])
    dense[table.indices[start:end]] = table.data[start:end]
    return dense


def words_of(counts: Counts) -> Floats:
    return np.asarray(counts.occurrences.sum(axis=1), dtype=np.float64).ravel()


def all_labels(counts: Counts) -> Classes:
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


def row_cells(counts: Counts, row: int, words: Floats) -> Cells:
    with_term, times = dense_row(counts.documents_with, row), dense_row(counts.occurrences, row)
    return Cells(slice(None), with_term, times, float(counts.documents[row]), float(words[row]))


def label_against_rest(counts: Counts, row: int) -> Classes:
    """A label and the rest as two classes, the label first."""
    words, everything = words_of(counts), len(counts.labels)
    return two_classes(row_cells(counts, row, words), row_cells(counts, everything, words), len(counts.term_array))


def two_classes(label_cells: Cells, all_cells: Cells, n_terms: int) -> Classes:
    """What is counted in a label and in everything, as the label and the rest."""
    rest = Cells(
        slice(None),
        all_cells.documents_with - label_cells.documents_with,
        all_cells.occurrences - label_cells.occurrences,
        all_cells.documents - label_cells.documents,
        all_cells.words - label_cells.words,
    )
    sizes, words = np.array([label_cells.documents, rest.documents]), np.array([label_cells.words, rest.words])
    return Classes(
        n_terms, all_cells.documents_with, all_cells.occurrences, sizes, words, lambda: iter((label_cells, rest))
    )


def label_and_rest(classes: Classes) -> tuple[Cells, Cells]:
    label_cells, rest = classes.blocks()
    return label_cells, rest


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
    zeros = np.zeros(len(first))
    for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        part = slice(with_term.indptr[row], with_term.indptr[row + 1])
        terms = with_term.indices[part]
        columns = np.concatenate([first, terms])
        label_cells = Cells(
            slice(None),
            np.concatenate([zeros, with_term.data[part]]),
            np.concatenate([zeros, times.data[part]]),
            float(counts.documents[row]),
            float(words[row]),
        )
        all_cells = Cells(slice(None), documents_with[columns], occurrences[columns], n, float(words[everything]))
        # a term in more documents than the rest has is in the label for certain: its answer without is not read below
        np.minimum(
            all_cells.documents_with,
            label_cells.documents_with + (n - label_cells.documents),
            out=all_cells.documents_with,
        )
        np.minimum(
            all_cells.occurrences,
            label_cells.occurrences + (all_cells.words - label_cells.words),
            out=all_cells.occurrences,
        )
        distinct_scores = score(two_classes(label_cells, all_cells, len(documents_with)))
        values = distinct_scores[kind_of]
        values[terms] = distinct_scores[len(first) :]
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
