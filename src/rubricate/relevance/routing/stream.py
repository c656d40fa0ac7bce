"""Many topics over one stream in one pass: terms -> topics, so that a document meets only the topics that ask for its words.

Text is scanned in threads ahead of what is being scored; memory holds a few megabytes of it, the topics' terms and their weights.
Documents are weighted by INQUERY's beliefs, for which all their terms count, also those that no topic has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...corpus import ID, Corpus
from ...counts.one_pass import Pass, labels_of, pieces
from ...foundation.arrays import Floats, Ints, Longs
from ...foundation.csr import csr_parts
from ...foundation.threads import available_threads, side_by_side
from ...kernels.chunks import Chunk
from ...kernels.vocabulary import Vocabulary
from ...models.additive import product
from .background import Collection
from .query import Query

__all__ = ["Passed", "Router", "Scores"]

Progress = Callable[[int, int], None]
ROOM = 1 << 16  # passed documents written at a time
TOGETHER = 2048  # documents a thread takes at a time
COMMON = 8  # a term that more than one in so many topics ask for has a dense row
CELLS = 1 << 22  # documents x topics at a time, where all scores are asked for: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """Some documents of a stream, in order, and which topic each passed with what score: three numbers a pass."""

    ids: list[str]
    document: Longs  # ascending
    topic: Ints  # ascending within a document
    score: Floats

    def by_document(self, names: list[str]) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Each document with its topics, the highest score first."""
        ends = np.searchsorted(self.document, np.arange(len(self.ids) + 1))
        topics, scores = self.topic.tolist(), self.score.tolist()
        for own, (start, end) in zip(self.ids, pairwise(ends.tolist()), strict=True):
            places = sorted(range(start, end), key=lambda at: (-round(scores[at], 12), topics[at]))
            yield own, [(names[topics[at]], scores[at]) for at in places]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Some documents of a stream, their labels, and their scores for all topics, documents x topics."""

    ids: list[str]
    labels: list[list[str]]
    scores: Floats


class Router:
    """Queries by name, laid out by their terms.

    passed(corpus)    what passes the topics' cuts, piece by piece; a topic without a cut lets nothing pass
    scores(corpus)    all scores, piece by piece
    """

    def __init__(self, queries: Mapping[str, Query], collection: Collection, *, form: str = "inquery") -> None:
        self.names, self.collection, self.form = list(queries), collection, form
        own = list(queries.values())
        terms = list(dict.fromkeys(term for query in own for term in query.terms))
        place = {term: at for at, term in enumerate(terms)}
        columns = np.array([place[term] for query in own for term in query.terms], dtype=np.int64)
        topics = np.repeat(np.arange(len(own)), [len(query.terms) for query in own])
        weights = np.concatenate([np.zeros(0), *(query.weights for query in own)])
        self.by_term = sparse.csr_array((weights, (columns, topics)), shape=(len(terms), len(own)))
        self.by_term.sort_indices()
        self.bias: Floats = np.array([query.bias for query in own], dtype=np.float64)
        self.cuts: Floats = np.array([np.inf if q.cut is None else q.cut.at for q in own], dtype=np.float64)
        self.terms, self._vocabulary = terms, Vocabulary.of(terms)
        self._frequencies = collection.frequencies(terms)
        self._postings = csr_parts(self.by_term)
        self._common = common_rows(self.by_term)

    def passed(self, corpus: Corpus, *, jobs: int | None = None, progress: Progress | None = None) -> Iterator[Passed]:
        """What passes the cuts of the topics."""
        for ids, _, X in self._believed(corpus, jobs, progress):
            yield Passed(ids, *self.passes(X, jobs=jobs))

    def scores(self, corpus: Corpus, *, jobs: int | None = None, progress: Progress | None = None) -> Iterator[Scores]:
        """The scores of all documents for all topics."""
        step = max(1, CELLS // max(len(self.names), 1))
        for ids, labels, X in self._believed(corpus, jobs, progress):
            for start in range(0, len(ids), step):
                part = slice(start, start + step)
                yield Scores(ids[part], labels[part], self.scored(X[part]))

    def passes(self, X: sparse.csr_array, *, jobs: int | None = None) -> tuple[Longs, Ints, Floats]:
        """Document, topic and score wherever the score of a row of beliefs is above the topic's cut; jobs: threads, all cores if
        None."""
        starts = range(0, X.shape[0], TOGETHER)
        parts: list[Any] = [None] * len(starts)

        def work(start: int) -> None:
            document, topic, score = self._passes(X[start : start + TOGETHER])
            parts[start // TOGETHER] = document + start, topic, score

        side_by_side(work, starts, jobs or available_threads())
        if not parts:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
        document, topic, score = (np.concatenate(own) for own in zip(*parts, strict=True))
        return document, topic, score

    def _passes(self, X: sparse.csr_array) -> tuple[Longs, Ints, Floats]:
        from ...kernels.topic_match import match_topics

        documents, state = csr_parts(X), np.zeros(2, dtype=np.int64)
        room = max(ROOM, len(self.names))
        found = (np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32), np.empty(room))
        parts: list[tuple[Any, Any, Any]] = []
        while state[1] < X.shape[0]:
            match_topics(documents, self._postings, self._common, self.bias, self.cuts, int(state[1]), found, state)
            n = int(state[0])
            parts.append((found[0][:n].copy(), found[1][:n].copy(), found[2][:n].copy()))
        document, topic, score = (np.concatenate(own) for own in zip(*parts, strict=True))
        return document, topic, score

    def scored(self, X: sparse.csr_array) -> Floats:
        """The scores of rows of beliefs, documents x topics."""
        out: Floats = np.repeat(self.bias[None, :], X.shape[0], axis=0)
        product(X, self.by_term, out)
        return out

    def _believed(
        self, corpus: Corpus, jobs: int | None, progress: Progress | None
    ) -> Iterator[tuple[list[str], list[list[str]], sparse.csr_array]]:
        scan = Pass(self.collection.recipe, [], jobs)
        names = scan.fields_of(corpus)
        for batch, chunk in scan.scan_batches(pieces(corpus), names):
            ends, values = labels_of(batch)
            own = values.to_pylist()
            labels = [own[start:end] for start, end in pairwise(ends.tolist())]
            if progress is not None:
                progress(batch.num_rows, sum(batch.column(name).nbytes for name in names))
            yield batch.column(ID).to_pylist(), labels, self.beliefs(chunk)

    def beliefs(self, chunk: Chunk) -> sparse.csr_array:
        """The documents of a chunk x the topics' terms: beliefs above 0.4."""
        known = self._vocabulary.find(chunk.vocabulary)
        # a term that no topic has is taken for one that every document has: it adds nothing, and counts in the document
        frequencies = np.append(self._frequencies, max(self.collection.n_documents, 1))[known]
        shape = (len(chunk), len(known))
        X = sparse.csr_array((chunk.times.astype(np.float64), chunk.terms, chunk.row_ends), shape=shape)
        beliefs = self.collection.beliefs(X, frequencies, form=self.form)
        wanted = known[chunk.terms] >= 0
        ends = np.concatenate([[0], np.cumsum(wanted)])[chunk.row_ends]
        columns = known[chunk.terms[wanted]]
        return sparse.csr_array((beliefs.data[wanted], columns, ends), shape=(len(chunk), len(self.terms)))


def common_rows(by_term: sparse.csr_array) -> tuple[Ints, Floats]:
    """Terms that many topics ask for: the row of each term, -1 for the others, and their weights for all topics. They take
    COMMON times the room of the postings at most."""
    asked = np.diff(by_term.indptr)
    many = np.flatnonzero(asked * COMMON > by_term.shape[1])
    place = np.full(by_term.shape[0], -1, dtype=np.int32)
    place[many] = np.arange(len(many))
    return place, np.ascontiguousarray(by_term[many].toarray(), dtype=np.float64)
