"""Least squares: weights whose scores come nearest to 1 in a label and 0 outside. Learns from: weighted documents. Source: the
Least Squares Fit of 004 table 5 (LLSF; Yang & Chute 1994, Yang & Liu 1999), by ridge or by a truncated SVD.

There is no bias, as in LLSF: a document without terms scores 0, and X, which a bias would ask to be centred, stays sparse.
Whoever wants one adds a column of ones. The smaller side of X decides how it is solved: up to 2,000 documents or terms directly,
beyond that by conjugate gradients (ridge) or Lanczos steps (rank), where X only meets vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.threads import available_threads, side_by_side
from .inner_choice import check_asked, decided
from .solvers import above_zero, checked, in_one_thread, narrow, room_for, whole_number
from .vector_model import Linear, LinearModel, stored_vector_model

__all__ = ["LeastSquares", "Solution", "ridge_weights", "truncated_weights"]

GRID = tuple(4.0**power for power in range(2, -4, -1))  # ridge, simplest first
DIRECT = 2000  # documents or terms up to which their inner products are written out
WIDEST = 16_384  # and up to which all singular values may be asked for: 2 GB
BLOCK = 32  # labels that conjugate gradients follow at a time


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Weights, terms x labels, and how they were found."""

    weights: Floats
    iterations: Any  # labels
    converged: Any  # labels
    singular_values: Floats | None = None  # those used, largest first


def products(X: sparse.csr_array) -> tuple[Floats, bool]:
    """Inner products of terms or of documents, whichever are fewer; True if of terms."""
    by_terms = X.shape[1] <= X.shape[0]
    table = X.T @ X if by_terms else X @ X.T
    return table.toarray(), by_terms


def ridge_weights(
    X: sparse.csr_array, Y: sparse.csr_array, *, ridge: float, tol: float = 1e-6, max_iter: int = 1000
) -> Solution:
    """W with the least |XW - Y|^2 + ridge |W|^2, which is (X'X + ridge I)^-1 X'Y = X' (XX' + ridge I)^-1 Y."""
    n_documents, n_terms = X.shape
    by_terms = n_terms <= n_documents
    targets = sparse.csr_array(X.T @ Y) if by_terms else Y
    back = X.T.tocsr()
    if min(X.shape) <= DIRECT:
        table, _ = products(X)
        table.flat[:: len(table) + 1] += ridge
        try:
            found = linalg.cho_solve(linalg.cho_factor(table, lower=True), targets.toarray().astype(np.float64))
        except linalg.LinAlgError:
            raise InvalidSetting(f"ridge={ridge:g} is too small for X: give a larger one, or a rank") from None
        iterations, done = np.ones(Y.shape[1], dtype=np.int64), np.ones(Y.shape[1], dtype=bool)
        return Solution(found if by_terms else back @ found, iterations, done)

    def normal(part: Floats) -> Floats:
        result: Floats = (back @ (X @ part) if by_terms else X @ (back @ part)) + ridge * part
        return result

    weights, columns = np.empty((n_terms, Y.shape[1])), targets.tocsc()
    iterations, done = np.empty(Y.shape[1], dtype=np.int64), np.empty(Y.shape[1], dtype=bool)

    def block(first: int) -> None:
        own = slice(first, first + BLOCK)
        part = columns[:, own].toarray().astype(np.float64)
        found, iterations[own], done[own] = conjugate_gradients(normal, part, tol=tol, max_iter=max_iter)
        weights[:, own] = found if by_terms else back @ found

    side_by_side(block, range(0, Y.shape[1], BLOCK), available_threads())
    return Solution(weights, iterations, done)


def conjugate_gradients(
    normal: Callable[[Floats], Floats], targets: Floats, *, tol: float, max_iter: int
) -> tuple[Floats, Any, Any]:
    """normal(A) = targets for symmetric positive `normal`, all columns in step, each until |rest| <= tol |target|."""
    found, rest = np.zeros_like(targets), targets.copy()
    direction, size = rest.copy(), (rest * rest).sum(axis=0)
    goal, steps = tol**2 * size, np.zeros(targets.shape[1], dtype=np.int64)
    for _ in range(max_iter):
        going = size > goal
        if not going.any():
            break
        ahead = normal(direction)
        along = (direction * ahead).sum(axis=0)
        step = np.where(going, size / np.where(going, along, 1.0), 0.0)
        found += step * direction
        rest -= step * ahead
        before, size = size, np.where(going, (rest * rest).sum(axis=0), size)
        direction = rest + np.where(going, size / np.where(going, before, 1.0), 0.0) * direction
        steps += going
    return found, steps, size <= goal


def truncated_weights(X: sparse.csr_array, Y: sparse.csr_array, *, rank: int, random_state: int = 0) -> Solution:
    """W = V S^-1 U'Y from the `rank` largest singular values of X = U S V'; with all of them, of all W that fit best, the
    shortest. Singular values whose square is lost in the rounding of the largest are 0, and left out."""
    side = min(X.shape)
    n_labels = Y.shape[1]
    steps, done = np.ones(n_labels, dtype=np.int64), np.ones(n_labels, dtype=bool)
    if X.nnz == 0 or not X.data.any():
        return Solution(np.zeros((X.shape[1], n_labels)), steps, done, np.zeros(0))
    if side <= DIRECT or rank >= side:
        if side > WIDEST:
            raise InvalidSetting(
                f"rank={rank} is all of {X.shape[0]} documents x {X.shape[1]} terms: give a smaller one, or a ridge"
            )
        table, by_terms = products(X)
        last = len(table) - 1
        squares, vectors = linalg.eigh(table, subset_by_index=[max(0, last + 1 - rank), last])
        kept = squares > squares[-1] * max(X.shape) * np.finfo(np.float64).eps
        squares, vectors = squares[kept][::-1], vectors[:, kept][:, ::-1]
        targets = (X.T @ Y if by_terms else Y).T
        found = vectors @ ((targets @ vectors).T / squares[:, None])
        return Solution(found if by_terms else X.T @ found, steps, done, np.sqrt(squares))
    from scipy.sparse.linalg import svds

    start = np.random.default_rng(random_state).standard_normal(side)
    u, values, vt = svds(X, rank, v0=start, solver="arpack")
    kept = values**2 > values.max() ** 2 * max(X.shape) * np.finfo(np.float64).eps
    order = np.flatnonzero(kept)[np.argsort(-values[kept])]
    found = vt[order].T @ ((Y.T @ u[:, order]).T / values[order][:, None])
    return Solution(found, steps, done, values[order])


@stored_vector_model("least_squares", "choice_", "converged_", "linear_", "n_iter_", "ridge_", "singular_values_")
class LeastSquares(LinearModel):
    """w.x with the least sum over documents of (w.x - y)^2 + ridge |w|^2, y = 1 in the label, else 0

    ridge: a number, a list of numbers to choose from, or "auto", a choice inside the training set (`choice_`). rank: instead
    of a ridge, so many of the largest singular values of X, the rest left out (LLSF); `singular_values_` are those used.
    With several labels a document, cuts come from the training documents. `converged_` and `n_iter_` a label.
    """

    def __init__(
        self,
        *,
        ridge: Any = 1.0,
        rank: int | None = None,
        max_iter: int = 1000,
        tol: float = 1e-6,
        random_state: int = 0,
    ) -> None:
        self.ridge = ridge
        self.rank = rank
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_asked("ridge", self.ridge)
        if self.rank is not None:
            whole_number("rank", self.rank)
            if not isinstance(self.ridge, int | float | np.number):
                raise InvalidSetting("a rank was given, and a choice of the ridge asked for: give one of both")
        above_zero("tol", self.tol)
        whole_number("max_iter", self.max_iter)

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        room_for(truth.shape[1], X.shape[1])
        X, Y = narrow(X), truth.astype(np.float64)
        self.choice_ = None
        if self.rank is None:
            self.ridge_, self.choice_ = decided(self, "ridge", X, truth, usual=1.0, grid=GRID)
        with in_one_thread():
            if self.rank is None:
                found = ridge_weights(X, Y, ridge=self.ridge_, tol=self.tol, max_iter=self.max_iter)
            else:
                found = truncated_weights(X, Y, rank=int(self.rank), random_state=self.random_state)
                self.singular_values_ = found.singular_values
        self.n_iter_, self.converged_ = found.iterations, found.converged
        self.linear_ = checked(Linear(found.weights.T, np.zeros(truth.shape[1])), self.classes_)
