"""Widrow-Hoff: gradient descent on the square loss, one document after the other. Learns from: weighted documents, in order.
Source: 001 sec. 3.2, bound sec. 4."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnknownName
from .blocks import Block, Run
from .documents import Documents, aligned
from .examples import largest_norm
from .online import OnlineModel

__all__ = ["WidrowHoff", "bound", "online_bound"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
STARTS = ("zero", "uniform")


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
    """Some labels on their way through the documents, by fours. A mean that was there already goes on."""

    def __init__(self, block: Block, settings: Floats, *, averaging: bool) -> None:
        from ..kernels.lanes import ROW, WIDE
        from ..kernels.online import widrow_hoff, written_rows

        start, mean, n_labels = block.start, block.mean, block.n_labels
        self._learn, self._written, self._settings, self._averaging = widrow_hoff, written_rows, settings, averaging
        self._documents, self._truth, self._rates = block.documents.rows, block.truth, 2 * block.eta
        fours = -(-n_labels // WIDE)
        self._n_labels, self._vectors = n_labels, 1 if mean is None else block.vectors
        self._tables = aligned((fours, block.documents.n_terms, ROW))
        self._weights, self._sums = self._tables[:, :, :WIDE], self._tables[:, :, WIDE:]
        self._shifts, self._losses = np.zeros((fours, 3, WIDE)), np.zeros((fours, WIDE))
        self.losses = self._losses.reshape(-1)[:n_labels]
        if isinstance(start, float) and start == 0 and mean is None:
            return
        for first in range(0, n_labels, WIDE):
            chosen, four = slice(first, first + WIDE), first // WIDE
            own = start if isinstance(start, float) else start[:, chosen]
            width = min(WIDE, n_labels - first)
            self._weights[four, :, :width] = own
            if averaging and mean is not None:
                self._sums[four, :, :width] = (mean[:, chosen] - own) * block.vectors
        self._shifts[:, 2] = self._weights.sum(axis=1)

    def turn_to(self, documents: Documents, truth: Any, eta: Floats) -> None:
        """Go on with other documents; losses begin anew."""
        self._documents, self._truth, self._rates = documents.rows, truth, 2 * eta
        self._losses[:] = 0.0

    def let_go(self) -> None:
        """Keep no document."""
        del self._documents, self._truth, self._rates

    def advance(self, sequence: Any) -> None:
        """Learn these examples."""
        self._learn(
            self._documents,
            self._truth,
            sequence,
            self._rates,
            self._settings,
            self._vectors if self._averaging else 0,
            self._tables,
            self._shifts,
            self._losses,
        )
        self._vectors += len(sequence)

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, mean or last, of some terms: terms x labels. Absent terms weigh nothing."""
        own = self._weights[:, terms]
        if self._averaging:
            own = own + self._sums[:, terms] / self._vectors
        found: Floats = np.concatenate(list(own), axis=1)[:, : self._n_labels]
        return found

    def current(self) -> Floats:
        """The weights now, terms x labels."""
        now: Floats = np.empty((self._tables.shape[1], self._n_labels))
        self.finish(now, None, 0, np.arange(len(now), dtype=np.int32))
        return now

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included.                [001 eq. 4]"""
        end, nobody = first + self._n_labels, np.empty((0, 0))
        asked = nobody if last is None else last, nobody if mean is None else mean
        self._written(self._tables, self._shifts, self._vectors, rows, first, end, *asked)


class WidrowHoff(OnlineModel):
    """w.x with w <- w - 2 eta (w.x - y) x, one document after the other                                    [001 eq. 3]

    rate: eta; "max-norm" 1/(4 X^2), "example" 1/||x||^2 as printed, "half-example" 1/(2||x||^2), "range" 2/(3 R^2), or a
    number. average: the mean of all vectors (eq. 4), else the last. passes over the documents, each in a new order; or
    `draws` with replacement, `balanced` between a label's documents and the others; or a given `order`. pocket: the vector
    with the best average precision on the training documents, looked at every 100 examples. targets: of a label's documents
    and of the others. start: "zero", "uniform", (terms,) or (labels, terms) weights, or a fitted model. absent: the weight of
    a term that is not there, where X holds what is above it.
    """

    _labels_in_row = 4
    _labels_together = (
        8  # their weights are a cache line when they are written; no label's numbers depend on the others
    )

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

    def _run(self, block: Block) -> WidrowHoffRun:
        high, low = self.targets
        settings = np.array([low, high - low, self.absent, block.documents.n_terms])
        return WidrowHoffRun(block, settings, averaging=self.average and not self.pocket)

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
