"""Widrow-Hoff: gradient descent on the square loss, one document after the other. Learns from: weighted documents, in order.
Source: 001 sec. 3.2, bound sec. 4."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..classifier import available_threads
from ..errors import UnknownName
from .examples import largest_norm
from .online import Documents, OnlineModel, Run

__all__ = ["WidrowHoff", "bound", "online_bound"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
STARTS = ("zero", "uniform")
BLOCK = 64  # labels that go through the documents together, at most
MEMORY = 2**28  # bytes of a block's tables, about


def bound(mean_loss: Any, u: Floats, *, norm: float, examples: int) -> Any:
    """E (w.x - y)^2 <= 2 (E (u.x - y)^2 + ||u||^2 X^2 / (n + 1)), for any vector u and rate 1/(4 X^2).     [001 eq. 5]

    mean_loss: of u, a number or one a label; u: terms, or labels x terms.
    """
    return 2 * (mean_loss + (np.asarray(u) ** 2).sum(axis=-1) * norm**2 / (examples + 1))


def online_bound(mean_loss: Any, u: Floats, *, norm: float, examples: int) -> Any:
    """sum over the examples of (w_i.x_i - y_i)^2 <= 2 (sum of (u.x_i - y_i)^2 + ||u||^2 X^2): holds in every order.
    [001 sec. 4]"""
    return 2 * (examples * mean_loss + (np.asarray(u) ** 2).sum(axis=-1) * norm**2)


class WidrowHoffRun(Run):
    """A block of labels on its way through the documents. A mean that was there already goes on."""

    def __init__(
        self,
        documents: Documents,
        truth: Any,
        eta: Floats,
        settings: Floats,
        weights: Floats,
        *,
        averaging: bool,
        mean: Floats | None,
        vectors: int,
    ) -> None:
        from ..kernels.online import widrow_hoff

        self._learn, self._documents, self._truth, self._rates, self._settings = (
            widrow_hoff,
            documents,
            truth,
            2 * eta,
            settings,
        )
        n_labels = weights.shape[1]
        self._weights, self._averaging, self.losses = weights, averaging, np.zeros(n_labels)
        self._total = np.zeros((len(weights) if averaging else 0, n_labels))
        self._vectors = 1 if mean is None else vectors
        if averaging and mean is not None:
            self._total += mean * vectors
        elif averaging and weights.any():
            self._total += weights
        self._shift = np.zeros((2, n_labels))
        self._shift[1] = weights.sum(axis=0)

    def advance(self, sequence: Any) -> None:
        """Learn these examples.

        The vectors to come sum to N w + sum over t of (N - t) c_t x_t, where c_t x_t is step t = 0, 1, ... of N.
        """
        n, steps = len(self._documents.rows[0]) - 1, len(sequence)
        pulls = np.zeros((n if self._averaging else 0, self._weights.shape[1]))
        if (self._averaging and self._vectors > 1) or (self._averaging and self._weights.any()):
            self._total += steps * (self._weights + self._shift[0])
        self._learn(
            self._documents.rows,
            self._truth,
            sequence,
            self._rates,
            self._settings,
            steps,
            self._weights,
            pulls,
            self._shift,
            self.losses,
        )
        if self._averaging:
            self._documents.add_back(pulls, self._total)
            self._total += self._settings[2] * pulls.sum(axis=0)
        self._vectors += steps

    def current(self) -> Floats:
        """The weights now, terms x labels."""
        now: Floats = self._weights + self._shift[0]
        return now

    def finish(self, last: Floats, mean: Floats | None) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included.                [001 eq. 4]"""
        np.add(self._weights, self._shift[0], out=last)
        if mean is not None:
            np.divide(self._total, self._vectors, out=mean)


class WidrowHoff(OnlineModel):
    """w.x with w <- w - 2 eta (w.x - y) x, one document after the other                                    [001 eq. 3]

    rate: eta; "max-norm" 1/(4 X^2), "example" 1/||x||^2 as printed, "half-example" 1/(2||x||^2), "range" 2/(3 R^2), or a
    number. average: the mean of all vectors (eq. 4), else the last. passes over the documents, each in a new order; or
    `draws` with replacement, `balanced` between a label's documents and the others; or a given `order`. pocket: the vector
    with the best average precision on the training documents, looked at every 100 examples. targets: of a label's documents
    and of the others. start: "zero", "uniform", (terms,) or (labels, terms) weights, or a fitted model. absent: the weight of
    a term that is not there, where X holds what is above it.
    """

    def __init__(
        self,
        *,
        rate: float | str = "max-norm",
        average: bool = True,
        passes: int = 1,
        draws: int | None = None,
        balanced: bool = False,
        pocket: bool = False,
        targets: tuple[float, float] = (1.0, 0.0),
        start: Any = "zero",
        order: Any = None,
        absent: float = 0.0,
        random_state: int | None = 0,
    ) -> None:
        self.rate = rate
        self.average = average
        self.passes = passes
        self.draws = draws
        self.balanced = balanced
        self.pocket = pocket
        self.targets = targets
        self.start = start
        self.order = order
        self.absent = absent
        self.random_state = random_state

    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        if isinstance(self.start, str) and self.start not in STARTS:
            raise UnknownName("start", self.start, (*STARTS, "weights", "a fitted model"))
        if self.start is None or isinstance(self.start, str):
            return 1 / n_features if self.start == "uniform" else 0.0
        return self._given_start(n_labels, n_features)

    def _run(
        self, documents: Documents, truth: Any, eta: Floats, start: Floats, mean: Floats | None, vectors: int
    ) -> WidrowHoffRun:
        high, low = self.targets
        return WidrowHoffRun(
            documents,
            truth,
            eta,
            np.array([low, high - low, self.absent]),
            start,
            averaging=self.average and not self.pocket,
            mean=mean,
            vectors=vectors,
        )

    def _labels_together(self, n_documents: int, n_terms: int, n_labels: int) -> int:
        # no label's numbers depend on the others, so there may be as many as there are threads to share them
        room = max(1, MEMORY // (8 * (2 * n_terms + n_documents)))
        return min(BLOCK, room, -(-n_labels // available_threads()))

    def bounds(self, X: Any, y: Any, *, u: Any = None) -> dict[str, Any]:
        """What sec. 4 promises on these documents, for each label: the mean loss of u, the bound of eq. 5, that of any order,
        and the loss met on the way. u: weights to compare with; the model's own if None."""
        documents, weights, mean_loss = self._compared(X, y, u)
        given: dict[str, Any] = {"norm": largest_norm(documents, self.absent), "examples": self.vectors_ - 1}
        return {
            "mean_loss_of_u": mean_loss,
            "bound": bound(mean_loss, weights, **given),
            "online_bound": online_bound(mean_loss, weights, **given),
            "online_loss": self.online_loss_,
        }
