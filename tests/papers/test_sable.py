"""Parts of 004's replication on small made-up collections: the system, its choice inside the training set, the rivals' scores."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from rubricate.decisions.density import DensityEstimation
from rubricate.foundation.folds import fold_numbers
from rubricate.measures.metrics import accuracy
from rubricate.models import Multinomial
from rubricate_papers.frame.published import published
from rubricate_papers.sable.rivals import posterior
from rubricate_papers.sable.system import (
    EXCLUSIVE,
    MULTILABEL,
    SETTINGS,
    Choice,
    Setting,
    System,
    cross_validate,
    decide,
    micro_f1,
    probabilities,
    shares_of,
)


def random_documents(seed: int, *, several: bool, n: int = 60) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Counts of documents, one of them empty, and their labels."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    X = rng.poisson(rng.gamma(0.3, 1.5, (4, 30))[y])
    X[5] = 0
    Y = np.eye(4, dtype=int)[y]
    if several:
        Y |= (rng.random((n, 4)) < 0.2).astype(int)
    return sparse.csr_array(X), sparse.csr_array(Y)


def by_hand(setting: Setting, X: Any, Y: Any, new: Any) -> np.ndarray:
    """Similarities, written out."""
    df = (X > 0).sum(axis=0)
    idf = np.where(df > 0, np.log(len(X) / np.maximum(df, 1)), 0.0)

    def vectors(table: Any) -> np.ndarray:
        tf = np.where(table > 0, 1 + np.log(np.maximum(table, 1)), 0.0) if setting.log else table
        return unit(tf * idf) if setting.documents else tf * idf

    categories = Y.T @ vectors(X)
    return vectors(new) @ (unit(categories) if setting.categories else categories).T


def unit(table: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    return table / np.where(norms > 0, norms, 1)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_similarities_are_the_dot_products_of_tfidf_vectors(setting: Setting) -> None:
    X, Y = random_documents(0, several=True)
    new, _ = random_documents(1, several=True)
    scores = System.trained(setting, X, Y).scores(new)
    np.testing.assert_allclose(scores, by_hand(setting, X.toarray(), Y.toarray(), new.toarray()), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_document_left_out_is_not_in_its_own_categories(setting: Setting) -> None:
    X, Y = random_documents(2, several=True)
    system = System.trained(setting, X, Y)
    scores = system.left_out_scores(X, Y)
    for n, c in product((0, 5, 17), range(4)):
        other_labels = Y.toarray()
        other_labels[n, c] = 0
        without = System.trained(setting, X, sparse.csr_array(other_labels))  # the same documents, so the same idf
        assert scores[n, c] == pytest.approx(without.scores(X[[n]])[0, c], rel=1e-9, abs=1e-10)
        assert system.scores(X[[n]])[0, c] >= scores[n, c] - 1e-9


@pytest.mark.parametrize("documents_unit", [False, True])
def test_the_rest_of_a_category_is_a_category_of_all_other_documents(documents_unit: bool) -> None:
    X, Y = random_documents(3, several=True)
    setting = Setting(log=True, documents=documents_unit, categories=True)
    rest_scores = System.trained(setting, X, Y).rest_scores(X)
    rest = System.trained(setting, X, sparse.csr_array(1 - Y.toarray()))
    np.testing.assert_allclose(rest_scores, rest.scores(X), rtol=1e-7, atol=1e-9)


def test_probabilities_of_several_k_are_those_of_each_alone() -> None:
    X, Y = random_documents(4, several=True)
    scores = System.trained(SETTINGS[-1], X, Y).scores(X)
    for k, values in zip((1, 3, 10), probabilities(scores[:40], Y[:40], scores[40:], (1, 3, 10)), strict=True):
        expected = DensityEstimation(k=k).fit(scores[:40], Y[:40]).predict_proba(scores[40:])
        np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_micro_f1_of_one_label_a_document_is_accuracy() -> None:
    X, Y = random_documents(5, several=False)
    decisions = EXCLUSIVE.by_scores(System.trained(SETTINGS[0], X, Y).scores(X), shares_of(Y))
    assert micro_f1(decisions, Y) == pytest.approx(100 * accuracy(decisions.argmax(axis=1), Y.toarray().argmax(axis=1)))


@pytest.mark.parametrize(("rules", "several"), [(MULTILABEL, True), (EXCLUSIVE, False)])
def test_what_is_chosen_did_best_on_documents_it_had_not_seen(rules: Any, several: bool) -> None:
    X, Y = random_documents(6, several=several)
    folds = fold_numbers([[str(c) for c in row.indices] for row in (Y[[n]] for n in range(60))], 3, seed=0)
    trials = cross_validate(X, Y, folds, rules, settings=SETTINGS[-2:], ks=(1, 5))
    inside = folds == 1
    system = System.trained(SETTINGS[-1], X[~inside], Y[~inside])
    expected = rules.by_scores(system.scores(X[inside]), shares_of(Y[~inside]))
    np.testing.assert_array_equal(trials.plain[SETTINGS[-1]][inside], expected)
    choice = trials.choice()
    assert choice.density_value == max(trials.values()[1].values())
    assert decide(X, Y, X, rules, choice).density.shape == Y.shape
    assert len(trials.combo(choice).choice) == 4


def test_one_neighbour_of_the_training_documents_themselves_knows_their_labels() -> None:
    X, Y = random_documents(7, several=True)
    X, Y = X[6:], Y[6:]  # none is empty
    choice = Choice(SETTINGS[-1], 0.0, SETTINGS[-1], 1, 0.0)
    np.testing.assert_array_equal(decide(X, Y, X, MULTILABEL, choice).density, Y.toarray())


def test_a_posterior_among_all_labels_is_learned_from_copies() -> None:
    X, Y = random_documents(8, several=True)
    log_posteriors = posterior(Multinomial(), X, Y, X)
    np.testing.assert_allclose(np.exp(log_posteriors).sum(axis=1), 1)
    rows, labels = Y.nonzero()
    assert (log_posteriors.argmax(axis=1) == Multinomial().fit(X[rows], labels).predict(X)).all()


def test_printed_f1_is_that_of_printed_precision_and_recall() -> None:
    printed = published("sable")
    systems = {key.split(".")[1] for key in printed if key.startswith("table5.")}
    assert len(systems) == 8
    for name in systems:
        p, r, f = (printed[f"table5.{name}.{measure}"].number for measure in ("miP", "miR", "miF1"))
        assert f == pytest.approx(2 * p * r / (p + r), abs=0.011)
