"""Curves by kernels: scikit-learn's rising steps to the last bit, the maximum of a likelihood, sums as one would write them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.isotonic import IsotonicRegression

from plain_judging import logistic_loss
from rubricate.kernels.calibration_curves import (
    BLOCK,
    exponentials,
    logistic_regression,
    rising_steps,
    temperature_sums,
)

SIZES = (1, 2, 3, 9, 200, 1500)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("ties", ["none", "equal", "near"])
def test_rising_steps_are_scikit_learns_to_the_last_bit(n: int, ties: str) -> None:
    draw = np.random.default_rng(n)
    for _ in range(8):
        scores = draw.normal(size=n) if ties == "none" else draw.normal(size=n).round(1)
        if ties == "near":
            scores += 5e-16 * draw.integers(0, 3, n)
        positive = draw.random(n) < expit(3 * draw.random() * scores)
        high, low = (positive.sum() + 1) / (positive.sum() + 2), 1 / (n - positive.sum() + 2)
        peer = IsotonicRegression().fit(scores, np.where(positive, high, low))
        at, value = rising_steps(scores, positive.view(np.uint8), np.argsort(scores), high, low)
        assert at.tolist() == peer.X_thresholds_.tolist()
        assert value.tolist() == peer.y_thresholds_.tolist()


def test_exponentials_are_right_to_two_units_in_the_last_place() -> None:
    x = -np.geomspace(1e-12, 700, 100 * BLOCK).reshape(100, BLOCK)
    x[0, 0] = 0.0
    for row in x:
        out = np.empty(BLOCK)
        exponentials(row.copy(), out, out.view(np.int64))
        np.testing.assert_allclose(out, np.exp(row), rtol=2 * np.finfo(float).eps)


@pytest.mark.parametrize("n", [2, 9, 511, 512, 513, 3000])
@pytest.mark.parametrize("n_features", [0, 1, 2])
def test_the_gradient_of_a_logistic_regression_is_0(n: int, n_features: int) -> None:
    draw = np.random.default_rng(n)
    features = draw.normal(3, 100, (n_features, n))
    positive = draw.random(n) < expit((features.sum(axis=0) - 3 * n_features) / 100)
    high, low = (positive.sum() + 1) / (positive.sum() + 2), 1 / (n - positive.sum() + 2)
    theta, loss = logistic_regression(features, positive.view(np.uint8), high, low)
    eta, targets = theta[:-1] @ features + theta[-1], np.where(positive, high, low)
    assert loss == pytest.approx(logistic_loss(eta, targets), rel=1e-12)
    standard = (features - features.mean(axis=1, keepdims=True)) / features.std(axis=1, keepdims=True)
    gradients = np.vstack([standard, np.ones(n)]) @ (expit(eta) - targets)
    assert np.abs(gradients).max() <= 2e-10 * n


@pytest.mark.parametrize("shape", [(1, 1), (7, 2), (600, 3), (30, 700)])
def test_sums_of_a_temperature_are_means_and_variances_of_scores(shape: tuple[int, int]) -> None:
    s = np.random.default_rng(0).normal(0, 3, shape)
    p, q = softmax(0.7 * s, axis=1), expit(0.7 * s)
    means = (p * s).sum(axis=1)
    variance = ((p * s * s).sum(axis=1) - means**2).sum()
    np.testing.assert_allclose(temperature_sums(s, 0.7, True), (means.sum(), variance), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        temperature_sums(s, 0.7, False), ((q * s).sum(), (q * (1 - q) * s * s).sum()), rtol=1e-12
    )
