"""Predictions: what a fitted classifier says of a stream of documents, piece by piece and in order, in bounded memory.

A piece is scanned, scored and decided by one thread while the next ones are read; the vocabulary is laid out once. No text is
held beyond the pieces under way, one more than there are threads, and no table is larger than CELLS. Where what one document
gets depends on the others (`Decision.of_batches`), scores of all documents are held, and decided together at the end.

    predict              a prediction for each document, in order: what `rubricate.predict` is
    predictions          blocks of a corpus with scores, probabilities and decisions
    labelled_predictions all of a labelled corpus, beside its truth, to be evaluated
    word_scores          what each word adds to the score of each label that a document gets
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..corpus import ID, Corpus
from ..counts.one_pass import Pass, labels_of, pieces
from ..errors import InvalidSetting
from ..foundation.arrays import Bools
from ..foundation.threads import alone, in_order
from ..models.classifier import lengths_of
from ..models.from_vectors.nearest_neighbours import NearestNeighbours
from ..scoring.arrays import Explanation
from ..scoring.predictions import Prediction, Predictions, each_prediction, explained_labels
from ..scoring.reasons import per_word
from ..training.text_classifier import TextClassifier, load
from ..training.training_set import documents_of
from .labelled_predictions import LabelledPredictions, with_truth

if TYPE_CHECKING:
    import pyarrow as pa


CELLS = 2**20  # documents x labels at a time: 8 MB a table
PIECE_BYTES = 4 << 20  # of text that a thread takes at a time
INSTANT = 0.2  # seconds


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
    blocks = predictions(fitted, corpus, jobs=jobs, progress=progress)
    return each_prediction(fitted.classes_.tolist(), blocks, multilabel=fitted.several_labels_)


def names_of_labels(model: TextClassifier) -> list[str]:
    """The labels of a model in words."""
    return [str(label) for label in model.classes_.tolist()]


def predictions(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    terms: bool = False,
) -> Iterator[Predictions]:
    """What the model says of each document of a corpus. terms: with the documents' counts, for `word_scores`."""
    blocks = predict_pieces(PieceScorer(model, corpus, jobs, terms), progress)
    return decide_together(model, blocks) if model.decision_.of_batches else blocks


class PieceScorer:
    """A model at work on a corpus: what a thread needs for a piece."""

    def __init__(self, model: TextClassifier, corpus: Corpus, jobs: int | None, terms: bool) -> None:
        self.model, self.corpus, self.terms = model, corpus, terms
        self.scan = Pass(model.recipe_, model.terms_, jobs)
        self.fields = self.scan.fields_of(corpus)
        self.rows = max(1, CELLS // max(len(model.classes_), 1))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The corpus in pieces that a thread takes, with no more documents than a table may have."""
        for piece in gather(pieces(self.corpus), self.fields):
            for start in range(0, piece.num_rows, self.rows):
                yield piece.slice(start, self.rows)

    def predict(self, piece: pa.RecordBatch) -> Predictions:
        """What is said of a piece; decisions of batches are left to `decide_together`."""
        X = self.scan.table_of(piece, self.fields)
        ends, values = labels_of(piece)
        names = values.to_pylist()
        labels = [names[start:end] for start, end in pairwise(ends.tolist())] if names else [[]] * piece.num_rows
        scores = self.model.score_table(X)
        unknown: Bools = np.diff(X.indptr) == 0
        parts = piece.column(ID).to_pylist(), labels, X if self.terms else None, scores
        if self.model.decision_.of_batches:
            return Predictions(*parts, np.zeros((0, 0)), np.zeros((0, 0), dtype=np.int64), unknown)
        p = self.model.probabilities_of_scores(scores, unknown)
        return Predictions(*parts, p, self.model.decide_scores(scores, unknown), unknown)


def gather(batches: Iterator[pa.RecordBatch], fields: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches put together: of a large piece more time goes into compiled loops, which do not hold up the reader. The first
    answers are wanted soon, and a slow stream is not waited for: pieces grow batch by batch, and are gathered for an instant."""
    waiting: list[pa.RecordBatch] = []
    size, most, start = 0, 1, time.monotonic()
    for batch in batches:
        waiting.append(batch)
        size += sum(batch.column(name).nbytes for name in fields)
        if len(waiting) >= most or size >= PIECE_BYTES or time.monotonic() - start > INSTANT:
            yield join(waiting)
            waiting, size, most, start = [], 0, most + 1, time.monotonic()
    if waiting:
        yield join(waiting)


def join(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Several batches as one."""
    import pyarrow as pa

    if len(batches) == 1:
        return batches[0]
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def predict_pieces(work: PieceScorer, progress: Callable[[int, int], None] | None) -> Iterator[Predictions]:
    """Predictions for each piece, in their order, made in threads ahead of whoever takes them."""

    def reported(piece: pa.RecordBatch, block: Predictions) -> Predictions:
        if progress is not None:
            progress(piece.num_rows, sum(piece.column(name).nbytes for name in work.fields))
        return block

    if work.scan.jobs == 1:
        for piece in work.batches():
            with alone():
                block = work.predict(piece)
            yield reported(piece, block)
        return
    with closing(in_order(work.predict, work.batches(), work.scan.jobs)) as pairs:
        for piece, block in pairs:
            yield reported(piece, block)


def decide_together(model: TextClassifier, pieces: Iterator[Predictions]) -> Iterator[Predictions]:
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


def goes_by_terms(model: TextClassifier) -> bool:
    """Whether terms add up to its scores; those of nearest neighbours come from documents."""
    return not isinstance(model.model_, NearestNeighbours)


def explanations(model: Any, X: sparse.csr_array, *, by_word: bool = False) -> list[Explanation]:
    """What the terms of each text, its row as the model takes it, add to its scores. by_word: to scores that are divided by the
    length of the text."""
    parts: list[Explanation] = model.explain(X)
    if not by_word:
        return parts
    return [per_word(part, max(n, 1.0)) for part, n in zip(parts, lengths_of(X).tolist(), strict=True)]


def word_scores(model: TextClassifier, piece: Predictions, decisions: Any, *, top: int) -> list[dict[str, list[Any]]]:
    """For each document and each label it is given (the most probable if none): [term, what it adds], the largest first."""
    if not goes_by_terms(model):
        raise InvalidSetting(
            f"{model.candidate_}: its scores come from documents nearby, and no word adds to them by itself"
        )
    if piece.counts is None:
        raise InvalidSetting(
            "these predictions are without the documents' counts: ask for them with predictions(..., terms=True)"
        )
    names = names_of_labels(model)
    parts = explanations(model.model_, model.weight_table(piece.counts), by_word=model.per_word_)
    out = []
    for n, explanation in enumerate(parts):
        document: dict[str, list[Any]] = {}
        for label in explained_labels(decisions[n], piece.probabilities[n]):
            adds = explanation.contributions[:, label]
            first = np.argsort(-np.abs(adds).round(12), kind="stable")[:top].tolist()
            document[names[label]] = [[model.terms_[explanation.terms[place]], float(adds[place])] for place in first]
        out.append(document)
    return out


def labelled_predictions(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LabelledPredictions:
    """Predictions for all documents of a labelled corpus."""
    blocks = predictions(model, corpus, jobs=jobs, progress=progress)
    labels = names_of_labels(model)
    return with_truth(blocks, labels=labels, multilabel=model.several_labels_, name=corpus.name)
