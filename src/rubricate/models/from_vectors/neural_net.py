"""A small neural net: one hidden layer, all labels at once. Learns from: weighted documents. Source: the Neural Net of 004
table 5 (Yang & Liu 1999: one net for all labels, after selection of terms); solved by scikit-learn's MLPClassifier.

Every batch touches every weight of the hidden layer, so select terms first: a thousand or a few, not a vocabulary. Terms
that no training document has are left out: their weights would be the random ones they began with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...scoring.layered import Layered
from .solvers import above_zero, check_size, in_one_thread, run_solver, solver_input, whole_number
from .vector_model import VectorModel, stored_vector_model


def constant(n_terms: int, bias: Floats) -> Layered:
    """A net that scores every document by the bias."""
    return Layered(np.zeros((n_terms, 1)), np.zeros(1), np.zeros((1, len(bias))), bias)


@stored_vector_model("neural_net", "converged_", "losses_", "n_iter_", "net_")
class NeuralNet(VectorModel):
    """z = max(0, x A + a) B + b, with p(c|d) = e^z_c / sum over labels, or 1 / (1 + e^-z_c) with several labels a document

    Scores are z: log-odds with several labels, log-probabilities up to a number of the document with one. The loss is the
    mean of -ln p(truth|d) + penalty/2 (|A|^2 + |B|^2) / (documents of a batch), minimised by Adam from random weights: the
    result depends on the seed. hidden: units. max_iter: passes over the documents; fewer if the loss no longer falls by `tol`.
    early_stopping: a tenth of the documents say when to stop, instead of the loss. A label's scores depend on all labels, which
    share the hidden units. `converged_` is False if max_iter was met, `n_iter_` the passes, `losses_` after each.
    """

    _threshold = 0.0
    _log_odds = True

    def __init__(
        self,
        *,
        hidden: int = 64,
        penalty: float = 1e-4,
        rate: float = 0.01,
        batch: int = 200,
        max_iter: int = 30,
        tol: float = 1e-4,
        early_stopping: bool = False,
        random_state: int = 0,
    ) -> None:
        self.hidden = hidden
        self.penalty = penalty
        self.rate = rate
        self.batch = batch
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.random_state = random_state

    def _check_settings(self) -> None:
        for name in ("hidden", "batch", "max_iter"):
            whole_number(name, getattr(self, name))
        above_zero("rate", self.rate)
        for name in ("penalty", "tol"):
            value: Any = getattr(self, name)
            if not isinstance(value, int | float | np.number) or not 0 <= value < np.inf:
                raise InvalidSetting(f"{name}={value!r}: give a number from 0")

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        X = solver_input(X)
        terms = np.unique(X.indices)
        check_size(self.hidden, len(terms))
        y: Any = truth.toarray().astype(np.int64) if self.several_labels_ else truth.indices
        if y.ndim == 2 and y.shape[1] == 1:
            y = y.ravel()
        n_labels = truth.shape[1]
        self.n_iter_, self.converged_, self.losses_ = 0, True, np.zeros(0)
        if y.ndim == 1 and len(np.unique(y)) == 1:
            size = int(y.sum()) if self.several_labels_ else len(y)
            self.net_ = constant(X.shape[1], np.log([(size + 0.5) / (len(y) - size + 0.5)]))
            return
        self.net_ = self._over_all_terms(self._fit_network(X[:, terms], y), terms, X.shape[1], n_labels)

    def _fit_network(self, X: sparse.csr_array, y: Any) -> Any:
        from sklearn.neural_network import MLPClassifier

        net = MLPClassifier(
            (self.hidden,),
            alpha=self.penalty,
            learning_rate_init=self.rate,
            batch_size=min(self.batch, X.shape[0]),
            max_iter=self.max_iter,
            tol=self.tol,
            early_stopping=self.early_stopping,
            random_state=self.random_state,
        )
        with in_one_thread():
            self.converged_ = run_solver(lambda: net.fit(X, y))
        self.n_iter_, self.losses_ = int(net.n_iter_), np.array(net.loss_curve_)
        return net

    def _over_all_terms(self, net: Any, terms: Any, n_terms: int, n_labels: int) -> Layered:
        """The weights over all terms, and of all labels: two share one output, half to each."""
        (into, out), (hidden_bias, bias) = net.coefs_, net.intercepts_
        table = np.zeros((n_terms, self.hidden))
        table[terms] = into
        if n_labels == 2 and not self.several_labels_:
            out, bias = np.hstack([-out, out]) / 2, np.concatenate([-bias, bias]) / 2
        if not (np.isfinite(into).all() and np.isfinite(out).all()):
            raise InvalidSetting(
                "the weights of the net grew beyond all numbers: divide documents by their length, or lower the rate"
            )
        return Layered(table, hidden_bias, out, bias)
