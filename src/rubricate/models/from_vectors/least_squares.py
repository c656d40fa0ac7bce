"""Least squares: weights whose scores come nearest to 1 in a label and 0 outside. Learns from: weighted documents. Source: the
Least Squares Fit of 004 table 5 (LLSF; Yang & Chute 1994, Yang & Liu 1999), by ridge or by a truncated SVD.

There is no bias, as in LLSF: a document without terms scores 0, and X, which a bias would ask to be centred, stays sparse.
Whoever wants one adds a column of ones. The smaller side of X decides how it is solved: up to 2,000 documents or terms directly,
beyond that by dual coordinate descent (ridge, `linear_solver`) or Lanczos steps (rank), where X only meets vectors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...scoring.linear import Linear
from . import linear_solver
from .inner_choice import check_choice, choose_value
from .solvers import above_zero, check_finite, check_size, in_one_thread, solver_input, whole_number
from .vector_model import LinearModel, stored_vector_model

GRID = tuple(4.0**power for power in range(2, -4, -1))  # ridge, simplest first
DIRECT = 2000  # documents or terms up to which their inner products are written out
WIDEST = 16_384  # and up to which all singular values may be asked for: 2 GB


def products(X: sparse.csr_array) -> tuple[Floats, bool]:
    """Inner products of terms or of documents, whichever are fewer; True if of terms."""
    by_terms = X.shape[1] <= X.shape[0]
    table = X.T @ X if by_terms else X @ X.T
    return table.toarray(), by_terms


def ridge_weights(X: sparse.csr_array, Y: sparse.csr_array, *, ridge: float) -> Floats:
    """W, terms x labels, with the least |XW - Y|^2 + ridge |W|^2: (X'X + ridge I)^-1 X'Y = X' (XX' + ridge I)^-1 Y."""
    table, by_terms = products(X)
    targets = sparse.csr_array(X.T @ Y) if by_terms else Y
    table.flat[:: len(table) + 1] += ridge
    try:
        solution = linalg.cho_solve(linalg.cho_factor(table, lower=True), targets.toarray().astype(np.float64))
    except linalg.LinAlgError:
        raise InvalidSetting(f"ridge={ridge:g} is too small for X: give a larger one, or a rank") from None
    weights: Floats = solution if by_terms else X.T.tocsr() @ solution
    return weights


def truncated_weights(
    X: sparse.csr_array, Y: sparse.csr_array, *, rank: int, random_state: int = 0
) -> tuple[Floats, Floats]:
    """W = V S^-1 U'Y, terms x labels, from the `rank` largest singular values of X = U S V', which come with it; with all of
    them, of all W that fit best, the shortest. Singular values whose square is lost in the rounding of the largest are 0, and
    left out."""
    side = min(X.shape)
    if X.nnz == 0 or not X.data.any():
        return np.zeros((X.shape[1], Y.shape[1])), np.zeros(0)
    if side <= DIRECT or rank >= side:
        if side > WIDEST:
            raise InvalidSetting(
                f"rank={rank} is all of {X.shape[0]} documents x {X.shape[1]} terms: give a smaller one, or a ridge"
            )
        table, by_terms = products(X)
        last = len(table) - 1
        eigenvalues, vectors = linalg.eigh(table, subset_by_index=[max(0, last + 1 - rank), last])
        nonzero = eigenvalues > eigenvalues[-1] * max(X.shape) * np.finfo(np.float64).eps
        eigenvalues, vectors = eigenvalues[nonzero][::-1], vectors[:, nonzero][:, ::-1]
        targets = (X.T @ Y if by_terms else Y).T
        weights = vectors @ ((targets @ vectors).T / eigenvalues[:, None])
        return weights if by_terms else X.T @ weights, np.sqrt(eigenvalues)
    from scipy.sparse.linalg import svds

    start = np.random.default_rng(random_state).standard_normal(side)
    u, values, vt = svds(X, rank, v0=start, solver="arpack")
    nonzero = values**2 > values.max() ** 2 * max(X.shape) * np.finfo(np.float64).eps
    order = np.flatnonzero(nonzero)[np.argsort(-values[nonzero])]
    weights = vt[order].T @ ((Y.T @ u[:, order]).T / values[order][:, None])
    return weights, values[order]


@stored_vector_model(
    "least_squares", "choice_", "converged_", "gap_", "linear_", "n_iter_", "ridge_", "singular_values_"
)
class LeastSquares(LinearModel):
    """w.x with the least sum over documents of (w.x - y)^2 + ridge |w|^2, y = 1 in the label, else 0

    ridge: a number, a list of numbers to choose from, or "auto", a choice inside the training set (`choice_`). rank: instead
    of a ridge, so many of the largest singular values of X, the rest left out (LLSF); `singular_values_` are those used.
    With several labels a document, thresholds come from the training documents. With a ridge, `gap_` is what a label's
    objective may be above the least there is, as a share of it: 0 where it was solved directly, else at most tol where it is
    `converged_`, after `n_iter_` sweeps.
    """

    def __init__(
        self,
        *,
        ridge: Any = 1.0,
        rank: int | None = None,
        max_iter: int = 1000,
        tol: float = 1e-10,
        random_state: int = 0,
    ) -> None:
        self.ridge = ridge
        self.rank = rank
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_choice("ridge", self.ridge)
        if self.rank is not None:
            whole_number("rank", self.rank)
            if not isinstance(self.ridge, int | float | np.number):
                raise InvalidSetting("a rank was given, and a choice of the ridge asked for: give one of both")
        above_zero("tol", self.tol)
        whole_number("max_iter", self.max_iter)

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        check_size(truth.shape[1], X.shape[1])
        X, Y = solver_input(X), truth.astype(np.float64)
        self.choice_, n_labels = None, truth.shape[1]
        if self.rank is None:
            self.ridge_, self.choice_ = choose_value(self, "ridge", X, truth, usual=1.0, grid=GRID)
            weights = self._solve_ridge(X, truth)
        else:
            with in_one_thread():
                table, self.singular_values_ = truncated_weights(
                    X, Y, rank=int(self.rank), random_state=self.random_state
                )
            weights, self.n_iter_, self.converged_ = (
                table.T,
                np.ones(n_labels, dtype=np.int64),
                np.ones(n_labels, dtype=bool),
            )
        self.linear_ = check_finite(Linear(weights, np.zeros(n_labels)), self.classes_)

    def _solve_ridge(self, X: sparse.csr_array, truth: sparse.csr_array) -> Floats:
        """Divided by 2 ridge, the objective is 1/2 |w|^2 + sum of (w.x - y)^2 / 2 ridge."""
        n_labels = truth.shape[1]
        self.n_iter_, self.gap_ = np.ones(n_labels, dtype=np.int64), np.zeros(n_labels)
        self.converged_ = np.ones(n_labels, dtype=bool)
        if min(X.shape) <= DIRECT:
            with in_one_thread():
                return ridge_weights(X, truth.astype(np.float64), ridge=self.ridge_).T
        solution = linear_solver.solve(
            X,
            truth,
            loss="squares",
            cost=0.5 / self.ridge_,
            scale=0.0,
            tol=self.tol,
            max_iter=self.max_iter,
            seed=self.random_state,
        )
        self.n_iter_, self.gap_, self.converged_ = solution.sweeps, solution.gap, solution.gap <= self.tol
        return solution.weights
