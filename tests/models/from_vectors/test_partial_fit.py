"""partial_fit batch by batch: what comes out is what one fit gives, and a batch touches its own terms alone."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rubricate.errors import InvalidSetting
from rubricate.models.from_vectors.exponentiated_gradient import ExponentiatedGradient
from rubricate.models.from_vectors.widrow_hoff import WidrowHoff
from rubricate.storage.trees import decode, encode

KINDS: list[tuple[Any, dict[str, Any]]] = [
    (WidrowHoff, {}),
    (WidrowHoff, {"average": False, "start": "uniform"}),
    (WidrowHoff, {"absent": 0.4}),
    (ExponentiatedGradient, {}),
    (ExponentiatedGradient, {"average": False}),
    (ExponentiatedGradient, {"two_sided": True, "total": 3.0}),
    (ExponentiatedGradient, {"two_sided": True, "link": "sigmoid", "total": 5.0}),
]


def some(n: int, n_terms: int, n_labels: int, seed: int = 0) -> tuple[sparse.csr_array, sparse.csr_array]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_terms)) * (rng.random((n, n_terms)) < min(1.0, 6 / n_terms))
    return sparse.csr_array(X), sparse.csr_array((rng.random((n, n_labels)) < 0.4).astype(np.int8))


@given(
    st.sampled_from(KINDS),
    st.lists(st.integers(1, 5), min_size=1, max_size=6),
    st.integers(1, 20),
    st.sampled_from([0.02, 0.5, 3.0]),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
@settings(deadline=None, max_examples=80)
def test_batches_give_what_one_fit_gives_whoever_looks_in_between(
    which: Any, sizes: list[int], n_labels: int, rate: float, seed: int, looked: bool
) -> None:
    kind, words = which
    rate = min(rate, 0.02) if kind is WidrowHoff else rate
    n = sum(sizes)
    X, Y = some(n, 40, n_labels, seed)
    whole = kind(order=np.arange(n), rate=rate, **words).fit(X, Y)
    parts, start, losses = kind(rate=rate, **words), 0, np.zeros(n_labels)
    for size in sizes:
        chosen = slice(start, start + size)
        parts.order = np.arange(size)
        parts.partial_fit(X[chosen], Y[chosen])
        losses += parts.online_loss_
        if looked:
            before = parts.class_scores(X[:1])
            np.testing.assert_allclose(X[:1] @ parts.coef_.T + parts.intercept_, before, rtol=1e-10, atol=1e-12)
        start += size
    assert parts.vectors_ == whole.vectors_ == n + 1
    np.testing.assert_allclose(losses, whole.online_loss_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(parts.final_, whole.final_, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("which", KINDS, ids=str)
def test_scores_of_a_few_documents_need_no_table_of_all_terms(which: Any) -> None:
    kind, words = which
    X, Y = some(20, 4000, 5)
    model = kind(rate=0.05, **words).fit(X, Y)
    model.partial_fit(X[:2], Y[:2]).partial_fit(X[2:4], Y[2:4])
    found = model.class_scores(X[:3])
    if "absent" not in words:
        assert "linear_" not in vars(model)
    np.testing.assert_allclose(found, X[:3] @ model.coef_.T + model.intercept_, rtol=1e-10, atol=1e-13)
    assert "linear_" in vars(model)
    np.testing.assert_allclose(model.class_scores(X[:3]), found, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("which", KINDS, ids=str)
def test_a_model_between_batches_can_be_copied_and_kept(which: Any) -> None:
    kind, words = which
    X, Y = some(30, 60, 3)
    model = kind(rate=0.05, **words).partial_fit(X[:10], Y[:10]).partial_fit(X[10:20], Y[10:20])
    tree, arrays = encode({"model": model}, under="x")
    again = decode(tree, arrays, under="x")["model"]
    others = [copy.deepcopy(model), pickle.loads(pickle.dumps(model)), again]
    model.partial_fit(X[20:], Y[20:])
    for other in others:
        other.partial_fit(X[20:], Y[20:])
        np.testing.assert_allclose(other.coef_, model.coef_, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(other.final_, model.final_, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("kind", [WidrowHoff, ExponentiatedGradient])
def test_a_new_label_between_batches_and_a_new_fit(kind: Any) -> None:
    X, _ = some(40, 30, 1)
    y = np.array(["a", "b"] * 15 + ["a", "c"] * 5)
    model = kind(rate=0.05)
    for start in (0, 10, 20, 30):
        model.partial_fit(X[start : start + 10], y[start : start + 10])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.coef_.shape == (3, 30)
    assert model.vectors_ == 41
    fresh = kind(rate=0.05).fit(X, y)
    np.testing.assert_array_equal(model.fit(X, y).coef_, fresh.coef_)


@pytest.mark.parametrize("kind", [WidrowHoff, ExponentiatedGradient])
def test_settings_may_change_between_batches(kind: Any) -> None:
    X, Y = some(30, 60, 20)
    for words in ({"absent": 0.4}, {"absent": 0.0}, {"balanced": True}, {"targets": (1.0, -1.0)}, {"rate": "example"}):
        model = kind(rate=0.01, absent=0.1).partial_fit(X[:10], Y[:10]).partial_fit(X[10:20], Y[10:20])
        other = copy.deepcopy(model)  # which begins again from weights written out
        model = kind(rate=0.01, absent=0.1).partial_fit(X[:10], Y[:10]).partial_fit(X[10:20], Y[10:20])
        for own in (model, other):
            own.set_params(**words).partial_fit(X[20:], Y[20:])
        np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(model.class_scores(X), other.class_scores(X), rtol=1e-11, atol=1e-13)


def test_a_rate_that_is_too_high_is_told_when_it_happens() -> None:
    X, Y = some(20, 30, 2)
    model = WidrowHoff(rate=0.01, passes=50).fit(X, Y)
    model.rate = 1e200
    with pytest.raises(InvalidSetting, match="too high"), np.errstate(all="ignore"):
        model.partial_fit(X, Y)


@pytest.mark.parametrize("kind", [WidrowHoff, ExponentiatedGradient])
def test_a_batch_that_is_refused_leaves_the_model_as_it_was(kind: Any) -> None:
    X, Y = some(20, 40, 3)
    model = kind(rate=0.01).fit(X[:5, :], Y[:5])
    before = model.class_scores(X)
    model.order = [99]
    with pytest.raises(InvalidSetting, match="order"):
        model.partial_fit(X[5:], Y[5:])
    np.testing.assert_array_equal(model.class_scores(X), before)
    assert model.vectors_ == 6


def test_what_is_not_there_is_not_there() -> None:
    for kind in (WidrowHoff, ExponentiatedGradient):
        assert not hasattr(kind(), "linear_")
        with pytest.raises(AttributeError, match="nonsense"):
            _ = kind().nonsense
