"""Density estimation: the probability of a label is its share among the training documents with the most similar scores.
Learns from: scores of training documents, and their labels. Source: 004 sec. 3.

    P(C|d) = sum over the k nearest t of I(t, C) / (D(d, t) + eps)  /  sum over the same of 1 / (D(d, t) + eps)   [004 sec. 3]

Labels may exclude each other (probabilities then sum to 1) or not. The scores may come from any classifier, and need not be
as many as the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.ties import first_best
from ...measures.inputs import yes_no
from ...storage.checks import LEARNED, check_classifier, need, table_size
from ...storage.registry import stored_estimator
from ..calibration.finite import Range
from .choice import CANDIDATES, SAMPLE, TriedK, best_of, tried, without_own
from .nearest import Nearest, Neighbours
from .shares import decisions, shares

if TYPE_CHECKING:
    from typing import Self

__all__ = ["DensityEstimation"]


def _check_density_estimation(model: DensityEstimation) -> None:
    """As many labels as vectors."""
    check_classifier(model)
    if isinstance(getattr(model, "_nearest", None), Nearest):
        size = len(model._nearest.vectors), len(model.classes_)
        need(table_size(model._labels, "labels") == size, "other labels than vectors")


@stored_estimator(
    "density", learned=(*LEARNED, "_labels", "_nearest", "_range", "evidence_", "k_"), check=_check_density_estimation
)
class DensityEstimation(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Probabilities from score vectors: `fit(scores, Y)`, then `predict_proba(scores)`.

    Y: 0/1 documents x labels, dense or sparse, or one label a document. k: so many neighbours, or "auto": that of
    `candidates` which is best by `measure` ("f1", as 004 has it, or "log_loss") when each training document is judged
    by the others; no more than 5,000 of them, drawn by `random_state`, are judged. epsilon: "arbitrary, very small".
    way: how neighbours are found, see `Nearest`; it changes no number.
    """

    classes_: Any
    several_labels_: bool
    k_: int
    evidence_: list[TriedK]

    def __init__(
        self,
        *,
        k: int | str = "auto",
        epsilon: float = 1e-9,
        candidates: Sequence[int] = CANDIDATES,
        measure: str = "f1",
        way: str = "auto",
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.epsilon = epsilon
        self.candidates = candidates
        self.measure = measure
        self.way = way
        self.random_state = random_state

    def fit(self, scores: Any, Y: Any) -> Self:
        """Keep the training documents' scores and labels; choose k if it is to be chosen."""
        self._check_settings()
        scores, Y = validate_data(self, scores, Y, dtype=np.float64, ensure_all_finite=False, multi_output=True)
        self._range = Range.of(refuse_nan(scores))
        self._read_labels(Y)
        self._nearest = Nearest(self._range.put(scores), way=self.way)
        self.evidence_ = []
        if self.k == "auto":
            self.evidence_ = tried(
                self._nearest,
                self._labels,
                self.candidates,
                epsilon=self.epsilon,
                exclusive=not self.several_labels_,
                sample=SAMPLE,
                random_state=self.random_state,
            )
            self.k_ = best_of(self.evidence_, self.measure)
        else:
            self.k_ = int(self.k)
        return self

    def neighbours(self, scores: Any) -> Neighbours:
        """Distances and indices of the k nearest training documents, in order; all of them where there are fewer."""
        check_is_fitted(self)
        scores = validate_data(self, scores, dtype=np.float64, ensure_all_finite=False, reset=False)
        return self._nearest.find(self._range.put(refuse_nan(scores)), self.k_)

    def predict_proba(self, scores: Any) -> Floats:
        """P(C|d), documents x labels.                                                                      [004 sec. 3]"""
        return shares(self.neighbours(scores), self._labels, epsilon=self.epsilon)

    def training_proba(self) -> Floats:
        """P(C|d) of each training document from the others: what `Combo` and thresholds can be chosen by."""
        check_is_fitted(self)
        vectors = self._nearest.vectors
        if len(vectors) < 2:
            raise InvalidSetting("fitted on one document: there are no others to judge it by")
        found = without_own(self._nearest.find(vectors, self.k_ + 1), np.arange(len(vectors)))
        return shares(found, self._labels, epsilon=self.epsilon)

    def predict(self, scores: Any) -> Any:
        """The label with the highest probability [004 footnote 4]; with several labels a document, 1 where P > 0.5."""
        return self.decide(self.predict_proba(scores))

    def decide(self, probabilities: Floats) -> Any:
        """Decisions from probabilities."""
        return decisions(probabilities) if self.several_labels_ else self.classes_[first_best(probabilities)]

    def _read_labels(self, Y: Any) -> None:
        self.several_labels_ = sparse.issparse(Y) or (
            Y.ndim == 2 and (Y.shape[1] > 1 or bool(np.isin(Y, (0, 1)).all()))
        )
        if self.several_labels_:
            self._labels = sparse.csr_array(yes_no(Y, "Y")).astype(np.float64)
            self.classes_ = np.arange(Y.shape[1])
            return
        Y = column_or_1d(Y, warn=True)
        check_classification_targets(Y)
        self.classes_, label_of = np.unique(Y, return_inverse=True)
        n = len(label_of)
        self._labels = sparse.csr_array((np.ones(n), label_of, np.arange(n + 1)), shape=(n, len(self.classes_)))

    def _check_settings(self) -> None:
        if self.k != "auto" and (isinstance(self.k, bool | str) or int(self.k) != self.k or self.k < 1):
            raise InvalidSetting(f'k={self.k!r}: give a whole number of neighbours from 1, or "auto"')
        if not 1e-300 <= self.epsilon < np.inf:
            raise InvalidSetting(
                f"epsilon={self.epsilon!r}: give a small number above 0, so that equal vectors do not weigh inf"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def refuse_nan(scores: Floats) -> Floats:
    """Infinite scores have a place, nan has none."""
    missing = np.isnan(scores)
    if missing.any():
        document, label = np.argwhere(missing)[0].tolist()
        raise InvalidSetting(f"scores: NaN at document {document}, label {label}; -inf says that a label is impossible")
    return scores
