"""Support vector machine with a linear kernel, one a label. Learns from: weighted documents. Source: 003 sec. 2.1.4 (SVM-light
with its defaults, on tf-idf and on idf vectors), 004 tables 3-5.

003's two recipes are weightings of X: `vectors.weighted(X, counts, "wilbur_tfidf")` and `"wilbur_idf"`. SVM-light's own C is
1 over the mean of x.x, which is 1 for both, and its loss is the hinge: the defaults here. What differs: the bias is
penalised like one more weight, as in liblinear, and SVM-light's is not; a larger `intercept_scaling` comes nearer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...errors import UnknownName
from ...scoring.linear import Linear
from . import linear_solver
from .inner_choice import check_choice, choose_value
from .solvers import above_zero, check_finite, check_size, solver_input, whole_number
from .vector_model import LinearModel, stored_vector_model

LOSSES = ("hinge", "squared_hinge")
GRID = tuple(4.0**power for power in range(-3, 3))  # C, simplest first
GAPS = {
    "hinge": 1e-5,
    "squared_hinge": 1e-7,
}  # where tol is not given: the squared hinge comes much nearer in the same time


@stored_vector_model("support_vector", "C_", "choice_", "converged_", "gap_", "linear_", "n_iter_")
class SupportVector(LinearModel):
    """w.x + b with the least 1/2 (|w|^2 + b^2) + C sum over documents of loss(y (w.x + b)), y = 1 in the label, else -1

    loss: "hinge" max(0, 1 - m), or "squared_hinge" its square. C: a number, a list of numbers to choose from, or "auto", a
    choice inside the training set (`choice_`). balanced: a label's documents weigh as much as all others together.
    intercept_scaling: the constant feature whose weight is the bias, as scikit-learn has it. A label of no documents, or of
    all, scores -1, or 1. With several labels a document is in where its score is above 0;
    probabilities are squashed scores, 1 / (1 + e^-score). `gap_` is what a label's objective may be above the least there is, as
    a share of it: at most tol (None: 1e-5 of the hinge, 1e-7 of its square) where it is `converged_`, after `n_iter_` sweeps.
    """

    _threshold = 0.0

    def __init__(
        self,
        *,
        C: Any = 1.0,
        loss: str = "hinge",
        balanced: bool = False,
        intercept_scaling: float = 1.0,
        max_iter: int = 10_000,
        tol: float | None = None,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.loss = loss
        self.balanced = balanced
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_choice("C", self.C)
        if self.loss not in LOSSES:
            raise UnknownName("loss", str(self.loss), LOSSES)
        above_zero("intercept_scaling", self.intercept_scaling)
        if self.tol is not None:
            above_zero("tol", self.tol)
        whole_number("max_iter", self.max_iter)

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        n_labels = truth.shape[1]
        check_size(n_labels, X.shape[1])
        X = solver_input(X)
        self.C_, self.choice_ = choose_value(self, "C", X, truth, usual=1.0, grid=GRID)
        tol = GAPS[self.loss] if self.tol is None else self.tol
        halves = n_labels == 2 and not self.several_labels_  # one machine says both, with the sign turned for the first
        solution = linear_solver.solve(
            X,
            truth[:, [1]] if halves else truth,
            loss=self.loss,
            cost=self.C_,
            balanced=self.balanced,
            scale=self.intercept_scaling,
            tol=tol,
            max_iter=self.max_iter,
            seed=self.random_state,
        )
        table, bias = solution.weights, solution.bias
        if halves:
            table, bias = np.concatenate([-table, table]), np.concatenate([-bias, bias])
        sizes = np.asarray(truth.sum(axis=0)).ravel()
        bias = np.where(sizes == 0, -1.0, np.where(sizes == X.shape[0], 1.0, bias))
        self.n_iter_, self.gap_ = (np.resize(values, n_labels) for values in (solution.sweeps, solution.gap))
        self.converged_ = self.gap_ <= tol
        self.linear_ = check_finite(Linear(table, bias), self.classes_)

    def _fit_thresholds(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        super()._fit_thresholds(X, truth)
        self.scale_ = np.ones(len(self.classes_))  # a score is a number of margins
