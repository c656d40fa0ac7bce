"""The background collection of topics: how many documents it has, how many of them have each term, and how long they are.

Learns from: counts (one pass). INQUERY's beliefs about documents still to come rest on these numbers, so they are counted once
and stored. A term that the background collection lacks counts as if one document had it: a stream brings new names, and a
topic that asks for one must find it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from ...counts import Counts
from ...counts.term_scores import document_frequency
from ...errors import DamagedFile, UnknownName
from ...foundation.arrays import Floats
from ...kernels.vocabulary import TermBytes, Vocabulary
from ...models.vectors import inquery, inquery_okapi
from ...storage.checks import need, sized, strings_from, within
from ...storage.container import read_arrays, write_arrays
from ...terms.recipe import Recipe, recipe_from

FORMS = ("inquery", "inquery_okapi")
KIND, VERSION = "collection", 1


class BackgroundCollection:
    """Documents, terms and lengths, and the recipe that made the terms."""

    def __init__(
        self, terms: TermBytes, documents_with: Floats, *, n_documents: int, total_length: int, recipe: Recipe
    ) -> None:
        self.terms, self.documents_with, self.recipe = terms, documents_with, recipe
        self.n_documents, self.total_length = n_documents, total_length

    @classmethod
    def of_counts(cls, counts: Counts) -> BackgroundCollection:
        """The background collection that these counts are of."""
        lengths = counts.lengths[[len(counts.labels)]]
        terms = counts.term_array
        data, ends = terms.buffers()[2], np.frombuffer(terms.buffers()[1], dtype=np.int64)
        ends = ends[terms.offset : terms.offset + len(terms) + 1]
        raw = np.zeros(0, dtype=np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
        return cls(
            TermBytes(raw[ends[0] : ends[-1]].copy(), ends - ends[0]),
            document_frequency(counts),
            n_documents=counts.n_documents,
            total_length=int((lengths.indices * lengths.data).sum()),  # dense rows: as wide as the longest document
            recipe=counts.recipe or Recipe(),
        )

    @cached_property
    def average_length(self) -> float:
        """Terms per document."""
        return self.total_length / max(self.n_documents, 1)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary(len(self.terms) + 1)
        vocabulary.add(self.terms)
        return vocabulary

    def frequencies(self, terms: Iterable[str] | TermBytes) -> Floats:
        """How many documents have each of these terms; 1 for a term that none has."""
        numbers = self._vocabulary.find(terms if isinstance(terms, TermBytes) else TermBytes.of(list(terms)))
        documents_with = np.append(self.documents_with, 1.0)  # an unknown term has number -1, which is the last entry
        frequencies: Floats = np.maximum(documents_with[numbers], 1.0)
        return frequencies

    def beliefs(self, X: sparse.csr_array, documents_with: Floats, *, form: str = "inquery") -> sparse.csr_array:
        """INQUERY's beliefs above 0.4 of whole documents x terms, by the documents that have each term.     [001 sec. 7.2]"""
        if form == "inquery":
            return inquery(X, documents_with, max(self.n_documents, 1))
        if form == "inquery_okapi":
            return inquery_okapi(X, documents_with, max(self.n_documents, 1), self.average_length)
        raise UnknownName("weighting of topics", form, FORMS)

    def save(self, path: Path) -> None:
        """Write one file, atomically."""
        arrays: dict[str, Any] = {
            "terms": self.terms.data,
            "ends": np.asarray(self.terms.ends, dtype=np.int64),
            "documents_with": self.documents_with.astype(np.int64),
        }
        manifest = {"documents": self.n_documents, "total_length": self.total_length, "recipe": self.recipe.to_dict()}
        write_arrays(path, arrays, manifest, kind=KIND, version=VERSION)

    @classmethod
    def load(cls, path: Path) -> BackgroundCollection:
        """What `save` wrote, checked, because a compiled loop follows the ends of the terms without looking."""
        arrays, manifest = read_arrays(path, kind=KIND, version=VERSION)
        if arrays.keys() != {"terms", "ends", "documents_with"}:
            raise DamagedFile(f"{path}: holds {', '.join(sorted(arrays))}, not terms, ends and documents_with")
        if manifest.keys() != {"documents", "total_length", "recipe"}:
            raise DamagedFile(f"{path}: the manifest is not that of a background collection")
        recipe = recipe_from(manifest["recipe"], path)
        terms = strings_from(arrays["terms"], arrays["ends"], f"{path}: terms")
        try:
            check_background(terms, arrays["documents_with"], manifest["documents"], manifest["total_length"])
        except DamagedFile as problem:
            raise DamagedFile(f"{path}: {problem}; make it again: rubricate topic collection FILE") from None
        return cls(
            TermBytes(arrays["terms"], arrays["ends"]),
            arrays["documents_with"].astype(np.float64),
            n_documents=manifest["documents"],
            total_length=manifest["total_length"],
            recipe=recipe,
        )

    def __repr__(self) -> str:
        return f"<BackgroundCollection: {self.n_documents:,} documents, {len(self.terms):,} terms>"


def check_background(terms: pa.LargeStringArray, documents_with: Any, n_documents: Any, total_length: Any) -> None:
    """Terms are distinct, each is in at most all documents, and together they are no more than the documents' total length."""
    for number in (n_documents, total_length):
        need(type(number) is int and 0 <= number < 2**53, f"{str(number)[:60]!r} is no number of documents or terms")
    need(pc.count_distinct(terms).as_py() == len(terms), "two terms of one name")
    sized(documents_with, len(terms), kinds="i", what="documents_with")
    within(documents_with, n_documents + 1, "documents with a term")
    need(documents_with.dtype == np.int64, "documents_with is of another type")
    need(float(documents_with.sum(dtype=np.float64)) <= total_length, "more terms than the documents are long")
