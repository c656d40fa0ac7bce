"""Classifiers of weighted documents: what Rocchio, Widrow-Hoff, EG and their rivals share.

X holds weights (`vectors.weighted`), not counts. Each label is a problem of its own, its documents against all others, all
labels in one go. With one label a document the best score wins; with several, a document is in where its score is above the
label's threshold, the one with the best F1 on the training documents (001 sec. 3.4) unless the meaning of the scores sets it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.utils.validation import check_is_fitted

from ...decisions.thresholds import scut
from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, first_best, with_exact_ties
from ...foundation.threads import available_threads
from ...scoring.linear import Linear
from ...storage.checks import check_classifier
from ...storage.registry import Check, Class
from .. import table_scores
from ..classifier import Classifier, stored_model

if TYPE_CHECKING:
    from typing import Self


ROOM = 2**25  # scores looked at together when thresholds are chosen: 256 MB


def of_label(truth: sparse.csc_array, label: int) -> Any:
    return truth.indices[truth.indptr[label] : truth.indptr[label + 1]]


class VectorModel(Classifier):
    """A classifier of weighted documents; see the module."""

    _negative_values = True
    _threshold: float | None = None  # that follows from what the scores mean; None: chosen on the training documents
    _log_odds = False  # whether scores are log-odds, or with one label a document log-probabilities up to a constant
    cuts_: Floats  # thresholds of several labels
    scale_: Floats

    # -- what a model defines

    @abstractmethod
    def _fit(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        """Learn from weighted documents and the documents x labels table of what is true."""

    def _scores(self, X: sparse.csr_array) -> Floats:
        return table_scores.scores(*self._form_for(X), available_threads())

    def _scores_of(self, X: sparse.csr_array, labels: slice) -> Floats:
        return self._scores(X)[:, labels]

    def _check_settings(self) -> None:
        """Raise InvalidSetting for settings without a meaning."""

    # -- learning

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from weighted documents x terms and one label a document, lists of labels, or a 0/1 indicator matrix."""
        self._check_settings()
        X, classes, several, pairs = self._read(X, y, reset=True)
        return self._learn(X, classes, several, pairs)

    def fit_scores(self, X: sparse.csr_array, truth: sparse.csr_array) -> Self:
        """Learn to score and no more: several labels, as documents x labels of 0 and 1; no thresholds are chosen. For
        cross-validation, where thresholds come from the scores of all folds."""
        self._check_settings()
        X = self._tidy(X)
        self.n_features_in_, self._fixed_labels = X.shape[1], True
        self.classes_, self.several_labels_ = np.arange(truth.shape[1]), True
        self._fit(X, truth)
        return self

    def _learn(self, X: sparse.csr_array, classes: Any, several: bool, pairs: tuple[Any, Any]) -> Self:
        if len(classes) == 0:
            raise InvalidSetting("no label to learn: every document is without labels")
        self.classes_, self.several_labels_ = classes, several
        truth = indicator(pairs, (X.shape[0], len(classes)))
        self._fit(X, truth)
        self._fit_thresholds(X, truth)
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, *, fitted: bool) -> Self:
        """Learn further documents with `_learn_more`, which gets the new rows of the labels known so far."""
        X, labels, several, (label_of, document_of) = self._read(X, y, reset=not fitted)
        if not fitted:
            labels, label_of = self._declared_labels(labels, label_of, classes)
            return self._learn(X, labels, several, (label_of, document_of))
        merged = self._merged_labels(labels, several)
        rows = np.searchsorted(merged, self.classes_)
        truth = indicator((np.searchsorted(merged, labels)[label_of], document_of), (X.shape[0], len(merged)))
        previous = (self.cuts_, self._centres) if several else None
        self.classes_ = merged
        self._learn_more(X, truth, rows)
        self._fit_thresholds(X, truth)
        if previous is not None:  # labels without a document in this batch keep their threshold
            occurs = np.asarray(truth.sum(axis=0)).ravel()[rows] > 0
            self.cuts_[rows] = np.where(occurs, self.cuts_[rows], previous[0])
            self._centres[rows] = np.where(occurs, self._centres[rows], previous[1])
        return self

    def _learn_more(self, X: sparse.csr_array, truth: sparse.csr_array, rows: Any) -> None:
        """Learn more documents; rows: where in the new `classes_` the earlier labels are."""
        raise NotImplementedError(f"{type(self).__name__} learns all at once")

    def _fit_thresholds(self, X: sparse.csr_array, truth: sparse.csr_array) -> None:
        """The thresholds of several labels, and the scale on which scores become probabilities."""
        n_labels = len(self.classes_)
        if not self.several_labels_:
            sample = X[:: max(1, X.shape[0] // 1000)]  # the spread of scores is estimated on about a thousand documents
            spread = self._scores(sample).std()
            self.scale_ = np.full(n_labels, spread if spread > 0 else 1.0)
            return
        by_label = truth.tocsc()
        self.cuts_ = np.full(n_labels, np.nan if self._threshold is None else self._threshold)
        self.scale_, self._centres = np.empty(n_labels), np.empty(n_labels)
        width = max(1, ROOM // max(X.shape[0], 1))
        for start in range(0, n_labels, width):
            part = slice(start, min(start + width, n_labels))
            scores = self._scores_of(X, part)
            if self._threshold is None:
                self.cuts_[part] = scut(scores, by_label[:, part])
            spread = scores.std(axis=0)
            self.scale_[part] = np.where(spread > 0, spread, 1.0)
            above, below = scores.max(axis=0) + self.scale_[part], scores.min(axis=0) - self.scale_[part]
            beyond = np.where(self.cuts_[part] > 0, above, below)  # a threshold may lie beyond all scores
            self._centres[part] = np.where(np.isinf(self.cuts_[part]), beyond, self.cuts_[part])

    # -- scoring

    def class_scores(self, X: Any) -> Floats:
        """The paper's score of each label for each document: documents x labels, however many labels there are."""
        check_is_fitted(self)
        return self._scores(self._check_documents(X))

    def decide(self, scores: Floats) -> Any:
        """The best label; with several labels a document, 1 where the score is above the label's threshold."""
        if self.several_labels_:
            return (scores > self.cuts_).astype(np.int64)
        return self.classes_[first_best(scores)]

    def predict_proba(self, X: Any) -> Floats:
        """Scores on their scale in the training data, squashed to 0..1; one half at the threshold. Ordered like the scores,
        not calibrated: `calibration` does that on held-out documents. Where scores are log-odds, the model's probabilities."""
        scores = self.class_scores(X)
        if self._log_odds:
            return expit(scores) if self.several_labels_ else softmax(scores, axis=1)  # type: ignore[no-any-return]
        if self.several_labels_:
            probabilities: Floats = expit((scores - self._centres) / self.scale_)
        else:
            probabilities = softmax(with_exact_ties(scores) / self.scale_, axis=1)
        return probabilities


def check_vector_model(model: VectorModel) -> None:
    """A score and thresholds of the model's labels and terms."""
    check_classifier(model, scores=("linear_", "net_", "sums_"), of_labels=("_centres", "cuts_", "gap_", "scale_"))


def stored_vector_model(name: str, *learned: str, check: Check = check_vector_model) -> Callable[[Class], Class]:
    """Store fitted models of a class; learned: what it has besides what all models of weighted documents have."""
    return stored_model(name, "_centres", "cuts_", "scale_", *learned, check=check)


class LinearModel(VectorModel):
    """A classifier whose score is a weighted sum; `linear_` holds the weights, `coef_` writes them out."""

    linear_: Linear

    @property
    def coef_(self) -> Floats:
        """The weights, labels x terms."""
        check_is_fitted(self, "linear_")
        return self.linear_.dense()

    @property
    def intercept_(self) -> Floats:
        """What is added for each label."""
        check_is_fitted(self, "linear_")
        return self.linear_.bias

    def _scores_of(self, X: sparse.csr_array, labels: slice) -> Floats:
        linear: Any
        linear, documents = self._form_for(X)
        return table_scores.scores(linear.of(labels), documents, available_threads())

    def prune(self, X: Any, *, below: float = 1e-3) -> Pruned:
        """Drop weights smaller than `below` times their label's largest; the rest is kept sparse. X: documents on which the loss
        is measured. Weights that other terms' documents drove to (near) zero are most of EG's (001 sec. 9)."""
        X = self._check_documents(X)
        before, weights = self.class_scores(X), self.coef_
        weights = np.where(near_zero(weights, below), 0.0, weights)
        n_before = int(np.count_nonzero(self.coef_))
        self.linear_ = Linear(sparse.csr_array(weights), self.linear_.bias)
        after = self.class_scores(X)
        changes = np.abs(after - before)
        return Pruned(
            kept=int(np.count_nonzero(weights)),
            dropped=n_before - int(np.count_nonzero(weights)),
            largest_loss=float(changes.max(initial=0.0)),
            mean_loss=float(changes.mean()) if changes.size else 0.0,
            changed_decisions=int((self.decide(after) != self.decide(before)).sum()),
        )


@dataclass(frozen=True, slots=True)
class Pruned:
    """Result of `prune`: how many weights stay, and how far the scores of some documents changed."""

    kept: int
    dropped: int
    largest_loss: float
    mean_loss: float
    changed_decisions: int


def near_zero(weights: Floats, below: float) -> Bools:
    """Weights smaller than a share of their label's largest; labels x terms."""
    if not 0 <= below < 1:
        raise InvalidSetting(f"below={below}: give a share of a label's largest weight, from 0 to less than 1")
    sizes = np.abs(weights)
    small: Bools = sizes < below * sizes.max(axis=1, keepdims=True, initial=0.0)
    return small


def indicator(pairs: tuple[Any, Any], shape: tuple[int, int]) -> sparse.csr_array:
    """documents x labels, 1 where the document has the label."""
    label_of, document_of = pairs
    return sparse.csr_array((np.ones(len(label_of), dtype=np.int8), (document_of, label_of)), shape=shape)


def start_table(start: Any, n_labels: int, n_terms: int) -> sparse.csr_array:
    """A start from one vector, or one a label, or a fitted linear model: labels x terms."""
    weights = start.coef_ if hasattr(start, "coef_") else start
    table = (
        sparse.csr_array(weights) if sparse.issparse(weights) else sparse.csr_array(np.atleast_2d(np.asarray(weights)))
    )
    if table.shape == (1, n_terms) and n_labels > 1:
        table = sparse.csr_array(sparse.vstack([table] * n_labels))
    if table.shape != (n_labels, n_terms):
        raise InvalidSetting(
            f"start has shape {table.shape}: give ({n_terms},) or ({n_labels}, {n_terms}), terms or labels x terms"
        )
    if not np.isfinite(table.data).all():
        raise InvalidSetting("start holds values that are not finite numbers")
    return table.astype(np.float64)
