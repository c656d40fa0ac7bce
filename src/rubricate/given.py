"""What people give to a classifier of raw text: documents as strings or fields, labels in three forms.

documents_of       strings, a mapping of fields a document, a data frame of fields, or a corpus as it is
given_labels       one label a document, a list of labels a document, or a 0/1 indicator matrix
given_documents    both, of one call
known_names        labels given later, by the names they have had since the first fit
given_back         decisions in the form in which the labels were given
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from .classifier import lists_of_labels
from .corpus import Columns, Corpus
from .errors import BadChoice

__all__ = ["Given", "documents_of", "given_back", "given_documents", "given_labels", "known_names"]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Labels as they were given: a list of names a document, whether several are allowed, and how to give them back."""

    names: list[list[str]]
    several: bool
    kind: str  # "one", "lists" or "indicator"
    classes: Any  # the labels themselves, in the order of their names
    order: list[str]  # their names


def given_labels(y: Any) -> Given:
    """One label a document, a list of labels a document, or a 0/1 indicator matrix."""
    if sparse.issparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2 and y.dtype.kind in "biuf"):
        table = sparse.csr_array(y)
        width = len(str(max(table.shape[1] - 1, 0)))
        order = [str(n).zfill(width) for n in range(table.shape[1])]  # sorted by name is sorted by column
        names = [
            [order[n] for n in table.indices[table.indptr[d] : table.indptr[d + 1]]] for d in range(table.shape[0])
        ]
        return Given(names, True, "indicator", np.arange(table.shape[1]), order)
    if lists_of_labels(list(y) if not isinstance(y, np.ndarray) else y):
        names = [sorted({str(label) for label in own}) for own in y]
        order = sorted({label for own in names for label in own})
        return Given(names, True, "lists", np.array(order), order)
    values = np.asarray(y)
    if values.ndim != 1:
        raise BadChoice(f"labels of shape {values.shape}: give one label a document, lists of labels, or a 0/1 matrix")
    classes = np.unique(values)
    if values.dtype.kind in "US" or values.dtype == object:
        order = [str(label) for label in classes.tolist()]
    else:
        width = len(str(len(classes)))
        order = [f"{n:0{width}d}" for n in range(len(classes))]
    place = dict(zip(classes.tolist(), order, strict=True))
    return Given([[place[label]] for label in values.tolist()], False, "one", classes, order)


def given_documents(X: Any, y: Any) -> tuple[Any, Given]:
    """Documents to learn from, with their labels: of y, or a corpus's own."""
    texts = documents_of(X)
    if isinstance(X, Corpus):
        if y is not None:
            raise BadChoice("a corpus has its labels: y goes with a list of texts")
        labels = [list(own) for own in X.labels]
        one = bool(labels) and all(len(own) == 1 for own in labels)
        return X, given_labels([own[0] for own in labels] if one else labels)
    if y is None:
        raise ValueError("TextClassifier requires y to be passed, but the target y is None")
    given = given_labels(y)
    if len(given.names) != len(texts):
        raise ValueError(f"{len(texts)} texts with {len(given.names)} labels: give one label (or list) a text")
    if len(texts) == 0:
        raise ValueError("Found array with 0 sample(s): there is no document to learn from")
    return texts, given


def known_names(given: Given, *, classes: Any, order: Sequence[str]) -> list[list[str]]:
    """The names by which the labels of a fitted classifier are known (order, beside classes); a label that is new needs cuts of
    its own, and so a fit."""
    own = dict(zip(given.order, given.classes.tolist(), strict=True))
    known = dict(zip(classes.tolist(), order, strict=True))
    new = sorted({str(own[name]) for names in given.names for name in names if own[name] not in known})
    if new:
        raise BadChoice(f"new labels ({', '.join(new)}) need cuts of their own: fit again with all documents")
    return [[known[own[name]] for name in names] for names in given.names]


def given_back(decisions: Any, kind: str, *, classes: Any, order: Sequence[str]) -> Any:
    """Decisions, 0/1 documents x labels, as labels of this kind: see `Given`."""
    if kind == "indicator":
        return decisions
    if kind == "lists":
        return [[order[n] for n in np.flatnonzero(row).tolist()] for row in decisions]
    return classes[decisions.argmax(axis=1)]


def documents_of(X: Any) -> Any:
    """A corpus, or a list of strings; documents of several fields become a corpus."""
    if isinstance(X, Corpus):
        return X
    if isinstance(X, str):
        raise BadChoice("a single string was given: give a list of texts, or read(path) for a file")
    if isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "to_dict")):
        return of_fields({str(name): list(X[name]) for name in X}, "fields")
    rows = list(X)
    if not rows or not isinstance(rows[0], Mapping):
        return rows
    names = list(rows[0])
    for n, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            raise BadChoice(f"document {n}: give each document the same fields ({', '.join(map(str, names))})")
    return of_fields({str(name): [row[name] for row in rows] for name in names}, "fields")


def of_fields(fields: dict[str, list[Any]], name: str) -> Corpus:
    """A corpus of several text fields."""
    sizes = {len(values) for values in fields.values()}
    if len(sizes) != 1:
        raise BadChoice("fields of different lengths: give each document a text in every field")
    for field, values in fields.items():
        wrong = next((n for n, value in enumerate(values) if not isinstance(value, str)), None)
        if wrong is not None:
            raise BadChoice(
                f"document {wrong}, field {field!r}: holds a {type(values[wrong]).__name__}; give text, empty if there is none"
            )
    columns, n = Columns(text=tuple(fields)), sizes.pop()
    arrays = [
        pa.array([f"row-{row + 1}" for row in range(n)], pa.string()),
        *(pa.array(values, pa.large_string()) for values in fields.values()),
        pa.array([[]] * n, pa.list_(pa.string())),
    ]
    return Corpus.from_batches([pa.RecordBatch.from_arrays(arrays, schema=columns.schema)], columns=columns, name=name)
