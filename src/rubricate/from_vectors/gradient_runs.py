"""Exponentiated gradient on its way through the documents: one after the other, or all of them in each step. See
`kernels.gradient` for what is kept, `exponentiated_gradient` for the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from .alike import Alike, Plan
from .blocks import Block, Run
from .documents import Documents, aligned

__all__ = ["SIXTEEN", "BatchRun", "GradientRun"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
EIGHT, SIXTEEN = 8, 16  # labels that go through the documents together: few, or many


class GradientRun(Run):
    """A block of labels, one document after the other."""

    def __init__(self, block: Block, by: float, settings: Floats, *, sigmoid: bool, averaging: bool) -> None:
        """by: what the rates are multiplied by. settings: as the kernel takes them."""
        from ..kernels.gradient import PAGES, exponentiated_gradient

        documents, start, mean, n_labels = block.documents, block.start, block.mean, block.n_labels
        self._learn, self._documents, self._truth = exponentiated_gradient, documents, block.truth
        self._steps, self._by, self._settings, self._sigmoid = by * block.eta, by, settings, sigmoid
        self.losses, self._vectors, self._averaging = np.zeros(n_labels), max(block.vectors - 1, 0), averaging
        lanes = EIGHT if n_labels <= EIGHT else SIXTEEN
        self._pages, self._clocks = np.zeros((PAGES, 2, lanes)), np.zeros((4, n_labels))
        self._pages[0, 0] = self._clocks[0] = 1.0
        n_terms, each = documents.n_terms, not isinstance(start, float)
        self._alike = documents.alike or Alike(n_terms, apart=each)
        self._tables, self._about = aligned((0, 2, lanes)), np.zeros((0, 2), dtype=np.int32)
        self._make_room(len(documents.rows[1]))
        self._state, own = np.array([0, n_terms if each else 0]), slice(1, n_terms + 1) if each else slice(0, 1)
        self._about[own, 1], self._tables[own, 0, :n_labels] = 1 if each else n_terms, start
        if averaging and mean is not None:  # the vector it goes on from has been counted
            self._tables[own, 1, :n_labels] = start - mean * block.vectors

    def _make_room(self, entries: int) -> None:
        """Rows for so many more entries of documents."""
        rows, before = self._alike.room(entries), len(self._tables)
        if rows > before:
            rows = min(max(rows, 3 * before // 2), self._alike.n_terms + 2)
            tables, about = aligned((rows, *self._tables.shape[1:])), np.zeros((rows, 2), dtype=np.int32)
            tables[:before], about[:before] = self._tables, self._about
            self._tables, self._about = tables, about

    def turn_to(self, documents: Documents, truth: Any, eta: Floats) -> None:
        """Go on with other documents; losses begin anew."""
        self._documents, self._truth, self._steps = documents, truth, self._by * eta
        self.losses[:] = 0.0
        self._make_room(len(documents.rows[1]))

    def let_go(self) -> None:
        """Keep no document."""
        del self._documents, self._truth, self._steps

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, mean or last, of some terms: terms x labels."""
        rows, own = self._alike.rows_of(terms), slice(0, len(self.losses))
        p, g = np.moveaxis(self._pages[self._about[rows, 0]][:, :, own], 1, 0)
        u, s = np.moveaxis(self._tables[rows][:, :, own], 1, 0)
        last: Floats = u * p / (self._clocks[0] + self._clocks[1])
        if not self._averaging:
            return last
        T = self._clocks[2] + self._clocks[3]
        sums = u * p * T - (s - u * g)
        return (sums + last) / (self._vectors + 1)  # type: ignore[no-any-return]

    def advance(self, sequence: Any) -> None:
        """Learn these examples."""
        for part in self._alike.parts(self._documents, sequence):
            self.follow(self._alike.plan(self._documents, part), part)

    def follow(self, plan: Plan, sequence: Any) -> None:
        """Learn these examples, whose rows somebody has found."""
        self._learn(
            plan,
            self._truth,
            sequence,
            self._steps,
            self._settings,
            self._sigmoid,
            self._tables,
            self._about,
            self._pages,
            self._state,
            self._clocks,
            self.losses,
        )
        self._vectors += len(sequence)

    def current(self) -> Floats:
        """The weights now, terms x labels."""
        now: Floats = np.empty((self._alike.n_terms, len(self.losses)))
        self.finish(now, None, 0, np.arange(len(now), dtype=np.int32))
        return now

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included.                [001 eq. 4]"""
        self.write_rows(last, mean, first, np.where(rows < 0, np.int32(-1), self._alike.rows_of(rows)))

    def write_rows(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """The same for rows of the table."""
        from ..kernels.gradient import means_of_gradient, up_to_date

        up_to_date(self._tables, self._about, self._pages, self._state)
        nobody, used, vectors = np.empty((0, 0)), int(self._state[1]), self._vectors + 1
        asked = nobody if last is None else last, nobody if mean is None else mean
        means_of_gradient(self._tables, self._about, used, self._clocks, vectors, rows, first, *asked)


class BatchRun(Run):
    """The same rule with the gradient of all documents at once; a step is a look at the whole sequence."""

    def __init__(
        self, X: sparse.csr_array, truth: Floats, steps: Floats, weights: Floats, *, absent: float, sigmoid: bool
    ) -> None:
        self._X, self._by_term, self._truth, self._steps = X, X.T.tocsr(), truth, steps
        self._weights, self._absent, self._sigmoid = weights, absent, sigmoid
        self._total, self._vectors, self.losses = weights.copy(), 1, np.zeros(truth.shape[1])

    def advance(self, sequence: Any) -> None:
        """One step: w <- w exp(-mean over the sequence of step (w.x - y) x) / Z."""
        share = np.bincount(sequence, minlength=self._X.shape[0]) / max(len(sequence), 1)
        scores = self._X @ self._weights + self._absent
        residual = (expit(scores) if self._sigmoid else scores) - self._truth
        self.losses += share @ residual**2
        exponents = -(self._by_term @ (residual * (share * self._steps)[:, None]))
        exponents = np.where(self._weights > 0, exponents, -np.inf)
        grown = self._weights * np.exp(exponents - exponents.max(axis=0))
        self._weights = grown / grown.sum(axis=0)
        self._total, self._vectors = self._total + self._weights, self._vectors + 1

    def current(self) -> Floats:
        """The weights now, terms x labels."""
        return self._weights

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included.                [001 eq. 4]"""
        own, there = slice(first, first + self._weights.shape[1]), rows >= 0
        if last is not None:
            last[there, own] = self._weights[rows[there]]
        if mean is not None:
            mean[there, own] = (self._total / self._vectors)[rows[there]]
