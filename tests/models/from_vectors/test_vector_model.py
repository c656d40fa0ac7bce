"""What all classifiers of weighted documents share, whoever solves them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import rubricate as rb
from rubricate import term_scores, vectors
from rubricate.models import MODELS, NeuralNet

KINDS = [row.kind for row in MODELS.values() if row.needs_weights]


def some(several: bool = True) -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(0)
    rates = draw.gamma(0.4, 1.0, (4, 30))
    y = draw.integers(0, 4, 90)
    counts = draw.poisson(rates[y])
    counts[:2] = 0  # empty documents
    X = vectors.cosine(sparse.csr_array(counts.astype(float)))
    Y = np.eye(4, dtype=int)[y]
    Y[draw.random((90, 4)) < 0.1] = 1
    return X[:70], (Y if several else y)[:70], X[70:]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_sparse_and_dense_documents_give_the_same_model(kind: Any, several: bool) -> None:
    X, y, new = some(several)
    scores = kind().fit(X, y).class_scores(new)
    assert scores.shape == (20, 4)
    assert np.isfinite(scores).all()
    assert (kind().fit(X.toarray(), y).class_scores(new.toarray()) == scores).all()
    again = clone(kind()).fit(X, y)
    assert (again.class_scores(new) == scores).all()  # nothing depends on anything but data and seed


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_labels_and_an_indicator_matrix_are_the_same(kind: Any) -> None:
    X, Y, new = some()
    lists = [[f"label {n}" for n in np.flatnonzero(row)] for row in Y]
    by_name, by_number = kind().fit(X, lists), kind().fit(X, Y)
    assert by_name.classes_.tolist() == [f"label {n}" for n in range(4)]
    assert (by_name.predict(new) == by_number.predict(new)).all()
    probabilities = by_number.predict_proba(new)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_of_one_label_a_document_sum_to_one(kind: Any) -> None:
    X, y, new = some(several=False)
    model = kind().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)
    assert set(model.predict(new)) <= {0, 1, 2, 3}
    assert (model.predict(X[2:]) == y[2:]).mean() > 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_a_label_without_documents_harms_nobody(kind: Any) -> None:
    X, Y, new = some()
    none = kind().fit(X, np.column_stack([Y, np.zeros(70, dtype=int)]))
    assert none.class_scores(new).shape == (20, 5)
    assert (none.predict(new)[:, 4] == 0).all()
    if kind is not NeuralNet:  # its labels share a hidden layer
        assert (none.predict(new)[:, :4] == kind().fit(X, Y).predict(new)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_scores_alone_are_those_of_a_fit_with_cuts(kind: Any) -> None:
    X, Y, new = some()
    alone = kind().fit_scores(X, sparse.csr_array(Y))
    np.testing.assert_array_equal(alone.class_scores(new), kind().fit(X, Y).class_scores(new))


@pytest.mark.parametrize("kind", KINDS)
def test_terms_are_selected_by_the_same_call_as_for_count_models(kind: Any) -> None:
    train, test = rb.collections.load("enquiries")
    table = rb.tabulate(train.texts[:150], labels=train.labels[:150])
    chosen = np.sort(term_scores.select(table.counts, by="chi2", top=100, min_occurrences=2))
    counts = table.counts.select(chosen)
    X = vectors.weighted(table.X[:, chosen], counts, "wilbur_tfidf")
    model = kind().fit(X, table.labels)
    new = rb.tabulate(test.texts[:10], terms=counts.terms)
    assert model.class_scores(vectors.weighted(new.X, counts, "wilbur_tfidf")).shape == (10, len(counts.labels))
