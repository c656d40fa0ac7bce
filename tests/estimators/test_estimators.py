"""scikit-learn's own checks over every model, and what all models share: sparse = dense, fit = fit_counts, exact forgetting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import rubricate as rb
import toy
from rubricate import models
from rubricate.errors import InvalidSetting, NeedsRecount, NeverCounted, UnknownName
from rubricate.models import ALIASES, COUNT_MODELS, MODELS, model_named
from rubricate.training.candidates import candidate

KINDS = [row.kind for row in COUNT_MODELS.values()]
SELECTABLE = [row.kind for row in COUNT_MODELS.values() if not row.needs_lengths]
POSITIVE_ONLY = (
    "the check draws blobs with negative values and does not heed the tag positive_only; scikit-learn's own discrete naive "
    "Bayes have no decision_function and are never asked"
)


def test_models_answer_to_the_names_that_people_type_first() -> None:
    for name, row in MODELS.items():
        assert model_named(name) is row
    for alias, name in ALIASES.items():
        assert alias not in MODELS
        assert model_named(alias) is MODELS[name]
        assert candidate(alias).model == name
    named = {
        "knn": models.KNearestNeighbours,
        "linear_svm": models.LinearSVM,
        "logistic_regression": models.LogisticRegression,
        "naive_bayes": models.MultinomialNB,
        "ridge": models.Ridge,
        "svm": models.LinearSVM,
    }
    assert all(model_named(name).kind is kind for name, kind in named.items())
    with pytest.raises(UnknownName, match="support_vector"):
        model_named("svn")


def expected_failures(estimator: Any) -> dict[str, str]:
    return {"check_decision_proba_consistency": POSITIVE_ONLY} if type(estimator) in KINDS else {}


@parametrize_with_checks([row.kind() for row in MODELS.values()], expected_failed_checks=expected_failures)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def some_data(seed: int = 0, several: bool = False) -> tuple[Any, Any, Any]:
    """Counts of 60 documents with three labels; 30 more; terms that some labels lack; an empty document."""
    draw = np.random.default_rng(seed)
    rates = draw.gamma(0.3, 1.0, (3, 25)) * (draw.random((3, 25)) < 0.7)
    y = draw.integers(0, 3, 90)
    X = draw.poisson(rates[y] * 1.5)
    X[0] = 0
    if several:
        Y = np.eye(3, dtype=int)[y]
        Y[draw.random((90, 3)) < 0.15] = 1
        Y[draw.random(90) < 0.1] = 0
        return X[:60], Y[:60], X[60:]
    return X[:60], y[:60], X[60:]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_sparse_and_dense_counts_and_statistics_give_the_same_model(kind: Any, several: bool) -> None:
    X, y, new = some_data(several=several)
    dense = kind().fit(X, y)
    expected = dense.class_scores(new)
    assert expected.shape == (30, 3)
    assert (kind().fit(sparse.csr_matrix(X), y).class_scores(sparse.csr_array(new)) == expected).all()
    from_counts = kind().fit_counts(rb.Counts.from_matrix(X, y))
    assert from_counts.several_labels_ == several
    assert (from_counts.class_scores(new) == expected).all()


@pytest.mark.parametrize("kind", KINDS)
def test_each_label_against_the_rest_is_the_two_label_problem(kind: Any) -> None:
    X, Y, new = some_data(several=True)
    together = kind().fit(X, Y)
    scores, probabilities, decisions = together.class_scores(new), together.predict_proba(new), together.predict(new)
    for label in range(3):
        alone = kind().fit(X, Y[:, label])
        own = alone.class_scores(new)
        expected = own[:, 1] if together.posterior == "itself" else own[:, 1] - own[:, 0]
        np.testing.assert_allclose(scores[:, label], expected, rtol=1e-9, atol=1e-11)
        clear = np.abs(expected - (0.5 if together.posterior == "itself" else 0)) > 1e-9
        assert (decisions[clear, label] == alone.predict(new)[clear]).all()
        if together.posterior == "softmax":
            np.testing.assert_allclose(probabilities[:, label], alone.predict_proba(new)[:, 1], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_learned_and_taken_back_was_never_seen_bit_for_bit(kind: Any, several: bool) -> None:
    X, y, new = some_data(several=several)
    never = kind().fit(X[:40], y[:40])
    forgot = clone(never).fit(X[:40], y[:40]).partial_fit(X[40:], y[40:]).forget(X[40:], y[40:])
    assert (forgot.class_scores(new) == never.class_scores(new)).all()
    assert forgot.counts_.digest == never.counts_.digest
    whole = kind().fit(X, y)
    in_parts = kind().fit(X[:20], y[:20]).partial_fit(X[20:50], y[20:50]).partial_fit(X[50:], y[50:])
    assert (in_parts.class_scores(new) == whole.class_scores(new)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_no_counts_are_learned_and_taken_back_too(kind: Any) -> None:
    X, y, new = some_data()
    X = X * 0.37
    never = kind().fit(X[:40], y[:40])
    forgot = kind().fit(X[:40], y[:40]).partial_fit(X[40:], y[40:]).forget(X[40:], y[40:])
    np.testing.assert_array_equal(forgot.class_scores(new), never.class_scores(new))


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_label_is_learned_and_a_label_without_documents_goes(kind: Any) -> None:
    X, y, new = some_data()
    model = kind().fit(X[y < 2], y[y < 2])
    assert model.classes_.tolist() == [0, 1]
    model.partial_fit(X[y == 2], y[y == 2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.class_scores(new) == kind().fit(X, y).class_scores(new)).all()
    model.forget(X[y == 2], y[y == 2])
    assert model.classes_.tolist() == [0, 1]
    with pytest.raises(NeverCounted):
        model.unlearn(X[y == 2], y[y == 2])  # the earlier name


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_contributions_and_base_add_up_to_the_score(kind: Any, several: bool) -> None:
    X, y, new = some_data(several=several)
    model = kind().fit(X, y)
    scores = model.class_scores(new)
    for own, row, reason in zip(scores, new, model.explain(new), strict=True):
        assert reason.terms.tolist() == row.nonzero()[0].tolist()
        np.testing.assert_allclose(reason.scores, own, rtol=1e-9, atol=1e-9)
    if not several:
        # what is left without terms is the same for all documents, or what an empty document gets
        empty = model.class_scores(np.zeros((1, X.shape[1])))[0]
        if model.posterior == "softmax" and kind in SELECTABLE:
            for reason in model.explain(new):
                np.testing.assert_allclose(reason.base, empty, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind().posterior != "shares"])
def test_posteriors_sum_to_one_and_a_document_without_known_terms_gets_the_prior(kind: Any) -> None:
    X, y, new = some_data()
    X = np.hstack([X, np.zeros((60, 1), dtype=int)])
    model = kind().fit(X, y)
    new = np.hstack([new, np.ones((30, 1), dtype=int)])
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)
    empty = np.zeros((1, 26))
    unknown = np.eye(26, dtype=int)[[25]]
    if kind.__name__ in ("Multinomial", "SimplifiedMultinomial", "PrTFIDF"):
        np.testing.assert_allclose(model.predict_proba(empty)[0], np.bincount(y) / 60)
    if kind.__name__ == "PrTFIDF":
        np.testing.assert_allclose(model.predict_proba(unknown)[0], np.bincount(y) / 60)


def test_lists_of_labels_are_several_labels() -> None:
    X = rb.tabulate(toy.TEXTS).X
    model = MODELS["multinomial"].kind().fit(X, [["grain"], ["grain", "trade"], ["trade"], []])
    assert model.classes_.tolist() == ["grain", "trade"]
    assert model.predict(X)[0].tolist() == [1, 0]
    same = MODELS["multinomial"].kind().fit_counts(rb.count(toy.TEXTS, labels=toy.LABELS))
    assert same.several_labels_
    assert (same.class_scores(X) == model.class_scores(X)).all()


def test_rows_of_numbers_are_labels_unless_they_are_an_indicator() -> None:
    X = [[1, 0], [1, 1], [0, 1]]
    lists = models.Multinomial().fit(X, [[3], [3, 7], []])
    assert lists.classes_.tolist() == [3, 7]
    rows = models.Multinomial().fit(X, [[1, 0], [1, 1], [0, 0]])
    assert rows.classes_.tolist() == [0, 1]
    assert rows.several_labels_
    assert (rows.class_scores(X) == lists.class_scores(X)).all()


def test_two_labels_have_one_column_and_ties_go_to_the_first() -> None:
    X, y, new = some_data()
    for kind in KINDS:
        model = kind().fit(X[y < 2], y[y < 2])
        assert model.decision_function(new).shape == (30,)
        assert model.class_scores(new).shape == (30, 2)
    model = MODELS["tfidf"].kind().fit(X, y)
    assert model.predict(np.zeros((1, 25))).tolist() == [0]


@pytest.mark.parametrize("kind", KINDS)
def test_degenerate_data_gives_a_sensible_answer(kind: Any) -> None:
    one_document = kind().fit([[1, 2, 0]], ["a"])
    assert one_document.predict([[0, 0, 1], [0, 0, 0]]).tolist() == ["a", "a"]
    alike = kind().fit([[1, 1]] * 4, ["a", "b", "a", "b"])
    assert np.isfinite(alike.predict_proba([[1, 1], [0, 3]])).all()
    lonely = kind().fit([[3, 0], [2, 0], [0, 1]], ["a", "a", "b"])
    assert lonely.predict([[0, 2]]).tolist() == ["b"]
    on_all = kind().fit([[3, 0], [2, 1], [0, 1]], np.array([[1, 0], [1, 1], [1, 0]]))
    assert on_all.predict([[1, 1]])[0, 0] == 1
    assert not np.isnan(on_all.class_scores([[1, 1], [0, 0]])).any()


@pytest.mark.parametrize("kind", SELECTABLE)
def test_an_empty_vocabulary_leaves_the_prior(kind: Any) -> None:
    counts = rb.count(["a b", "a", "c"], labels=["x", "x", "y"]).select([])
    model = kind().fit_counts(counts)
    scores = model.class_scores(sparse.csr_array((2, 0)))
    assert scores.shape == (2, 2)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in SELECTABLE])
def test_models_of_lengths_ask_for_a_recount_after_selection(kind: Any) -> None:
    with pytest.raises(NeedsRecount, match="terms="):
        kind().fit_counts(rb.count(["a b", "c"], labels=["x", "y"]).select(["a"]))
    kind().fit_counts(rb.count(["a b", "c"], labels=["x", "y"], terms=["a", "c"]))


@pytest.mark.parametrize("kind", SELECTABLE)
def test_fitting_selected_counts_is_fitting_the_selected_columns(kind: Any) -> None:
    X, y, new = some_data()
    chosen = [3, 17, 5, 8]
    selected = kind().fit_counts(rb.Counts.from_matrix(X, y).select(chosen))
    assert (selected.class_scores(new[:, chosen]) == kind().fit(X[:, chosen], y).class_scores(new[:, chosen])).all()


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=15)
def test_fit_on_merged_counts_is_fit_on_the_whole(kind: Any, data: st.DataObject) -> None:
    X, y, new = some_data()
    cut = data.draw(st.integers(1, 59))
    merged = rb.Counts.from_matrix(X[:cut], y[:cut]) + rb.Counts.from_matrix(X[cut:], y[cut:])
    order = [merged.terms.index(str(n)) for n in range(25) if str(n) in merged.terms]
    whole = kind().fit_counts(rb.Counts.from_matrix(X, y))
    assert (
        kind().fit_counts(merged.select(order) if order != list(range(25)) else merged).class_scores(new)
        == whole.class_scores(new)
    ).all()


def test_settings_that_make_no_sense_are_refused() -> None:
    X, y, _ = some_data()
    for name in ("multinomial", "bernoulli"):
        for wrong in (0, -1, float("nan")):
            with pytest.raises(InvalidSetting, match="smoothing"):
                MODELS[name].kind(smoothing=wrong).fit(X, y)
        with pytest.raises(UnknownName, match="uniform"):
            MODELS[name].kind(priors="guessed").fit(X, y)
    with pytest.raises(UnknownName, match="sqrt"):
        MODELS["tfidf"].kind(idf="cube").fit(X, y)
    with pytest.raises(InvalidSetting, match="f_limit"):
        MODELS["stacked_bernoulli"].kind(f_limit=0).fit(X, y)


@pytest.mark.parametrize("several", [False, True])
def test_stacked_bernoulli_of_one_level_is_bernoulli(several: bool) -> None:
    X, y, new = some_data(several=several)
    one, plain = models.StackedBernoulli(f_limit=1).fit(X, y), models.Bernoulli().fit(X, y)
    np.testing.assert_allclose(one.class_scores(new), plain.class_scores(new), rtol=1e-12)
    whole, higher = (models.StackedBernoulli(higher_only=own).fit(X, y) for own in (False, True))
    np.testing.assert_allclose(
        whole.scores_without_prior(new),
        plain.scores_without_prior(new) + higher.class_scores(new),
        rtol=1e-9,
        atol=1e-9,
    )


def test_edcm_without_repeats_ranks_as_the_simplified_multinomial() -> None:
    """Where every class has the same s, eq. 14's bracket is the same for all and only p(v|c) decides."""
    X = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]])
    y = np.array([0, 0, 1, 1])
    ours, simple = models.EDCM().fit(X, y), models.SimplifiedMultinomial(smoothing=0.01).fit(X, y)
    assert (ours.predict(X) == simple.predict(X)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_label_only_in_the_test_part_is_never_predicted_and_harms_nobody(kind: Any) -> None:
    X, y, new = some_data()
    model = kind().fit(X[y < 2], y[y < 2])
    assert set(model.predict(new).tolist()) <= {0, 1}
    known_from_the_start = kind().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert known_from_the_start.classes_.tolist() == [0, 1, 2]
    if model.posterior == "softmax":
        assert set(known_from_the_start.predict(new).tolist()) <= {0, 1}
    assert not np.isnan(known_from_the_start.class_scores(new)).any()


def of_few_steps(kind: Any) -> Any:
    """The model. DCM of a label with one document has no maximum: it takes all the steps that it may."""
    return kind(max_iter=20) if kind is models.DCM else kind()


def test_a_hundred_thousand_labels_are_learned_and_scored() -> None:
    n = 100_000
    X = sparse.csr_array(
        (np.ones(2 * n, dtype=np.int64), np.arange(2 * n) % 50, np.arange(0, 2 * n + 1, 2)), shape=(n, 50)
    )
    y = np.arange(n)
    for kind in KINDS:
        scores = of_few_steps(kind).fit(X, y).class_scores(X[:3])
        assert scores.shape == (3, n)
        assert not np.isnan(scores).any(), kind


def test_many_labels_do_not_meet_many_terms() -> None:
    """10,000 labels and 500,000 terms as a dense table of float64 would be 40 GB."""
    n, terms = 10_000, 500_000
    draw = np.random.default_rng(0)
    columns = np.sort(draw.integers(0, terms, (n, 5)), axis=1)
    X = sparse.csr_array(
        (np.ones(5 * n, dtype=np.int64), columns.ravel(), np.arange(0, 5 * n + 1, 5)), shape=(n, terms)
    )
    Y = sparse.csr_array((np.ones(n, dtype=np.int64), draw.permutation(n), np.arange(n + 1)), shape=(n, n))
    for kind in KINDS:
        model = of_few_steps(kind).fit(X, Y)
        scores = model.class_scores(X[:20])
        assert (scores.argmax(axis=1) == Y[:20].indices).all(), kind
