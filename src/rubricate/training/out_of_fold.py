"""Out-of-fold scores: each document is scored by a model fitted on the other folds, selection of terms and frequencies for
weights included.

Count models are trained on `total - fold`, all folds at once; others fold by fold, so that a hopeless one can be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pyarrow.compute as pc
from scipy import sparse

from ..counts import Counts
from ..counts.term_scores import select as best_terms
from ..foundation.arrays import Array, Bools, Floats, first_best
from ..models import MODELS
from ..models.classifier import lengths_of, per_word
from ..models.from_counts.count_model import CountModel
from ..models.from_vectors.vector_model import VectorModel
from ..models.vectors import Weighting
from ..scoring.rules import bounded
from .candidates import COMMON, Candidate, Selection
from .training_set import TrainingSet
from .validation import cross_validate


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFold:
    """What is known so far of documents, by models that have not seen them."""

    scores: Floats  # documents x labels; -inf: nothing to learn the label from
    model_decisions: Array  # by the models' own rule, 0/1
    scored: Bools  # the documents that have been scored
    unknown: Bools  # those without a word that their model knows
    joint: bool  # see `TrainingSet.joint`


def selected_terms(counts: Counts, selection: Selection | None) -> Any:
    """The columns of the selected terms in the order of the vocabulary; None for all."""
    if selection is None:
        return None
    if selection.by == COMMON:  # where no term is in so many documents, those that are in most
        frequencies = counts.documents_with[[-1]].toarray()[0]
        return np.flatnonzero(frequencies >= min(selection.top, frequencies.max(initial=0)))
    return np.sort(best_terms(counts, by=selection.by, top=selection.top))


def out_of_fold(training: TrainingSet, candidate: Candidate) -> Iterator[OutOfFold]:
    """Scores of documents by models that have not seen them, after each fold what there is so far."""
    if MODELS[candidate.model].needs_weights:
        yield from fold_by_fold(training, candidate)
        return
    table = training.table(candidate.recipe)
    result = cross_validate(
        training.fold_counts(candidate.recipe),
        table.X,
        training.folds,
        {"candidate": candidate.build()},
        terms=table.terms,
        select=None if candidate.select is None else lambda counts: selected_terms(counts, candidate.select),
        several_labels=training.multilabel,
        jobs=training.jobs,
    )
    scores, decisions = result.scores["candidate"], result.decisions["candidate"]
    if training.per_word(candidate):
        scores = per_word(scores, result.lengths)
    if not training.multilabel:
        columns = [training.label_columns[name] for name in decisions.tolist()]
        decisions = np.zeros(scores.shape, dtype=np.int8)
        decisions[np.arange(len(columns)), columns] = 1
    everything = np.ones(len(training.labels), dtype=bool)
    yield OutOfFold(scores, decisions, everything, result.lengths == 0, training.joint(candidate))


def fold_by_fold(training: TrainingSet, candidate: Candidate) -> Iterator[OutOfFold]:
    """A model of weighted documents: fitted on the other folds, one after the other."""
    parts = training.fold_counts(candidate.recipe)
    total = reduce(add, parts)
    shape = len(training.labels), len(training.names)
    scores, decisions = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int8)
    unknown = np.zeros(shape[0], dtype=bool)
    for fold, part in enumerate(parts):
        inside = training.folds == fold
        scores[inside], unknown[inside] = score_held_out(training, candidate, total - part, ~inside, inside)
        best = first_best(bounded(scores[inside]))  # its own rule where documents have one label
        decisions[np.flatnonzero(inside), best] = 1
        yield OutOfFold(scores, decisions, training.folds <= fold, unknown, training.joint(candidate))


def fit_model(
    candidate: Candidate, counts: Counts, X: sparse.csr_array | None, truth: Any, *, multilabel: bool
) -> tuple[CountModel | VectorModel, Weighting | None]:
    """The model of a candidate, from the counts of the selected terms; or from documents (X over these terms, truth 0/1), whose
    weights come from these counts."""
    model: Any = candidate.build()
    if X is None:
        return model.fit_counts(counts, several_labels=multilabel), None
    weighting = Weighting.fitted(counts, candidate.weighting or "ltc")
    return model.fit_scores(weighting.of(X), truth), weighting


def score_held_out(
    training: TrainingSet, candidate: Candidate, counts: Counts, train: Bools, test: Bools
) -> tuple[Floats, Bools]:
    """Scores of the test documents by a model of the training documents, whose counts are given; and which have no known word."""
    table = training.table(candidate.recipe)
    terms = selected_terms(counts, candidate.select)
    counts = counts if terms is None else counts.select(terms)
    columns = np.array(pc.index_in(counts.term_array, value_set=table.term_array), dtype=np.int64)
    known = [training.label_columns[name] for name in counts.labels]
    documents = truth = None
    if candidate.weighting is not None:
        documents, truth = table.X[train][:, columns], training.truth[train][:, known]
    model, weighting = fit_model(candidate, counts, documents, truth, multilabel=training.multilabel)
    X = table.X[test][:, columns]
    scores = np.full((X.shape[0], len(training.names)), -np.inf)
    scores[:, known] = model.class_scores(X if weighting is None else weighting.of(X))
    return per_word(scores, lengths_of(X)) if training.per_word(candidate) else scores, without_words(X)


def without_words(X: sparse.csr_array) -> Bools:
    """Which documents have no word that the model knows."""
    empty: Bools = np.diff(X.indptr) == 0
    return empty
