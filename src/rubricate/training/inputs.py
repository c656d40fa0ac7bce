"""What people give to a classifier of raw text: documents as strings or fields, and their labels (`label_sets`).

documents_of       strings, a mapping of fields a document, a data frame of fields, or a corpus as it is
read_inputs        documents and labels of one call
labelled_documents the same; a corpus is read for its labels
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ..corpus import Columns, Corpus, warn_of_labels
from ..errors import InvalidSetting
from .label_sets import LabelSets, read_labels


def read_inputs(X: Any, y: Any, *, multilabel: bool | None = None) -> tuple[Any, LabelSets | None]:
    """Documents, and the labels of y; None for a corpus, whose labels come with its documents. That labels of y were changed is a
    warning. multilabel: whether a document may have several; None: as y looks."""
    documents = documents_of(X)
    if isinstance(X, Corpus):
        if y is not None:
            raise InvalidSetting("a corpus has its labels: y goes with a list of texts")
        return X, None
    if y is None:
        raise InvalidSetting("TextClassifier requires y to be passed, but the target y is None")
    labels = read_labels(y, multilabel=multilabel)
    if len(labels.sets) != len(documents):
        raise InvalidSetting(f"{len(documents)} texts with {len(labels.sets)} labels: give one label (or list) a text")
    if len(documents) == 0:
        raise InvalidSetting("Found array with 0 sample(s): there is no document to learn from")
    warn_of_labels(labels.tally, stacklevel=4)
    return documents, labels


def labelled_documents(X: Any, y: Any) -> tuple[Any, LabelSets]:
    """Documents with their labels: of y, or a corpus's own, for which it is read."""
    documents, labels = read_inputs(X, y)
    return documents, read_labels([list(row) for row in X.labels]) if labels is None else labels


def documents_of(X: Any) -> Any:
    """A corpus, or a list of strings; documents of several fields become a corpus."""
    if isinstance(X, Corpus):
        return X
    if isinstance(X, str):
        raise InvalidSetting("a single string was given: give a list of texts, or read(path) for a file")
    if isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "to_dict")):
        return of_fields({str(name): list(X[name]) for name in X}, "fields")
    rows = list(X)
    if not rows or not isinstance(rows[0], Mapping):
        return rows
    names = list(rows[0])
    for n, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            raise InvalidSetting(f"document {n}: give each document the same fields ({', '.join(map(str, names))})")
    return of_fields({str(name): [row[name] for row in rows] for name in names}, "fields")


def of_fields(fields: dict[str, list[Any]], name: str) -> Corpus:
    """A corpus of several text fields."""
    sizes = {len(values) for values in fields.values()}
    if len(sizes) != 1:
        raise InvalidSetting("fields of different lengths: give each document a text in every field")
    for field, values in fields.items():
        wrong = next((n for n, value in enumerate(values) if not isinstance(value, str)), None)
        if wrong is not None:
            raise InvalidSetting(
                f"document {wrong}, field {field!r}: holds a {type(values[wrong]).__name__}; give text, empty if there is none"
            )
    columns, n = Columns(text=tuple(fields)), sizes.pop()
    arrays = [
        pa.array([f"row-{row + 1}" for row in range(n)], pa.string()),
        *(pa.array(values, pa.large_string()) for values in fields.values()),
        pa.array([[]] * n, pa.list_(pa.string())),
    ]
    return Corpus.from_batches([pa.RecordBatch.from_arrays(arrays, schema=columns.schema)], columns=columns, name=name)
