"""A collection as topics see it: how many documents it has, in how many each term is, and how long they are.

Learns from: counts (one pass). INQUERY's beliefs need these numbers for documents that are still to come, so they are taken once
and kept. A term that the collection never had counts as one that a single document had: a stream brings new names, and a
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

__all__ = ["FORMS", "Collection"]

FORMS = ("inquery", "inquery_okapi")
KIND, VERSION = "collection", 1


class Collection:
    """Documents, terms and lengths of a collection, and the recipe that made its terms."""

    def __init__(
        self, terms: TermBytes, documents_with: Floats, *, n_documents: int, total_length: int, recipe: Recipe
    ) -> None:
        self.terms, self.documents_with, self.recipe = terms, documents_with, recipe
        self.n_documents, self.total_length = n_documents, total_length

    @classmethod
    def of_counts(cls, counts: Counts) -> Collection:
        """From statistics that were counted with a recipe."""
        row = counts.lengths[[len(counts.labels)]]
        array = counts.term_array
        data, ends = array.buffers()[2], np.frombuffer(array.buffers()[1], dtype=np.int64)
        ends = ends[array.offset : array.offset + len(array) + 1]
        raw = np.zeros(0, dtype=np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
        return cls(
            TermBytes(raw[ends[0] : ends[-1]].copy(), ends - ends[0]),
            document_frequency(counts),
            n_documents=counts.n_documents,
            total_length=int((row.indices * row.data).sum()),  # no table as wide as the longest document
            recipe=counts.recipe or Recipe(),
        )

    @cached_property
    def average_length(self) -> float:
        """Terms a document."""
        return self.total_length / max(self.n_documents, 1)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary(len(self.terms) + 1)
        vocabulary.add(self.terms)
        return vocabulary

    def frequencies(self, terms: Iterable[str] | TermBytes) -> Floats:
        """In how many documents each of these terms is; 1 for a term that none had."""
        found = self._vocabulary.find(terms if isinstance(terms, TermBytes) else TermBytes.of(list(terms)))
        known = np.append(self.documents_with, 1.0)  # the last is where -1 points to
        frequencies: Floats = np.maximum(known[found], 1.0)
        return frequencies

    def beliefs(self, X: sparse.csr_array, documents_with: Floats, *, form: str = "inquery") -> sparse.csr_array:
        """INQUERY's beliefs above 0.4 of whole documents x terms, given in how many documents each term is.  [001 sec. 7.2]"""
        if form == "inquery":
            return inquery(X, documents_with, max(self.n_documents, 1))
        if form == "inquery_okapi":
            return inquery_okapi(X, documents_with, max(self.n_documents, 1), self.average_length)
        raise UnknownName("weighting of topics", form, FORMS)

    # -- keeping

    def save(self, path: Path) -> None:
        """Into one file, written beside and renamed."""
        arrays: dict[str, Any] = {
            "terms": self.terms.data,
            "ends": np.asarray(self.terms.ends, dtype=np.int64),
            "documents_with": self.documents_with.astype(np.int64),
        }
        manifest = {
            "documents": self.n_documents,
            "total_length": self.total_length,
            "recipe": self.recipe.to_dict(),
        }
        write_arrays(path, arrays, manifest, kind=KIND, version=VERSION)

    @classmethod
    def load(cls, path: Path) -> Collection:
        """What `save` wrote, if it can be true: a compiled loop follows the ends of the terms."""
        arrays, manifest = read_arrays(path, kind=KIND, version=VERSION)
        if arrays.keys() != {"terms", "ends", "documents_with"}:
            raise DamagedFile(f"{path}: holds {', '.join(sorted(arrays))}, not terms, ends and documents_with")
        if manifest.keys() != {"documents", "total_length", "recipe"}:
            raise DamagedFile(f"{path}: the manifest is not that of a collection")
        recipe = recipe_from(manifest["recipe"], path)
        terms = strings_from(arrays["terms"], arrays["ends"], f"{path}: terms")
        try:
            check_collection(terms, arrays["documents_with"], manifest["documents"], manifest["total_length"])
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
        return f"<Collection: {self.n_documents:,} documents, {len(self.terms):,} terms>"


def check_collection(terms: pa.LargeStringArray, documents_with: Any, n_documents: Any, total_length: Any) -> None:
    """No term twice, each in some of the documents, and no more terms in all than the documents are long."""
    for number in (n_documents, total_length):
        need(type(number) is int and 0 <= number < 2**53, f"{str(number)[:60]!r} is no number of documents or terms")
    need(pc.count_distinct(terms).as_py() == len(terms), "two terms of one name")
    sized(documents_with, len(terms), kinds="i", what="documents_with")
    within(documents_with, n_documents + 1, "documents with a term")
    need(documents_with.dtype == np.int64, "documents_with is of another type")
    need(float(documents_with.sum(dtype=np.float64)) <= total_length, "more terms than the documents are long")
