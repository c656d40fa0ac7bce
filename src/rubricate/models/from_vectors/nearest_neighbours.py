"""k nearest neighbours: the training documents most like a document vote for their labels. Learns from: weighted documents, all
of them stored. Source: 004 sec. 2 and table 5, after Yang & Liu 1999.

The index of documents by cosine gives exact neighbours without a table of all similarities. Documents lie by term, in parts of
65,536: the sums of one query over a part stay in the processor's cache, and documents that come later touch the last part only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from ...decisions.thresholds import scut
from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import TIE, Floats, Longs, with_exact_ties
from ...foundation.csr import row_sums
from ...foundation.threads import available_threads
from ...scoring.neighbours import PART, VOTES, WIDE, Part, vote_weights
from ...storage.checks import check_classifier, need, table_size
from ...storage.registry import stored
from ..classifier import stored_model
from ..table_scores import nearest, unit_rows, votes
from .vector_model import VectorModel, indicator

if TYPE_CHECKING:
    from typing import Self


COMMON = 5  # a term is common if more than one document in so many has it; 4 to 7 are equally quick on Reuters and news


def part_of(X: sparse.csr_array) -> Part:
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
    ends, documents, weights = part.postings
    return sparse.csc_array((weights, documents.astype(np.int32), ends), shape=(len(part), len(ends) - 1)).tocsr()


def _index_parts(index: CosineIndex) -> dict[str, Any]:
    return {"n_terms": index.n_terms, "parts": list(index.parts)}


def _index_of(n_terms: Any, parts: Any) -> CosineIndex:
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


def check_k(k: Any) -> None:
    """A number of neighbours is whole, and at least 1."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise InvalidSetting(f"k={k!r}: give a whole number of neighbours from 1")


def shares(scores: Floats, total: Floats, frequencies: Floats) -> Floats:
    """Each label's share of what all votes of a document count; the labels' frequencies where nobody voted."""
    any_vote = (total > 0)[:, None]
    return np.where(any_vote, scores / np.where(any_vote, total[:, None], 1.0), frequencies)


def smoothed_shares(vote_shares: Floats, k: int, frequencies: Floats) -> Floats:
    """Shares of k neighbours as they would be with one more, the average document, so that none is 0 or 1."""
    return (k * vote_shares + frequencies) / (k + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Why a document has its scores: its neighbours among the training documents, nearest first, and what each adds."""

    documents: Longs  # numbers of training documents, 0 the one learned first
    similarities: Floats
    contributions: Floats  # neighbours x labels

    @property
    def scores(self) -> Floats:
        total: Floats = self.contributions.sum(axis=0)
        return total


def _check_memory(memory: Memory) -> None:
    need(isinstance(memory.index, CosineIndex), "no index")
    need(table_size(memory.truth, "truth")[0] == len(memory.index), "other documents than labels")


@stored("memory", keys=("index", "truth"), check=_check_memory)
@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """All that was learned: the documents, their labels, and the thresholds for each k and weights, once computed."""

    index: CosineIndex
    truth: sparse.csr_array  # documents x labels
    thresholds: dict[tuple[int, str], Floats] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        return self.truth.shape[1], self.index.n_terms

    @property
    def frequencies(self) -> Floats:
        frequencies: Floats = np.asarray(self.truth.mean(axis=0)).ravel()
        return frequencies

    def left_out_scores(self, k: int, weights: str) -> Floats:
        """The scores of the training documents, each by the others."""
        similarities, neighbours = self.index.find_for_members(k, jobs=available_threads())
        return votes(vote_weights(similarities, weights), neighbours, self.truth, available_threads())

    def thresholds_for(self, k: int, weights: str) -> Floats:
        """Each label's threshold with the best F1 on the training documents, each scored by the others; none
        is assigned without a vote."""
        if (k, weights) not in self.thresholds:
            scores = self.left_out_scores(k, weights)
            scores[scores == 0] = -np.inf
            self.thresholds[k, weights] = np.maximum(scut(scores, self.truth.toarray()), 0.0)
        return self.thresholds[k, weights]


# thresholds are not stored: they are computed when first needed
@stored_model("nearest_neighbours", "memory_", check=lambda model: check_classifier(model, scores=("memory_",)))
class NearestNeighbours(VectorModel):
    """score(d, c) = sum of cos(d, d_i) over those of the k nearest training documents d_i that have label c

    k: neighbours; all documents where there are fewer. weights: what a vote counts: "similarity" (the cosine), "uniform" (1),
    or "rank" (1/place). Documents equally near, to 12 decimals, come in the order in which they were learned.

    One label a document: the best score wins. Several: those above their threshold, which has the best F1 on the training
    documents, each left out when its neighbours are looked for; it is computed when first needed. A document that has no term in
    common with any neighbour has scores 0: it gets the most frequent label, or none where documents have several, and the
    labels' frequencies as probabilities. k and weights may be changed after fitting: nothing was learned with them.
    """

    def __init__(self, *, k: int = 30, weights: str = "similarity") -> None:
        self.k = k
        self.weights = weights

    def _check_settings(self) -> None:
        check_k(self.k)
        if self.weights not in VOTES:
            raise UnknownName("vote weights", str(self.weights), VOTES)

    # -- learning

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        self.memory_ = Memory(CosineIndex(X.shape[1]).extended(X), truth.astype(np.float64))

    def _fit_thresholds(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        """Thresholds are computed when first needed; votes need no scale."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Store further documents; a new label is learned. The same as having learned all documents at once."""
        self._check_settings()
        if not hasattr(self, "memory_"):
            return self._partial_fit(X, y, classes, fitted=False)
        X, labels, several, (label_of, document_of) = self._read(X, y, reset=False)
        merged = self._merged_labels(labels, several)
        new = indicator((np.searchsorted(merged, labels)[label_of], document_of), (X.shape[0], len(merged)))
        old = self.memory_.truth
        places = np.searchsorted(merged, self.classes_)[old.indices]
        old = sparse.csr_array((old.data, places, old.indptr), shape=(old.shape[0], len(merged)))
        self.memory_ = Memory(self.memory_.index.extended(X), sparse.csr_array(sparse.vstack([old, new])))
        self.classes_ = merged
        return self

    # -- scoring

    def neighbours(self, X: Any, k: int | None = None) -> tuple[Floats, Longs]:
        """Cosines, to 12 decimals, and numbers of the k nearest training documents of each document, nearest first."""
        check_is_fitted(self)
        return self._nearest(self._check_documents(X), self.k if k is None else k)

    def _nearest(self, X: sparse.csr_array, k: int) -> tuple[Floats, Longs]:
        check_k(k)
        return self.memory_.index.find(X, k, jobs=available_threads())

    def _count_votes(self, X: sparse.csr_array) -> tuple[Floats, Floats]:
        """Scores, documents x labels, and what all votes of each document count together."""
        similarities, neighbours = self._nearest(X, self.k)
        weights = vote_weights(similarities, self.weights)
        return votes(weights, neighbours, self.memory_.truth, available_threads()), weights.sum(axis=1)

    def _scores(self, X: sparse.csr_array) -> Floats:
        check_k(self.k)
        return super()._scores(X)

    @property
    def cuts_(self) -> Floats:  # type: ignore[override]
        """Each label's threshold, where documents have several labels."""
        check_is_fitted(self)
        self._check_settings()
        return self.memory_.thresholds_for(self.k, self.weights)

    def left_out_scores(self) -> Floats:
        """Scores of the training documents by all others: what the model would have said of each, had it not been there."""
        check_is_fitted(self)
        self._check_settings()
        return self.memory_.left_out_scores(self.k, self.weights)

    def decide(self, scores: Floats) -> Any:
        """The best label, the most frequent where nobody voted; with several labels a document, those above their threshold."""
        if self.several_labels_:
            return super().decide(scores)
        return super().decide(np.where(scores.any(axis=1, keepdims=True), scores, self.memory_.frequencies))

    def predict_proba(self, X: Any) -> Floats:
        """Each label's share of what the votes count. With several labels that is the part of the neighbours that has it, and
        one more neighbour, the average document, keeps it from 0 and 1. Not calibrated: `calibration` does that."""
        check_is_fitted(self)
        scores, total = self._count_votes(self._check_documents(X))
        frequencies = self.memory_.frequencies
        if self.several_labels_:
            k = min(self.k, len(self.memory_.index))
            return smoothed_shares(shares(scores, total, frequencies), k, frequencies)
        scores = with_exact_ties(scores)
        return shares(scores, scores.sum(axis=1), frequencies)

    def decision_function(self, X: Any) -> Floats:
        """With several labels, the scores; with one, the shares of the votes; for two labels one column, second less first."""
        check_is_fitted(self)
        if self.several_labels_:
            return self.class_scores(X)
        vote_shares = self.predict_proba(X)
        if len(self.classes_) == 2:
            column: Floats = vote_shares[:, 1] - vote_shares[:, 0]
            return np.where(np.abs(column) <= TIE, 0.0, column)
        return vote_shares

    def explain(self, X: Any) -> list[Votes]:
        """For each document its neighbours and what each adds to each label's score; together they are the score."""
        similarities, neighbours = self.neighbours(X)
        weights = vote_weights(similarities, self.weights)
        return [
            Votes(places, cosines, self.memory_.truth[places].toarray() * factors[:, None])
            for places, cosines, factors in zip(neighbours, similarities, weights, strict=True)
        ]
