"""Exponentiated gradient: weights that are a probability distribution, multiplied instead of moved. Learns from: weighted
documents, in order. Source: 001 sec. 3.3 (Kivinen & Warmuth 1994), bound sec. 4; two-sided, sigmoidal and batch forms are
what its last section asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..errors import BadChoice, UnknownName
from .blocks import Block, Run
from .examples import widest_range
from .gradient_runs import SIXTEEN, BatchRun, GradientRun
from .online import OnlineModel

__all__ = ["ExponentiatedGradient", "bound", "online_bound"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
DRIFT = 16.0  # how far the normaliser may move from 1 before a label is brought up to date
STEEPEST = (
    2.7  # a step beyond e^2.7 moves Z that far at once: it is made over the whole label, the largest exponent taken out
)
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
    """Weights clipped at 0 and divided by their sum, column by column; uniform where nothing is left (readings 001.7)."""
    positive = np.maximum(table, 0.0)
    totals = positive.sum(axis=0)
    return np.where(totals > 0, positive / np.where(totals > 0, totals, 1.0), 1 / len(table))


class ExponentiatedGradient(OnlineModel):
    """w.x with w <- w exp(-2 eta (w.x - y) x) / Z, one document after the other                        [001 sec. 3.3]

    Weights are not negative and sum to `total`. rate: eta, "range" 2/(3 R^2), or as for WidrowHoff. two_sided: each term has
    a second weight that counts against the label (EG+-), so that the difference may be negative. link: "identity" (square
    loss), or "sigmoid" (log loss of 1/(1 + e^-w.x)); log odds are large numbers, so it wants two_sided, a large total and a
    rate of its own: total=300, rate=0.01 for documents of length 1. batch: each step looks at all documents, a pass is a
    step. start: "uniform", weights (clipped and normalised), or a fitted model. The rest as for WidrowHoff.
    """

    _sums_others = _shares_rows = True
    # labels are brought up to date together, which touches their last digits: always as many
    _labels_together = _labels_in_row = SIXTEEN

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
        self.total = total
        self.two_sided = two_sided
        self.link = link
        self.batch = batch
        self.random_state = random_state

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.link not in LINKS:
            raise UnknownName("link", str(self.link), LINKS)
        if not isinstance(self.total, int | float | np.number) or not 0 < float(self.total) < float("inf"):
            raise BadChoice(f"total={self.total!r}: give the sum of the weights, a number above 0")
        if self.two_sided and self.absent:
            raise BadChoice("two_sided with absent: the weight of absent terms would pull both ways; shift X instead")
        if self.batch and (self.pocket or self.balanced or self.draws is not None):
            raise BadChoice("batch looks at all documents in each step: it knows no draws and no pocket")

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

    @property
    def _goes_on(self) -> bool:
        return super()._goes_on and not self.batch

    @property
    def _keeps_absent(self) -> bool:
        return True  # a weight that all absent terms have cancels in the normaliser

    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        if isinstance(self.start, str) and self.start != "uniform":
            raise UnknownName("start", self.start, ("uniform", "weights", "a fitted model"))
        if self.start is None or isinstance(self.start, str):
            return 1 / n_features
        given = self._given_start(n_labels, n_features // 2 if self.two_sided else n_features)
        return distribution(np.concatenate([given, -given]) if self.two_sided else given)

    def _run(self, block: Block) -> Run:
        high, low = self.targets
        sigmoid = self.link == "sigmoid"
        # the gradient of the log loss has no factor 2; a rate for the square loss, which is eight times as curved, is too low
        by = (8.0 if isinstance(self.rate, str) else 1.0) if sigmoid else 2.0
        if self.batch:
            (ends, terms, values), n_terms, start = block.documents.rows, block.documents.n_terms, block.start
            X = sparse.csr_array((values, terms, ends), shape=(len(ends) - 1, n_terms))
            of, labels = block.truth
            marks = sparse.csr_array((np.ones(len(labels)), labels, of), shape=(len(ends) - 1, block.n_labels))
            begin = np.full((n_terms, block.n_labels), start) if isinstance(start, float) else start
            wanted = low + (high - low) * marks.toarray()
            return BatchRun(X, wanted, by * block.eta, begin, absent=self._absent, sigmoid=sigmoid)
        settings = np.array([low, high - low, self._absent, DRIFT, STEEPEST])
        return GradientRun(block, by, settings, sigmoid=sigmoid, averaging=self.average and not self.pocket)

    def _sequence(self, n_documents: int) -> Any:
        return np.arange(n_documents) if self.batch and self.order is None else super()._sequence(n_documents)

    def _advance(self, run: Run, examples: Any) -> None:
        for _ in range(self.passes if self.batch else 1):
            run.advance(examples)

    def _steps(self, examples: int, *, own: bool) -> int:
        return self.passes if self.batch else super()._steps(examples, own=own)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Any:
        """Go on with further documents, from the last weights. A new label starts from the start vector."""
        if self.batch:
            raise BadChoice("batch=True looks at all documents in each step: use fit, or batch=False to go on")
        return super().partial_fit(X, y, classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = (
            True  # weights are not negative and there is no intercept: made for terms, not blobs
        )
        return tags

    def bounds(self, X: Any, y: Any, *, u: Any = None) -> dict[str, Any]:
        """What sec. 4 promises on these documents, for each label: the mean loss of u, the bound of eq. 6, that of any order,
        and the loss met on the way. u: a distribution to compare with; the model's own weights if None."""
        documents, _, mean_loss = self._compared(X, y, u)
        features = self._features(documents)
        given = {"spread": widest_range(features), "n_terms": features.shape[1], "examples": self.vectors_ - 1}
        return {
            "mean_loss_of_u": mean_loss,
            "bound": bound(mean_loss, **given),
            "online_bound": online_bound(mean_loss, **given),
            "online_loss": self.online_loss_,
        }
