"""What all classifiers share: labels in, scores -> decisions out, scikit-learn's contract.

A classifier fits one of the forms of `scoring`, and says how scores become probabilities. Reading X and y, ties, decisions,
explanations and scikit-learn's tags are here, once, whether it learns from counts or from weighted documents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ..errors import InvalidSetting
from ..foundation.arrays import TIE, Floats, with_exact_ties
from ..scoring.arrays import Explanation
from ..scoring.forms import Form, form_of
from ..storage.checks import LEARNED
from ..storage.registry import Check, Class, stored_estimator
from . import table_scores

if TYPE_CHECKING:
    from typing import Self


SLIM = "this model was saved slim, without what is needed to learn or forget: train it again"


def lengths_of(X: sparse.csr_array) -> Floats:
    return np.asarray(X.sum(axis=1), dtype=np.float64).ravel()


def per_word(sums: Floats, lengths: Any) -> Floats:
    """Sums over the words of documents, a row each, by the number of words, so that long and short documents can have one
    threshold. A document without known words keeps what is there without them.                           [002 eq. 6-7]"""
    return sums / np.maximum(lengths, 1.0)[..., None]  # type: ignore[no-any-return]


class Classifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """One label a document, or several: y decides which."""

    _name: str  # in the table of models
    classes_: Any
    several_labels_: bool
    _negative_values = False  # whether X may hold them
    grows_with_length = False  # of scores: see `per_word`
    joint_scores = False  # whether scores are logarithms of joint probabilities: see `scoring.functions.log_posteriors`
    _only_to_learn: tuple[str, ...] = ()  # fitted attributes that nothing but learning and forgetting looks at

    @abstractmethod
    def class_scores(self, X: Any) -> Floats:
        """The score of each label for each document: documents x labels, however many labels there are."""

    @property
    def _form(self) -> Form:
        """How it scores, with the arrays that it has fitted."""
        return form_of(self._name, self)

    def _form_for(self, X: sparse.csr_array) -> tuple[Form, sparse.csr_array]:
        """The form, and the documents in its columns; it may have the terms of these documents alone."""
        return self._form, X

    def explain(self, X: Any) -> list[Any]:
        """For each document, what each of its terms adds to each label's score; base and contributions sum to the score."""
        check_is_fitted(self)
        X = self._check_documents(X)
        form: Any
        form, documents = self._form_for(X)
        explanations = map(form.explain, table_scores.documents_of(documents), self.class_scores(X))
        if documents is X:
            return list(explanations)
        rows = zip(table_scores.documents_of(X), explanations, strict=True)
        return [Explanation(row.columns, part.contributions, part.base) for row, part in rows]

    @abstractmethod
    def decide(self, scores: Floats) -> Any:
        """Decisions from scores, by the model's rule."""

    def decision_function(self, X: Any) -> Floats:
        """`class_scores`; for two labels one column, second less first, as scikit-learn has it. Ties are made exact."""
        scores = self.class_scores(X)
        if self.several_labels_:
            return scores
        if len(self.classes_) == 2:
            column: Floats = scores[:, 1] - scores[:, 0]
            return np.where(np.abs(column) <= TIE, 0.0, column)
        return with_exact_ties(scores)

    def predict(self, X: Any) -> Any:
        """The label with the best score; with several labels a document, 0/1 for each."""
        return self.decide(self.class_scores(X))

    def slimmed(self) -> Self:
        """The same model without what only learning and forgetting need: it answers as before, and learns no more."""
        if not self._only_to_learn:
            return self
        other = copy(self)
        for name in self._only_to_learn:
            setattr(other, name, None)
        return other

    def _refuse_slim(self) -> None:
        """Refuse to learn or forget without the statistics."""
        if any(getattr(self, name) is None for name in self._only_to_learn):
            raise InvalidSetting(SLIM)

    # -- scikit-learn's contract

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = True
        return tags

    def _check_documents(self, X: Any) -> sparse.csr_array:
        least = min(1, self.n_features_in_)  # selection may leave no term at all
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False, ensure_min_features=least)
        return self._tidy(X)

    def _read(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, Any, bool, tuple[Any, Any]]:
        """X as CSR, the labels there are, whether documents have several, and all (label, document) pairs."""
        if lists_of_labels(y):
            binarizer = MultiLabelBinarizer(sparse_output=True)
            y = binarizer.fit_transform(y)
            classes = binarizer.classes_
        else:
            classes = None
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True, reset=reset, y_numeric=False
        )
        X = self._tidy(X)
        if sparse.issparse(y) or (np.ndim(y) == 2 and type_of_target(y) == "multilabel-indicator"):
            table = sparse.csr_array(y)
            document_of, label_of = table.nonzero()
            self._fixed_labels = classes is None
            return X, np.arange(table.shape[1]) if classes is None else classes, True, (label_of, document_of)
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            from sklearn.utils import column_or_1d

            y = column_or_1d(y, warn=True)
        if y.dtype.kind == "f":  # names and whole numbers are labels, however many there are
            check_classification_targets(y)
        if reset:
            self._fixed_labels = False
        values, label_of = np.unique(y, return_inverse=True)
        return X, values, False, (label_of.reshape(-1), np.arange(len(y)))

    def _tidy(self, X: Any) -> sparse.csr_array:
        X = tidy(X)
        if not self._negative_values and X.nnz and X.data.min() < 0:
            raise InvalidSetting(f"Negative values in data passed to {type(self).__name__}: counts are needed")
        return X

    def _declared_labels(self, labels: Any, label_of: Any, classes: Any) -> tuple[Any, Any]:
        """The labels of `classes` (of the first partial_fit), and the places of those in y among them."""
        if classes is None or self._fixed_labels:
            return labels, label_of
        declared = np.unique(np.asarray(classes))
        unknown = set(labels.tolist()) - set(declared.tolist())
        if unknown:
            raise InvalidSetting(f"labels {sorted(unknown)} are not among classes={declared.tolist()}")
        return declared, np.searchsorted(declared, labels)[label_of]

    def _merged_labels(self, labels: Any, several: bool) -> Any:
        """The labels of before and those in y, which must be of the same kind."""
        if several != self.several_labels_:
            raise InvalidSetting("the model was fitted with one label a document, or several; go on as it began")
        if self._fixed_labels and len(labels) != len(self.classes_):
            raise InvalidSetting(
                f"the indicator matrix has {len(labels)} columns, the model {len(self.classes_)} labels"
            )
        return np.unique(np.concatenate([self.classes_, labels]))


def stored_model(name: str, *learned: str, check: Check) -> Callable[[Class], Class]:
    """Store fitted models of a class; learned: what it has besides what all classifiers have."""

    def register(cls: Class) -> Class:
        cls._name = name
        return stored_estimator(name, learned=(*LEARNED, *learned), check=check)(cls)

    return register


def lists_of_labels(y: Any) -> bool:
    """Whether y holds a list of labels for each document. Rows of two or more 0s and 1s are an indicator matrix."""
    if not isinstance(y, list | tuple) and not (isinstance(y, np.ndarray) and y.dtype == object):
        return False
    if len(y) == 0 or not all(isinstance(labels, list | tuple | set | frozenset) for labels in y):
        return False
    widths = {len(labels) for labels in y}
    return not (len(widths) == 1 and max(widths) > 1 and all(label in (0, 1) for labels in y for label in labels))


def names_of(classes: Any) -> list[str]:
    """Labels as strings, the way `Counts` knows them."""
    return [str(label) for label in classes.tolist()]


def tidy(X: Any) -> sparse.csr_array:
    """Sorted CSR without stored zeros."""
    X = sparse.csr_array(X)
    if X.has_canonical_format and X.data.all():
        return X
    X = X.copy()  # the caller's matrix stays as it is, and may be read-only
    X.sum_duplicates()
    X.eliminate_zeros()
    return X
