"""Maximum entropy: logistic regression. Learns from: weighted documents. Source: a rival of 003 and 004 (Nigam, Lafferty &
McCallum 1999).

With one label a document all labels are learned together (multinomial, from three labels on by scikit-learn's L-BFGS), so that
probabilities sum to 1; with several, each label against the rest. Probabilities are those of the model. Documents of length 1
want a C well above 1: see `C="auto"`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ...scoring.linear import Linear
from . import linear_solver
from .inner_choice import check_choice, choose_value
from .solvers import above_zero, check_finite, check_size, in_one_thread, run_solver, solver_input, whole_number
from .vector_model import LinearModel, stored_vector_model

GRID = tuple(4.0**power for power in range(-1, 6))  # C, simplest first


@stored_vector_model("maximum_entropy", "C_", "choice_", "converged_", "gap_", "linear_", "n_iter_")
class MaximumEntropy(LinearModel):
    """p(c|d) = e^(w_c.x + b_c) / sum over labels, or 1 / (1 + e^-(w_c.x + b_c)) with several labels a document, with the
    least 1/2 |w|^2 - C sum over documents of ln p(true label|d); the bias is free

    C: a number, a list of numbers to choose from, or "auto", a choice inside the training set (`choice_`). Two labels a
    collection share one vector, half to each. A label of no documents, or of all, has the log-odds of its share with half a
    document added to both sides. `converged_` and `n_iter_` a label; `gap_`, where there are two labels or documents have
    several: what a label's objective may be above the least there is, as a share of it, at most tol where it is converged.
    """

    _threshold = 0.0
    _log_odds = True

    def __init__(self, *, C: Any = 1.0, max_iter: int = 1000, tol: float = 1e-6, random_state: int = 0) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_choice("C", self.C)
        above_zero("tol", self.tol)
        whole_number("max_iter", self.max_iter)

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        n_documents, n_labels = truth.shape
        check_size(n_labels, X.shape[1])
        X = solver_input(X)
        self.C_, self.choice_ = choose_value(self, "C", X, truth, usual=1.0, grid=GRID)
        if self.several_labels_:
            table, bias = self._fit_each(X, truth)
            sizes = np.asarray(truth.sum(axis=0)).ravel()
            shares = np.log((sizes + 0.5) / (n_documents - sizes + 0.5))
            bias = np.where((sizes == 0) | (sizes == n_documents), shares, bias)
        elif n_labels <= 2:  # one vector says both, half to each
            half, share = self._fit_each(X, truth[:, [1]] if n_labels == 2 else truth)
            table, bias = (
                (np.concatenate([-half, half]) / 2, np.concatenate([-share, share]) / 2)
                if n_labels == 2
                else (half, share)
            )
        else:
            table, bias = self._fit_together(X, truth.indices)
        self.linear_ = check_finite(Linear(table, bias), self.classes_)

    def _fit_each(self, X: sparse.csr_array, truth: sparse.csr_array) -> tuple[Floats, Floats]:
        """Each label against the rest."""
        solution = linear_solver.solve(
            X,
            truth,
            loss="logistic",
            cost=self.C_,
            free=True,
            tol=self.tol,
            max_iter=self.max_iter,
            seed=self.random_state,
        )
        n_labels = len(self.classes_)
        self.n_iter_, self.gap_ = (np.resize(values, n_labels) for values in (solution.sweeps, solution.gap))
        self.converged_ = self.gap_ <= self.tol
        return solution.weights, solution.bias

    def _fit_together(self, X: sparse.csr_array, y: Any) -> tuple[Floats, Floats]:
        """Three labels or more that exclude each other, by scikit-learn."""
        from sklearn.linear_model import LogisticRegression

        solver, n_labels = LogisticRegression(C=self.C_, max_iter=self.max_iter, tol=self.tol), len(self.classes_)
        with in_one_thread():
            converged = run_solver(lambda: solver.fit(X, y))
        self.n_iter_, self.converged_ = np.full(n_labels, int(np.max(solver.n_iter_))), np.full(n_labels, converged)
        return solver.coef_, solver.intercept_
