"""Density estimation: neighbours exact to the last tie, Sable's probabilities, k chosen by the others, Combo."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import rubricate as rb
from rubricate import collections, density, models
from rubricate.decisions.density import estimation, nearest
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.foundation.folds import fold_numbers
from rubricate.training.training_scores import held_out_scores
from rubricate.training.validation import cross_validate, fold_counts

WAYS = ("blocks", "tree")


def naive(points: np.ndarray, rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """All distances, sorted: equal to 12 decimals is equal, then by index."""
    distances = np.array([np.sqrt(((rows - point) ** 2).sum(axis=1)) for point in points]).reshape(len(points), -1)
    order = np.argsort(np.round(distances, 12), axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, order, axis=1), order


def same_as_naive(points: np.ndarray, rows: np.ndarray, k: int, way: str) -> nearest.Nearest:
    finder = density.Nearest(rows, way=way)
    distances, indices = naive(points, rows, k)
    found_distances, found_indices = finder.find(points, k)
    np.testing.assert_array_equal(found_indices, indices)
    np.testing.assert_allclose(found_distances, distances, rtol=1e-13, atol=0)
    return finder


# -- neighbours


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_neighbours_on_a_grid_are_those_of_sorting_all_distances_ties_included(way: str, data: Any) -> None:
    width = data.draw(st.integers(1, 6))
    grid = st.integers(0, 2).map(float)  # a few points, met again and again
    rows = data.draw(arrays.arrays(float, (data.draw(st.integers(1, 40)), width), elements=grid))
    points = data.draw(arrays.arrays(float, (data.draw(st.integers(1, 5)), width), elements=grid))
    same_as_naive(points, rows, data.draw(st.integers(1, 45)), way)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_neighbours_are_exact_at_any_scale(way: str, scale: float) -> None:
    draw = np.random.default_rng(1)
    rows = draw.gamma(0.5, 1.0, (400, 9)) * scale
    same_as_naive(draw.gamma(0.5, 1.0, (60, 9)) * scale, rows, 25, way)


@pytest.mark.parametrize("way", WAYS)
def test_neighbours_are_exact_where_the_quick_formula_cancels(way: str) -> None:
    """Vectors of length 1e5 whose distances are 1e-6: |a|^2 + |b|^2 - 2ab is noise, in single and in double precision."""
    draw = np.random.default_rng(2)
    far = draw.normal(0, 1, (3, 12)) * 1e5
    rows = far[draw.integers(0, 3, 1500)] + draw.normal(0, 1e-6, (1500, 12))
    points = far[draw.integers(0, 3, 40)] + draw.normal(0, 1e-6, (40, 12))
    finder = same_as_naive(points, rows, 7, way)
    if way == "blocks":
        assert not finder._single  # it has noticed, and goes on in double precision
        np.testing.assert_array_equal(finder.find(points, 7).indices, naive(points, rows, 7)[1])


@pytest.mark.parametrize("way", WAYS)
def test_of_many_equal_vectors_the_first_are_nearest(way: str) -> None:
    rows = np.zeros((5000, 4))
    rows[::7] = 1.0
    found = density.Nearest(rows, way=way).find(np.array([[0.0] * 4, [1.0] * 4, [0.1] * 4]), 30)
    zeros = np.setdiff1d(np.arange(5000), np.arange(0, 5000, 7))[:30]
    np.testing.assert_array_equal(found.indices, [zeros, np.arange(0, 210, 7), zeros])


@pytest.mark.parametrize("way", WAYS)
def test_distances_that_differ_in_the_13th_decimal_are_equal(way: str) -> None:
    rows = np.array([[1.0 + 3e-14], [1.0], [1.0 - 2e-14], [0.5]])
    found = density.Nearest(rows, way=way).find(np.zeros((1, 1)), 3)
    assert found.indices.tolist() == [[3, 0, 1]]


def test_blocks_and_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3)
    rows, points = draw.random((700, 12)), draw.random((90, 12))
    whole = density.Nearest(rows, way="blocks").find(points, 11, jobs=1)
    monkeypatch.setattr(nearest, "BLOCK", 2000)
    for jobs in (1, 3):
        for way in WAYS:
            parts = density.Nearest(rows, way=way).find(points, 11, jobs=jobs)
            np.testing.assert_array_equal(parts.indices, whole.indices)
            np.testing.assert_array_equal(parts.distances, whole.distances)


def test_one_outlier_does_not_blunt_the_bound() -> None:
    draw = np.random.default_rng(4)
    rows = draw.random((500, 12))
    rows[7] = 1e9
    finder = same_as_naive(draw.random((50, 12)), rows, 5, "blocks")
    assert finder.find(rows[:0], 5).indices.shape == (0, 5)


def test_the_kernel_stays_within_bounds(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked(
        "import numpy as np\n"
        "from rubricate.decisions.density import Nearest\n"
        "rows = np.random.default_rng(0).integers(0, 3, (200, 7)).astype(float)\n"
        "for way in ('blocks', 'tree'):\n"
        "    for k in (1, 5, 199, 200, 300):\n"
        "        for far in (0.0, 1e6):\n"
        "            found = Nearest(rows + far, way=way).find(rows[:9] + far, k)\n"
        "            assert (found.indices[:, 0] <= np.arange(9)).all()\n"
    )


def test_what_neighbours_cannot_be_found_of_is_refused() -> None:
    finder = density.Nearest(np.zeros((3, 2)))
    with pytest.raises(InvalidSetting, match="same labels"):
        finder.find(np.zeros((1, 3)), 1)
    with pytest.raises(InvalidSetting, match="no number"):
        finder.find(np.array([[np.nan, 0]]), 1)
    with pytest.raises(InvalidSetting, match="dimensions"):
        density.Nearest(np.zeros(3))
    with pytest.raises(UnknownName, match="tree"):
        density.Nearest(np.zeros((3, 2)), way="guess")


# -- probabilities


def score_vectors(n: int, n_labels: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores that rise with the labels, and the labels, 0/1, several a document or none."""
    draw = np.random.default_rng(seed)
    Y = (draw.random((n, n_labels)) < draw.uniform(0.1, 0.5, n_labels)).astype(int)
    return draw.gamma(1.0, 0.1, (n, n_labels)) + Y * draw.gamma(3.0, 0.1, (n, n_labels)), Y


@given(
    st.integers(1, 30), st.integers(1, 4), st.integers(1, 35), st.sampled_from([1e-9, 1e-3, 1.0]), st.integers(0, 99)
)
def test_probabilities_are_weighted_shares_of_the_neighbours(
    n: int, n_labels: int, k: int, epsilon: float, seed: int
) -> None:
    scores, Y = score_vectors(n + 2, n_labels, seed)
    train, labels, new = np.round(scores[:n], 1), Y[:n], np.round(scores[n:], 1)
    model = density.DensityEstimation(k=k, epsilon=epsilon).fit(train, labels)
    found = model.predict_proba(new)
    distances, indices = naive(new, train, k)
    for d in range(2):
        weights = [1 / (distance + epsilon) for distance in distances[d]]
        for c in range(n_labels):
            own = math.fsum(w for w, t in zip(weights, indices[d], strict=True) if labels[t, c])
            assert found[d, c] == pytest.approx(own / math.fsum(weights), rel=1e-9, abs=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    np.testing.assert_array_equal(model.predict(new), found > 0.5 + 1e-12)
    by_sparse = density.DensityEstimation(k=k, epsilon=epsilon).fit(train, sparse.csr_array(labels))
    np.testing.assert_array_equal(by_sparse.predict_proba(new), found)


def test_exclusive_probabilities_are_scikit_learns_weighted_neighbours() -> None:
    draw = np.random.default_rng(5)
    y = np.array(["art", "law", "zoo"])[draw.integers(0, 3, 300)]
    scores = draw.gamma(1.0, 0.2, (300, 3)) + (y[:, None] == ["art", "law", "zoo"]) * 0.3
    ours = density.DensityEstimation(k=9, epsilon=1e-3).fit(scores[:200], y[:200])
    peer = KNeighborsClassifier(9, weights=lambda d: 1 / (d + 1e-3)).fit(scores[:200], y[:200])
    assert ours.classes_.tolist() == ["art", "law", "zoo"]
    np.testing.assert_allclose(ours.predict_proba(scores[200:]), peer.predict_proba(scores[200:]), rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(scores).sum(axis=1), 1)
    assert (ours.predict(scores[200:]) == peer.predict(scores[200:])).all()


def test_the_scores_need_not_be_as_many_as_the_labels() -> None:
    model = density.DensityEstimation(k=1).fit([[0.1], [0.9], [0.5]], ["low", "high", "middle"])
    assert model.predict([[0.0], [0.55], [3.0]]).tolist() == ["low", "middle", "high"]


def test_a_half_is_not_more_than_a_half_and_equals_go_to_the_first_label() -> None:
    several = density.DensityEstimation(k=2).fit([[1.0], [3.0]], [[1, 0], [0, 1]])
    assert several.predict_proba([[2.0]]).tolist() == [[0.5, 0.5]]
    assert several.predict([[2.0]]).tolist() == [[0, 0]]
    exclusive = density.DensityEstimation(k=2).fit([[3.0], [1.0]], ["a", "b"])
    assert exclusive.predict([[2.0]]).tolist() == ["a"]


def test_an_infinite_score_is_the_lowest_of_its_label() -> None:
    scores, Y = score_vectors(60, 3)
    low = scores.copy()
    low[5, 1] = scores[:, 1].min()
    missing = low.copy()
    missing[5, 1] = -np.inf
    expected = density.DensityEstimation(k=4).fit(low, Y)
    found = density.DensityEstimation(k=4).fit(missing, Y)
    np.testing.assert_array_equal(found.predict_proba(missing), expected.predict_proba(low))
    nothing = scores.copy()
    nothing[:, 0] = -np.inf
    assert np.isfinite(density.DensityEstimation(k=4).fit(nothing, Y).predict_proba(nothing)).all()
    with pytest.raises(ValueError, match="NaN at document 1, label 0"):
        found.predict_proba([[0, 0, 0], [np.nan, 0, 0]])


@parametrize_with_checks(
    [density.DensityEstimation(), density.DensityEstimation(k=30)],
    expected_failed_checks=lambda _: {
        "check_estimators_nan_inf": "infinite scores are welcome: a label that a fold never saw scores -inf"
    },
)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_settings_that_make_no_sense_are_refused() -> None:
    scores, Y = score_vectors(20, 2)
    for settings, word in (
        ({"k": 0}, "k=0"),
        ({"k": 2.5}, "k=2.5"),
        ({"k": "many"}, "auto"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"candidates": [0]}, "candidates"),
        ({"candidates": []}, "candidates"),
    ):
        with pytest.raises(InvalidSetting, match=word):
            density.DensityEstimation(**settings).fit(scores, Y)
    with pytest.raises(UnknownName, match="log_loss"):
        density.DensityEstimation(measure="speed").fit(scores, Y)
    with pytest.raises(InvalidSetting, match="0 and 1"):
        density.DensityEstimation().fit(scores, Y + 1)


# -- the choice of k


@pytest.mark.parametrize("exclusive", [False, True])
def test_the_evidence_for_k_is_that_of_leaving_out_each_document(exclusive: bool) -> None:
    scores, Y = score_vectors(50, 3)
    scores = np.round(scores, 1)  # some are equal
    labels: Any = np.array(["a", "b", "c"])[Y.argmax(axis=1)] if exclusive else Y
    model = density.DensityEstimation(candidates=(1, 4, 9, 200), epsilon=1e-3).fit(scores, labels)
    assert [row.k for row in model.evidence_] == [1, 4, 9, 49]
    for row in model.evidence_:
        p = np.empty((50, 3))
        for n in range(50):
            others = np.arange(50) != n
            one = density.DensityEstimation(k=row.k, epsilon=1e-3).fit(scores[others], labels[others])
            p[n] = one.predict_proba(scores[[n]])[0]
        whole = density.DensityEstimation(k=row.k, epsilon=1e-3).fit(scores, labels)
        np.testing.assert_allclose(whole.training_proba(), p, rtol=1e-12)
        clipped = np.clip(p, 1 / 100, 1 - 1 / 100)
        if exclusive:
            column = np.searchsorted(["a", "b", "c"], labels)
            assert row.f1 == pytest.approx(np.mean(p.argmax(axis=1) == column))
            assert row.log_loss == pytest.approx(-np.log(clipped[np.arange(50), column]).mean(), rel=1e-9)
        else:
            decided = p > 0.5
            assert row.f1 == pytest.approx(2 * (decided & (Y == 1)).sum() / (decided.sum() + Y.sum()))
            cells = np.where(Y == 1, clipped, 1 - clipped)
            assert row.log_loss == pytest.approx(-np.log(cells).mean(), rel=1e-9)
    assert model.k_ == max(model.evidence_, key=lambda row: row.f1).k
    by_loss = clone(model).set_params(measure="log_loss").fit(scores, labels)
    assert by_loss.k_ == min(by_loss.evidence_, key=lambda row: row.log_loss).k


def test_a_document_is_left_out_also_among_its_equals() -> None:
    vectors = np.zeros((30, 2))
    found = estimation.without_themselves(density.Nearest(vectors).find(vectors[[2, 25]], 6), np.array([2, 25]))
    assert found.indices.tolist() == [[0, 1, 3, 4, 5], [0, 1, 2, 3, 4]]


def test_of_equally_good_k_the_smallest_is_taken() -> None:
    rows = [density.TriedK(k, f1, 1.0) for k, f1 in ((1, 0.5), (2, 0.8), (3, 0.8 + 1e-14), (5, 0.7))]
    assert estimation.best_k(rows, "f1") == 2
    assert estimation.best_k(rows, "log_loss") == 1


def test_a_sample_of_documents_is_drawn_alike_each_time() -> None:
    scores, Y = score_vectors(200, 3)
    finder, table = density.Nearest(scores), sparse.csr_array(Y.astype(float))
    asked = [
        estimation.compare_k(finder, table, (1, 5), epsilon=1e-9, exclusive=False, sample=50, random_state=seed)
        for seed in (1, 1, 2)
    ]
    assert asked[0] == asked[1] != asked[2]


def test_one_training_document_is_enough() -> None:
    model = density.DensityEstimation().fit([[0.3, 0.1]], [[1, 0]])
    assert (model.k_, model.evidence_) == (1, [])
    assert model.predict_proba([[9.0, 9.0]]).tolist() == [[1.0, 0.0]]
    with pytest.raises(InvalidSetting, match="no others"):
        model.training_proba()


# -- training vectors


def some_documents(seed: int, several: bool) -> tuple[np.ndarray, np.ndarray]:
    """Counts of 30 documents; one is empty, one label has one document."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, 30)
    y[0] = 3
    X = draw.poisson(draw.gamma(0.3, 1.5, (4, 20))[y])
    X[5] = 0
    if not several:
        return X, y
    Y = np.eye(4, dtype=int)[y]
    Y[1:, :3] |= draw.random((29, 3)) < 0.15
    Y[draw.random(30) < 0.1] = 0
    Y[0] = [0, 1, 0, 1]
    return X, Y


SETTINGS = [
    models.Multinomial(),
    models.Multinomial(smoothing=0.1, priors="uniform"),
    models.SimplifiedMultinomial(),
    models.SimplifiedMultinomial(priors="uniform"),
    models.Bernoulli(),
    models.PrTFIDF(),
    models.Complement(),
]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", SETTINGS, ids=str)
def test_leave_one_out_is_what_the_model_of_the_others_says(model: Any, several: bool) -> None:
    X, y = some_documents(0, several)
    found = density.training_scores(model, X, y, how="leave-one-out")
    for n in range(30):
        others = np.arange(30) != n
        alone = clone(model).fit(X[others], y[others])
        expected = np.full(4, -np.inf)
        expected[alone.classes_] = alone.class_scores(X[[n]])[0]
        np.testing.assert_allclose(found[n], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("against_rest", [False, True])
@pytest.mark.parametrize("similarity", ["cosine", "category", "dot"])
@pytest.mark.parametrize("seed", [0, 1])
def test_leave_one_out_of_tfidf_takes_the_document_out_of_its_prototypes(
    similarity: str, against_rest: bool, several: bool, seed: int
) -> None:
    X, y = some_documents(seed, several)
    model = models.TFIDF(similarity=similarity, against_rest=against_rest)
    found = density.training_scores(model, X, y, how="leave-one-out")
    idf = model.fit(X, y).idf_
    Y = y if several else np.eye(4, dtype=int)[y]

    def likeness(d: np.ndarray, c: np.ndarray) -> float:
        norms = {"dot": 1.0, "category": np.linalg.norm(c), "cosine": np.linalg.norm(c) * np.linalg.norm(d)}
        return float(c @ d) / norms[similarity] if norms[similarity] > 0 else 0.0

    for n in range(30):
        others = np.arange(30) != n
        for c in range(4):
            own = Y[:, c] == 1
            expected = likeness(X[n] * idf, X[own & others].sum(axis=0) * idf)
            if several and against_rest:
                expected -= likeness(X[n] * idf, X[~own & others].sum(axis=0) * idf)
            assert found[n, c] == pytest.approx(expected, rel=1e-9, abs=1e-10)


def test_leave_one_out_is_exact_where_next_to_nothing_is_left() -> None:
    """One long document and two tiny ones: of the prototype's length one part in 10^8 remains."""
    X = np.array([[10**6, 10**6, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 1, 1]])
    y = np.array([0, 0, 1, 1])
    found = density.training_scores(models.TFIDF(), X, y, how="leave-one-out")
    idf = models.TFIDF().fit(X, y).idf_
    d, c = X[0] * idf, X[1] * idf
    assert found[0, 0] == pytest.approx(d @ c, abs=1e-12)
    assert found[2, 1] == pytest.approx(
        (X[2] * idf) @ (X[3] * idf) / np.linalg.norm(X[2] * idf) / np.linalg.norm(X[3] * idf)
    )


def test_cross_validated_scores_are_those_of_validation() -> None:
    table = rb.tabulate(collections.read("enquiries"))
    folds = fold_numbers(table.labels, 4, seed=0)
    kinds = {"tfidf": models.TFIDF(), "prtfidf": models.PrTFIDF()}  # they do not ask how many terms there are
    expected = cross_validate(fold_counts(table, folds), table.X, folds, kinds, terms=table.terms)
    for name, model in kinds.items():
        found = density.training_scores(model, table.X, table.labels, how="cross-validation", folds=folds)
        np.testing.assert_allclose(found, expected.scores[name], rtol=1e-9, atol=1e-12)


def test_folds_are_seeded_and_resubstitution_is_the_model_itself() -> None:
    X, y = some_documents(0, several=False)
    model = models.Multinomial()
    one, two, other = (
        density.training_scores(model, X, y, how="cross-validation", folds=5, random_state=seed) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()
    np.testing.assert_array_equal(density.training_scores(model, X, y), clone(model).fit(X, y).class_scores(X))
    for labels in (y.tolist(), np.eye(4, dtype=int)[y], sparse.csr_array(np.eye(4, dtype=int)[y]), [[n] for n in y]):
        assert density.training_scores(model, X, labels, how="cross-validation", folds=3).shape == (30, 4)


def test_ways_and_folds_that_make_no_sense_are_refused() -> None:
    X, y = some_documents(0, several=False)
    with pytest.raises(UnknownName, match="leave-one-out"):
        density.training_scores(models.TFIDF(), X, y, how="bootstrap")
    with pytest.raises(InvalidSetting, match="fold numbers"):
        held_out_scores(models.TFIDF(), X, y, np.zeros(3, dtype=int))
    with pytest.raises(InvalidSetting, match="one document"):
        density.training_scores(models.TFIDF(), X[:1], y[:1], how="leave-one-out")


# -- Sable's similarities


@pytest.mark.parametrize("several", [False, True])
def test_the_three_similarities_differ_by_the_lengths_alone(several: bool) -> None:
    X, y = some_documents(3, several)
    dot, category, cosine = (
        models.TFIDF(similarity=kind, against_rest=False).fit(X, y) for kind in ("dot", "category", "cosine")
    )
    Y = y if several else np.eye(4, dtype=int)[y]
    lengths = np.linalg.norm(X * dot.idf_, axis=1, keepdims=True)
    prototypes = np.linalg.norm(Y.T @ X * dot.idf_, axis=1)
    np.testing.assert_allclose(dot.class_scores(X), category.class_scores(X) * prototypes, rtol=1e-12)
    np.testing.assert_allclose(category.class_scores(X), cosine.class_scores(X) * lengths, rtol=1e-12)


@pytest.mark.parametrize("similarity", ["cosine", "category", "dot"])
@pytest.mark.parametrize("several", [False, True])
def test_complement_scores_are_those_of_a_label_made_of_all_other_documents(similarity: str, several: bool) -> None:
    X, y = some_documents(4, several)
    model = models.TFIDF(similarity=similarity).fit(X, y)
    Y = y if several else np.eye(4, dtype=int)[y]
    found = model.complement_scores(X)
    for c in range(4):
        rest = copy(models.TFIDF(similarity=similarity)).fit(X, Y[:, c])
        np.testing.assert_allclose(found[:, c], rest.class_scores(X)[:, 0], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("similarity", ["cosine", "category", "dot"])
@pytest.mark.parametrize("against_rest", [False, True])
@pytest.mark.parametrize("several", [False, True])
def test_every_similarity_gives_probabilities_that_fit_its_decisions(
    similarity: str, against_rest: bool, several: bool
) -> None:
    X, y = some_documents(5, several)
    model = models.TFIDF(similarity=similarity, against_rest=against_rest).fit(X, y)
    scores, p, decided = model.class_scores(X), model.predict_proba(X), model.predict(X)
    assert ((p >= 0) & (p <= 1)).all()
    if several and against_rest:
        clear = np.abs(scores) > 1e-9
        assert ((p > 0.5) == (decided == 1))[clear].all()
    else:
        np.testing.assert_allclose(p.sum(axis=1), 1)
        best = decided.argmax(axis=1) if several else decided
        assert (best == scores.argmax(axis=1)).all()
        if several:
            assert (decided.sum(axis=1) == (scores.max(axis=1) > 0)).all()


def test_an_unknown_similarity_is_named() -> None:
    with pytest.raises(UnknownName, match="category"):
        models.TFIDF(similarity="jaccard").fit([[1, 2]], ["a"])


# -- Combo


def test_combo_takes_density_only_where_it_is_strictly_better() -> None:
    assert density.combo([0.9, 0.4, 0.5, 0.5 + 1e-14], [0.6, 0.7, 0.5, 0.5]).tolist() == [True, False, False, False]


def test_combo_decides_each_label_by_the_rule_that_did_better() -> None:
    draw = np.random.default_rng(6)
    truth, ours, others = (draw.integers(0, 2, (40, 5)) for _ in range(3))
    ours[:, 0], others[:, 1] = truth[:, 0], truth[:, 1]
    chosen = density.Combo.of(ours, others, truth)
    assert chosen.choice[:2] == ["density", "pcut"]
    decided = chosen.decide(ours, others)
    for label, name in enumerate(chosen.choice):
        assert (decided[:, label] == (ours if name == "density" else others)[:, label]).all()
    again = density.Combo.from_dict(chosen.as_dict())
    assert again.choice == chosen.choice
    with pytest.raises(InvalidSetting, match="documents x labels"):
        chosen.decide(ours[:, :4], others[:, :4])
    with pytest.raises(InvalidSetting, match="one number a label"):
        density.combo([0.5], [0.5, 0.5])
