"""Documents in: texts, or texts of several fields, to the model's terms and how often each occurs, by the recipe's definition.
Terms that the model does not know are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from ..terms.fields import Document, document_terms
from ..terms.recipe import Recipe
from .arrays import TermVector


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The terms of a model, a column each, and the recipe that makes terms of texts."""

    recipe: Recipe
    terms: Sequence[str]

    @cached_property
    def columns(self) -> dict[str, int]:
        return {term: column for column, term in enumerate(self.terms)}

    def count(self, document: Document) -> TermVector:
        return self.count_terms(list(document_terms(document, self.recipe)))

    def count_terms(self, terms: Sequence[str]) -> TermVector:
        columns = self.columns
        times = Counter(column for term in terms if (column := columns.get(term)) is not None)
        ascending = sorted(times)
        values = np.array([times[column] for column in ascending], dtype=np.float64)
        return TermVector(np.array(ascending, dtype=np.int64), values, float(len(terms)))


def as_documents(texts: Any) -> list[Document]:
    """A list of texts, a list of documents of fields, or a list of texts for each field; checked."""
    if isinstance(texts, str):
        raise InvalidSetting("a single string was given: give a list of texts")
    if isinstance(texts, Mapping):
        columns = {name: list(column) for name, column in texts.items()}
        if len({len(column) for column in columns.values()}) != 1:
            raise InvalidSetting("fields of different lengths: give each document a text in every field")
        texts = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = list(texts)
    for n, row in enumerate(rows):
        check_document(row, rows[0], n)
    return rows


def check_document(document: Any, first: Any, n: int) -> None:
    """A text, or a text in each field that the first document has."""
    if isinstance(document, str) and isinstance(first, str):
        return
    if not isinstance(document, Mapping):
        raise InvalidSetting(f"document {n}: is a {type(document).__name__}; give text, empty if there is none")
    if not isinstance(first, Mapping) or set(document) != set(first):
        raise InvalidSetting(f"document {n}: give each document the same fields")
    for name, text in document.items():
        if not isinstance(text, str):
            raise InvalidSetting(
                f"document {n}, field {name!r}: holds a {type(text).__name__}; give text, empty if there is none"
            )
