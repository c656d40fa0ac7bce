"""Learners that go through the documents one after the other: what Widrow-Hoff and exponentiated gradient share.

Which vector is kept at the end: the last, the mean of all (001 eq. 4), or the pocketed one. Labels are problems of their own,
so blocks of them go through the documents side by side, and the result does not depend on the blocks. Source: 001 sec. 3.2-3.3,
6.3, 7.2.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy import sparse

from ..additive import csr_parts
from ..errors import BadChoice, UnknownName
from ..linear import Linear, LinearModel, of_label, start_table
from ..metrics.ranking import average_precision
from ..threads import available_threads, side_by_side
from .examples import RATES, balanced_draws, given_order, largest_norm, rates, shuffled, widest_range
from .occurring import Occurring

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Documents", "OnlineModel", "Run", "aligned", "looked_at", "worth_numbering"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
PART = 4096  # documents looked over at a time
FAR = 2**25  # bytes of rows that no cache holds
FEW = 8  # one term in so many, or fewer, is worth numbering
POCKET = 100  # examples between two looks at the pocket


class Documents:
    """The documents as kernels take them."""

    def __init__(self, X: sparse.csr_array) -> None:
        self.rows, self.n_terms = csr_parts(X), X.shape[1]


def aligned(shape: tuple[int, ...]) -> Floats:
    """Zeros that begin with a cache line."""
    size = int(np.prod(shape))
    room = np.zeros(size + 8)
    first = -(room.ctypes.data // 8) % 8
    return room[first : first + size].reshape(shape)


class Run(Protocol):
    """A block of labels on its way through the documents."""

    losses: Floats  # the sum of (w.x - y)^2 before each step, a label

    def advance(self, sequence: Whole) -> None:
        """Learn these examples."""

    def current(self) -> Floats:
        """The weights now, terms x labels."""

    def finish(self, last: Floats, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included, into columns from `first` on. rows:
        which of the learner's terms stands in each row, -1 for none.                                      [001 eq. 4]"""


def pocketed(run: Run, sequence: Whole, X: sparse.csr_array, truth: Floats, absent: float) -> tuple[Floats, Any]:
    """The vectors with the highest average precision on the training documents, looked at every 100 examples; the first
    without condition, later ones if strictly better; fewer than 100 examples: the last.             [001 sec. 7.2]"""
    kept, best, history = None, np.full(truth.shape[1], -np.inf), []
    for start in range(0, len(sequence), POCKET):
        chunk = sequence[start : start + POCKET]
        run.advance(chunk)
        if len(chunk) < POCKET:
            break
        now = run.current()
        found = np.asarray(average_precision(X @ now + absent * now.sum(axis=0), truth), dtype=np.float64)
        found = np.nan_to_num(found, nan=-np.inf)  # a label without documents: nothing to rank
        better = np.ones(len(found), dtype=bool) if kept is None else found > best
        kept = now.copy() if kept is None else np.where(better, now, kept)
        best = np.where(better, found, best)
        history.append((start + POCKET, found, better))
    return (run.current() if kept is None else kept), history


def joined(histories: dict[int, list[Any]]) -> list[list[Any]]:
    """The pocket's histories of all blocks as one: (examples so far, average precision, whether it was the best), of all
    labels. Blocks look at the same moments."""
    blocks = [histories[first] for first in sorted(histories)]
    looks = (
        [np.concatenate(column) for column in list(zip(*look, strict=True))[1:]] for look in zip(*blocks, strict=True)
    )
    return [[(moment, *look) for (moment, _, _), look in zip(blocks[0], looks, strict=True)]] if blocks else []


def looked_at(X: sparse.csr_array) -> tuple[Floats, Any]:
    """The squared length of each document, and a mask of the terms that occur."""
    from ..kernels.online import looked_over

    documents, lengths, there = csr_parts(X), np.empty(X.shape[0]), np.zeros(X.shape[1], dtype=np.bool_)

    def part(first: int) -> None:
        looked_over(documents, first, min(first + PART, X.shape[0]), lengths, there)

    side_by_side(part, range(0, X.shape[0], PART), available_threads())
    return lengths, there


def worth_numbering(there: Any, n_labels: int) -> bool:
    """Whether the terms that occur, `there`, get rows of their own, in the order in which they come: where the rows of all terms
    for so many labels, weights and sums, are more than caches hold, or where most would never be used."""
    return bool(16 * n_labels * len(there) > FAR or FEW * there.sum() < len(there))


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
        self._learn_from(X, truth, None)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on with further documents, from the last weights. A new label starts from the start vector."""
        self._check_settings()
        if self.pocket:
            raise BadChoice("a pocketed vector needs all training documents to be ranked: use fit, or pocket=False")
        return self._go_on(X, y, classes, fitted=hasattr(self, "linear_"))

    def _further(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        self._learn_from(X, truth, rows)

    def _learn_from(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        """All labels. rows: where the labels of an earlier fit are now; None to begin."""
        features, n_labels = self._features(X), truth.shape[1]
        lengths, there = looked_at(features)
        if self.rate == "max-norm":
            self.norm_ = max(self.norm_, largest_norm(features, self._absent, lengths))
        if self.rate == "range":
            self.spread_ = max(self.spread_, widest_range(features))
        eta = rates(features, self.rate, norm=self.norm_, spread=self.spread_, absent=self._absent)
        start, mean, vectors = self._start_weights(features.shape[1], n_labels), None, 0
        if rows is not None:
            start, mean, vectors = *self._before(rows, start, n_labels), self.vectors_
        sequence = None if self.balanced else self._sequence(X.shape[0])
        steps = self._steps(X.shape[0] if sequence is None else len(sequence), own=sequence is None)
        after = vectors + steps if rows is not None else steps + 1
        if self._keeps_absent and worth_numbering(there, min(n_labels, self._labels_in_row)):
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
            own = by_label[:, chosen].tocsr()
            marks = (own.indptr.astype(np.int64), own.indices.astype(np.int32))
            begin = start if isinstance(start, float) else start[:, chosen]
            before = None if mean is None else mean[:, chosen]
            run = self._run(documents, marks, eta, begin, before, vectors, own.shape[1])
            examples = sequence
            if examples is None:
                examples = self._own_sequence(first, of_label(by_label, first), X.shape[0])
            if out.pocket is not None:
                out.pocket[:, chosen], out.history[first] = pocketed(run, examples, X, own.toarray(), self._absent)
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
        finite = np.isfinite(sums)  # one bad weight spoils the sum
        if not finite.all():
            wrong = [str(label) for label in self.classes_[~finite][:3].tolist()]
            raise BadChoice(
                f"rate={self.rate!r} is too high: the weights of {', '.join(wrong)} grew beyond all numbers; "
                'use rate="max-norm", or a smaller number'
            )
        self.linear_ = Linear(kept.T, self.absent * sums)

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
