"""An index of documents by cosine: exact nearest neighbours, without a table of all similarities.

Documents lie by term, in parts of 65,536: the sums of one query over a part stay in the processor's cache, and documents that
come later touch the last part only. Beyond the answer a search holds two numbers a document of a part, for each thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats, Longs
from ...foundation.csr import csr_parts, row_sums, row_values
from ...foundation.threads import side_by_side
from ...storage.checks import ascending, need, sized, within
from ...storage.registry import stored

PART = 1 << 16  # documents; their numbers within a part take two bytes
COMMON = 5  # a term is common if more than one document in so many has it; 4 to 7 are equally quick on Reuters and news
BLOCK = 256  # documents a thread looks up at a time


def unit_rows(X: sparse.csr_array) -> sparse.csr_array:
    """Each document divided by its Euclidean length, however large or small its weights; a zero vector stays zero."""
    out = X.astype(np.float64)  # a copy
    with np.errstate(over="ignore", under="ignore"):
        squares = row_sums(out, out.data**2)
        extreme = ~((squares > 1e-200) & (squares < 1e200))
        if extreme.any():  # squares of such weights leave the numbers
            largest = np.zeros(X.shape[0])
            np.maximum.at(largest, row_values(out, np.arange(X.shape[0])), np.abs(out.data))
            out.data /= row_values(out, np.where(extreme & (largest > 0), largest, 1.0))
            squares = row_sums(out, out.data**2)
        out.data /= row_values(out, np.sqrt(np.where(squares > 0, squares, 1.0)))
    return out


def _check_part(part: Part) -> None:
    """Postings and documents of one size, weights of documents of length 1: a search for a highest sum that is no number
    would not end."""
    from ...kernels.cosine_neighbours import WIDE

    n, n_terms = len(part), len(part.slots)
    need(n <= PART and len(part.postings) == len(part.commons) == 3, "not a part of an index")
    (ends, documents, weights), (common_ends, slots, common) = part.postings, part.commons
    ascending(ends, len(documents), n_terms, "postings")
    sized(weights, len(documents), what="weights of postings")
    sized(documents, len(documents), kinds="u", what="documents of postings")
    within(documents, n, "documents of postings")
    ascending(common_ends, len(slots), n, "common terms")
    sized(common, len(slots), what="weights of common terms")
    sized(slots, len(slots), kinds="u", what="slots of common terms")
    within(slots, n_terms, "slots of common terms")
    sized(part.slots, n_terms, kinds="i", what="slots")
    within(part.slots, n_terms, "slots", least=-1)
    sized(part.lengths, -(-n // WIDE) * WIDE, what="lengths")
    for numbers in (weights, common, part.lengths):
        need((np.abs(numbers) < 2).all(), "documents that are not of length 1")


@stored("index.part", keys=("postings", "commons", "slots", "lengths"), check=_check_part)
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Up to 65,536 documents of length 1; see `kernels.neighbours`."""

    postings: tuple[Any, Any, Any]  # by term: ends, documents, weights
    commons: tuple[Any, Any, Any]  # by document: ends, slots, weights of the common terms
    slots: Any  # of terms, -1 where rare
    lengths: Floats  # of documents in their common terms

    @classmethod
    def of(cls, X: sparse.csr_array) -> Part:
        """From documents of length 1."""
        from ...kernels.cosine_neighbours import WIDE

        n, n_terms = X.shape
        by_term = X.tocsc()
        common = np.flatnonzero(np.diff(by_term.indptr) > n / COMMON)
        slots = np.full(n_terms, -1, dtype=np.int32)
        slots[common] = np.arange(len(common))
        rows = by_term[:, common].tocsr()
        lengths = np.zeros(-(-n // WIDE) * WIDE)
        lengths[:n] = np.sqrt(row_sums(rows, rows.data**2))
        return cls(
            (by_term.indptr.astype(np.int64), by_term.indices.astype(np.uint16), by_term.data),
            (rows.indptr.astype(np.int64), rows.indices.astype(np.uint32), rows.data),
            slots,
            lengths,
        )

    def __len__(self) -> int:
        return len(self.commons[0]) - 1

    @property
    def documents(self) -> sparse.csr_array:
        """The documents, of length 1."""
        ends, documents, weights = self.postings
        return sparse.csc_array((weights, documents.astype(np.int32), ends), shape=(len(self), len(ends) - 1)).tocsr()


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
                parts, waiting = parts[:-1], (parts[-1].documents, *waiting)
            rows = waiting[0] if len(waiting) == 1 else sparse.csr_array(sparse.vstack(waiting))
            starts = range(0, rows.shape[0], PART)
            parts = *parts, *(Part.of(rows[start : start + PART] if len(starts) > 1 else rows) for start in starts)
            self._contents = parts, ()
        return parts

    @property
    def documents(self) -> sparse.csr_array:
        """All documents, of length 1."""
        rows = [part.documents for part in self.parts]
        return sparse.csr_array(sparse.vstack(rows)) if rows else sparse.csr_array((0, self.n_terms))

    def find(self, X: sparse.csr_array, k: int, *, jobs: int = 1) -> tuple[Floats, Longs]:
        """Cosines, to 12 decimals, and numbers of the k nearest documents of each row of X, nearest first; all documents where
        there are fewer. Equally near ones in their order."""
        return self._find(X, min(k, len(self)), np.full(X.shape[0], -1), jobs)

    def find_for_members(self, k: int, *, jobs: int = 1) -> tuple[Floats, Longs]:
        """The same for each document of the index among all others."""
        results, offset = [], 0
        for part in self.parts:
            numbers = np.arange(offset, offset + len(part))
            results.append(self._find(part.documents, min(k, len(self) - 1), numbers, jobs))
            offset += len(part)
        return np.concatenate([values for values, _ in results]), np.concatenate([places for _, places in results])

    def _find(self, X: sparse.csr_array, k: int, left_out: Longs, jobs: int) -> tuple[Floats, Longs]:
        from ...kernels.cosine_neighbours import nearest

        n, parts = X.shape[0], self.parts
        values, places = np.zeros((n, k)), np.full((n, k), -1)
        queries = csr_parts(unit_rows(X))
        step = max(1, min(BLOCK, -(-n // (4 * jobs))))

        def block(start: int) -> None:
            offset, end = 0, min(start + step, n)
            for part in parts:
                tables = part.postings, part.commons, part.slots, part.lengths
                nearest(queries, *tables, left_out, offset, start, end, values, places)
                offset += len(part)

        if k:
            side_by_side(block, range(0, n, step), jobs)
        return values, places
