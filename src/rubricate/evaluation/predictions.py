"""Answers: what a fitted classifier says of a stream of documents, piece by piece and in order, in bounded memory.

A piece is scanned, scored and decided by one thread while the next ones are read; the vocabulary is laid out once. No text is
held beyond the pieces under way, one more than there are threads, and no table is larger than CELLS. Where what one document
gets depends on the others (`Decision.of_batches`), scores of all documents are held, and decided together at the end.

    predict        a prediction for each document, in order: what `rubricate.predict` is
    answered       pieces of a corpus with scores, probabilities and decisions
    collected      all of a labelled corpus, beside its truth, for judging
    chosen         other decisions from the same probabilities: the k most probable labels, or those above a threshold
    surely         how probable it is that all decisions on a document are right
    word_scores    what each word adds to the score of each label that a document is given
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..corpus import ID, Corpus
from ..counts import indicator
from ..counts.one_pass import Pass, labels_of, pieces
from ..decisions.thresholds import rcut
from ..errors import InputError, InvalidSetting
from ..foundation.arrays import Bools, Floats, Longs
from ..foundation.threads import alone, in_order
from ..models.from_vectors.nearest_neighbours import NearestNeighbours
from ..training.reasons import all_by_terms
from ..training.text_classifier import TextClassifier, load
from ..training.training_set import documents_of

if TYPE_CHECKING:
    import pyarrow as pa


CELLS = 2**20  # documents x labels at a time: 8 MB a table
PIECE_BYTES = 4 << 20  # of text that a thread takes at a time
INSTANT = 0.2  # seconds
TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Some documents, in their order: ids, the labels they came with, counts of known terms, and what is said of them."""

    ids: list[str]
    labels: list[list[str]]
    X: sparse.csr_array | None  # documents x terms of the model, where it was asked for
    scores: Floats  # documents x labels, as the next two
    probabilities: Floats
    decisions: Longs
    unknown: Bools  # documents without a word that the model knows


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Answers to a labelled corpus and its truth, documents x labels. `unknown`: labels that the model does not know; they have
    columns too, in which nothing is ever given."""

    ids: list[str]
    names: list[str]
    truth: sparse.csr_array
    decisions: sparse.csr_array
    probabilities: Floats
    scores: Floats
    several: bool
    unknown: list[str]
    without: int  # documents that were left out: a model of one label a document cannot be judged by those without
    rows: Longs  # where the others stand in the corpus


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is said of one document."""

    id: str
    labels: list[Any]
    probabilities: dict[Any, float]  # of every label, the most probable first
    certainty: float  # how probable it is that all of this is right: see `surely`
    unknown: bool  # whether it has no word that the model knows: a person should look at it


def predict(
    model: TextClassifier | str | Path,
    documents: Any,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Prediction]:
    """A prediction for each document of a corpus (or list of texts), in order, made as they are read: memory holds a few
    megabytes of text, however many there are.

    model: a TextClassifier, or its file. progress: called with documents and bytes of text.

    >>> import rubricate as rb
    >>> model = rb.TextClassifier("multinomial").fit(["corn and wheat", "gold and silver"] * 4, ["grain", "metal"] * 4)
    >>> [prediction.labels for prediction in rb.predict(model, ["wheat", "silver mine"])]
    [['grain'], ['metal']]
    """
    fitted = load(model) if isinstance(model, str | Path) else model
    corpus = documents_of(documents)
    corpus = corpus if isinstance(corpus, Corpus) else Corpus.from_texts(corpus)
    return each_document(fitted, answered(fitted, corpus, jobs=jobs, progress=progress))


def each_document(model: TextClassifier, pieces: Iterator[Answers]) -> Iterator[Prediction]:
    """The predictions of pieces, one by one."""
    labels = model.classes_.tolist()
    for piece in pieces:
        certain = surely(piece.probabilities, piece.decisions, several=model.several_labels_).tolist()
        orders = np.argsort(-piece.probabilities, axis=1, kind="stable").tolist()
        for n, order in enumerate(orders):
            p = piece.probabilities[n].tolist()
            decided = np.flatnonzero(piece.decisions[n]).tolist()
            yield Prediction(
                piece.ids[n],
                [labels[column] for column in decided],
                {labels[column]: p[column] for column in order},
                certain[n],
                bool(piece.unknown[n]),
            )


def names_of_labels(model: TextClassifier) -> list[str]:
    """The labels of a model in words."""
    return [str(label) for label in model.classes_.tolist()]


def answered(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    terms: bool = False,
) -> Iterator[Answers]:
    """What the model says of each document of a corpus. terms: with the documents' counts, for `word_scores`."""
    answers = each_piece(Answering(model, corpus, jobs, terms), progress)
    return decided_together(model, answers) if model.decision_.of_batches else answers


class Answering:
    """A model at work on a corpus: what a thread needs to answer a piece."""

    def __init__(self, model: TextClassifier, corpus: Corpus, jobs: int | None, terms: bool) -> None:
        self.model, self.corpus, self.terms = model, corpus, terms
        self.scan = Pass(model.recipe_, model.terms_, jobs)
        self.fields = self.scan.fields_of(corpus)
        self.rows = max(1, CELLS // max(len(model.classes_), 1))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The corpus in pieces that a thread takes, with no more documents than a table may have."""
        for piece in gathered(pieces(self.corpus), self.fields):
            for start in range(0, piece.num_rows, self.rows):
                yield piece.slice(start, self.rows)

    def answer(self, piece: pa.RecordBatch) -> Answers:
        """What is said of a piece; decisions of batches are left to `decided_together`."""
        X = self.scan.table_of(piece, self.fields)
        ends, values = labels_of(piece)
        names = values.to_pylist()
        labels = [names[start:end] for start, end in pairwise(ends.tolist())] if names else [[]] * piece.num_rows
        scores = self.model.score_table(X)
        unknown: Bools = np.diff(X.indptr) == 0
        parts = piece.column(ID).to_pylist(), labels, X if self.terms else None, scores
        if self.model.decision_.of_batches:
            return Answers(*parts, np.zeros((0, 0)), np.zeros((0, 0), dtype=np.int64), unknown)
        p = self.model.probabilities_of_scores(scores, unknown)
        return Answers(*parts, p, self.model.decide_scores(scores, unknown), unknown)


def gathered(batches: Iterator[pa.RecordBatch], fields: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches put together: of a large piece more time goes into compiled loops, which do not hold up the reader. The first
    answers are wanted soon, and a slow stream is not waited for: pieces grow batch by batch, and are gathered for an instant."""
    waiting: list[pa.RecordBatch] = []
    size, most, start = 0, 1, time.monotonic()
    for batch in batches:
        waiting.append(batch)
        size += sum(batch.column(name).nbytes for name in fields)
        if len(waiting) >= most or size >= PIECE_BYTES or time.monotonic() - start > INSTANT:
            yield joined(waiting)
            waiting, size, most, start = [], 0, most + 1, time.monotonic()
    if waiting:
        yield joined(waiting)


def joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Several batches as one."""
    import pyarrow as pa

    if len(batches) == 1:
        return batches[0]
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def each_piece(work: Answering, progress: Callable[[int, int], None] | None) -> Iterator[Answers]:
    """The answers to each piece, in their order, made in threads ahead of whoever takes them."""

    def reported(piece: pa.RecordBatch, answers: Answers) -> Answers:
        if progress is not None:
            progress(piece.num_rows, sum(piece.column(name).nbytes for name in work.fields))
        return answers

    if work.scan.jobs == 1:
        for piece in work.batches():
            with alone():
                answers = work.answer(piece)
            yield reported(piece, answers)
        return
    with closing(in_order(work.answer, work.batches(), work.scan.jobs)) as pairs:
        for piece, answers in pairs:
            yield reported(piece, answers)


def decided_together(model: TextClassifier, pieces: Iterator[Answers]) -> Iterator[Answers]:
    """The pieces again, when all have been scored and can be decided together."""
    scored = deque(pieces)
    if not scored:
        return
    scores, unknown = (np.concatenate([getattr(piece, name) for piece in scored]) for name in ("scores", "unknown"))
    decisions = sparse.csr_array(model.decide_scores(scores, unknown))
    start = 0
    while scored:
        piece = scored.popleft()  # frees the memory of pieces that have been taken
        end = start + len(piece.ids)
        probabilities = model.probabilities_of_scores(piece.scores, piece.unknown)
        yield replace(piece, probabilities=probabilities, decisions=decisions[start:end].toarray())
        start = end


def chosen(probabilities: Floats, *, k: int | None = None, threshold: float | None = None) -> Longs:
    """The k most probable labels of each document, those with a probability above a threshold, or both; of equals the first."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise InvalidSetting(f"threshold={threshold}: a probability lies between 0 and 1")
    decisions = np.ones(probabilities.shape, dtype=np.int64) if k is None else rcut(probabilities, k)
    return decisions if threshold is None else decisions * (probabilities > threshold)


def surely(probabilities: Floats, decisions: Any, *, several: bool) -> Floats:
    """How probable it is that all decisions on a document are right: the probability of its label; with several labels, each
    decided for itself, the product over labels of the probability of the decision."""
    if not several:
        of_label: Floats = np.where(decisions > 0, probabilities, 0.0).max(axis=1)
        return of_label
    correct = np.where(decisions > 0, probabilities, 1 - probabilities)
    product: Floats = np.exp(np.log(np.maximum(correct, TINY)).sum(axis=1))
    return product


def goes_by_terms(model: TextClassifier) -> bool:
    """Whether terms add up to its scores; those of nearest neighbours come from documents."""
    return not isinstance(model.model_, NearestNeighbours)


def word_scores(model: TextClassifier, piece: Answers, decisions: Any, *, top: int) -> list[dict[str, list[Any]]]:
    """For each document and each label it is given (the most probable if none): [term, what it adds], the largest first."""
    if not goes_by_terms(model):
        raise InvalidSetting(
            f"{model.candidate_}: its scores come from documents nearby, and no word adds to them by itself"
        )
    if piece.X is None:
        raise InvalidSetting(
            "these answers are without the documents' counts: ask for them with answered(..., terms=True)"
        )
    names = names_of_labels(model)
    explanations = all_by_terms(model.model_, model.weight_table(piece.X), by_word=model.per_word_)
    out = []
    for n, explanation in enumerate(explanations):
        labels = np.flatnonzero(decisions[n]).tolist() or [int(np.argmax(piece.probabilities[n]))]
        document: dict[str, list[Any]] = {}
        for label in labels:
            adds = explanation.contributions[:, label]
            first = np.argsort(-np.abs(adds).round(12), kind="stable")[:top].tolist()
            document[names[label]] = [[model.terms_[explanation.terms[place]], float(adds[place])] for place in first]
        out.append(document)
    return out


def collected(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Collected:
    """The answers to all documents of a labelled corpus. Documents without labels are documents that no label fits, unless the
    model gives one label to every document: then they are left out."""
    ids: list[str] = []
    labels: list[list[str]] = []
    rows, tables = [], []
    documents = 0
    for piece in answered(model, corpus, jobs=jobs, progress=progress):
        used = [n for n, names in enumerate(piece.labels) if names or model.several_labels_]
        ids += [piece.ids[n] for n in used]
        labels += [piece.labels[n] for n in used]
        rows.append(np.array(used, dtype=np.int64) + documents)
        tables.append((piece.scores[used], piece.probabilities[used], sparse.csr_array(piece.decisions[used])))
        documents += len(piece.ids)
    if not any(labels):
        raise InputError(corpus.name, "no document has a label to judge by", "name the column of labels with --labels")
    scores, probabilities = (np.concatenate([table[n] for table in tables]) for n in (0, 1))
    decisions = sparse.csr_array(sparse.vstack([table[2] for table in tables]))
    known = names_of_labels(model)
    unknown = sorted({label for document in labels for label in document} - set(known))
    names = [*known, *unknown]
    if unknown:
        lowest = min(0.0, float(scores[np.isfinite(scores)].min(initial=0.0))) - 1
        scores, probabilities = (
            np.pad(table, ((0, 0), (0, len(unknown))), constant_values=value)
            for table, value in ((scores, lowest), (probabilities, 0.0))
        )
        decisions = sparse.csr_array(
            (decisions.data, decisions.indices, decisions.indptr), shape=(len(ids), len(names))
        )
    several = model.several_labels_ or any(len(document) > 1 for document in labels)
    truth = indicator(labels, names).astype(np.int64)
    return Collected(
        ids,
        names,
        truth,
        decisions,
        probabilities,
        scores,
        several,
        unknown,
        documents - len(ids),
        np.concatenate(rows),
    )
