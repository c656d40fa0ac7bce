"""What the training documents are like to a model that has not seen them: the reference with which `drift` compares new ones.

Labels and certainty of each fold are those that the other folds give it (`trial`): it is new to them.
Unknown terms are counted document by document: a term is new to the other documents if none of them has it, or too few for the
selection of terms. Held out by folds, documents would have more of them than new documents will: the model knows all folds.
"""

from __future__ import annotations

import numpy as np

from ..counts import Counts
from ..foundation.arrays import Bools, Floats, Longs
from ..measures.metrics.names import Measure
from ..models.classifier import lengths_of
from ..scoring.document_profile import DocumentProfile
from ..scoring.predictions import certainty
from .candidates import COMMON, Candidate
from .out_of_fold import selected_terms
from .training_set import TrainingSet
from .trial import Trial, fold_deciders


def reference_profile(
    training: TrainingSet, trial: Trial, by: Measure, probabilities: Floats | None, *, labels: list[str]
) -> DocumentProfile:
    """The profile of the training documents, held out. probabilities: by the curves of the other folds, as `fit_final_decider`
    has them; labels: of the classifier, in order; no document may have some of them."""
    table = training.table(trial.candidate.recipe)
    columns = np.array([place for place, name in enumerate(labels) if name in training.label_columns])
    decisions = np.zeros((len(training.labels), len(labels)), dtype=bool)
    if probabilities is not None and by.needs == "decisions":  # the trial has them
        single = np.eye(len(columns), dtype=bool)
        decisions[:, columns] = trial.decisions.toarray() > 0 if training.multilabel else single[trial.decisions]
        certainties = certainty(probabilities, decisions, multilabel=training.multilabel)
    else:
        decisions[:, columns], certainties = held_out_decisions(training, trial, by)
    known = terms_known_without_their_document(table.counts, trial.candidate)
    return DocumentProfile.of(
        lengths=lengths_of(table.X),
        known=table.X @ known.astype(np.float64),
        certainties=certainties,
        decisions=decisions,
        folds=training.n_folds,
    )


def held_out_decisions(training: TrainingSet, trial: Trial, by: Measure) -> tuple[Bools, Floats]:
    """Decisions on each fold by what the other folds learned, documents x labels, and how certain each document's are."""
    out_of_fold = trial.out_of_fold
    decisions, certainties = np.zeros(out_of_fold.scores.shape, dtype=bool), np.zeros(len(training.labels))
    for inside, fitted in fold_deciders(training, out_of_fold, by, trial.rule, calibrated=True):
        unknown, decider = out_of_fold.unknown[inside], fitted.applied
        scores = decider.scores(out_of_fold.scores[inside], unknown)
        model_decisions = np.asarray(out_of_fold.model_decisions, dtype=np.int64)[inside]
        fold_decisions = decider.decide(scores, unknown, model_decisions)
        probabilities = decider.probabilities(scores, unknown)
        certainties[inside] = certainty(probabilities, fold_decisions, multilabel=training.multilabel)
        decisions[inside] = fold_decisions > 0
    return decisions, certainties


def terms_known_without_their_document(counts: Counts, candidate: Candidate) -> Bools:
    """Which terms a model would know if one of the documents that have them were taken away: those that are selected and in
    another document; in so many others as `common:N` asks for. A selection by a score is taken not to change for one document."""
    others: Longs = counts.documents_with[[-1]].toarray()[0] - 1
    selection = candidate.select
    if selection is not None and selection.by == COMMON:
        return others >= min(selection.top, max(int(others.max(initial=0)), 1))
    known: Bools = others >= 1
    columns = selected_terms(counts, selection)
    return known if columns is None else known & np.isin(np.arange(len(known)), columns)
