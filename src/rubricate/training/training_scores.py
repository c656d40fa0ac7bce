"""Score vectors of the training documents themselves: what density estimation, thresholds and calibration learn from.

    resubstitution      the model scores the documents it was trained on, as 004 does: every document helps its own label
    leave-one-out       each document is scored by the model of all the others
    cross-validation    each fold is scored by the model of the other folds

The model of the others is that of fitting on their rows of X: all columns stay, as terms that might have been. Counts are
subtracted, not counted again. Leave-one-out of TFIDF, Multinomial and SimplifiedMultinomial costs about as much
as scoring once (see `left_out`); of other count models it is one fit a document, and of models that need the documents one
fit on documents each: use cross-validation there.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ..errors import InvalidSetting, UnknownName
from ..foundation.arrays import Floats, Longs
from ..foundation.folds import fold_numbers
from ..models.classifier import Classifier
from ..models.from_counts.count_model import CountModel
from ..models.from_counts.multinomial import Multinomial
from ..models.from_counts.simplified_multinomial import SimplifiedMultinomial
from ..models.from_counts.tfidf import TFIDF
from .left_out_scores import multinomial_left_out, tfidf_left_out

__all__ = ["HOWS", "held_out_scores", "left_out_scores", "training_scores"]

HOWS = ("resubstitution", "leave-one-out", "cross-validation")
AT_ONCE: dict[type[CountModel], Callable[..., Floats]] = {
    TFIDF: tfidf_left_out,
    Multinomial: multinomial_left_out,
    SimplifiedMultinomial: multinomial_left_out,
}


def training_scores(
    model: Classifier, X: Any, y: Any, *, how: str = "resubstitution", folds: Any = 10, random_state: int = 0
) -> Floats:
    """Scores of the training documents X, documents x labels, columns as `classes_` of the model fitted on X and y.

    folds: for cross-validation a number, or the fold of each document. A label that the other documents lack scores -inf.
    """
    if how not in HOWS:
        raise UnknownName("way to score training documents", str(how), HOWS)
    if how == "resubstitution":
        return clone(model).fit(X, y).class_scores(X)  # type: ignore[no-any-return]
    if how == "leave-one-out":
        return left_out_scores(model, X, y)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if np.ndim(folds) == 0:
        folds = fold_numbers(names(y), min(int(folds), n), seed=random_state)
    return held_out_scores(model, X, y, np.asarray(folds))


def left_out_scores(model: Classifier, X: Any, y: Any) -> Floats:
    """Each document scored by the model of the others. For TFIDF the others' IDF is that of all (readings 004.2)."""
    fitted = clone(model).fit(X, y)
    X = sparse.csr_array(X)
    if X.shape[0] < 2:
        raise InvalidSetting("leave-one-out of one document: there are no others to learn from")
    at_once = AT_ONCE.get(type(model))
    if at_once is None:
        return held_out_scores(model, X, y, np.arange(X.shape[0]))
    X, _, _, (label_of, document_of) = fitted._read(X, y, reset=False)
    labels = sparse.csr_array(
        (np.ones(len(label_of)), (document_of, label_of)), shape=(X.shape[0], len(fitted.classes_))
    )
    return at_once(fitted, X, labels)


def held_out_scores(model: Classifier, X: Any, y: Any, folds: Longs) -> Floats:
    """Each fold scored by the model of the others: by subtraction where the model can take documents back."""
    X = sparse.csr_array(X)
    if len(folds) != X.shape[0]:
        raise InvalidSetting(f"{len(folds)} fold numbers for {X.shape[0]} documents")
    whole = clone(model).fit(X, y)
    place = {label: n for n, label in enumerate(whole.classes_.tolist())}
    scores = np.full((X.shape[0], len(place)), -np.inf)
    for fold in np.unique(folds):
        inside = folds == fold
        if isinstance(whole, CountModel):
            others = copy(whole).forget(X[inside], rows_of(y, inside))
        else:
            others = clone(model).fit(X[~inside], rows_of(y, ~inside))
        columns = [place[label] for label in others.classes_.tolist()]
        scores[np.ix_(inside, columns)] = others.class_scores(X[inside])
    return scores


def rows_of(y: Any, chosen: Any) -> Any:
    """The labels of some documents, in the form they came in."""
    if sparse.issparse(y):
        return sparse.csr_array(y)[chosen]
    if isinstance(y, np.ndarray):
        return y[chosen]
    return [y[n] for n in np.flatnonzero(chosen)]


def names(y: Any) -> list[list[str]]:
    """The labels of each document, as a list of names."""
    if sparse.issparse(y):
        table = sparse.csr_array(y)
        return [[str(c) for c in part] for part in np.split(table.indices, table.indptr[1:-1])]
    return [
        [str(label) for label in own]
        if isinstance(own, list | tuple | set | frozenset)
        else [str(c) for c in np.flatnonzero(own)]
        if np.ndim(own)
        else [str(own)]
        for own in y
    ]
