"""Predictions: what a classifier says of documents, a block at a time and in their order, by numpy alone.

    Predictions       a block: ids, scores, probabilities, decisions
    predict_blocks    blocks of a stream of documents, by a Predictor. Where what one document gets depends on the others (pcut),
                      there is one block
    top_labels        other decisions from the same probabilities: the k most probable labels, or those above a threshold
    certainty         how probable it is that all decisions on a document are correct
    each_prediction   the predictions of blocks, one by one
    word_scores       what each word adds to the score of each label that a document gets

`evaluation.predictions` makes the same blocks of large input with compiled loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InvalidSetting
from .arrays import Bools, Floats, Longs, TermVector
from .rules import k_best

if TYPE_CHECKING:
    from ..terms.fields import Document
    from .predictor import Predictor

BLOCK = 256  # documents scored together
TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Some documents, in their order: ids, the labels they came with, and what is said of them."""

    ids: list[str]
    labels: list[Sequence[str]]
    counts: Any  # of known terms: a table of documents x terms, or a list of TermVector; None where nobody needs it
    scores: Floats  # documents x labels, as the next two
    probabilities: Floats
    decisions: Longs
    unknown: Bools  # documents without a word that the model knows


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is said of one document."""

    id: str
    labels: list[Any]
    probabilities: dict[Any, float]  # of every label, the most probable first
    certainty: float  # how probable it is that all of this is right: see `certainty`
    unknown: bool  # whether it has no word that the model knows: a person should look at it


class NamedText(NamedTuple):
    """A document to predict: its id, its text or texts by field, and the labels it came with."""

    id: str
    text: Document
    labels: Sequence[str] = ()


def predict_blocks(predictor: Predictor, documents: Iterable[NamedText]) -> Iterator[Predictions]:
    """Predictions for a stream of documents, as they are read."""
    stream = iter(documents)
    size = None if predictor.decider.rule.of_batches else BLOCK
    while block := list(islice(stream, size)):
        counts, scores, probabilities, decisions, unknown = predictor.predict_texts([text for _, text, _ in block])
        ids, labels = [document.id for document in block], [document.labels for document in block]
        yield Predictions(ids, labels, counts, scores, probabilities, decisions, unknown)


def each_prediction(labels: Sequence[Any], blocks: Iterable[Predictions], *, multilabel: bool) -> Iterator[Prediction]:
    """The predictions of blocks, one by one. labels: of the classifier."""
    for block in blocks:
        certainties = certainty(block.probabilities, block.decisions, multilabel=multilabel).tolist()
        orders = np.argsort(-block.probabilities, axis=1, kind="stable").tolist()
        for n, order in enumerate(orders):
            p = block.probabilities[n].tolist()
            decided = np.flatnonzero(block.decisions[n]).tolist()
            yield Prediction(
                block.ids[n],
                [labels[column] for column in decided],
                {labels[column]: p[column] for column in order},
                certainties[n],
                bool(block.unknown[n]),
            )


def top_labels(probabilities: Floats, *, k: int | None = None, threshold: float | None = None) -> Longs:
    """The k most probable labels of each document, those with a probability above a threshold, or both; of equals the first."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise InvalidSetting(f"threshold={threshold}: a probability lies between 0 and 1")
    decisions = np.ones(probabilities.shape, dtype=np.int64) if k is None else k_best(probabilities, k)
    return decisions if threshold is None else decisions * (probabilities > threshold)


def certainty(probabilities: Floats, decisions: Any, *, multilabel: bool) -> Floats:
    """How probable it is that all decisions on a document are correct: the probability of its label; with several labels, each
    decided for itself, the product over labels of the probability of the decision."""
    if not multilabel:
        of_label: Floats = np.where(decisions > 0, probabilities, 0.0).max(axis=1)
        return of_label
    correct = np.where(decisions > 0, probabilities, 1 - probabilities)
    product: Floats = np.exp(np.log(np.maximum(correct, TINY)).sum(axis=1))
    return product


def explained_labels(decisions: Longs, probabilities: Floats) -> list[int]:
    """The labels of a document of which the words are shown: those it gets, or the most probable."""
    places: list[int] = np.flatnonzero(decisions).tolist()
    return places or [int(np.argmax(probabilities))]


def word_scores(predictor: Predictor, block: Predictions, decisions: Longs, *, top: int) -> list[dict[str, list[Any]]]:
    """For each document and each label it gets (the most probable if none): [term, what it adds], the largest first."""
    if not predictor.goes_by_terms:
        raise InvalidSetting("its scores come from documents nearby, and no word adds to them by itself")
    terms, out = predictor.vocabulary.terms, []
    counts: list[TermVector] = block.counts
    for n, document in enumerate(counts):
        explanation, words = predictor.explanation(document), dict[str, list[Any]]()
        for label in explained_labels(decisions[n], block.probabilities[n]):
            adds = np.zeros(0) if explanation is None else explanation.contributions[:, label]
            columns = np.zeros(0, dtype=np.int64) if explanation is None else explanation.terms
            first = np.argsort(-np.abs(adds).round(12), kind="stable")[:top].tolist()
            words[predictor.label_names[label]] = [[terms[columns[place]], float(adds[place])] for place in first]
        out.append(words)
    return out
