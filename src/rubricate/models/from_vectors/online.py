"""Learners that go through the documents one after the other: what Widrow-Hoff and exponentiated gradient share.

Which vector scores at the end: the last, the mean of all (001 eq. 4), or the pocketed one. Labels are problems of their own, so
blocks of them go through the documents side by side, and the result does not depend on the blocks.

The weights are in one of two places. After fit and partial_fit they are in `_tables`, with rows for the terms that have occurred
(`active_terms`): learning, and scoring a few documents, cost what the documents cost, whatever the vocabulary. When the
weights of all terms are first read, they are written out (`_last`, `_mean`, `linear_`) and the tables dropped; a model file holds
the weights written out, and partial_fit makes tables of them. Source: 001 sec. 3.2-3.3, 6.3, 7.2.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ...foundation.threads import available_threads, side_by_side
from ...measures.metrics.ranking import average_precision
from ...scoring.forms import Form, Linear
from ...storage.checks import sized
from .active_terms import Block, Tables
from .example_order import RATES, balanced_draws, check_order, largest_norm, rates, shuffled, widest_range
from .vector_model import LinearModel, check_vector_model, of_label, start_table

if TYPE_CHECKING:
    from typing import Self


Documents = tuple[Any, ...]  # as a kernel takes them: (ends, rows, values), and what else it needs
ALL_TERMS = ("_last", "_mean", "linear_")  # weights of all terms
# what is learned, as files hold it
ONLINE = (*ALL_TERMS, "eta_", "history_", "norm_", "online_loss_", "spread_", "vectors_")
NARROWEST, WIDEST = 16, 128  # labels of a block: fewer waste the vector instructions, more leave the caches
SMALL = 2**16  # entries x labels that are not worth a thread
POCKET = 100  # examples between two looks at the pocket


class OnlineModel(LinearModel):
    """A linear classifier learned example by example; see the module. Constructor words are the same for all of them."""

    _first_row = 1  # of a term; those before it belong to the learner
    norm_: float
    spread_: float
    vectors_: int  # vectors that the mean is of
    _tables: Tables = None  # type: ignore[assignment]  # before learning, and when all weights are written out
    _nearby: tuple[Any, Floats] | None = None  # weights of the terms of the last documents, see `_nearby_weights`
    _last: Floats
    _mean: Floats | None

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

    # -- what a learner defines

    @abstractmethod
    def _start_weights(self, n_features: int, n_labels: int) -> Floats | float:
        """Start weights, features x labels, or one number for all."""

    @abstractmethod
    def _sums(self, last: Any, mean: Any) -> Any:
        """The sums of a table that goes on from the last of `vectors_` vectors and their mean."""

    @abstractmethod
    def _advance(self, block: Block, documents: Documents, truth: Any, sequence: Longs, eta: Floats) -> None:
        """Learn these examples. truth: ends and labels, of the block, of each document; eta: the rate of each document."""

    @abstractmethod
    def _vectors(self, block: Block, rows: Any, *, mean: bool) -> Floats:
        """The last vectors, or the means of all, of some rows: rows x labels."""

    def _features(self, X: sparse.csr_array) -> sparse.csr_array:
        """The features that are learned from, where they are not the terms themselves."""
        return X

    def _weights_of_terms(self, table: Floats) -> Floats:
        """Weights of terms, from those of features; terms x labels."""
        return table

    @property
    def _absent(self) -> float:
        """The weight of an absent feature."""
        return self.absent

    # -- settings

    @property
    def _table_settings(self) -> dict[str, Any]:
        """Settings that tables depend on: when one changes, tables are made anew."""
        return {"absent": self.absent, "balanced": self.balanced}

    def _check_settings(self) -> None:
        if isinstance(self.rate, str):
            if self.rate not in RATES:
                raise UnknownName("learning rate", self.rate, (*RATES, "a number"))
        elif not isinstance(self.rate, int | float | np.number) or not 0 < float(self.rate) < float("inf"):
            raise InvalidSetting(f"rate={self.rate!r}: give a number above 0, or one of {', '.join(RATES)}")
        if not isinstance(self.passes, int | np.integer) or self.passes < 1:
            raise InvalidSetting(f"passes={self.passes!r}: give a whole number from 1")
        if self.draws is not None and (not isinstance(self.draws, int | np.integer) or self.draws < 1):
            raise InvalidSetting(f"draws={self.draws!r}: give a whole number from 1, or None for passes in order")
        if self.order is not None and (self.draws is not None or self.balanced):
            raise InvalidSetting("an order was given, and draws at random too: choose one")
        if np.shape(self.targets) != (2,) or not np.isfinite(self.targets).all() or self.targets[0] <= self.targets[1]:
            raise InvalidSetting(
                f"targets={self.targets!r}: give (for the label's documents, for the others), the first higher"
            )
        if not np.isfinite(self.absent):
            raise InvalidSetting(f"absent={self.absent!r}: give a finite number")

    def _sequence(self, n_documents: int) -> Longs:
        if self.order is not None:
            return check_order(self.order, n_documents, self.passes)
        if self.draws is not None:
            return np.random.default_rng(self.random_state).integers(0, n_documents, self.draws).astype(np.int64)
        return shuffled(n_documents, passes=self.passes, random_state=self.random_state)

    def _balanced_sequence(self, label: int, positive: Longs, n_documents: int) -> Longs:
        """The examples of one label, balanced; its stream of random numbers does not depend on the other labels."""
        seed = None
        if self.random_state is not None:
            seed = [int(np.random.default_rng(self.random_state).integers(2**62)), label]
        return balanced_draws(
            positive, n_documents, self.draws or n_documents * self.passes, np.random.default_rng(seed)
        )

    def _eta(self, features: sparse.csr_array) -> Floats:
        """The rate of each document; the largest norm and range so far are stored for later batches."""
        if self.rate == "max-norm":
            self.norm_ = max(self.norm_, largest_norm(features, self._absent))
        if self.rate == "range":
            self.spread_ = max(self.spread_, widest_range(features))
        eta = rates(features, self.rate, norm=self.norm_, spread=self.spread_, absent=self._absent)
        self.eta_ = float(eta[0]) if (eta == eta[0]).all() else None
        return eta

    def _start_table(self, n_labels: int, n_terms: int) -> Floats:
        return np.ascontiguousarray(start_table(self.start, n_labels, n_terms).toarray().T)

    # -- learning

    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        self._drop_weights()
        self.norm_, self.spread_, self.vectors_ = 0.0, 0.0, 1
        features = self._features(X)
        start = self._start_weights(features.shape[1], truth.shape[1])
        self._make_tables(start, start, features.shape[1], truth.shape[1])
        self._learn_documents(X, features, truth)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on with further documents, from the last weights. A new label starts from the start vector."""
        self._check_settings()
        if self.pocket:
            raise InvalidSetting(
                "a pocketed vector needs all training documents to be ranked: use fit, or pocket=False"
            )
        return self._partial_fit(X, y, classes, fitted=self._written_out or self._tables is not None)

    def _learn_more(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        features, n_labels = self._features(X), truth.shape[1]
        tables = self._tables
        if tables is None or len(rows) < n_labels or tables.settings != self._table_settings:
            last = np.empty((features.shape[1], n_labels))
            last[:] = self._start_weights(features.shape[1], n_labels)
            mean = last.copy()  # a new label has been at its start so far
            last[:, rows] = self._last
            mean[:, rows] = self._last if self._mean is None else self._mean
            self._make_tables(last, mean, features.shape[1], n_labels)
        self._learn_documents(X, features, truth)
        self._drop_weights(self._tables)

    def _make_tables(self, last: Floats | float, mean: Floats | float, n_features: int, n_labels: int) -> None:
        """Tables that go on from the last vectors and their means: features x labels, or one number for all."""
        by_thread = min(available_threads(), n_labels // NARROWEST)
        n_blocks = n_labels if self.balanced else max(by_thread, -(-n_labels // WIDEST), 1)
        edges = np.linspace(0, n_labels, n_blocks + 1).astype(int).tolist()
        labels, settings = map(slice, edges[:-1], edges[1:]), self._table_settings
        self._tables = Tables.begin(last, self._sums(last, mean), n_features, self._first_row, labels, settings)

    def _documents(self, X: sparse.csr_array) -> Documents:
        return ((X.indptr.astype(np.int64), self._tables.rows_of(X), X.data.astype(np.float64, copy=False)),)

    def _learn_documents(self, X: sparse.csr_array, features: sparse.csr_array, truth: sparse.csr_array) -> None:
        """Learn these documents into `_tables`."""
        sequence = None if self.balanced else self._sequence(X.shape[0])
        eta, by_label = self._eta(features), truth.tocsc()
        self._nearby = None
        tables, documents, histories = self._tables, self._documents(features), dict[int, list[Any]]()

        def learn(block: Block) -> None:
            first, label_truth = block.labels.start, by_label[:, block.labels].tocsr()
            marks = label_truth.indptr.astype(np.int64), label_truth.indices.astype(np.int32)
            examples = sequence
            if examples is None:
                examples = self._balanced_sequence(first, of_label(by_label, first), X.shape[0])
            block.losses[:] = 0.0
            if self.pocket:
                histories[first] = self._fill_pocket(block, documents, marks, label_truth.toarray(), examples, eta)
            else:
                self._advance(block, documents, marks, examples, eta)

        jobs = available_threads() if features.nnz * truth.shape[1] > SMALL else 1
        side_by_side(learn, tables.blocks, jobs)
        tables.scoring = "pocket" if self.pocket else "mean" if self.average else "last"
        self.vectors_ += (self.draws or X.shape[0] * self.passes) if sequence is None else len(sequence)
        self.online_loss_ = np.concatenate([block.losses for block in tables.blocks])
        self.history_ = (
            join_histories([histories[block.labels.start] for block in tables.blocks]) if self.pocket else []
        )
        self._nearby = self._nearby_weights(X)
        self._check_finite(self._nearby[1].sum(axis=0))

    def _fill_pocket(
        self, block: Block, documents: Documents, marks: Any, truth: Any, sequence: Longs, eta: Floats
    ) -> list[Any]:
        """The vectors with the highest average precision on the training documents, looked at every 100 examples; the first
        without condition, later ones if strictly better; fewer than 100 examples: the last.          [001 sec. 7.2]"""
        block.pocket, history = None, list[Any]()
        ends, rows, values = documents[0]
        X = sparse.csr_array((values, rows, ends), shape=(len(truth), len(block.table)))
        best = np.full(truth.shape[1], -np.inf)
        for start in range(0, len(sequence), POCKET):
            chunk = sequence[start : start + POCKET]
            self._advance(block, documents, marks, chunk, eta)
            if len(chunk) < POCKET:
                break
            vectors = self._vectors(block, slice(None), mean=False)
            scores = X @ block.weights  # of exponentiated gradient's u, which rank documents as its weights do
            precision = np.asarray(average_precision(scores, truth), dtype=np.float64)
            precision = np.nan_to_num(precision, nan=-np.inf)  # a label without documents: nothing to rank
            better = np.full(len(precision), block.pocket is None) | (precision > best)
            block.pocket = vectors if block.pocket is None else np.where(better, vectors, block.pocket)
            best = np.where(better, precision, best)
            history.append((start + POCKET, precision, better))
        return history

    def _check_finite(self, sums: Floats) -> None:
        """Sums over weights of each label: one bad weight spoils the sum."""
        finite = np.isfinite(sums)
        if not finite.all():
            labels = [str(label) for label in self.classes_[~finite][:3].tolist()]
            raise InvalidSetting(
                f"rate={self.rate!r} is too high: the weights of {', '.join(labels)} grew beyond all numbers; "
                'use rate="max-norm", or a smaller number'
            )

    # -- weights

    def _read_rows(self, rows: Any, which: str) -> Floats:
        """Vectors of some rows: rows x labels. which: "last", "mean" or "pocket" (the last, if nothing was put in it)."""
        parts = []
        for block in self._tables.blocks:
            if which == "pocket" and block.pocket is not None:
                parts.append(block.pocket[rows])
            else:
                parts.append(self._vectors(block, rows, mean=which == "mean"))
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def _nearby_weights(self, X: sparse.csr_array) -> tuple[Any, Floats]:
        """The weights that score of the terms of these documents; and in which row each term is, -1 for others."""
        occurs = np.zeros(self.n_features_in_, dtype=bool)
        occurs[X.indices] = True
        terms, row_of, n = np.flatnonzero(occurs), self._tables.row_of, len(occurs)
        if len(row_of) == n and 2 * len(terms) > self._tables.n_rows:  # nearly all rows: of any documents, then
            return row_of, self._weights_of_terms(self._read_rows(slice(None), self._tables.scoring))
        place = np.full(n, -1, dtype=np.int32)
        place[terms] = np.arange(len(terms), dtype=np.int32)
        features = np.concatenate([terms + first for first in range(0, len(row_of), n)])  # two a term, if two-sided
        return place, self._weights_of_terms(self._read_rows(row_of[features], self._tables.scoring))

    def _form_for(self, X: sparse.csr_array) -> tuple[Form, sparse.csr_array]:
        if self._written_out or self.absent:
            return self.linear_, X
        place, weights = self._nearby or self._nearby_weights(X)
        columns = place[X.indices]
        if (columns < 0).any():
            place, weights = self._nearby_weights(X)
            columns = place[X.indices]
        documents = sparse.csr_array((X.data, columns, X.indptr), shape=(X.shape[0], len(weights)))
        return Linear(weights.T, np.zeros(weights.shape[1])), documents

    def __getattr__(self, name: str) -> Any:
        """Weights of all terms, written out when first read."""
        if name not in ALL_TERMS or self._tables is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        row_of, scoring = self._tables.row_of, self._tables.scoring
        last = self._read_rows(slice(None), "last")[row_of]
        scored = last if scoring == "last" else self._read_rows(slice(None), scoring)[row_of]
        self._set_weights(last, scored if scoring == "mean" else None, scored)
        self._tables, self._nearby = None, None  # type: ignore[assignment]
        return getattr(self, name)

    def _set_weights(self, last: Floats, mean: Floats | None, scoring: Floats) -> None:
        """The last vectors, their means if there are any, and those that score: features x labels."""
        self._last, self._mean = last, mean
        weights = self._weights_of_terms(scoring)
        sums = weights.sum(axis=0)
        self._check_finite(sums)
        self.linear_ = Linear(weights.T, self.absent * sums)

    @property
    def _written_out(self) -> bool:
        """Whether there are weights of all terms."""
        return "linear_" in self.__dict__

    def _drop_weights(self, tables: Any = None) -> None:
        """Leave no weights but those of tables."""
        for name in ALL_TERMS:
            self.__dict__.pop(name, None)
        self._tables = tables

    def __getstate__(self) -> Any:
        getattr(self, "linear_", None)
        return super().__getstate__()

    @property
    def final_(self) -> Floats:
        """The last vector of each label, labels x terms."""
        return self._weights_of_terms(self._last).T

    @property
    def average_(self) -> Floats:
        """The mean of all vectors of each label, labels x terms; there unless average=False or pocket=True."""
        if self._mean is None:
            raise InvalidSetting("no mean was kept: fit with average=True and pocket=False")
        return self._weights_of_terms(self._mean).T

    def _comparison(self, X: Any, y: Any, u: Any) -> tuple[sparse.csr_array, Floats, Floats]:
        """Documents; weights to compare with, labels x terms; their mean square loss on the documents, a label."""
        X, labels, _, (label_of, document_of) = self._read(X, y, reset=False)
        weights = self.coef_ if u is None else start_table(u, len(self.classes_), X.shape[1]).toarray()
        high, low = self.targets
        targets = np.full((X.shape[0], len(self.classes_)), low)
        targets[document_of, np.searchsorted(self.classes_, labels)[label_of]] = high
        scores = X @ weights.T + self.absent * weights.sum(axis=1)
        return X, weights, np.asarray(((scores - targets) ** 2).mean(axis=0))


def check_online_model(model: OnlineModel) -> None:
    check_vector_model(model)
    n_features = model.n_features_in_ * (2 if getattr(model, "two_sided", False) else 1)
    for name in ("_last", "_mean"):
        weights = getattr(model, name, None)
        if weights is not None:
            sized(weights, n_features, len(model.classes_), what=name)


def join_histories(blocks: list[list[Any]]) -> list[list[Any]]:
    """The pocket's histories of all blocks as one: (examples so far, average precision, whether it was the best), of all
    labels. Blocks look at the same moments."""
    looks = []
    for look in zip(*blocks, strict=True):
        moments, precisions, betters = zip(*look, strict=True)
        looks.append((moments[0], np.concatenate(precisions), np.concatenate(betters)))
    return [looks]
