"""Out-of-fold scores are those of models fitted on the other folds, selection of terms included."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.models.vectors import Weighting
from rubricate.training.candidates import (
    Candidate,
    Selection,
    candidate,
    selection,
)
from rubricate.training.out_of_fold import out_of_fold, selected_terms
from rubricate.training.training_set import TrainingSet


@cache
def data(kind: str = "lists") -> TrainingSet:
    train, _ = rb.collections.load("enquiries")
    labels = [names[:1] for names in train.labels] if kind != "lists" else train.labels
    return TrainingSet.of(train.texts, labels, multilabel=kind != "one", folds=4, seed=0, jobs=None)


def last_result(tested: Candidate, kind: str) -> Any:
    *_, last = out_of_fold(data(kind), tested)
    return last


@pytest.mark.parametrize("kind", ["lists", "lists of one", "one"])
@pytest.mark.parametrize("name", ["multinomial", "bernoulli", "rocchio", "widrow_hoff"])
def test_out_of_fold_scores_are_those_of_a_model_fitted_on_the_other_folds(name: str, kind: str) -> None:
    tested, training = candidate(name), data(kind)
    table, inside = training.table(tested.recipe), training.folds == 1
    counts = table.at(~inside).counts.pruned()
    columns = counts.positions(counts.terms)
    model: Any = tested.build()
    X = table.X[:, [table.terms.index(term) for term in counts.terms]]
    if tested.weighting is None:
        scores = model.fit_counts(counts, several_labels=training.multilabel).class_scores(X[inside])
        if training.multilabel:  # one cut is for long documents and short ones: scores are taken per word
            scores = scores / np.maximum(X[inside].sum(axis=1), 1)[:, None]
    else:
        weighting = Weighting.fitted(counts, tested.weighting)
        scores = model.fit_scores(weighting.of(X[~inside]), training.truth[~inside]).class_scores(
            weighting.of(X[inside])
        )
    assert len(columns) == X.shape[1]
    np.testing.assert_allclose(last_result(tested, kind).scores[inside], scores, rtol=1e-9, atol=1e-9)


def test_terms_of_so_many_documents() -> None:
    counts = data().table(rb.Recipe()).counts
    columns_of_common = selected_terms(counts, selection("common:3"))
    assert (counts.documents_with[[-1]].toarray()[0][columns_of_common] >= 3).all()
    assert len(columns_of_common) == (counts.documents_with[[-1]].toarray()[0] >= 3).sum()
    assert str(Selection("common", 3)) == "common:3"
