"""Rocchio, the sums it learns from, and what all classifiers of weighted documents share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.neighbors import NearestCentroid

from rubricate.errors import InvalidSetting
from rubricate.models.from_vectors.rocchio import Rocchio, criterion, sums_of


def some(seed: int = 0, n: int = 50, m: int = 20, n_labels: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) * (rng.random((n, m)) < 0.4)
    return X, (rng.random((n, n_labels)) < 0.3).astype(int)


def plain(X: np.ndarray, y: np.ndarray, alpha: float, beta: float, gamma: float, start: np.ndarray) -> np.ndarray:
    """001 eq. 1, one label."""
    mean = X[y == 1].mean(axis=0) if (y == 1).any() else 0.0
    rest = X[y == 0].mean(axis=0) if (y == 0).any() else 0.0
    return alpha * start + beta * mean - gamma * rest


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.4]), st.booleans(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=50)
def test_rocchio_is_equation_1_for_all_labels_at_once(
    seed: int, absent: float, clip: bool, signed: bool, query: bool
) -> None:
    X, Y = some(seed, n=12, m=6)
    rng = np.random.default_rng(seed)
    X = X - 0.5 * signed
    Y[:, 0] = seed % 2  # all documents, or none
    start = rng.random((4, 6)) - 0.3 if query else np.zeros((4, 6))
    model = Rocchio(alpha=1, beta=2, gamma=0.5, clip=clip, start=start if query else None, absent=absent)
    model.fit(sparse.csr_array(X), Y)
    expected = np.array([plain(X + absent, Y[:, c], 1, 2, 0.5, start[c]) for c in range(4)])
    expected = np.maximum(expected, 0) if clip else expected
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.class_scores(X), (X + absent) @ expected.T, rtol=1e-9, atol=1e-12)
    told = model.explain(X)[3]
    np.testing.assert_allclose(told.scores, (X + absent)[3] @ expected.T, rtol=1e-9, atol=1e-12)


def test_0_1_1_unclipped_has_the_highest_criterion_of_all_unit_vectors() -> None:
    X, Y = some()
    model = Rocchio(alpha=0, beta=1, gamma=1, clip=False).fit(X, Y)
    best = model.coef_ / np.linalg.norm(model.coef_, axis=1, keepdims=True)
    highest = criterion(best, model.sums_)
    scores = X @ best[1]
    assert highest[1] == pytest.approx(scores[Y[:, 1] == 1].mean() - scores[Y[:, 1] == 0].mean())
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = rng.normal(size=best.shape) * 0.3 + best
        other /= np.linalg.norm(other, axis=1, keepdims=True)
        assert (criterion(other, model.sums_) <= highest + 1e-12).all()


def test_means_alone_rank_as_the_nearest_centroid_does() -> None:
    X, _ = some(n=90)
    y = np.arange(90) % 3
    model = Rocchio(beta=1, gamma=0, clip=False).fit(X, y)
    centres = NearestCentroid().fit(X, y).centroids_
    np.testing.assert_allclose(model.coef_, centres, rtol=1e-12)


def test_a_clipped_table_stays_sparse_for_thousands_of_labels() -> None:
    rng = np.random.default_rng(0)
    n, m, n_labels = 5_000, 500_000, 2_500
    X = sparse.csr_array((rng.random(n * 20), (np.repeat(np.arange(n), 20), rng.integers(0, m, n * 20))), shape=(n, m))
    Y = sparse.csr_array((np.ones(n), (np.arange(n), np.arange(n) % n_labels)), shape=(n, n_labels))
    model = Rocchio().fit(X, Y)
    assert model.linear_.weights.nnz < 500_000
    found = model.predict(X[:50])
    assert found[np.arange(50), np.arange(50)].all()
    assert found.sum() < 100
    with pytest.raises(InvalidSetting, match="10 GB"):
        model.coef_  # noqa: B018


def test_learning_in_batches_is_learning_at_once() -> None:
    X, _ = some(n=60)
    y = np.array(["b", "a"] * 15 + ["a", "c"] * 15)
    parts = Rocchio().partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    whole = Rocchio().fit(X, y)
    assert parts.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12, atol=1e-15)


def test_several_labels_are_cut_where_f1_is_best_on_the_training_documents() -> None:
    X, Y = some()
    model = Rocchio().fit(X, Y)
    scores, decisions = model.class_scores(X), model.predict(X)
    for label in range(4):
        found = f1_score(Y[:, label], decisions[:, label])
        for cut in np.unique(scores[:, label]):
            assert f1_score(Y[:, label], scores[:, label] >= cut) <= found + 1e-12
    probabilities = model.predict_proba(X)
    clear = np.abs(scores - model.cuts_) > 1e-9
    assert ((probabilities > 0.5) == (decisions == 1))[clear].all()


def test_sums_of_two_batches_add() -> None:
    X, Y = some()
    one, other = (
        sums_of(sparse.csr_array(X[part]), sparse.csr_array(Y[part])) for part in (slice(0, 20), slice(20, 50))
    )
    both, whole = one + other, sums_of(sparse.csr_array(X), sparse.csr_array(Y))
    np.testing.assert_allclose(both.labels.toarray(), whole.labels.toarray(), rtol=1e-12)
    np.testing.assert_allclose(both.everything, whole.everything, rtol=1e-12)
    assert both.n_documents == whole.n_documents == 50
    assert (both.documents == whole.documents).all()


@pytest.mark.parametrize("wrong", [{"beta": "16"}, {"gamma": float("nan")}, {"start": [1.0]}, {"start": [np.inf] * 20}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    X, Y = some()
    with pytest.raises(InvalidSetting):
        Rocchio(**wrong).fit(X, Y)


def test_an_empty_document_and_a_label_without_documents() -> None:
    X, Y = some()
    X[0], Y[:, 2] = 0, 0
    model = Rocchio().fit(X, Y)
    assert np.isfinite(model.class_scores(np.zeros((1, 20)))).all()
    assert (model.predict(X)[:, 2] == 0).all()
    assert (model.predict_proba(X)[:, 2] < 0.5).all()
