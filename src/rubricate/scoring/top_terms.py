"""Top terms: the words a fitted model goes by, label by label.

    weight(t, c)    what one occurrence of the term adds to the label's score, in a document of nothing else; where documents have
                    one label, less its mean over labels, since only differences between labels decide
    usual(t, c)     of the label's training documents, the share that has the term; where documents are weighted, the mean weight
                    of the term in them
    average(t, c) = weight x usual: what the term adds to a document of the label on average. The terms are ranked by it, so that
                    neither a word that occurred once nor one that is everywhere comes first

Learns from: a fitted `TextClassifier` and the statistics it keeps, or `format_1.fitted_parts` of its file, which have the same
names; by numpy alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..foundation.arrays import ends_of
from ..storage.checks import need, within
from .arrays import Floats, Longs, Table, TermVector
from .assembly import as_list, weighting_of
from .forms import Additive, Form, Linear, form_of
from .weighting import Weighting

CELLS = 2**22  # terms x labels at a time


@dataclass(frozen=True, slots=True)
class TopTerm:
    """A term of a label; see the module."""

    term: str
    weight: float
    average: float


def top_terms(fitted: Any, *, top: int = 10) -> dict[str, list[TopTerm]]:
    """The first terms of each label, best first; only terms that speak for it and that it has."""
    names = [str(label) for label in as_list(fitted.classes_)]
    if top < 1 or (fitted.documents_ is None and fitted.counts_ is None):  # saved slim: no label's documents are known
        return {name: [] for name in names}
    terms, usual = as_list(fitted.terms_), usual_table(fitted)
    form = form_of(str(fitted.candidate_.model), fitted.model_)
    need(form.shape == usual.shape == (len(names), len(terms)), "scores of other terms than the model's")
    weights, out = weights_at(form, usual, multilabel=bool(fitted.several_labels_)), {}
    for label, name in enumerate(names):
        part = slice(usual.indptr[label], usual.indptr[label + 1])
        columns, weight = usual.indices[part], weights[part]
        average = (usual.data[part] * weight).round(12)
        first = np.argsort(-average, kind="stable")[:top].tolist()
        first = [n for n in first if average[n] > 0]
        out[name] = [TopTerm(terms[columns[n]], float(weight[n]), float(average[n])) for n in first]
    return out


# -- weights


def weights_at(form: Form, places: Table, *, multilabel: bool) -> Floats:
    """The weights in the places of a table, labels x terms; worked out for some terms at a time."""
    n_labels, n_terms = places.shape
    labels, out = np.repeat(np.arange(n_labels), np.diff(places.indptr)), np.empty(len(places.data))
    by_term = np.argsort(places.indices, kind="stable")
    ends = ends_of(np.bincount(places.indices, minlength=n_terms))
    step = max(1, CELLS // max(n_labels, 1))
    for start in range(0, n_terms, step):
        size = min(step, n_terms - start)
        part = by_term[ends[start] : ends[start + size]]
        out[part] = term_weights(form, start, size, multilabel=multilabel)[places.indices[part] - start, labels[part]]
    return out


def term_weights(form: Form, start: int, size: int, *, multilabel: bool) -> Floats:
    """What one occurrence of terms start, start + 1, … adds: terms x labels."""
    columns, once = np.arange(start, start + size), np.ones(1)
    if isinstance(form, Additive | Linear):
        scores = form.term_scores(columns)
    else:
        scores = form.scores([TermVector(columns[n : n + 1], once) for n in range(size)])
    with np.errstate(invalid="ignore"):
        weights = scores - form.scores([TermVector(columns[:0], once[:0])])
    weights = np.nan_to_num(weights, nan=0.0, posinf=0.0, neginf=0.0)  # labels without documents
    return weights if multilabel else weights - weights.mean(axis=1, keepdims=True)


# -- what documents of a label have


def usual_table(fitted: Any) -> Table:
    """How much of each term a document of each label has: labels x terms; see the module."""
    place = {term: n for n, term in enumerate(as_list(fitted.terms_))}
    row_of = {label: n for n, label in enumerate(as_list(fitted._order))}
    shape = len(row_of), len(place)
    if fitted.documents_ is None:
        sizes, labels, terms, values = cells_of_counts(fitted.counts_, row_of, place)
    else:
        weighting = weighting_of(fitted.weighting_, len(place))
        sizes, labels, terms, values = cells_of_documents(fitted.documents_, row_of, place, weighting)
    table = summed_table(labels, terms, values, shape)
    by_label = np.maximum(sizes, 1.0)
    means = table.data / np.repeat(by_label, np.diff(table.indptr))
    return Table(means, table.indices, table.indptr, shape)


Cells = tuple[Floats, Longs, Longs, Floats]  # documents of each label; labels, terms and values of entries


def cells_of_counts(counts: Any, row_of: dict[str, int], place: dict[str, int]) -> Cells:
    """Documents with the term, from `Counts`."""
    labels = [row_of[label] for label in as_list(counts.labels)]
    columns, entries = places_of(counts, place), counts.entries
    rows = np.array([*labels, -1], dtype=np.int64)[entries.cells >> 32]  # the last row is everything
    terms = columns[entries.cells & 0xFFFFFFFF]
    used = (rows >= 0) & (terms >= 0)
    sizes = np.zeros(len(row_of))
    sizes[labels] = counts.documents[: len(labels)]
    return sizes, rows[used], terms[used], entries.documents[used].astype(np.float64)


def cells_of_documents(
    documents: Any, row_of: dict[str, int], place: dict[str, int], weighting: Weighting | None
) -> Cells:
    """Weights of the terms of each document, once for each label that it has, from a `Table` of documents x terms."""
    X, columns = documents.X, places_of(documents, place)
    n = X.shape[0]
    within(documents.label_values, len(documents.label_names), "labels of documents")
    terms, known = columns[X.indices], columns[X.indices] >= 0
    ends = ends_of(known)[X.indptr]  # without terms that were not selected, which stand in the vocabulary's order
    terms, values = terms[known], X.data[known].astype(np.float64)
    if weighting is not None:
        for start, end in pairwise(ends.tolist()):
            values[start:end] = weighting.of(TermVector(terms[start:end], values[start:end])).values
    rows = np.array([row_of[label] for label in as_list(documents.label_names)], dtype=np.int64)
    labels = rows[documents.label_values]
    sizes = np.diff(ends)
    # the entries of a document stand there once for each of its labels
    document = np.repeat(np.arange(n), np.diff(documents.label_ends))
    repeated = np.repeat(ends[document] - ends_of(sizes[document])[:-1], sizes[document])
    entries = repeated + np.arange(len(repeated))
    of_label = np.bincount(labels, minlength=len(row_of)).astype(np.float64)
    return of_label, np.repeat(labels, sizes[document]), terms[entries], values[entries]


def places_of(statistics: Any, place: dict[str, int]) -> Longs:
    """Of each term of the statistics, its column in the model; -1 for none. A file has its terms as a list of strings."""
    terms: Sequence[str] = statistics.terms if hasattr(statistics, "terms") else statistics.term_array
    return np.array([place.get(term, -1) for term in terms], dtype=np.int64)


def summed_table(rows: Longs, columns: Longs, values: Floats, shape: tuple[int, int]) -> Table:
    """The sums of values with the same row and column, made in their order."""
    cells = rows * shape[1] + columns
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    first = np.diff(cells, prepend=-1) > 0
    sums = np.bincount(np.cumsum(first) - 1, weights=values[order]) if len(cells) else values
    cells = cells[first]
    ends = np.searchsorted(cells, np.arange(shape[0] + 1) * shape[1])
    return Table(sums, cells % max(shape[1], 1), ends, shape)
