"""Learners that go through the documents one after the other: what Widrow-Hoff and exponentiated gradient share.

Which vector is kept at the end: the last, the mean of all (001 eq. 4), or the pocketed one. Labels are problems of their own,
so blocks of them go through the documents side by side, and the result does not depend on the blocks. Source: 001 sec. 3.2-3.3,
6.3, 7.2.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from scipy import sparse

from ..errors import BadChoice, UnknownName
from ..linear import Linear, LinearModel, of_label, start_table
from ..threads import available_threads, side_by_side
from .alike import Alike
from .documents import Documents, looked_at, worth_numbering
from .examples import RATES, balanced_draws, given_order, largest_norm, rates, shuffled, widest_range
from .going_on import FewTerms, Going, GoingOn, marks_of
from .occurring import Occurring
from .pocket import joined, pocketed

if TYPE_CHECKING:
    from typing import Self

__all__ = ["OnlineModel", "Run"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
WRITTEN = ("_last", "_mean", "linear_")  # what `fit` writes out, and partial_fit when it is asked for


class Run(Protocol):
    """A block of labels on its way through the documents."""

    losses: Floats  # the sum of (w.x - y)^2 before each step, a label

    def advance(self, sequence: Whole) -> None:
        """Learn these examples."""

    def current(self) -> Floats:
        """The weights now, terms x labels."""

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included, into columns from `first` on. rows:
        which of the learner's terms stands in each row, -1 for none.                                      [001 eq. 4]"""


@dataclass(eq=False)
class Learned:
    """Where the blocks write: terms x labels of the last vector, of the mean, of the pocket; losses and the pocket's history."""

    last: Floats
    mean: Floats | None
    pocket: Floats | None
    losses: Floats
    history: dict[int, Any]

    @staticmethod
    def empty(row_of: Any, n_terms: int, n_labels: int, *, mean: bool, pocket: bool) -> Learned:
        """Room for so many."""
        shape = (len(row_of), n_labels)
        return Learned(
            np.empty(shape),
            np.empty(shape) if mean else None,
            np.empty((n_terms, n_labels)) if pocket else None,
            np.zeros(n_labels),
            {},
        )


class OnlineModel(LinearModel):
    """A linear classifier learned example by example; see the module. Constructor words are the same for all of them."""

    _labels_together: int  # how many go through the documents side by side; not to depend on the number of threads
    _labels_in_row: int  # how many have their weights for a term side by side
    _sums_others = False  # whether the weights of terms that no document has are part of a sum
    _shares_rows = False  # whether terms that start alike have one row until a document tells them apart
    vectors_: int  # vectors that the mean is of
    rate: Any
    average: bool
    passes: int
    draws: int | None
    balanced: bool
    pocket: bool
    targets: tuple[float, float]
    start: Any
    order: Any
    absent: float
    random_state: Any
    _going: GoingOn
    _few: FewTerms

    @abstractmethod
    def _run(
        self,
        documents: Documents,
        truth: Any,
        eta: Floats,
        start: Floats | float,
        mean: Floats | None,
        vectors: int,
        n_labels: int,
    ) -> Run:
        """A block of labels, ready to go from these weights, terms x labels, or one number for all; with the mean of so many
        earlier vectors."""

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

    def _weights_of_terms(self, table: Floats) -> Floats:
        """Weights of terms, from those of features; terms x labels."""
        return table

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        self.norm_ = self.spread_ = 0.0
        self._forget("_going", "_few", *WRITTEN)
        self._learn_from(X, truth, None)

    def _forget(self, *names: str) -> None:
        """What was learned before."""
        for name in names:
            self.__dict__.pop(name, None)

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

    def _begin(
        self,
        features: sparse.csr_array,
        truth: sparse.csr_array,
        eta: Floats,
        start: Floats | float,
        mean: Floats | None,
        vectors: int,
    ) -> None:
        """Tables to learn in, block by block."""
        alike = Alike(features.shape[1], apart=not isinstance(start, float)) if self._shares_rows else None
        documents, by_label = Documents(features, alike), truth.tocsc()

        def begin(labels: slice) -> Going:
            own = start if isinstance(start, float) else start[:, labels]
            before = None if mean is None else mean[:, labels]
            width = labels.stop - labels.start
            return cast("Going", self._run(documents, marks_of(by_label, labels), eta, own, before, vectors, width))

        starts = range(0, truth.shape[1], self._labels_together)
        self._going = GoingOn(
            [slice(first, min(first + self._labels_together, truth.shape[1])) for first in starts], begin, alike
        )

    def _go_through(self, features: sparse.csr_array, truth: sparse.csr_array, eta: Floats, sequence: Whole) -> None:
        """These documents, in the tables there are."""
        self.online_loss_ = self._going.learn(Documents(features), truth, eta, sequence)
        self.history_ = joined({})
        self.eta_ = float(eta[0]) if (eta == eta[0]).all() else None

    def __getattr__(self, name: str) -> Any:
        """Weights that have been learned, but not written out yet."""
        if name not in WRITTEN or "_going" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        n_features = self.n_features_in_ * (2 if getattr(self, "two_sided", False) else 1)
        self._last, self._mean = self._going.written_out(n_features, mean=self.average)
        self._keep(None)
        if not self._going.further:
            self._forget("_going", "_few")
        return vars(self)[name]

    def __getstate__(self) -> Any:
        for name in WRITTEN:
            getattr(self, name, None)
        return {name: value for name, value in super().__getstate__().items() if name not in ("_going", "_few")}

    def _weights_for(self, X: sparse.csr_array) -> tuple[Linear, sparse.csr_array]:
        if "linear_" in vars(self):
            return self.linear_, X
        if "_few" in vars(self):
            return self._few.of(X)
        if X.nnz > X.shape[1]:  # writing out all weights costs less than the documents do
            return self.linear_, X
        terms, columns = np.unique(X.indices, return_inverse=True)
        table = self._weights_of_terms(self._going.rows(self._features_of(terms)))
        few = sparse.csr_array((X.data, columns, X.indptr), shape=(X.shape[0], len(terms)))
        return Linear(table.T, np.zeros(table.shape[1])), few

    def _features_of(self, terms: Any) -> Any:
        """The features of some terms."""
        return np.append(terms, terms + self.n_features_in_) if getattr(self, "two_sided", False) else terms

    def _gather(self, alike: Alike) -> FewTerms:
        """The weights of the terms that were met, and of all others, which are alike."""
        row_of = alike.rows_of(slice(None))
        if len(row_of) == self.n_features_in_:
            weights = self._weights_of_terms(self._going.table(None, mean=self.average))
            self._check_finite(alike.sizes @ weights)
        else:  # a term is two features
            met = row_of[: self.n_features_in_] > 0
            terms, others = np.flatnonzero(met), np.flatnonzero(~met)[:1]
            row_of = np.full(len(met), len(terms), dtype=np.int32)
            row_of[terms] = np.arange(len(terms))
            features = self._features_of(np.append(terms, others))
            weights = self._weights_of_terms(self._going.table(features, mean=self.average))
            self._check_finite(weights.sum(axis=0))
        return FewTerms(Linear(weights.T, np.zeros(weights.shape[1])), row_of)

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
            run = self._run(
                documents, marks_of(by_label, chosen), eta, begin, before, vectors, chosen.stop - chosen.start
            )
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

    def _keep(self, pocket: Floats | None) -> None:
        """The vectors that score: pocketed, mean or last."""
        chosen = pocket if pocket is not None else self._last if self._mean is None else self._mean
        kept = self._weights_of_terms(chosen)
        sums = kept.sum(axis=0)
        self._check_finite(sums)
        self.linear_ = Linear(kept.T, self.absent * sums)

    def _check_finite(self, sums: Floats) -> None:
        """Sums over weights of each label: one bad weight spoils the sum."""
        finite = np.isfinite(sums)
        if not finite.all():
            wrong = [str(label) for label in self.classes_[~finite][:3].tolist()]
            raise BadChoice(
                f"rate={self.rate!r} is too high: the weights of {', '.join(wrong)} grew beyond all numbers; "
                'use rate="max-norm", or a smaller number'
            )

    @property
    def final_(self) -> Floats:
        """The last vector of each label, labels x terms."""
        return self._weights_of_terms(self._last).T

    @property
    def average_(self) -> Floats:
        """The mean of all vectors of each label, labels x terms; there unless average=False or pocket=True."""
        if self._mean is None:
            raise BadChoice("no mean was kept: fit with average=True and pocket=False")
        return self._weights_of_terms(self._mean).T

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
