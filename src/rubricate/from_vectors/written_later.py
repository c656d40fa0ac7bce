"""Linear classifiers whose weights stay in the tables they were learned in, and are written out when somebody asks for them.

What scores are the pocketed vectors, the means (001 eq. 4), or the last ones. Scores and explanations of documents need the
weights of their terms alone.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..errors import BadChoice
from ..linear import Linear, LinearModel
from .alike import Alike
from .blocks import Block, Run
from .documents import Documents
from .going_on import FewTerms, Going, GoingOn, marks_of
from .pocket import joined

__all__ = ["WRITTEN", "WrittenLater"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
WRITTEN = ("_last", "_mean", "linear_")  # at once, or when somebody asks


class WrittenLater(LinearModel):
    """See the module. `_going` holds the tables; `_few` the weights of the rows in use, after a fit."""

    _labels_together: int  # how many go through the documents side by side; not to depend on the number of threads
    _shares_rows = False  # whether terms that start alike have one row until a document tells them apart
    average: bool
    rate: Any
    absent: float
    vectors_: int  # vectors that the mean is of
    _going: GoingOn
    _few: FewTerms
    _last: Floats
    _mean: Floats | None

    @abstractmethod
    def _run(self, block: Block) -> Run:
        """A block of labels, ready to go."""

    def _weights_of_terms(self, table: Floats) -> Floats:
        """Weights of terms, from those of features; terms x labels."""
        return table

    def _forget(self, *names: str) -> None:
        """What was learned before."""
        for name in names:
            self.__dict__.pop(name, None)

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
            block = Block(documents, marks_of(by_label, labels), eta, own, before, vectors, width)
            return cast("Going", self._run(block))

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
        else:  # a term is two features
            met = row_of[: self.n_features_in_] > 0
            terms, others = np.flatnonzero(met), np.flatnonzero(~met)[:1]
            row_of = np.full(len(met), len(terms), dtype=np.int32)
            row_of[terms] = np.arange(len(terms))
            features = self._features_of(np.append(terms, others))
            weights = self._weights_of_terms(self._going.table(features, mean=self.average))
        self._check_finite(weights.sum(axis=0))
        return FewTerms(Linear(weights.T, np.zeros(weights.shape[1])), row_of)

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
