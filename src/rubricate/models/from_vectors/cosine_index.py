"""An index of documents by cosine: exact nearest neighbours, without a table of all similarities.

Documents lie by term, in parts of 65,536: the sums of one query over a part stay in the processor's cache, and documents that
come later touch the last part only. Beyond the answer a search holds two numbers a document of a part, for each thread.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats, Longs
from ...foundation.csr import row_sums
from ...scoring.neighbours import PART, WIDE, Part
from ...storage.checks import need
from ...storage.registry import stored
from ..table_scores import nearest, unit_rows

COMMON = 5  # a term is common if more than one document in so many has it; 4 to 7 are equally quick on Reuters and news


def part_of(X: sparse.csr_array) -> Part:
    """From documents of length 1."""
    n, n_terms = X.shape
    by_term = X.tocsc()
    common = np.flatnonzero(np.diff(by_term.indptr) > n / COMMON)
    slots = np.full(n_terms, -1, dtype=np.int32)
    slots[common] = np.arange(len(common))
    rows = by_term[:, common].tocsr()
    lengths = np.zeros(-(-n // WIDE) * WIDE)
    lengths[:n] = np.sqrt(row_sums(rows, rows.data**2))
    return Part(
        (by_term.indptr.astype(np.int64), by_term.indices.astype(np.uint16), by_term.data),
        (rows.indptr.astype(np.int64), rows.indices.astype(np.uint32), rows.data),
        slots,
        lengths,
    )


def documents_in(part: Part) -> sparse.csr_array:
    """The documents, of length 1."""
    ends, documents, weights = part.postings
    return sparse.csc_array((weights, documents.astype(np.int32), ends), shape=(len(part), len(ends) - 1)).tocsr()


def _index_parts(index: CosineIndex) -> dict[str, Any]:
    return {"n_terms": index.n_terms, "parts": list(index.parts)}


def _index_of(n_terms: Any, parts: Any) -> CosineIndex:
    """The index of these parts, all full but the last."""
    need(type(n_terms) is int and isinstance(parts, list), "not an index")
    need(all(isinstance(part, Part) and len(part.slots) == n_terms for part in parts), "parts of different sizes")
    need(all(len(first) == PART for first, _ in pairwise(parts)), "a part that is not full")
    return CosineIndex(n_terms, tuple(parts))


@stored("index", keys=("n_terms", "parts"), parts=_index_parts, make=_index_of)
class CosineIndex:
    """Documents that can be searched by cosine. Added documents are indexed at the next search, so that adding costs little."""

    def __init__(self, n_terms: int, parts: tuple[Part, ...] = (), waiting: tuple[sparse.csr_array, ...] = ()) -> None:
        self.n_terms = n_terms
        self._contents = parts, waiting

    def extended(self, X: sparse.csr_array) -> CosineIndex:
        """The index with more documents at its end."""
        parts, waiting = self._contents
        return CosineIndex(self.n_terms, parts, (*waiting, unit_rows(X)))

    def __len__(self) -> int:
        parts, waiting = self._contents
        return sum(len(part) for part in parts) + sum(int(rows.shape[0]) for rows in waiting)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All documents, ready to be searched. The parts depend on the documents alone, however they came."""
        parts, waiting = self._contents
        if waiting:
            if parts and len(parts[-1]) < PART:
                parts, waiting = parts[:-1], (documents_in(parts[-1]), *waiting)
            rows = waiting[0] if len(waiting) == 1 else sparse.csr_array(sparse.vstack(waiting))
            starts = range(0, rows.shape[0], PART)
            parts = *parts, *(part_of(rows[start : start + PART] if len(starts) > 1 else rows) for start in starts)
            self._contents = parts, ()
        return parts

    @property
    def documents(self) -> sparse.csr_array:
        """All documents, of length 1."""
        rows = [documents_in(part) for part in self.parts]
        return sparse.csr_array(sparse.vstack(rows)) if rows else sparse.csr_array((0, self.n_terms))

    def find(self, X: sparse.csr_array, k: int, *, jobs: int = 1) -> tuple[Floats, Longs]:
        """`table_scores.nearest` of each row of X."""
        return nearest(self.parts, X, k, jobs=jobs)

    def find_for_members(self, k: int, *, jobs: int = 1) -> tuple[Floats, Longs]:
        """The same for each document of the index among all others."""
        results, offset = [], 0
        for part in self.parts:
            numbers = np.arange(offset, offset + len(part))
            results.append(nearest(self.parts, documents_in(part), k, members=numbers, jobs=jobs))
            offset += len(part)
        return np.concatenate([values for values, _ in results]), np.concatenate([places for _, places in results])
