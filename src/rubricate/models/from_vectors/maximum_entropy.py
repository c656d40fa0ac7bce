"""Maximum entropy: logistic regression. Learns from: weighted documents. Source: a rival of 003 and 004 (Nigam, Lafferty &
McCallum 1999); solved by scikit-learn's L-BFGS.

With one label a document all labels are learned together (multinomial), so that probabilities sum to 1; with several, each
label against the rest. Probabilities are the model's own. Documents of length 1 want a C well above 1: see `C="auto"`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit, softmax

from ...foundation.arrays import Floats
from .inner_choice import check_asked, decided
from .solvers import above_zero, checked, converged, in_one_thread, narrow, room_for, whole_number
from .vector_model import Linear, LinearModel, of_label, stored_vector_model

__all__ = ["MaximumEntropy"]

GRID = tuple(4.0**power for power in range(-1, 6))  # C, simplest first


@stored_vector_model("maximum_entropy", "C_", "choice_", "converged_", "linear_", "n_iter_")
class MaximumEntropy(LinearModel):
    """p(c|d) = e^(w_c.x + b_c) / sum over labels, or 1 / (1 + e^-(w_c.x + b_c)) with several labels a document, with the
    least 1/2 |w|^2 - C sum over documents of ln p(true label|d); the bias is free

    C: a number, a list of numbers to choose from, or "auto", a choice inside the training set (`choice_`). Two labels a
    collection share one vector, half to each. A label of no documents, or of all, has the log-odds of its share with half a
    document added to both sides. `converged_` and `n_iter_` a label.
    """

    def __init__(self, *, C: Any = 1.0, max_iter: int = 1000, tol: float = 1e-4, random_state: int = 0) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_settings(self) -> None:
        check_asked("C", self.C)
        above_zero("tol", self.tol)
        whole_number("max_iter", self.max_iter)

    def _own_cuts(self) -> Floats:
        return np.zeros(len(self.classes_))

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        room_for(truth.shape[1], X.shape[1])
        X = narrow(X)
        self.C_, self.choice_ = decided(self, "C", X, truth, usual=1.0, grid=GRID)
        with in_one_thread():
            table, bias = self._each(X, truth) if self.several_labels_ else self._together(X, truth.indices)
        self.linear_ = checked(Linear(table, bias), self.classes_)

    def _together(self, X: sparse.csr_array, y: Any) -> tuple[Floats, Floats]:
        """One label a document."""
        n_labels = len(self.classes_)
        if n_labels == 1:
            self.n_iter_, self.converged_ = np.zeros(1, dtype=np.int64), np.ones(1, dtype=bool)
            return np.zeros((1, X.shape[1])), np.zeros(1)
        coefficients, bias, iterations, done = self._solved(X, y)
        self.n_iter_, self.converged_ = np.full(n_labels, iterations), np.full(n_labels, done)
        if n_labels == 2:
            return np.concatenate([-coefficients, coefficients]) / 2, np.concatenate([-bias, bias]) / 2
        return coefficients, bias

    def _each(self, X: sparse.csr_array, truth: sparse.csr_array) -> tuple[Floats, Floats]:
        """Several labels a document: each against the rest."""
        n_documents, n_labels = truth.shape
        table, bias, by_label = np.zeros((n_labels, X.shape[1])), np.zeros(n_labels), truth.tocsc()
        self.n_iter_, self.converged_ = np.zeros(n_labels, dtype=np.int64), np.ones(n_labels, dtype=bool)
        for label in range(n_labels):
            inside = np.zeros(n_documents, dtype=np.int64)
            inside[of_label(by_label, label)] = 1
            size = int(inside.sum())
            if 0 < size < n_documents:
                table[[label]], bias[[label]], self.n_iter_[label], self.converged_[label] = self._solved(X, inside)
            else:
                bias[label] = np.log((size + 0.5) / (n_documents - size + 0.5))
        return table, bias

    def _solved(self, X: sparse.csr_array, y: Any) -> tuple[Floats, Floats, int, bool]:
        """Weights and bias by scikit-learn, its steps, and whether they led to the end."""
        from sklearn.linear_model import LogisticRegression

        found = LogisticRegression(C=self.C_, max_iter=self.max_iter, tol=self.tol)
        done = converged(lambda: found.fit(X, y))
        return found.coef_, found.intercept_, int(np.max(found.n_iter_)), done

    def predict_proba(self, X: Any) -> Floats:
        """The model's own probabilities: they sum to 1 with one label a document, and stand alone with several."""
        scores = self.class_scores(X)
        found: Floats = expit(scores) if self.several_labels_ else softmax(scores, axis=1)
        return found
