"""The statistics themselves: one table of whole numbers, and sums over it; see the package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from ..errors import DamagedFile, InvalidSetting, NeedsRecount, NeverCounted, RecipesDiffer, UnknownName
from ..foundation.arrays import Array, Longs, ends_of
from ..storage.checks import need, strings_from
from ..storage.container import read_arrays, write_arrays
from ..storage.registry import stored
from ..terms.recipe import Recipe, recipe_from
from .entries import Entries, check_counts, check_entries, check_sums, inverse, union_of
from .matrices import label_pairs, whole_numbers

if TYPE_CHECKING:
    from typing import Self

KIND, VERSION = "counts", 1
OF_COUNTS = {"documents", "cells", "times", "numbers", "term_bytes", "term_sizes", "label_bytes", "label_sizes"}
OF_LENGTHS = {"length_cells", "lengths", "length_numbers"}


@stored("counts", keys=("labels", "documents", "term_array", "entries", "length_entries", "recipe"), check=check_counts)
@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """Statistics of a collection. Make them with `rubricate.count`, or `Counts.from_matrix`."""

    labels: list[str]
    documents: Longs
    term_array: pa.LargeStringArray
    entries: Entries
    length_entries: Entries | None  # cell = row << 32, value = length
    recipe: Recipe | None = None

    # -- reading

    @cached_property
    def terms(self) -> list[str]:
        """The terms, in the order of the columns."""
        return self.term_array.to_pylist()  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, int]:
        """(labels + 1, terms): the last row is everything."""
        return len(self.labels) + 1, len(self.term_array)

    @property
    def n_documents(self) -> int:
        """All documents, with a label or without."""
        return int(self.documents[-1])

    @cached_property
    def documents_with(self) -> sparse.csr_array:
        """Documents of each label that have the term."""
        return self.entries.table(self.entries.documents, self.shape)

    @cached_property
    def occurrences(self) -> sparse.csr_array:
        """How often the term occurs in the documents of each label."""
        return self.entries.table(self.entries.documents * self.entries.values, self.shape)

    def levels(self, k: int) -> sparse.csr_array:
        """Documents of each label in which the term occurs at least k times."""
        if k < 1:
            raise InvalidSetting(f"levels({k}): k counts from 1")
        if k == 1 and self.entries.values.dtype == np.int32:
            return self.documents_with
        if k not in self._levels:
            self._levels[k] = self.entries.table(
                np.where(self.entries.values >= k, self.entries.documents, 0), self.shape
            )
        return self._levels[k]

    @cached_property
    def _levels(self) -> dict[int, sparse.csr_array]:
        """Levels by k: the stacked model asks for each several times."""
        return {}

    @property
    def max_times(self) -> int:
        """The highest number of times a term occurs in one document: levels above it are empty."""
        return int(self.entries.values.max(initial=0))

    @cached_property
    def lengths(self) -> sparse.csr_array:
        """Documents of each label with so many terms; row as in `documents`, column = length."""
        if self.length_entries is None:
            raise NeedsRecount(
                "these counts have no document lengths: selecting terms changes them, so `select` drops them; "
                "count the documents again with the selected terms (rubricate.count(..., terms=...))"
            )
        entries = self.length_entries
        shape = (len(self.labels) + 1, int(entries.values.max(initial=0)) + 1)
        return sparse.csr_array((entries.documents, (entries.rows, entries.values)), shape=shape)

    @cached_property
    def one_label_each(self) -> bool:
        """Whether the labels add up to everything, as they do when each document has exactly one."""
        if int(self.documents[:-1].sum()) != self.n_documents:
            return False
        table, end = self.documents_with, self.documents_with.indptr[-2]
        labelled = np.bincount(table.indices[:end], weights=table.data[:end], minlength=table.shape[1])
        everything = np.bincount(table.indices[end:], weights=table.data[end:], minlength=table.shape[1])
        return bool((labelled == everything).all())

    @property
    def fingerprint(self) -> str:
        """The recipe's fingerprint; empty for counts of a matrix."""
        return self.recipe.fingerprint if self.recipe is not None else ""

    def __repr__(self) -> str:
        return (
            f"<Counts: {self.n_documents:,} documents, {len(self.labels):,} labels, {len(self.term_array):,} terms"
            f"{'' if self.length_entries is not None else ', selected'}>"
        )

    # -- algebra

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return self._combine(other, 1)

    def __sub__(self, other: Counts) -> Counts:
        """What is left when documents are taken out; terms and labels that nothing has any more go too."""
        if not isinstance(other, Counts):
            return NotImplemented
        return self._combine(other, -1).pruned()

    def _combine(self, other: Counts, sign: int) -> Counts:
        if self.fingerprint != other.fingerprint:
            raise RecipesDiffer(
                f"these counts come from different recipes: {self.recipe} and {other.recipe}; count both with one recipe"
            )
        if (self.length_entries is None) != (other.length_entries is None):
            raise NeedsRecount(
                "one of these counts has selected terms, the other has not: select the same terms in both"
            )
        terms, columns, other_columns = union_of(self.term_array, other.term_array)
        labels, rows, other_rows = union_of(
            pa.array(self.labels, pa.large_string()), pa.array(other.labels, pa.large_string())
        )
        everything = len(labels)
        rows, other_rows = np.append(rows, everything), np.append(other_rows, everything)
        documents = np.zeros(everything + 1, dtype=np.int64)
        documents[rows] += self.documents
        documents[other_rows] += sign * other.documents
        entries = self.entries.renumbered(rows, columns).plus(other.entries.renumbered(other_rows, other_columns), sign)
        lengths: Entries | None = None
        if self.length_entries is not None and other.length_entries is not None:
            lengths = self.length_entries.renumbered(rows).plus(other.length_entries.renumbered(other_rows), sign)
        if entries is None or (lengths is None and self.length_entries is not None) or documents.min() < 0:
            raise NeverCounted(
                "these counts hold documents that the others do not: only what was added can be subtracted, with the same labels"
            )
        return Counts(labels.to_pylist(), documents, terms, entries, lengths, self.recipe)

    def pruned(self) -> Counts:
        """Without terms that occur nowhere and labels that no document has."""
        used = np.zeros(len(self.term_array), dtype=bool)
        used[self.entries.columns] = True
        live = self.documents > 0
        live[-1] = True
        if used.all() and live.all():
            return self
        labels = [label for label, alive in zip(self.labels, live.tolist(), strict=False) if alive]
        columns = np.where(used, np.cumsum(used) - 1, -1)
        rows = np.where(live, np.cumsum(live) - 1, -1)
        return self._renumbered(rows, columns, labels, self.documents[live], self.term_array.filter(pa.array(used)))

    def _renumbered(
        self, rows: Longs, columns: Longs, labels: list[str], documents: Longs, terms: pa.LargeStringArray
    ) -> Counts:
        """The same counts with other rows and columns; what is numbered -1 goes."""
        lengths = None if self.length_entries is None else self.length_entries.renumbered(rows)
        return Counts(labels, documents, terms, self.entries.renumbered(rows, columns), lengths, self.recipe)

    def select(self, terms: Iterable[int] | Iterable[str] | Array) -> Counts:
        """Counts of these terms alone (names, numbers or a mask), in the order given. Document lengths are dropped."""
        positions = self.positions(terms)
        columns = np.full(len(self.term_array), -1, dtype=np.int64)
        columns[positions] = np.arange(len(positions))
        entries = self.entries.renumbered(np.arange(len(self.labels) + 1, dtype=np.int64), columns)
        term_array = self.term_array.take(pa.array(positions))
        return replace(self, term_array=term_array, entries=entries, length_entries=None)

    def with_lengths(self, lengths: Array, label_of: Longs, document_of: Longs) -> Counts:
        """The same counts with the lengths of their documents, where selection has dropped them.

        lengths: of each document, over the terms of these counts; label_of, document_of: all (label, document) pairs by number.
        """
        documents = np.append(np.bincount(label_of, minlength=len(self.labels)), len(lengths))
        if not np.array_equal(documents, self.documents):
            raise InvalidSetting(
                "these are not the documents that were counted: the labels have other numbers of documents"
            )
        row = np.append(label_of, np.full(len(lengths), len(self.labels), dtype=np.int64))
        values = np.append(lengths[document_of], lengths).astype(self.entries.values.dtype)
        return replace(self, length_entries=Entries.of(row << 32, values, np.ones(len(row), dtype=np.int64)))

    def positions(self, terms: Iterable[int] | Iterable[str] | Array) -> Longs:
        """The columns of terms given by name, by number or as a mask; each once."""
        requested = np.asarray(terms if isinstance(terms, np.ndarray) else list(terms))
        n = len(self.term_array)
        if requested.dtype == bool:
            if len(requested) != n:
                raise InvalidSetting(f"a mask of {len(requested)} for {n} terms")
            masked: Longs = requested.nonzero()[0]
            return masked
        if requested.dtype.kind in "US" or requested.dtype == object:
            numbers = pc.index_in(pa.array(requested.tolist(), pa.large_string()), value_set=self.term_array)
            if numbers.null_count:
                raise UnknownName("term", str(requested[numbers.to_pylist().index(None)]), self.terms[:20])
            requested = numbers.to_numpy(zero_copy_only=False)
        positions: Longs = requested.astype(np.int64)
        if len(positions) and not (positions.min() >= 0 and positions.max() < n):
            raise InvalidSetting(f"term numbers go from 0 to {n - 1}")
        if len(np.unique(positions)) != len(positions):
            raise InvalidSetting("a term is named twice")
        return positions

    # -- equality: the same statistics, whatever the order of columns and however many of them are empty

    def canonical(self) -> Counts:
        """The same counts with terms and labels sorted by name and empty ones left out."""
        counts = self.pruned()
        by_name = pc.sort_indices(counts.term_array).to_numpy()
        by_label = np.array(sorted(range(len(counts.labels)), key=counts.labels.__getitem__), dtype=np.int64)
        if (np.diff(by_name.astype(np.int64)) > 0).all() and (np.diff(by_label) > 0).all():
            return counts
        rows, labels = np.append(inverse(by_label), len(by_label)), [counts.labels[n] for n in by_label.tolist()]
        documents = np.append(counts.documents[:-1][by_label], counts.documents[-1])
        terms = counts.term_array.take(pa.array(by_name))
        return counts._renumbered(rows, inverse(by_name), labels, documents, terms)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical contents: equal digests, equal statistics, bit for bit."""
        counts = self.canonical()
        hashed = hashlib.sha256(counts.fingerprint.encode())
        for name, array in sorted(counts._arrays().items()):
            hashed.update(f"{name} {array.dtype} {array.shape}".encode())
            hashed.update(np.ascontiguousarray(array).tobytes())
        return hashed.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    # -- making, keeping

    @classmethod
    def from_matrix(cls, X: Any, y: Any, terms: Sequence[str] | None = None) -> Self:
        """Counts of a documents x terms matrix of whole numbers (CSR or dense).

        y: one label a document; or a 0/1 indicator matrix documents x labels, whose labels are then called by their
        column numbers. Labels become strings. Terms without a name are called by their column numbers; all columns stay.
        """
        X = whole_numbers(X)
        return cls._of_rows(X, *label_pairs(y, X.shape[0]), terms)

    @classmethod
    def _of_rows(
        cls, X: sparse.csr_array, names: list[str], label_of: Longs, document_of: Longs, terms: Sequence[str] | None
    ) -> Self:
        if terms is None:
            terms = [str(n) for n in range(X.shape[1])]
        elif len(terms) != X.shape[1]:
            raise InvalidSetting(f"{len(terms)} terms for {X.shape[1]} columns")
        elif len(set(terms)) != len(terms):
            raise InvalidSetting("two columns have the same term")
        everything = len(names)
        row = np.concatenate([label_of, np.full(X.shape[0], everything, dtype=np.int64)])
        document = np.concatenate([document_of, np.arange(X.shape[0], dtype=np.int64)])
        label_documents = X[document]
        cells = np.repeat(row, np.diff(label_documents.indptr)) << 32 | label_documents.indices.astype(np.int64)
        values = label_documents.data
        if values.dtype != np.float64:
            values = values.astype(np.int32)
        lengths = np.asarray(X.sum(axis=1)).ravel()[document].astype(values.dtype)
        return cls(
            labels=names,
            documents=np.bincount(row, minlength=everything + 1).astype(np.int64),
            term_array=pa.array(list(terms), pa.large_string()),
            entries=Entries.of(cells, values, np.ones(len(cells), dtype=np.int64)),
            length_entries=Entries.of(row << 32, lengths, np.ones(len(row), dtype=np.int64)),
        )

    def aligned(self, terms: Sequence[str], labels: Sequence[str]) -> Counts:
        """The same counts with these columns and rows, in this order; what is not among them must not occur."""
        term_array = pa.array(list(terms), pa.large_string())
        columns = pc.index_in(self.term_array, value_set=term_array).fill_null(-1).to_numpy(zero_copy_only=False)
        place = {label: n for n, label in enumerate(labels)}
        rows = np.array([*(place[label] for label in self.labels), len(labels)], dtype=np.int64)
        documents = np.zeros(len(labels) + 1, dtype=np.int64)
        documents[rows] = self.documents
        return self._renumbered(rows, columns.astype(np.int64), list(labels), documents, term_array)

    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {
            "documents": self.documents,
            "cells": self.entries.cells,
            "times": self.entries.values,
            "numbers": self.entries.documents,
        }
        for name, strings in (("term", self.term_array), ("label", pa.array(self.labels, pa.large_string()))):
            encoded = b"".join(text.encode() for text in strings.to_pylist())
            sizes = pc.binary_length(strings).to_numpy(zero_copy_only=False)
            arrays[f"{name}_bytes"] = np.frombuffer(encoded, dtype=np.uint8)
            arrays[f"{name}_sizes"] = sizes.astype(np.int64)
        if self.length_entries is not None:
            arrays["length_cells"] = self.length_entries.cells
            arrays["lengths"] = self.length_entries.values
            arrays["length_numbers"] = self.length_entries.documents
        return arrays

    def save(self, path: str | Path) -> None:
        """Write to one file, atomically; `Counts.load` refuses it if a bit has changed since."""
        manifest = {"recipe": None if self.recipe is None else self.recipe.to_dict(), "fingerprint": self.fingerprint}
        write_arrays(path, self._arrays(), manifest, kind=KIND, version=VERSION)

    @classmethod
    def load(cls, path: str | Path, *, recipe: Recipe | None = None) -> Self:
        """Counts of a file. Where its recipe uses a Python function, give that recipe: code is never loaded from files."""
        arrays, manifest = read_arrays(path, kind=KIND, version=VERSION)
        need(manifest.keys() == {"recipe", "fingerprint"}, f"{path}: the manifest is not that of counts")
        if recipe is None and manifest["recipe"] is not None:
            recipe = recipe_from(manifest["recipe"], path)
        if (recipe.fingerprint if recipe is not None else "") != manifest["fingerprint"]:
            raise RecipesDiffer(
                f"{path} was counted with another recipe, or other Unicode or stemmer tables, than {recipe}"
            )
        counts = cls._from_arrays(arrays, recipe, str(path))
        try:
            check_counts(counts)
            check_sums(counts)
        except DamagedFile as problem:
            raise DamagedFile(f"{path}: {problem}; count the documents again") from None
        return counts

    @classmethod
    def _from_arrays(cls, arrays: dict[str, Array], recipe: Recipe | None, where: str) -> Self:
        """Counts of what `_arrays` gave, not yet checked but for their strings."""
        lengths = arrays.keys() & OF_LENGTHS
        if arrays.keys() != OF_COUNTS | lengths or lengths not in (set(), OF_LENGTHS):
            odd = ", ".join(sorted(arrays.keys() ^ (OF_COUNTS | OF_LENGTHS)))
            raise DamagedFile(f"{where}: missing or unknown arrays: {odd}")
        return cls(
            labels=strings_of(arrays, "label", f"{where}: labels").to_pylist(),
            documents=arrays["documents"],
            term_array=strings_of(arrays, "term", f"{where}: terms"),
            entries=checked_entries(arrays, "cells", "times", "numbers", where),
            length_entries=checked_entries(arrays, "length_cells", "lengths", "length_numbers", where)
            if lengths
            else None,
            recipe=recipe,
        )


def checked_entries(arrays: dict[str, Array], cells: str, values: str, numbers: str, where: str) -> Entries:
    entries = Entries(arrays[cells], arrays[values], arrays[numbers])
    try:
        check_entries(entries)
    except DamagedFile as problem:
        raise DamagedFile(f"{where}: {cells}, {values}, {numbers}: {problem}; count the documents again") from None
    return entries


def strings_of(arrays: dict[str, Array], name: str, where: str) -> pa.LargeStringArray:
    """Terms or labels of a file, from their bytes and sizes."""
    sizes = arrays[f"{name}_sizes"]
    need(sizes.dtype == np.int64 and sizes.ndim == 1, f"{where}: sizes of strings are whole numbers of 64 bits")
    return strings_from(arrays[f"{name}_bytes"], ends_of(sizes), where)
