"""The solver of linear models: the gap that it states is proved, weights of documents are what they say, and neither blocks nor
threads change a bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from rubricate.models.from_vectors import linear_solver
from rubricate.models.from_vectors.linear_solver import Solution

LOSSES = ("hinge", "squared_hinge", "logistic", "squares")


def some_documents(n: int = 80, terms: int = 30, labels: int = 7) -> tuple[Any, Any]:
    draw = np.random.default_rng(5)
    X = sparse.random_array((n, terms), density=0.2, rng=draw, format="csr")
    Y = draw.random((n, labels)) < np.linspace(0.05, 0.6, labels)
    return X, sparse.csr_array(Y.astype(np.int8))


def solution_of(X: Any, truth: Any, loss: str, **settings: Any) -> Solution:
    usual: dict[str, Any] = {"cost": 2.0, "tol": 1e-3, "max_iter": 100_000}
    return linear_solver.solve(X, truth, loss=loss, **{**usual, **settings})


def objective(X: Any, truth: Any, loss: str, found: Solution, cost: Any = 2.0, free: bool = False) -> Any:
    """Label by label, as the formulas say it."""
    Y = truth.toarray()
    scores = X @ found.weights.T + found.bias
    margins = np.where(Y > 0, scores, -scores)
    losses = {
        "hinge": np.maximum(0, 1 - margins),
        "squared_hinge": np.maximum(0, 1 - margins) ** 2,
        "logistic": np.logaddexp(0, -margins),
        "squares": (Y - scores) ** 2,
    }[loss]
    penalty = (found.weights**2).sum(axis=1) + (0 if free else found.bias**2)
    return 0.5 * penalty + (np.broadcast_to(np.asarray(cost), (X.shape[0],))[:, None] * losses).sum(axis=0)


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_objective_is_within_the_stated_gap_of_the_least(loss: str, free: bool) -> None:
    if free and loss.endswith("hinge"):
        pytest.skip("the bias of the hinges is penalised")
    X, truth = some_documents()
    rough, exact = (solution_of(X, truth, loss, free=free, tol=tol) for tol in (1e-2, 1e-10))
    least = objective(X, truth, loss, exact, free=free)
    value = objective(X, truth, loss, rough, free=free)
    assert (exact.gap <= 1e-10).all()
    assert (rough.gap <= 1e-2).all()
    assert (rough.gap > 1e-10).any()
    assert (value >= least * (1 - 1e-9)).all()
    assert (value * (1 - rough.gap) <= least * (1 + 1e-9)).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_no_bit_depends_on_blocks_threads_or_other_labels(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, truth = some_documents()
    found = []
    for width, threads in ((32, 1), (3, 1), (1, 2), (32, 2)):
        monkeypatch.setattr(linear_solver, "WIDTH", width)
        monkeypatch.setattr(linear_solver, "available_threads", lambda threads=threads: threads)
        found.append(solution_of(X, truth, loss))
    found.append(solution_of(X, truth[:, [4, 2]], loss))
    for other in found[1:4]:
        assert other.weights.tobytes() == found[0].weights.tobytes()
        assert other.bias.tobytes() == found[0].bias.tobytes()
    assert found[4].weights.tobytes() == found[0].weights[[4, 2]].tobytes()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_document_of_weight_0_is_not_there_and_one_of_weight_2_is_there_twice(loss: str) -> None:
    X, truth = some_documents()
    weights = np.random.default_rng(1).integers(0, 3, X.shape[0])
    rows = np.repeat(np.arange(X.shape[0]), weights)
    weighted = solution_of(X, truth, loss, weights=weights, tol=1e-12)
    repeated = solution_of(X[rows], truth[rows], loss, tol=1e-12)
    np.testing.assert_allclose(weighted.weights, repeated.weights, atol=2e-5)
    np.testing.assert_allclose(weighted.bias, repeated.bias, atol=2e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_balanced_sides_weigh_the_same(loss: str) -> None:
    X, truth = some_documents()
    balanced = solution_of(X, truth[:, [1]], loss, balanced=True, tol=1e-12)
    inside = truth[:, [1]].toarray()[:, 0] > 0
    weights = np.where(inside, len(inside) / (2 * inside.sum()), len(inside) / (2 * (~inside).sum()))
    weighted = solution_of(X, truth[:, [1]], loss, weights=weights, tol=1e-12)
    np.testing.assert_allclose(balanced.weights, weighted.weights, atol=2e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_large_costs_converge(loss: str) -> None:
    X, truth = some_documents()
    found = solution_of(X, truth, loss, cost=50.0, tol=1e-3)
    assert (found.gap <= 1e-3).all()


def test_a_label_of_more_documents_than_8_bits_can_count_is_learned() -> None:
    X, truth = some_documents(n=300, labels=1)
    truth = sparse.csr_array((X[:, [0]].toarray() + np.arange(300)[:, None] % 2 > 0).astype(np.int8))
    assert 127 < truth.sum() < 300
    found = solution_of(X, truth, "hinge")
    assert found.sweeps[0] > 0
    assert found.weights.any()


def test_kernels_stay_within_their_arrays(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked(
        "from test_linear_solver import LOSSES, solution_of, some_documents\n"
        "X, truth = some_documents()\n"
        "for loss in LOSSES:\n"
        "    solution_of(X, truth, loss)\n"
    )
