"""Widrow-Hoff: gradient descent on the square loss, one document after the other. Learns from: weighted documents, in order.
Source: 001 sec. 3.2, bound sec. 4."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...errors import UnknownName
from ...foundation.arrays import Floats
from ...foundation.csr import row_sums
from .active_terms import Block
from .example_order import largest_norm
from .online import ONLINE, Documents, OnlineModel, check_online_model
from .vector_model import stored_vector_model

STARTS = ("zero", "uniform")
SHIFT, TOTAL = 1, 2  # rows of what all weights have in common, and of the sum of all rows


def bound(mean_loss: Any, u: Floats, *, norm: float, examples: int) -> Any:
    """E (w.x - y)^2 <= 2 (E (u.x - y)^2 + ||u||^2 X^2 / (n + 1)), for any vector u and rate 1/(4 X^2).     [001 eq. 5]

    mean_loss: of u, a number or one a label; u: terms, or labels x terms.
    """
    return 2 * (mean_loss + (np.asarray(u) ** 2).sum(axis=-1) * norm**2 / (examples + 1))


def online_bound(mean_loss: Any, u: Floats, *, norm: float, examples: int) -> Any:
    """sum over the examples of (w_i.x_i - y_i)^2 <= 2 (sum of (u.x_i - y_i)^2 + ||u||^2 X^2): holds in every order.
    [001 sec. 4]"""
    return 2 * (examples * mean_loss + (np.asarray(u) ** 2).sum(axis=-1) * norm**2)


@stored_vector_model("widrow_hoff", *ONLINE, check=check_online_model)
class WidrowHoff(OnlineModel):
    """w.x with w <- w - 2 eta (w.x - y) x, one document after the other                                    [001 eq. 3]

    rate: eta; "max-norm" 1/(4 X^2), "example" 1/||x||^2 as printed, "half-example" 1/(2||x||^2), "range" 2/(3 R^2), or a
    number. average: the mean of all vectors (eq. 4), else the last. passes over the documents, each in a new order; or
    `draws` with replacement, `balanced` between a label's documents and the others; or a given `order`. pocket: the vector
    with the best average precision on the training documents, looked at every 100 examples. targets: of a label's documents
    and of the others. start: "zero", "uniform", (terms,) or (labels, terms) weights, or a fitted model. absent: the weight of
    a term that is not there, where X holds what is above it.
    """

    _first_row = 3  # after row 0 of terms that did not occur, SHIFT and TOTAL

    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        if isinstance(self.start, str) and self.start not in STARTS:
            raise UnknownName("start", self.start, (*STARTS, "weights", "a fitted model"))
        if self.start is None or isinstance(self.start, str):
            return 1 / n_features if self.start == "uniform" else 0.0
        return self._start_table(n_labels, n_features)

    def _sums(self, last: Any, mean: Any) -> Any:
        return (last - mean) * self.vectors_

    def _make_tables(self, last: Any, mean: Any, n_features: int, n_labels: int) -> None:
        super()._make_tables(last, mean, n_features, n_labels)
        for block in self._tables.blocks:
            rows, unmet = block.weights[self._first_row :], self._tables.n_unmet * block.weights[0]
            block.weights[TOTAL] = rows.sum(axis=0) + unmet

    def _documents(self, X: sparse.csr_array) -> Documents:
        """Documents, and what their rows move by.

        Where absent terms have a weight a, a document is x + a in all d terms, and a step g moves all weights by g a. So the
        weight of a term is its row plus h, a shift that all terms share; with S the sum of all rows, (w + h).(x + a) = w.x +
        h (sum of x + a d) + S a. A document gets two entries more, for h and S, and the kernel need not know.
        """
        (parts,) = super()._documents(X)
        if self.absent == 0:
            return parts, parts[2]
        (ends, rows, values), sums, a = parts, row_sums(X), np.full(X.shape[0], self.absent)
        starts = np.repeat(ends[:-1], 2)
        rows = np.insert(rows, starts, np.tile([SHIFT, TOTAL], X.shape[0]))
        scored = np.insert(values, starts, np.stack([sums + self.absent * X.shape[1], a], axis=1).ravel())
        moves = np.insert(values, starts, np.stack([a, sums], axis=1).ravel())
        return (ends + 2 * np.arange(len(ends)), rows, scored), moves

    def _advance(self, block: Block, documents: Documents, truth: Any, sequence: Any, eta: Floats) -> None:
        from ...kernels.online import widrow_hoff

        (parts, moves), targets = documents, np.array(self.targets, dtype=np.float64)
        widrow_hoff(parts, moves, truth, sequence, eta, targets, self.vectors_, block.table, block.losses)

    def _vectors(self, block: Block, rows: Any, *, mean: bool) -> Floats:
        """The mean of all vectors, the first and the last included, is w - sums / n.                       [001 eq. 4]"""

        def vectors(rows: Any) -> Floats:
            weights: Floats = np.array(block.weights[rows])
            return weights - block.sums[rows] / self.vectors_ if mean else weights

        return vectors(rows) + vectors(SHIFT) if self._tables.settings["absent"] else vectors(rows)

    def bounds(self, X: Any, y: Any, *, u: Any = None) -> dict[str, Any]:
        """What sec. 4 promises on these documents, for each label: the mean loss of u, the bound of eq. 5, that of any order,
        and the loss met on the way. u: weights to compare with; the model's if None."""
        documents, weights, mean_loss = self._comparison(X, y, u)
        settings: dict[str, Any] = {"norm": largest_norm(documents, self.absent), "examples": self.vectors_ - 1}
        return {
            "mean_loss_of_u": mean_loss,
            "bound": bound(mean_loss, weights, **settings),
            "online_bound": online_bound(mean_loss, weights, **settings),
            "online_loss": self.online_loss_,
        }
