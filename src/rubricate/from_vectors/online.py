"""Learners that go through the documents one after the other: what Widrow-Hoff and exponentiated gradient share.

Which vector is kept at the end: the last, the mean of all (001 eq. 4), or the pocketed one. Labels are problems of their own,
so blocks of them go through the documents side by side, and the result does not depend on the blocks. Source: 001 sec. 3.2-3.3,
6.3, 7.2.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy import sparse

from ..errors import BadChoice, UnknownName
from ..linear import of_label, start_table
from ..threads import available_threads, side_by_side
from .blocks import Block, Learned, Run
from .documents import Documents, looked_at, worth_numbering
from .examples import RATES, balanced_draws, given_order, largest_norm, rates, shuffled, widest_range
from .going_on import marks_of
from .occurring import Occurring
from .pocket import joined, pocketed
from .written_later import WRITTEN, WrittenLater

if TYPE_CHECKING:
    from typing import Self

    from .alike import Alike

__all__ = ["OnlineModel"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]


class OnlineModel(WrittenLater):
    """A linear classifier learned example by example; see the module. Constructor words are the same for all of them."""

    _labels_in_row: int  # how many have their weights for a term side by side
    _sums_others = False  # whether the weights of terms that no document has are part of a sum
    rate: Any
    passes: int
    draws: int | None
    balanced: bool
    pocket: bool
    targets: tuple[float, float]
    start: Any
    order: Any
    absent: float
    random_state: Any

    @abstractmethod
    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        """Start weights, features x labels, or one number for all."""

    # -- settings

    def _check_settings(self) -> None:
        if isinstance(self.rate, str):
            if self.rate not in RATES:
                raise UnknownName("learning rate", self.rate, (*RATES, "a number"))
        elif not isinstance(self.rate, int | float | np.number) or not 0 < float(self.rate) < float("inf"):
            raise BadChoice(f"rate={self.rate!r}: give a number above 0, or one of {', '.join(RATES)}")
        if not isinstance(self.passes, int | np.integer) or self.passes < 1:
            raise BadChoice(f"passes={self.passes!r}: give a whole number from 1")
        if self.draws is not None and (not isinstance(self.draws, int | np.integer) or self.draws < 1):
            raise BadChoice(f"draws={self.draws!r}: give a whole number from 1, or None for passes in order")
        if self.order is not None and (self.draws is not None or self.balanced):
            raise BadChoice("an order was given, and draws at random too: choose one")
        if np.shape(self.targets) != (2,) or not np.isfinite(self.targets).all() or self.targets[0] <= self.targets[1]:
            raise BadChoice(
                f"targets={self.targets!r}: give (for the label's documents, for the others), the first higher"
            )
        if not np.isfinite(self.absent):
            raise BadChoice(f"absent={self.absent!r}: give a finite number")

    def _sequence(self, n_documents: int) -> Whole:
        """The examples, for all labels alike."""
        if self.order is not None:
            return given_order(self.order, n_documents, self.passes)
        if self.draws is not None:
            return np.random.default_rng(self.random_state).integers(0, n_documents, self.draws).astype(np.int64)
        return shuffled(n_documents, passes=self.passes, random_state=self.random_state)

    def _own_sequence(self, label: int, positive: Whole, n_documents: int) -> Whole:
        """The examples of one label, balanced; its own stream of random numbers, whatever the other labels are."""
        draws = self.draws or n_documents * self.passes
        seed = (
            None
            if self.random_state is None
            else [int(np.random.default_rng(self.random_state).integers(2**62)), label]
        )
        return balanced_draws(positive, n_documents, draws, np.random.default_rng(seed))

    # -- learning

    @property
    def _absent(self) -> float:
        """The weight of an absent feature."""
        return self.absent

    @property
    def _keeps_absent(self) -> bool:
        """Whether terms that a document lacks are left alone, or all in the same proportion."""
        return self.absent == 0

    def _features(self, X: sparse.csr_array) -> sparse.csr_array:
        """The features that are learned from, where they are not the terms themselves."""
        return X

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        self.norm_ = self.spread_ = 0.0
        self._forget("_going", "_few", *WRITTEN)
        self._learn_from(X, truth, None)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on with further documents, from the last weights. A new label starts from the start vector."""
        self._check_settings()
        if self.pocket:
            raise BadChoice("a pocketed vector needs all training documents to be ranked: use fit, or pocket=False")
        return self._go_on(X, y, classes, fitted=not {"linear_", "_going"}.isdisjoint(vars(self)))

    @property
    def _goes_on(self) -> bool:
        """Whether further documents touch the rows of their terms alone."""
        return self.absent == 0 and not self.balanced and not self.pocket

    def _further(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        if self._goes_on and len(rows) == truth.shape[1]:
            self._go_further(X, truth)
        else:
            self._learn_from(X, truth, rows)
            self._forget("_going", "_few")

    def _go_further(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        """The labels there are, from the tables they were learned in; weights are written out when somebody asks for them."""
        features = self._features(X)
        eta, sequence = self._eta(features), self._sequence(X.shape[0])
        if "_going" not in vars(self):
            self._begin(features, truth, eta, self._last, self._mean, self.vectors_)
        self._going.further = True
        self._go_through(features, truth, eta, sequence)
        self.vectors_ += len(sequence)
        self._forget("_few", *WRITTEN)
        self._check_finite(self._going.rows(np.unique(features.indices)).sum(axis=0))

    def _eta(self, features: sparse.csr_array, lengths: Floats | None = None) -> Floats:
        """The rate of each document; what it depends on is remembered."""
        if self.rate == "max-norm":
            self.norm_ = max(self.norm_, largest_norm(features, self._absent, lengths))
        if self.rate == "range":
            self.spread_ = max(self.spread_, widest_range(features))
        return rates(features, self.rate, norm=self.norm_, spread=self.spread_, absent=self._absent)

    def _learn_alike(self, features: sparse.csr_array, truth: sparse.csr_array, start: float) -> None:
        """All labels, all terms from the same weight; what is learned is written out when somebody asks for it."""
        eta, sequence = self._eta(features), self._sequence(features.shape[0])
        self._begin(features, truth, eta, start, None, 0)
        self._go_through(features, truth, eta, sequence)
        self.vectors_, self._few = len(sequence) + 1, self._gather(cast("Alike", self._going.alike))

    def _learn_from(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        """All labels. rows: where the labels of an earlier fit are now; None to begin."""
        features, n_labels = self._features(X), truth.shape[1]
        start, mean, vectors = self._start_weights(features.shape[1], n_labels), None, 0
        if rows is None and isinstance(start, float) and self._shares_rows and self._goes_on:
            self._learn_alike(features, truth, start)
            return
        lengths, there = looked_at(features)
        eta = self._eta(features, lengths)
        if rows is not None:
            start, mean, vectors = *self._before(rows, start, n_labels), self.vectors_
        sequence = None if self.balanced else self._sequence(X.shape[0])
        steps = self._steps(X.shape[0] if sequence is None else len(sequence), own=sequence is None)
        after = vectors + steps if rows is not None else steps + 1
        alike = isinstance(start, float) and self._shares_rows
        numbering = not alike and self._keeps_absent and worth_numbering(there, n_labels, self._labels_in_row)
        if numbering:
            few = Occurring(features, there, sequence)
            others = "sum" if self._sums_others else "one"
            begin = few.rows(start, n_labels, others=others)
            earlier = None if mean is None else few.rows(mean, n_labels, others="zero")
            first = begin[-1].copy()
            found = self._through(few.X, truth, eta, begin, earlier, vectors, sequence, few.row_of)
            self._last = few.with_others(found.last, start, first)
            self._mean = None if found.mean is None else few.with_others(found.mean, start, first)
            if self._mean is not None and mean is not None:
                self._mean[few.others] += mean[few.others] * (vectors / after)
            pocket = None if found.pocket is None else few.written_out(found.pocket, start, first)
        else:
            each_its_own = np.arange(features.shape[1], dtype=np.int32)
            found = self._through(features, truth, eta, start, mean, vectors, sequence, each_its_own)
            self._last, self._mean, pocket = found.last, found.mean, found.pocket
        self.vectors_, self.online_loss_ = after, found.losses
        self.history_ = joined(found.history)
        self.eta_ = float(eta[0]) if (eta == eta[0]).all() else None
        self._keep(pocket)

    def _through(
        self,
        X: sparse.csr_array,
        truth: sparse.csr_array,
        eta: Floats,
        start: Floats | float,
        mean: Floats | None,
        vectors: int,
        sequence: Whole | None,
        row_of: Any,
    ) -> Learned:
        """All labels through the documents, block by block; what is learned comes in the order of `row_of`."""
        averaging = self.average and not self.pocket
        documents, by_label = Documents(X), truth.tocsc()
        out = Learned.empty(row_of, X.shape[1], truth.shape[1], mean=averaging, pocket=self.pocket)

        def block(first: int) -> None:
            chosen = slice(first, min(first + width, truth.shape[1]))
            begin = start if isinstance(start, float) else start[:, chosen]
            before = None if mean is None else mean[:, chosen]
            marks, n_labels = marks_of(by_label, chosen), chosen.stop - chosen.start
            run = self._run(Block(documents, marks, eta, begin, before, vectors, n_labels))
            examples = sequence
            if examples is None:
                examples = self._own_sequence(first, of_label(by_label, first), X.shape[0])
            if out.pocket is not None:
                out.pocket[:, chosen], out.history[first] = pocketed(
                    run, examples, X, by_label[:, chosen].toarray(), self._absent
                )
            else:
                self._advance(run, examples)
            run.finish(out.last, out.mean, first, row_of)
            out.losses[chosen] = run.losses

        width = 1 if sequence is None else self._labels_together
        side_by_side(block, range(0, truth.shape[1], width), available_threads())
        return out

    def _advance(self, run: Run, examples: Whole) -> None:
        """Learn the examples."""
        run.advance(examples)

    def _steps(self, examples: int, *, own: bool) -> int:
        """How many steps that is; own: each label has examples of its own."""
        return (self.draws or examples * self.passes) if own else examples

    def _before(self, rows: Any, start: Floats | float, n_labels: int) -> tuple[Floats, Floats]:
        """Last and mean vectors of an earlier fit in the places of the labels now; a new label stood still at its start."""
        last = np.full((len(self._last), n_labels), start) if isinstance(start, float) else start.copy()
        mean = last.copy()
        last[:, rows] = self._last
        mean[:, rows] = self._last if self._mean is None else self._mean
        return last, mean

    def _compared(self, X: Any, y: Any, u: Any) -> tuple[sparse.csr_array, Floats, Floats]:
        """Documents; weights to compare with, labels x terms; their mean square loss on the documents, a label."""
        X, own, _, (label_of, document_of) = self._read(X, y, reset=False)
        weights = self.coef_ if u is None else start_table(u, len(self.classes_), X.shape[1]).toarray()
        high, low = self.targets
        wanted = np.full((X.shape[0], len(self.classes_)), low)
        wanted[document_of, np.searchsorted(self.classes_, own)[label_of]] = high
        found = X @ weights.T + self.absent * weights.sum(axis=1)
        return X, weights, np.asarray(((found - wanted) ** 2).mean(axis=0))

    def _given_start(self, n_labels: int, n_terms: int) -> Floats:
        return np.ascontiguousarray(start_table(self.start, n_labels, n_terms).toarray().T)
