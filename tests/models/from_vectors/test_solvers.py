"""Support vectors, maximum entropy, least squares and the neural net: the same as scikit-learn and numpy by hand, whatever the
labels around, the threads and the types; nothing dense; a setting chosen inside the training set by the rule it states."""

from __future__ import annotations

import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_info, threadpool_limits

import rubricate as rb
from rubricate import vectors
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.models.from_vectors import least_squares, linear_solver
from rubricate.models.from_vectors.inner_choice import FOLDS, folds_of
from rubricate.models.from_vectors.least_squares import LeastSquares
from rubricate.models.from_vectors.maximum_entropy import MaximumEntropy
from rubricate.models.from_vectors.neural_net import NeuralNet
from rubricate.models.from_vectors.support_vector import SupportVector

LINEAR = [SupportVector(), SupportVector(loss="squared_hinge"), MaximumEntropy(), LeastSquares(), LeastSquares(rank=7)]
ALL = [*LINEAR, NeuralNet(hidden=8, max_iter=20)]


def copy_of(model: Any, **settings: Any) -> Any:
    return type(model)(**{**model.get_params(), **settings})


def some_data(seed: int = 0, *, labels: int = 3, several: bool = False, terms: int = 25) -> tuple[Any, Any, Any]:
    """60 weighted documents of length 1, an empty one among them, with some labels; 30 more."""
    draw = np.random.default_rng(seed)
    rates = draw.gamma(0.3, 1.0, (labels, terms)) * (draw.random((labels, terms)) < 0.7)
    y = draw.integers(0, labels, 90)
    X = draw.poisson(rates[y] * 1.5).astype(float)
    X[0] = 0
    X = vectors.cosine(sparse.csr_array(X))
    if several:
        Y = np.eye(labels, dtype=int)[y]
        Y[draw.random((90, labels)) < 0.15] = 1
        Y[draw.random(90) < 0.1] = 0
        return X[:60], Y[:60], X[60:]
    return X[:60], y[:60], X[60:]


# -- the same as others by hand


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("labels", [2, 3])
def test_support_vectors_are_those_of_liblinear_label_by_label(labels: int, loss: str, balanced: bool) -> None:
    X, y, new = some_data(labels=labels)
    exact: dict[str, Any] = {"C": 2.0, "loss": loss, "max_iter": 100_000}
    ours = SupportVector(**exact, balanced=balanced, tol=1e-11).fit(X, y)
    weights = "balanced" if balanced else None
    hand = LinearSVC(**exact, dual=True, class_weight=weights, random_state=0, tol=1e-9)
    if labels == 2:  # one machine says both
        own = hand.fit(X, y)
        np.testing.assert_allclose(ours.coef_, [-own.coef_[0], own.coef_[0]], atol=1e-4)
        np.testing.assert_allclose(ours.intercept_, [-own.intercept_[0], own.intercept_[0]], atol=1e-4)
        assert (ours.predict(new) == own.predict(new)).all()
    several = SupportVector(**exact, balanced=balanced, tol=1e-11).fit(X, np.eye(labels, dtype=int)[y])
    for label in range(labels):
        own = hand.fit(X, y == label)
        np.testing.assert_allclose(several.coef_[label], own.coef_[0], atol=1e-4)
        np.testing.assert_allclose(several.intercept_[label], own.intercept_[0], atol=1e-4)
        np.testing.assert_allclose(several.class_scores(new)[:, label], own.decision_function(new), atol=1e-4)
    assert (several.predict(new) == (several.class_scores(new) > 0)).all()
    if labels > 2:
        np.testing.assert_array_equal(ours.coef_, several.coef_)
        assert (ours.predict(new) == OneVsRestClassifier(hand).fit(X, y).predict(new)).all()


@pytest.mark.parametrize("form", ["wilbur_tfidf", "wilbur_idf"])
def test_the_two_recipes_of_wilbur_and_kim_are_weightings_of_x(form: str) -> None:
    draw = np.random.default_rng(3)
    tf = draw.poisson(0.4, (40, 15))
    y = np.where(tf[:, 0] + draw.random(40) > 0.7, "in", "out")
    counts = rb.Counts.from_matrix(tf, y)
    X = vectors.weighted(tf, counts, form)
    local = np.log(1 + tf) if form == "wilbur_tfidf" else (tf > 0) * 1.0
    weights = local * np.log(40 / np.maximum((tf > 0).sum(axis=0), 1))
    norms = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    weights = weights / np.where(norms > 0, norms, 1.0)
    hand = LinearSVC(C=1.0, loss="hinge", max_iter=10_000, random_state=0, tol=1e-8).fit(weights, y)
    ours = SupportVector(tol=1e-13).fit(X, y)
    np.testing.assert_allclose(ours.coef_[1], hand.coef_[0], atol=1e-6)
    assert (ours.predict(X) == hand.predict(weights)).all()


def test_no_vector_near_the_one_found_has_a_lower_objective() -> None:
    X, y, _ = some_data()
    signs = np.where(y == 1, 1.0, -1.0)
    ours = SupportVector(tol=1e-9, max_iter=1_000_000).fit(X, y)
    w, b = ours.coef_[1], ours.intercept_[1]

    def objective(w: Any, b: float) -> float:
        return float(0.5 * (w @ w + b * b) + np.maximum(0, 1 - signs * (X @ w + b)).sum())

    draw = np.random.default_rng(0)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(20):
            other = draw.standard_normal(len(w) + 1) * size
            assert objective(w + other[:-1], b + other[-1]) >= objective(w, b) - 1e-7


@pytest.mark.parametrize("labels", [2, 3])
def test_maximum_entropy_is_logistic_regression(labels: int) -> None:
    X, y, new = some_data(labels=labels)
    ours = MaximumEntropy(C=5.0, tol=1e-11).fit(X, y)
    hand = LogisticRegression(C=5.0, max_iter=10_000, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(new), hand.predict_proba(new), atol=1e-5)
    np.testing.assert_allclose(ours.decision_function(new), hand.decision_function(new), atol=1e-4)
    assert (ours.predict(new) == hand.predict(new)).all()
    X, Y, new = some_data(labels=labels, several=True)
    ours = MaximumEntropy(C=5.0, tol=1e-11).fit(X, Y)
    assert ours.converged_.all()
    for label in range(labels):
        own = LogisticRegression(C=5.0, max_iter=10_000, tol=1e-9).fit(X, Y[:, label])
        np.testing.assert_allclose(ours.predict_proba(new)[:, label], own.predict_proba(new)[:, 1], atol=1e-5)
        assert (ours.predict(new)[:, label] == own.predict(new)).all()


@pytest.mark.parametrize("terms", [25, 200])
@pytest.mark.parametrize("several", [False, True])
def test_least_squares_is_ridge_without_a_bias(terms: int, several: bool) -> None:
    X, y, new = some_data(several=several, terms=terms)
    Y = y if several else np.eye(3)[y]
    hand = Ridge(alpha=0.3, fit_intercept=False, solver="cholesky").fit(X.toarray(), Y)
    ours = LeastSquares(ridge=0.3).fit(X, y)
    np.testing.assert_allclose(ours.coef_, hand.coef_, atol=1e-10)
    np.testing.assert_allclose(ours.class_scores(new), hand.predict(new.toarray()), atol=1e-10)
    assert (ours.intercept_ == 0).all()


@given(data=st.data())
@settings(max_examples=30)
def test_dual_descent_and_lanczos_steps_find_what_is_solved_directly(data: st.DataObject) -> None:
    n, terms = data.draw(st.integers(4, 40)), data.draw(st.integers(4, 40))
    draw = np.random.default_rng(data.draw(st.integers(0, 1000)))
    X = sparse.csr_array(draw.standard_normal((n, terms)) * (draw.random((n, terms)) < 0.5))
    Y = sparse.csr_array((draw.random((n, 37)) < 0.2) * 1.0)
    rank = data.draw(st.integers(1, min(n, terms) - 1))
    direct, used = least_squares.truncated_weights(X, Y, rank=rank)
    ridge = LeastSquares(ridge=0.5, tol=1e-20, max_iter=10_000)
    exact = ridge.fit_scores(X, Y).coef_
    before, least_squares.DIRECT = least_squares.DIRECT, 0
    try:
        weights, lanczos = least_squares.truncated_weights(X, Y, rank=rank)
        np.testing.assert_allclose(ridge.fit_scores(X, Y).coef_, exact, atol=1e-9)
    finally:
        least_squares.DIRECT = before
    values = np.linalg.svd(X.toarray(), compute_uv=False)
    np.testing.assert_allclose(used, values[: len(used)], rtol=1e-6)
    # of equal singular values at the edge either may be taken; and tiny ones are 0 in one way and not in the other
    clear = len(used) == rank and values[rank - 1] > 1e-5 and values[rank - 1] - values[rank] > 1e-5
    if clear and len(lanczos) == rank:
        np.testing.assert_allclose(weights, direct, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("terms", [20, 60, 150])
def test_all_singular_values_give_the_shortest_of_the_best_fits(terms: int) -> None:
    X, y, _ = some_data(terms=terms)
    dense, Y = X.toarray(), np.eye(3)[y]
    shortest = np.linalg.lstsq(dense, Y, rcond=1e-9)[0]
    np.testing.assert_allclose(LeastSquares(rank=1000).fit(X, y).coef_, shortest.T, atol=1e-7)
    u, s, vt = np.linalg.svd(dense, full_matrices=False)
    for rank in (1, 5, 12):
        expected = vt[:rank].T @ (u[:, :rank].T @ Y / s[:rank, None])
        ours = LeastSquares(rank=rank).fit(X, y)
        np.testing.assert_allclose(ours.coef_, expected.T, atol=1e-9)
        np.testing.assert_allclose(ours.singular_values_, s[:rank], atol=1e-12)


def test_least_squares_of_a_union_are_the_sum_of_least_squares() -> None:
    X, y, new = some_data()
    Y = np.eye(3, dtype=int)[y]
    Y = np.column_stack([Y, Y[:, 0] + Y[:, 2]])
    for model in (LeastSquares(), LeastSquares(rank=6)):
        scores = model.fit(X, Y).class_scores(new)
        np.testing.assert_allclose(scores[:, 3], scores[:, 0] + scores[:, 2], atol=1e-12)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("several", [False, True])
def test_the_net_is_that_of_scikit_learn(labels: int, several: bool) -> None:
    X, y, new = some_data(labels=labels, several=several)
    met = np.unique(X.indices)
    X, new = X[:, met], new[:, met]
    hand = MLPClassifier((8,), learning_rate_init=0.01, max_iter=500, tol=1e-2, batch_size=20, random_state=4).fit(X, y)
    ours = NeuralNet(hidden=8, max_iter=500, tol=1e-2, batch=20, random_state=4).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(new), hand.predict_proba(new), rtol=1e-9)
    assert (ours.predict(new) == hand.predict(new)).all()
    assert ours.n_iter_ == hand.n_iter_ == len(ours.losses_)
    assert ours.converged_


# -- laws


@pytest.mark.parametrize("model", LINEAR, ids=str)
def test_a_label_scores_alike_whatever_the_other_labels_and_their_order(model: Any) -> None:
    X, Y, new = some_data(several=True, labels=5)
    whole = copy_of(model).fit(X, Y)
    scores = whole.class_scores(new)
    order = [3, 0, 4, 1, 2]
    np.testing.assert_allclose(copy_of(model).fit(X, Y[:, order]).class_scores(new), scores[:, order], atol=1e-12)
    np.testing.assert_allclose(copy_of(model).fit(X, Y[:, [1, 4]]).class_scores(new), scores[:, [1, 4]], atol=1e-12)
    np.testing.assert_allclose(
        copy_of(model).fit(X, sparse.csr_array(Y[:, [2]])).class_scores(new), scores[:, [2]], atol=1e-12
    )
    if not isinstance(model, MaximumEntropy):
        y = np.argmax(Y, axis=1)
        renamed = np.array(["c", "e", "a", "b", "d"])[y]
        single, other = copy_of(model).fit(X, y), copy_of(model).fit(X, renamed)
        places = [other.classes_.tolist().index(name) for name in ("c", "e", "a", "b", "d")]
        np.testing.assert_allclose(other.class_scores(new)[:, places], single.class_scores(new), atol=1e-12)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", ALL, ids=str)
def test_the_seed_alone_decides(model: Any, several: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, new = some_data(several=several, terms=20_000)  # BLAS takes threads from 10,000 numbers on
    monkeypatch.setattr(least_squares, "DIRECT", 0)
    found = []
    for threads in (1, 2, 2):
        monkeypatch.setattr(linear_solver, "available_threads", lambda threads=threads: threads)
        with threadpool_limits(threads):
            found.append(copy_of(model).fit(X, y).class_scores(new).tobytes())
    assert len(set(found)) == 1
    if isinstance(model, NeuralNet):
        assert copy_of(model, random_state=1).fit(X, y).class_scores(new).tobytes() != found[0]


def test_models_learned_at_the_same_time_are_those_learned_alone() -> None:
    """BLAS has one number of threads and Python one list of warnings a process."""
    jobs = [(model, seed) for model in ALL for seed in range(6)]

    def learn(job: Any) -> bytes:
        model, seed = job
        X, y, new = some_data(seed, terms=300)
        scores: bytes = copy_of(model).fit(X, y).class_scores(new).tobytes()
        return scores

    alone = [learn(job) for job in jobs]
    before = (warnings.filters[:], [library["num_threads"] for library in threadpool_info()])
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(learn, jobs)) == alone
    assert before == (warnings.filters[:], [library["num_threads"] for library in threadpool_info()])


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", ALL, ids=str)
def test_types_of_x_and_y_do_not_matter(model: Any, several: bool) -> None:
    X, y, _ = some_data(several=several)
    X = sparse.csr_array(np.ceil(X.toarray() * 4))
    expected = copy_of(model).fit(X, y).class_scores(X)
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for other in (X.toarray(), X.astype(np.float32), X.astype(np.int64), sparse.csc_matrix(X), wide):
        assert (copy_of(model).fit(other, y).class_scores(other) == expected).all()
    names = np.array(["x", "y", "z"])
    if several:
        lists = [names[row == 1].tolist() for row in y]
        named = copy_of(model).fit(X, lists)
        assert (copy_of(model).fit(X, sparse.csr_array(y)).class_scores(X) == expected).all()
    else:
        named = copy_of(model).fit(X, names[y])
        assert set(named.predict(X)) <= set(names)
    assert named.classes_.tolist() == names.tolist()
    assert (named.class_scores(X) == expected).all()


@pytest.mark.parametrize("model", ALL, ids=str)
def test_a_term_never_seen_in_training_says_nothing(model: Any) -> None:
    X, y, new = some_data()
    blank = sparse.csr_array((60, 2))
    ours = copy_of(model).fit(sparse.hstack([X, blank]), y)
    ones = sparse.csr_array(np.full((30, 2), 3.0))
    bare = sparse.csr_array((30, 2))
    assert (ours.class_scores(sparse.hstack([new, ones])) == ours.class_scores(sparse.hstack([new, bare]))).all()


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", ALL, ids=str)
def test_contributions_and_base_add_up_to_the_score(model: Any, several: bool) -> None:
    X, y, new = some_data(several=several)
    ours = copy_of(model).fit(X, y)
    for row, own, reason in zip(new, ours.class_scores(new), ours.explain(new), strict=True):
        assert reason.terms.tolist() == row.nonzero()[0].tolist()
        np.testing.assert_allclose(reason.scores, own, atol=1e-10)


def test_what_a_term_adds_in_the_net_is_its_weight_times_the_slope_of_the_score() -> None:
    X, y, new = some_data()
    ours = NeuralNet(hidden=8).fit(X, y)
    row, step = new[[1]], 1e-7
    reason = ours.explain(row)[0]
    for place, term in enumerate(reason.terms):
        further = row.toarray()
        further[0, term] += step
        slope = (ours.class_scores(further) - ours.class_scores(row))[0] / step
        np.testing.assert_allclose(reason.contributions[place], slope * row.toarray()[0, term], atol=1e-5)


# -- nasty values


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", ALL, ids=str)
def test_empty_and_very_long_documents_give_finite_scores(model: Any, several: bool) -> None:
    X, y, new = some_data(several=several)
    X = X.toarray()
    X[5] *= 1e6
    for train in (X, np.zeros_like(X)):
        ours = copy_of(model).fit(train, y)
        asked = np.vstack([np.zeros(25), np.full(25, 1e6), new.toarray()])
        for scores in (ours.class_scores(asked), ours.predict_proba(asked), ours.decision_function(asked)):
            assert np.isfinite(scores).all()
        assert len(ours.predict(asked)) == 32
    for far in (1e120, 1e300):
        X[5] = far
        with pytest.raises(InvalidSetting, match="divide documents by their length"):
            copy_of(model).fit(X, y)


@pytest.mark.parametrize("model", ALL, ids=str)
def test_one_label_one_document_and_labels_of_none_or_all_are_learned(model: Any) -> None:
    X, _, new = some_data()
    alone = copy_of(model).fit(X, ["a"] * 60)
    assert set(alone.predict(new)) == {"a"}
    assert (alone.predict_proba(new) == 1).all()
    assert copy_of(model).fit(X[:1], ["a"]).predict(new).tolist() == ["a"] * 30
    draw = np.random.default_rng(0)
    Y = np.column_stack([np.zeros(60), np.ones(60), draw.integers(0, 2, 60)]).astype(int)
    ours = copy_of(model).fit(X, Y)
    scores, decisions = ours.class_scores(new), ours.predict(new)
    assert np.isfinite(scores).all()
    assert (decisions[:, 0] == 0).all()
    if not isinstance(model, LeastSquares):  # without a bias, a document unlike all others scores 0 for every label
        assert (decisions[:, 1] == 1).all()
    probabilities = ours.predict_proba(new)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    for column in (0, 1):
        one = copy_of(model).fit(X, [["a"] * int(value) for value in Y[:, 2]] if column == 0 else [["a"]] * 60)
        assert one.class_scores(new).shape == (30, 1)
        assert one.predict(new).shape == (30, 1)


def test_constant_labels_score_as_stated() -> None:
    X, _, new = some_data()
    Y = np.column_stack([np.zeros(60, dtype=int), np.ones(60, dtype=int)])
    assert SupportVector().fit(X, Y).class_scores(new)[0].tolist() == [-1.0, 1.0]
    expected = [0.5 / 61, 60.5 / 61]
    np.testing.assert_allclose(MaximumEntropy().fit(X, Y).predict_proba(new), [expected] * 30)
    np.testing.assert_allclose(NeuralNet().fit(X, [["a"]] * 60).predict_proba(new)[:, 0], expected[1])


def test_documents_x_terms_never_turn_dense() -> None:
    """10,000 documents x 200,000 terms of float64 would be 16 GB; labels x terms are 5 MB."""
    n, terms = 10_000, 200_000
    draw = np.random.default_rng(0)
    columns = np.sort(draw.integers(0, terms, (n, 5)), axis=1)
    X = sparse.csr_array((np.ones(5 * n), columns.ravel(), np.arange(0, 5 * n + 1, 5)), shape=(n, terms))
    X.sum_duplicates()
    y = draw.integers(0, 3, n)
    few = [
        SupportVector(max_iter=20),
        SupportVector(loss="squared_hinge"),
        MaximumEntropy(max_iter=20),
        LeastSquares(),
        LeastSquares(rank=3),
        NeuralNet(hidden=2, max_iter=2, batch=n),
    ]
    for model in few:
        tracemalloc.start()
        scores = model.fit(X, y).class_scores(X)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert scores.shape == (n, 3)
        assert peak < 500e6, (model, peak)


def test_weights_beyond_memory_are_refused_before_the_work() -> None:
    n = 20_000
    X = sparse.csr_array((np.ones(n), np.arange(n), np.arange(n + 1)), shape=(n, 2**20))
    for model in LINEAR:
        with pytest.raises(InvalidSetting, match="select terms"):
            copy_of(model).fit(X, np.arange(n))


@pytest.mark.parametrize("several", [False, True])
def test_a_solver_that_is_stopped_early_is_told_in_the_model_and_not_warned_of(
    several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, _ = some_data(several=several)
    monkeypatch.setattr(least_squares, "DIRECT", 0)
    for model in ALL:
        if getattr(model, "rank", None) is None:
            short = copy_of(model, max_iter=1).fit(X, y)
            assert not np.any(short.converged_)
            assert np.all(np.asarray(short.n_iter_) == 1)
        assert np.all(
            copy_of(model, **({} if isinstance(model, NeuralNet) else {"max_iter": 10_000})).fit(X, y).n_iter_
        )
    assert np.all(NeuralNet(hidden=4, max_iter=2000, tol=0.01).fit(X, y).converged_)


# -- a setting chosen inside the training set


def folds_by_hand(model: Any, setting: str, values: Any, X: Any, y: Any, several: bool) -> Any:
    """How each value does in each fold, with `fit` and `predict` alone."""
    truth = sparse.csr_array(y if several else np.eye(y.max() + 1, dtype=int)[y])
    folds = folds_of(truth, 0)
    assert set(folds.tolist()) == set(range(FOLDS))
    figures = np.zeros((len(values), FOLDS))
    for place, value in enumerate(values):
        for fold in range(FOLDS):
            own = copy_of(model, **{setting: value}).fit(X[folds != fold], y[folds != fold])
            found, true = own.predict(X[folds == fold]), y[folds == fold]
            figures[place, fold] = (
                2 * (found * true).sum() / (found.sum() + true.sum()) if several else (found == true).mean()
            )
    return figures


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("model", "setting", "values"),
    [
        (SupportVector(), "C", [0.01, 0.1, 1.0, 10.0]),
        (MaximumEntropy(), "C", [0.01, 1.0, 100.0]),
        (LeastSquares(), "ridge", [100.0, 10.0, 1.0, 0.1]),
    ],
    ids=str,
)
def test_the_simplest_value_within_one_standard_error_of_the_best_is_taken(
    model: Any, setting: str, values: Any, several: bool
) -> None:
    X, y, new = some_data(several=several)
    asked = copy_of(model, **{setting: values[::-1]}).fit(X, y)
    choice = asked.choice_
    figures = folds_by_hand(model, setting, values, X, y, several)
    np.testing.assert_allclose(choice.figures, figures, atol=1e-12)
    assert choice.values == tuple(values)
    means, errors = figures.mean(axis=1), figures.std(axis=1, ddof=1) / np.sqrt(FOLDS)
    np.testing.assert_allclose(choice.means, means)
    np.testing.assert_allclose(choice.errors, errors)
    best = means.argmax()
    within = [value for value, mean in zip(values, means, strict=True) if mean >= means[best] - errors[best] - 1e-12]
    assert choice.value == getattr(asked, setting + "_") == within[0]
    assert f"{setting} = {within[0]:g}" in choice.statement
    plain = copy_of(model, **{setting: within[0]}).fit(X, y)
    assert (asked.class_scores(new) == plain.class_scores(new)).all()
    assert plain.choice_ is None


@pytest.mark.parametrize(
    ("model", "setting"), [(SupportVector(), "C"), (MaximumEntropy(), "C"), (LeastSquares(), "ridge")]
)
def test_auto_goes_from_simple_to_elaborate_and_asks_labels_in_fives(model: Any, setting: str) -> None:
    X, y, _ = some_data()
    asked = copy_of(model, **{setting: "auto"}).fit(X, y)
    assert getattr(asked, setting + "_") in asked.choice_.values
    assert 1.0 in asked.choice_.values
    assert (np.diff(asked.choice_.values) > 0).all() == (setting == "C")
    assert asked.choice_.figures.shape == (len(asked.choice_.values), FOLDS)
    assert asked.get_params()[setting] == "auto"
    again = copy_of(model, **{setting: "auto"}).fit(X, y)
    assert (again.choice_.figures == asked.choice_.figures).all()


@pytest.mark.parametrize(
    ("model", "setting"), [(SupportVector(), "C"), (MaximumEntropy(), "C"), (LeastSquares(), "ridge")]
)
def test_where_nothing_can_be_tried_the_usual_value_is_taken_and_said(model: Any, setting: str) -> None:
    X, _, new = some_data()
    lonely = copy_of(model, **{setting: "auto"}).fit(X[1:8], list("abcdefg"))
    assert getattr(lonely, setting + "_") == 1.0
    assert "no label has two documents" in lonely.choice_.statement
    assert np.isnan(lonely.choice_.means).all()
    assert set(lonely.predict(new)) <= set("abcdefg")
    one = copy_of(model, **{setting: "auto"}).fit(X, ["a"] * 60)
    assert "one label only" in one.choice_.statement
    some = copy_of(model, **{setting: "auto"}).fit(X[1:9], list("aaabbbcd"))
    assert "2 labels with fewer than two documents" in some.choice_.statement
    several = copy_of(model, **{setting: "auto"}).fit(X[1:4], [["a"], ["b"], []])
    assert "no label has two documents" in several.choice_.statement
    given_values = copy_of(model, **{setting: [3.0, 5.0]}).fit(X[1:4], list("abc"))
    assert getattr(given_values, setting + "_") == (3.0 if setting == "C" else 5.0)


# -- settings


def test_settings_that_make_no_sense_are_refused() -> None:
    X, y, _ = some_data()
    for kind in (SupportVector, MaximumEntropy):
        for wrong in (0, -1.0, float("nan"), True, [], [[1.0]], [1.0, -1.0], None):
            with pytest.raises(InvalidSetting, match="C="):
                kind(C=wrong).fit(X, y)
        with pytest.raises(UnknownName, match="auto"):
            kind(C="best").fit(X, y)
    for kind in (SupportVector, MaximumEntropy, LeastSquares, NeuralNet):
        for wrong in (0, 1.5, True):
            with pytest.raises(InvalidSetting, match="max_iter"):
                kind(max_iter=wrong).fit(X, y)
    with pytest.raises(UnknownName, match="hinge"):
        SupportVector(loss="log").fit(X, y)
    with pytest.raises(InvalidSetting, match="ridge=0"):
        LeastSquares(ridge=0).fit(X, y)
    with pytest.raises(InvalidSetting, match="rank"):
        LeastSquares(rank=0).fit(X, y)
    with pytest.raises(InvalidSetting, match="one of both"):
        LeastSquares(rank=3, ridge="auto").fit(X, y)
    for wrong in ({"hidden": 0}, {"rate": 0}, {"penalty": -1}, {"batch": 0}):
        with pytest.raises(InvalidSetting, match=next(iter(wrong))):
            NeuralNet(**wrong).fit(X, y)


def test_a_ridge_lost_in_rounding_is_refused() -> None:
    X = np.array([[1e8, 1e8, 0], [1e8, 1e8, 0], [0, 0, 1.0], [3e8, 3e8, 1]])
    with pytest.raises(InvalidSetting, match="too small"):
        LeastSquares(ridge=1e-30).fit(X, [0, 1, 0, 1])


def test_probabilities_of_support_vectors_are_squashed_margins() -> None:
    X, Y, new = some_data(several=True)
    ours = SupportVector().fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(new), expit(ours.class_scores(new)))
