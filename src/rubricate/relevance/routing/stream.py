"""Many topics over one stream in one pass: terms -> topics, so that a document meets only the topics that have its terms.

Text is scanned in threads ahead of scoring; in memory are a few megabytes of it, the topics' terms and their weights.
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
from ...models.table_scores import product
from ...scoring.arrays import TableByTerm
from .background import BackgroundCollection
from .query import Query

Progress = Callable[[int, int], None]
BUFFER = 1 << 16  # pairs of document and topic that a call of the kernel can return, or as many as there are topics
BLOCK = 2048  # documents a thread takes at a time
COMMON = 8  # a term that more than one in so many topics have gets a dense row
CELLS = 1 << 22  # documents x topics at a time, where all scores are returned: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class RoutedDocuments:
    """Some documents of a stream, in order, and each pair of document and topic whose score is above the threshold: row of the
    document in `ids`, number of the topic, score."""

    ids: list[str]
    document: Longs  # ascending
    topic: Ints  # ascending within a document
    score: Floats

    def by_document(self, names: list[str]) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Each document with its topics, the highest score first."""
        ends = np.searchsorted(self.document, np.arange(len(self.ids) + 1))
        topics, scores = self.topic.tolist(), self.score.tolist()
        for document, (start, end) in zip(self.ids, pairwise(ends.tolist()), strict=True):
            places = sorted(range(start, end), key=lambda at: (-round(scores[at], 12), topics[at]))
            yield document, [(names[topics[at]], scores[at]) for at in places]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Some documents of a stream, their labels, and their scores for all topics, documents x topics."""

    ids: list[str]
    labels: list[list[str]]
    scores: Floats


class Router:
    """Queries by name, laid out by their terms.

    route(corpus)     documents above the topics' thresholds, batch by batch; a topic without a threshold gets none
    scores(corpus)    all scores, batch by batch
    """

    def __init__(
        self, queries: Mapping[str, Query], collection: BackgroundCollection, *, form: str = "inquery"
    ) -> None:
        self.names, self.collection, self.form = list(queries), collection, form
        topic_queries = list(queries.values())
        terms = list(dict.fromkeys(term for query in topic_queries for term in query.terms))
        number = {term: at for at, term in enumerate(terms)}
        rows = np.array([number[term] for query in topic_queries for term in query.terms], dtype=np.int64)
        topics = np.repeat(np.arange(len(topic_queries)), [len(query.terms) for query in topic_queries])
        weights = np.concatenate([np.zeros(0), *(query.weights for query in topic_queries)])
        self.by_term = sparse.csr_array((weights, (rows, topics)), shape=(len(terms), len(topic_queries)))
        self.by_term.sort_indices()
        self.bias: Floats = np.array([query.bias for query in topic_queries], dtype=np.float64)
        self.thresholds: Floats = np.array(
            [np.inf if query.cut is None else query.cut.at for query in topic_queries], dtype=np.float64
        )
        self.terms, self._vocabulary = terms, Vocabulary.of(terms)
        self._frequencies = collection.frequencies(terms)
        self._postings = csr_parts(self.by_term)
        self._common = common_rows(self.by_term)

    def route(
        self, corpus: Corpus, *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterator[RoutedDocuments]:
        """The documents above the thresholds of the topics."""
        for ids, _, X in self._belief_batches(corpus, jobs, progress):
            yield RoutedDocuments(ids, *self.above_thresholds(X, jobs=jobs))

    def scores(self, corpus: Corpus, *, jobs: int | None = None, progress: Progress | None = None) -> Iterator[Scores]:
        """The scores of all documents for all topics."""
        step = max(1, CELLS // max(len(self.names), 1))
        for ids, labels, X in self._belief_batches(corpus, jobs, progress):
            for start in range(0, len(ids), step):
                rows = slice(start, start + step)
                yield Scores(ids[rows], labels[rows], self.score_rows(X[rows]))

    def above_thresholds(self, X: sparse.csr_array, *, jobs: int | None = None) -> tuple[Longs, Ints, Floats]:
        """Document, topic and score wherever the score of a row of beliefs is above the topic's threshold; jobs: threads, all
        cores if None."""
        starts = range(0, X.shape[0], BLOCK)
        blocks: list[Any] = [None] * len(starts)

        def route_block(start: int) -> None:
            document, topic, score = self._above_thresholds(X[start : start + BLOCK])
            blocks[start // BLOCK] = document + start, topic, score

        side_by_side(route_block, starts, jobs or available_threads())
        if not blocks:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
        document, topic, score = (np.concatenate(columns) for columns in zip(*blocks, strict=True))
        return document, topic, score

    def _above_thresholds(self, X: sparse.csr_array) -> tuple[Longs, Ints, Floats]:
        from ...kernels.products import match_topics

        documents, state = csr_parts(X), np.zeros(2, dtype=np.int64)  # state: pairs written, next document
        size = max(BUFFER, len(self.names))
        buffer = (np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32), np.empty(size))
        parts: list[tuple[Any, Any, Any]] = []
        while state[1] < X.shape[0]:
            match_topics(
                documents, self._postings, self._common, self.bias, self.thresholds, int(state[1]), buffer, state
            )
            n = int(state[0])
            parts.append((buffer[0][:n].copy(), buffer[1][:n].copy(), buffer[2][:n].copy()))
        document, topic, score = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return document, topic, score

    def score_rows(self, X: sparse.csr_array) -> Floats:
        """The scores of rows of beliefs, documents x topics."""
        out: Floats = np.repeat(self.bias[None, :], X.shape[0], axis=0)
        product(X, TableByTerm(*self._postings), out)
        return out

    passed, passes, scored = route, above_thresholds, score_rows  # earlier names

    def _belief_batches(
        self, corpus: Corpus, jobs: int | None, progress: Progress | None
    ) -> Iterator[tuple[list[str], list[list[str]], sparse.csr_array]]:
        scan = Pass(self.collection.recipe, [], jobs)
        names = scan.fields_of(corpus)
        for batch, chunk in scan.scan_batches(pieces(corpus), names):
            ends, values = labels_of(batch)
            all_labels = values.to_pylist()
            labels = [all_labels[start:end] for start, end in pairwise(ends.tolist())]
            if progress is not None:
                progress(batch.num_rows, sum(batch.column(name).nbytes for name in names))
            yield batch.column(ID).to_pylist(), labels, self.beliefs(chunk)

    def beliefs(self, chunk: Chunk) -> sparse.csr_array:
        """The documents of a chunk x the topics' terms: beliefs above 0.4."""
        numbers = self._vocabulary.find(chunk.vocabulary)  # -1: no topic has the term
        # such a term is weighted as if all documents had it: its belief is dropped below, but length and maximum tf include it
        frequencies = np.append(self._frequencies, max(self.collection.n_documents, 1))[numbers]
        shape = (len(chunk), len(numbers))
        X = sparse.csr_array((chunk.times.astype(np.float64), chunk.terms, chunk.row_ends), shape=shape)
        beliefs = self.collection.beliefs(X, frequencies, form=self.form)
        in_queries = numbers[chunk.terms] >= 0
        ends = np.concatenate([[0], np.cumsum(in_queries)])[chunk.row_ends]
        columns = numbers[chunk.terms[in_queries]]
        return sparse.csr_array((beliefs.data[in_queries], columns, ends), shape=(len(chunk), len(self.terms)))


def common_rows(by_term: sparse.csr_array) -> tuple[Ints, Floats]:
    """Dense rows of the terms that many topics have: the row of each term, -1 for the others, and the rows' weights for all
    topics. They take COMMON times the memory of the postings at most."""
    topics_with = np.diff(by_term.indptr)
    common = np.flatnonzero(topics_with * COMMON > by_term.shape[1])
    row = np.full(by_term.shape[0], -1, dtype=np.int32)
    row[common] = np.arange(len(common))
    return row, np.ascontiguousarray(by_term[common].toarray(), dtype=np.float64)
