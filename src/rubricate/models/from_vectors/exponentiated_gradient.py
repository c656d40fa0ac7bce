"""Exponentiated gradient: weights that are a probability distribution, multiplied instead of moved. Learns from: weighted
documents, in order. Source: 001 sec. 3.3 (Kivinen & Warmuth 1994), bound sec. 4; two-sided, sigmoidal and batch forms are
what its last section asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from .active_terms import Block
from .example_order import widest_range
from .online import ONLINE, Documents, OnlineModel, check_online_model
from .vector_model import stored_vector_model

LINKS = ("identity", "sigmoid")


def bound(mean_loss: Any, *, spread: float, n_terms: int, examples: int) -> Any:
    """E (w.x - y)^2 <= 3/2 (E (u.x - y)^2 + R^2 ln d / (n + 1)), for any distribution u, rate 2/(3 R^2).   [001 eq. 6]

    mean_loss: of u, a number or one a label. n_terms: d, the number of weights.
    """
    return 1.5 * (mean_loss + spread**2 * np.log(n_terms) / (examples + 1))


def online_bound(mean_loss: Any, *, spread: float, n_terms: int, examples: int) -> Any:
    """sum over the examples of (w_i.x_i - y_i)^2 <= 3/2 (sum of (u.x_i - y_i)^2 + R^2 ln d): holds in every order.
    [001 sec. 4]"""
    return 1.5 * (examples * mean_loss + spread**2 * np.log(n_terms))


def distribution(table: Floats) -> Floats:
    """Weights clipped at 0 and divided by their sum, column by column; uniform where all are 0 (readings 001.7)."""
    positive = np.maximum(table, 0.0)
    totals = positive.sum(axis=0)
    return np.where(totals > 0, positive / np.where(totals > 0, totals, 1.0), 1 / len(table))


@stored_vector_model("exponentiated_gradient", *ONLINE, check=check_online_model)
class ExponentiatedGradient(OnlineModel):
    """w.x with w <- w exp(-2 eta (w.x - y) x) / Z, one document after the other                        [001 sec. 3.3]

    Weights are not negative and sum to `total`. rate: eta, "range" 2/(3 R^2), or as for WidrowHoff. two_sided: each term has
    a second weight that counts against the label (EG+-), so that the difference may be negative. link: "identity" (square
    loss), or "sigmoid" (log loss of 1/(1 + e^-w.x)); log odds are large numbers, so it wants two_sided, a large total and a
    rate of its own: total=300, rate=0.01 for documents of length 1. batch: each step looks at all documents, a pass is a
    step. start: "uniform", weights (clipped and normalised), or a fitted model. The rest as for WidrowHoff.
    """

    def __init__(
        self,
        *,
        rate: float | str = "range",
        average: bool = True,
        passes: int = 1,
        draws: int | None = None,
        balanced: bool = False,
        pocket: bool = False,
        targets: tuple[float, float] = (1.0, 0.0),
        start: Any = "uniform",
        order: Any = None,
        absent: float = 0.0,
        total: float = 1.0,
        two_sided: bool = False,
        link: str = "identity",
        batch: bool = False,
        random_state: int | None = 0,
    ) -> None:
        super().__init__(
            rate=rate,
            average=average,
            passes=passes,
            draws=draws,
            balanced=balanced,
            pocket=pocket,
            targets=targets,
            start=start,
            order=order,
            absent=absent,
            random_state=random_state,
        )
        self.total = total
        self.two_sided = two_sided
        self.link = link
        self.batch = batch

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.link not in LINKS:
            raise UnknownName("link", str(self.link), LINKS)
        if not isinstance(self.total, int | float | np.number) or not 0 < float(self.total) < float("inf"):
            raise InvalidSetting(f"total={self.total!r}: give the sum of the weights, a number above 0")
        if self.two_sided and self.absent:
            raise InvalidSetting(
                "two_sided with absent: the weight of absent terms would pull both ways; shift X instead"
            )
        if self.batch and (self.pocket or self.balanced or self.draws is not None):
            raise InvalidSetting("batch looks at all documents in each step: it knows no draws and no pocket")

    def _features(self, X: sparse.csr_array) -> sparse.csr_array:
        table = X * self.total if self.total != 1 else X
        return sparse.csr_array(sparse.hstack([table, -table])) if self.two_sided else table

    def _weights_of_terms(self, table: Floats) -> Floats:
        if self.two_sided:
            half = len(table) // 2
            table = table[:half] - table[half:]
        return table * self.total if self.total != 1 else table

    @property
    def _absent(self) -> float:
        return self.absent * self.total

    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        if isinstance(self.start, str) and self.start != "uniform":
            raise UnknownName("start", self.start, ("uniform", "weights", "a fitted model"))
        if self.start is None or isinstance(self.start, str):
            return 1 / n_features
        start = self._start_table(n_labels, n_features // 2 if self.two_sided else n_features)
        return distribution(np.concatenate([start, -start]) if self.two_sided else start)

    @property
    def _rate_factor(self) -> float:
        """What rates are multiplied by. The gradient of the square loss has a factor 2, that of the log loss has none; a rate by
        name, which is for the square loss, is too low for it, since the square loss is eight times as curved."""
        return 2.0 if self.link == "identity" else 8.0 if isinstance(self.rate, str) else 1.0

    def _sums(self, last: Any, mean: Any) -> Any:
        return last - mean * self.vectors_

    def _advance(self, block: Block, documents: Documents, truth: Any, sequence: Any, eta: Floats) -> None:
        from ...kernels.online import exponentiated_gradient

        exponentiated_gradient(
            documents[0],
            truth,
            sequence,
            self._rate_factor * eta,
            np.array(self.targets, dtype=np.float64),
            self._absent,
            self.link == "sigmoid",
            self.vectors_,
            self._tables.n_unmet,
            block.table,
            block.clocks,
            block.losses,
        )

    def _vectors(self, block: Block, rows: Any, *, mean: bool) -> Floats:
        """The mean of all vectors, the first and the last included, is (u T - sums + u / Z) / n.           [001 eq. 4]"""
        Z, T, _ = block.clocks
        vectors: Floats = block.weights[rows] * (T + 1 / Z if mean else 1 / Z)
        if mean:
            vectors -= block.sums[rows]
            vectors /= self.vectors_
        return vectors

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        if self.batch:
            self._fit_batch(self._features(X), truth)
        else:
            super()._fit(X, truth)

    def _fit_batch(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        """w <- w exp(-mean over all documents of step (w.x - y) x) / Z, a step a pass."""
        self._drop_weights()
        self.norm_ = self.spread_ = 0.0
        share = np.full(X.shape[0], 1 / X.shape[0])
        if self.order is not None:
            sequence = self._sequence(X.shape[0])
            share = np.bincount(sequence, minlength=X.shape[0]) / max(len(sequence), 1)
        high, low = self.targets
        targets, steps = low + (high - low) * truth.toarray(), share * self._eta(X) * self._rate_factor
        w: Floats = np.empty((X.shape[1], truth.shape[1]))
        w[:] = self._start_weights(*w.shape)
        total, self.online_loss_ = w.copy(), np.zeros(truth.shape[1])
        for _ in range(self.passes):
            scores = X @ w + self._absent
            residual = (expit(scores) if self.link == "sigmoid" else scores) - targets
            self.online_loss_ += share @ residual**2
            exponents = np.where(w > 0, -(X.T @ (residual * steps[:, None])), -np.inf)
            w = w * np.exp(exponents - exponents.max(axis=0))
            w /= w.sum(axis=0)
            total += w
        self.vectors_, self.history_ = self.passes + 1, []
        mean = total / self.vectors_ if self.average else None
        self._set_weights(w, mean, w if mean is None else mean)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Any:
        """Go on with further documents, from the last weights. A new label starts from the start vector."""
        if self.batch:
            raise InvalidSetting("batch=True looks at all documents in each step: use fit, or batch=False to go on")
        return super().partial_fit(X, y, classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # no negative weights, no intercept: made for terms, not blobs
        return tags

    def bounds(self, X: Any, y: Any, *, u: Any = None) -> dict[str, Any]:
        """What sec. 4 promises on these documents, for each label: the mean loss of u, the bound of eq. 6, that of any order,
        and the loss met on the way. u: a distribution to compare with; the model's weights if None."""
        documents, _, mean_loss = self._comparison(X, y, u)
        features = self._features(documents)
        settings = {"spread": widest_range(features), "n_terms": features.shape[1], "examples": self.vectors_ - 1}
        return {
            "mean_loss_of_u": mean_loss,
            "bound": bound(mean_loss, **settings),
            "online_bound": online_bound(mean_loss, **settings),
            "online_loss": self.online_loss_,
        }
