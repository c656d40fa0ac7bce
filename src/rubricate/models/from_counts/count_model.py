"""What all count classifiers share: fit, learn further, forget, score, explain.

A model fits what scores labels (`_fit_scorer`), against everything else where documents have several labels, for then each label
is a problem of its own. Everything else is here, once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.utils.validation import check_is_fitted

from ...counts import Counts
from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, first_best, with_exact_ties
from ...foundation.threads import available_threads
from ...scoring.additive import Layer, Rest, Scorer, Stack
from ...scoring.length_dependent import LengthScorer
from ...storage.checks import check_classifier, need
from ...storage.registry import Class
from .. import table_scores
from ..classifier import Classifier, names_of, stored_model
from .evidence import Evidence

if TYPE_CHECKING:
    from typing import Self


PRIORS = ("learned", "uniform")


class CountModel(Classifier):
    """A classifier fitted from counts: `fit(X, y)` on a matrix, `fit_counts(counts)` straight from statistics."""

    posterior = "softmax"  # or "itself", "shares"
    joint_scores = True
    grows_with_length = True  # whether scores are sums over words, larger in both directions the longer a document is
    priors: str
    _only_to_learn = ("counts_",)

    # -- what a model defines

    @abstractmethod
    def _fit_scorer(self, evidence: Evidence) -> Scorer | Stack | LengthScorer:
        """What scores labels; with several labels a document, labels against their rests."""

    def _fit_rest(self, evidence: Evidence) -> Rest | None:
        """What scores everything but each label, with several labels a document; None where `_fit_scorer` has it already."""
        return None

    # -- learning

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from a documents x terms matrix and one label a document, lists of labels, or a 0/1 indicator matrix."""
        X, classes, several, pairs = self._read(X, y, reset=True)
        return self._learn(Evidence(self._count(X, classes, pairs)), classes, several)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn further documents. A new label is learned, never ignored; all terms must be columns from the start."""
        if not hasattr(self, "counts_"):
            X, labels, several, (label_of, document_of) = self._read(X, y, reset=True)
            labels, label_of = self._declared_labels(labels, label_of, classes)
            return self._learn(Evidence(self._count(X, labels, (label_of, document_of))), labels, several)
        self._refuse_slim()
        X, labels, several, pairs = self._read(X, y, reset=False)
        merged = self._merged_labels(labels, several)
        total = self.counts_.aligned(self.counts_.terms, names_of(merged)) + self._count(X, labels, pairs)
        return self._learn(Evidence(total.aligned(self.counts_.terms, names_of(merged))), merged, several)

    def forget(self, X: Any, y: Any) -> Self:
        """Take documents back out, exactly: the model is then as if it had never seen them."""
        check_is_fitted(self)
        self._refuse_slim()
        X, labels, _, pairs = self._read(X, y, reset=False)
        counts = self.counts_ - self._count(X, labels, pairs)
        remains = np.array([name in set(counts.labels) for name in names_of(self.classes_)], dtype=bool)
        classes = self.classes_ if self._fixed_labels else self.classes_[remains]
        counts = counts.aligned(self.counts_.terms, names_of(classes))
        return self._learn(Evidence(counts), classes, self.several_labels_)

    unlearn = forget

    def fit_counts(self, counts: Counts, *, several_labels: bool | None = None) -> Self:
        """Learn straight from statistics. Several labels a document are assumed where labels do not add up to everything."""
        return self.fit_evidence(Evidence(counts), several_labels=several_labels)

    def fit_evidence(self, evidence: Evidence, *, several_labels: bool | None = None) -> Self:
        """`fit_counts` for models of the same counts: what they learn in the same way is worked out once, in their evidence."""
        counts = evidence.counts
        if several_labels is None:
            several_labels = not counts.one_label_each
        self._fixed_labels = False
        self.n_features_in_ = len(counts.term_array)
        return self._learn(evidence, np.array(counts.labels), several_labels)

    def _learn(self, evidence: Evidence, classes: Any, several: bool) -> Self:
        self._check_settings()
        if len(classes) == 0:
            raise InvalidSetting("no label to learn: every document is without labels")
        self.counts_, self.classes_, self.several_labels_ = evidence.counts, classes, several
        self.prior_ = self._prior(evidence)
        self.log_prior_ = self._log_prior(evidence)
        self._scorer = self._fit_scorer(evidence)
        self._against = self._fit_rest(evidence) if several else None
        return self

    def _log_prior(self, evidence: Evidence) -> Floats:
        """What is added to the scores: the log of the prior, or of its odds. A label that no document has is never chosen, a
        label that all have always."""
        if self.posterior != "softmax":
            return np.zeros(evidence.n_labels)
        with np.errstate(divide="ignore"):
            log_prior, log_rest = np.log(self.prior_), np.log1p(-self.prior_)
        prior: Floats = log_prior - log_rest if self.several_labels_ else log_prior
        if self.priors == "none" or getattr(self, "higher_only", False):
            prior = np.zeros(evidence.n_labels)
        prior = np.where(evidence.documents == 0, -np.inf, prior)
        if self.several_labels_:
            prior = np.where((evidence.documents > 0) & (evidence.documents == evidence.n_documents), np.inf, prior)
        return prior

    def _prior(self, evidence: Evidence) -> Floats:
        """Pr(C), documents of the label over all; with several labels, over the documents of the collection. [000 eq. 12]"""
        n = evidence.n_labels
        if self.priors == "uniform":
            return np.full(n, 0.5 if self.several_labels_ else 1 / n)
        total = evidence.n_documents if self.several_labels_ else evidence.documents.sum()
        return evidence.documents / max(total, 1.0)

    def _check_settings(self) -> None:
        if self.priors not in (*PRIORS, "none"):
            raise UnknownName("setting of priors", str(self.priors), PRIORS)
        for name in ("smoothing", "unseen"):
            value: Any = getattr(self, name, 1.0)
            if not isinstance(value, int | float | np.number) or not 0 < float(value) < float("inf"):
                raise InvalidSetting(f"{name}={value!r}: give a number above 0")

    # -- scoring

    def class_scores(self, X: Any) -> Floats:
        """The paper's score of each label for each document: documents x labels, however many labels there are."""
        return self.scores_without_prior(X) + self.log_prior_

    def scores_without_prior(self, X: Any) -> Floats:
        """`class_scores` before the log of the prior (or of its odds) is added."""
        check_is_fitted(self)
        return table_scores.scores(self._form, self._check_documents(X), available_threads())

    def transpose(self, places: table_scores.Transposition) -> None:
        """Make the tables that scoring reads now, in the places that models of the same evidence share."""
        places.prepare(self._form)

    def layers(self) -> Sequence[Layer]:
        """The sums over terms of a model that has no others."""
        form: Any = self._form
        return form.layers  # type: ignore[no-any-return]

    def decide(self, scores: Floats) -> Any:
        """Decisions from scores, by the model's rule."""
        if self.several_labels_:
            return (scores > (0.5 if self.posterior == "itself" else 0.0)).astype(np.int64)
        return self.classes_[first_best(scores)]

    def predict_proba(self, X: Any) -> Floats:
        """The model's posterior, not calibrated. With several labels, one probability a label."""
        scores = self.class_scores(X)
        if not self.several_labels_:
            scores = with_exact_ties(scores)
        if self.posterior == "itself":
            return scores
        if self.posterior == "shares":
            return shares(scores, several=self.several_labels_)
        probabilities: Floats = expit(scores) if self.several_labels_ else softmax(scores, axis=1)
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # as scikit-learn's naive Bayes: made for counts, not for blobs
        return tags

    def _count(self, X: sparse.csr_array, classes: Any, pairs: tuple[Any, Any]) -> Counts:
        """Counts of a matrix; whole numbers as such, weights as they are."""
        if (X.data == np.floor(X.data)).all() and X.data.max(initial=0) <= np.iinfo(np.int32).max:
            X = X.astype(np.int64)
        label_of, document_of = (part.astype(np.int64) for part in pairs)
        return Counts._of_rows(X, names_of(classes), label_of, document_of, None)


def _check_count_model(model: CountModel) -> None:
    """Scores, priors and statistics of the model's labels and terms."""
    scores = ("_against", "_scorer", "parameters_")
    check_classifier(model, scores=scores, of_labels=("log_prior_", "prior_"), of_terms=("idf_", "known_"))
    need(model._form.shape == model._scorer.shape, "no scores")
    counts, size = getattr(model, "counts_", None), (len(model.classes_) + 1, model.n_features_in_)
    need(counts is None or (isinstance(counts, Counts) and counts.shape == size), "counts_ of other labels or terms")


def stored_count_model(name: str, *learned: str) -> Callable[[Class], Class]:
    """Store fitted models of a class; learned: what it has besides what all count models have."""
    keys = ("_against", "_scorer", "counts_", "log_prior_", "prior_", *learned)
    return stored_model(name, *keys, check=_check_count_model)


def shares(scores: Floats, *, several: bool) -> Floats:
    """Non-negative scores as shares of their sum, even where all are 0; differences of cosines mapped to 0..1."""
    if several:
        return (1 + scores) / 2
    positive = np.maximum(scores, 0.0)
    totals = positive.sum(axis=1, keepdims=True)
    return np.where(totals > 0, positive / np.where(totals > 0, totals, 1.0), 1 / scores.shape[1])
