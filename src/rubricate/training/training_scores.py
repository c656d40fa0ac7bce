"""Score vectors of the training documents themselves: what density estimation, thresholds and calibration learn from.

    resubstitution      the model scores the documents it was trained on, as 004 does: every document helps its label
    leave-one-out       each document is scored by the model of all the others
    cross-validation    each fold is scored by the model of the other folds

The model of the others is that of fitting on their rows of X: all columns stay, also of terms that the others lack. Counts are
subtracted, not counted again. Leave-one-out of TFIDF, Multinomial and SimplifiedMultinomial costs about as much
as scoring once (in closed form, below); of other count models it is one fit a document, and of models that need the documents one
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
from ..foundation.csr import present, row_sums, row_values
from ..foundation.folds import fold_numbers
from ..measures.significance.bootstrap import rows_of
from ..models.classifier import Classifier
from ..models.from_counts.count_model import CountModel
from ..models.from_counts.evidence import Evidence
from ..models.from_counts.multinomial import (
    Multinomial,
    SimplifiedMultinomial,
    log_probabilities,
    log_probabilities_of_rest,
)
from ..models.from_counts.tfidf import TFIDF
from ..models.table_scores import layer_scores

HOWS = ("resubstitution", "leave-one-out", "cross-validation")
BLOCK = 1 << 21  # entries looked at together
CANCELLED = 1e-6  # of a squared length so little is left that it has to be summed anew


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
        folds = fold_numbers(label_names(y), min(int(folds), n), seed=random_state)
    return held_out_scores(model, X, y, np.asarray(folds))


def left_out_scores(model: Classifier, X: Any, y: Any) -> Floats:
    """Each document scored by the model of the others. For TFIDF the others' IDF is that of all (readings 004.2)."""
    fitted = clone(model).fit(X, y)
    X = sparse.csr_array(X)
    if X.shape[0] < 2:
        raise InvalidSetting("leave-one-out of one document: there are no others to learn from")
    closed_form = CLOSED_FORMS.get(type(model))
    if closed_form is None:
        return held_out_scores(model, X, y, np.arange(X.shape[0]))
    X, _, _, (label_of, document_of) = fitted._read(X, y, reset=False)
    labels = sparse.csr_array(
        (np.ones(len(label_of)), (document_of, label_of)), shape=(X.shape[0], len(fitted.classes_))
    )
    return closed_form(fitted, X, labels)


def held_out_scores(model: Classifier, X: Any, y: Any, folds: Longs) -> Floats:
    """Each fold scored by the model of the others: by subtraction where the model can take documents back."""
    X = sparse.csr_array(X)
    if len(folds) != X.shape[0]:
        raise InvalidSetting(f"{len(folds)} fold numbers for {X.shape[0]} documents")
    whole = clone(model).fit(X, y)
    place = {label: n for n, label in enumerate(whole.classes_.tolist())}
    scores = np.full((X.shape[0], len(place)), -np.inf)
    for fold in np.unique(folds):
        held_out = folds == fold
        if isinstance(whole, CountModel):
            others = copy(whole).forget(X[held_out], rows_of(y, np.flatnonzero(held_out)))
        else:
            others = clone(model).fit(X[~held_out], rows_of(y, np.flatnonzero(~held_out)))
        columns = [place[label] for label in others.classes_.tolist()]
        scores[np.ix_(held_out, columns)] = others.class_scores(X[held_out])
    return scores


def label_names(y: Any) -> list[list[str]]:
    if sparse.issparse(y):
        table = sparse.csr_array(y)
        return [[str(c) for c in part] for part in np.split(table.indices, table.indptr[1:-1])]
    return [
        [str(label) for label in labels]
        if isinstance(labels, list | tuple | set | frozenset)
        else [str(c) for c in np.flatnonzero(labels)]
        if np.ndim(labels)
        else [str(labels)]
        for labels in y
    ]


# -- leave-one-out in closed form
#
# Taking a document out changes the tables of its labels in its terms, and, where each label is scored against the rest, the
# tables of the rest of all other labels. The fitted model, the documents and their 0/1 labels go in.


class Pairs:
    """All (document, label) pairs of a table, with the terms of the document and how often the label has them."""

    def __init__(self, X: sparse.csr_array, labels: sparse.csr_array, table: sparse.csr_array) -> None:
        self.document, self.label = labels.nonzero()
        self.rows = X[self.document]  # one row a pair
        label_of = row_values(self.rows, self.label.astype(np.int64))
        self.label_has = values_at(table, label_of, self.rows.indices)
        self.label_without = self.label_has - self.rows.data  # the document taken out

    def sums(self, entries: Floats) -> Floats:
        return row_sums(self.rows, entries)


def tfidf_left_out(model: TFIDF, X: sparse.csr_array, labels: sparse.csr_array) -> Floats:
    """Similarities with prototypes that the document has been taken out of; IDF unchanged (readings 004.2)."""
    evidence, squares = Evidence(model.counts_), model.idf_**2
    table, normalised = evidence.occurrences, model.similarity != "dot"
    norms = row_sums(table, table.data**2 * squares[table.indices])
    document_squares = row_sums(X, X.data**2 * squares[X.indices])
    pairs = Pairs(X, labels, table)
    weights = squares[pairs.rows.indices]
    similarities = pairs.sums(pairs.label_without * pairs.rows.data * weights)
    if normalised:
        before = norms[pairs.label]
        after = before - pairs.sums(pairs.rows.data * (pairs.label_has + pairs.label_without) * weights)
        for p in np.flatnonzero(after <= CANCELLED * before):
            difference = table[[pairs.label[p]]] - pairs.rows[[p]]
            after[p] = (difference.data**2 * squares[difference.indices]).sum()
        similarities = over_root(similarities, after)
    lengths = document_squares if model.similarity == "cosine" else np.ones(X.shape[0])
    similarities = over_root(similarities, lengths[pairs.document])
    scores = model.class_scores(X)
    if not model.several_labels_ or not model.against_rest:
        scores[pairs.document, pairs.label] = similarities
        return scores
    rest = rest_without(X, model, evidence, document_squares, lengths)
    as_fitted = model.complement_scores(X)
    label_similarities = scores + as_fitted  # the similarity with the label's prototype
    scores = label_similarities - rest
    scores[pairs.document, pairs.label] = similarities - as_fitted[pairs.document, pairs.label]
    return scores


def rest_without(
    X: sparse.csr_array, model: TFIDF, evidence: Evidence, document_squares: Floats, lengths: Floats
) -> Floats:
    """Similarities with everything but the label and the document; for labels that the document does not have."""
    squares, whole, table = model.idf_**2, evidence.all_occurrences, evidence.occurrences
    weighted = X.astype(np.float64)
    weighted.data = weighted.data * squares[weighted.indices]
    dots = (weighted @ whole)[:, None] - (weighted @ table.T).toarray()  # of the document and the rest
    rest_dots: Floats = dots - document_squares[:, None]
    if model.similarity == "dot":
        return rest_dots
    whole_values = whole[table.indices]
    lost = row_sums(table, (whole_values**2 - (whole_values - table.data) ** 2) * squares[table.indices])
    before = (whole**2 * squares).sum() - lost
    after = before - 2 * dots + document_squares[:, None]
    for d, c in np.argwhere(after <= CANCELLED * np.maximum(before, (whole**2 * squares).sum())):
        vector = whole - table[[c]].toarray()[0] - X[[d]].toarray()[0]
        rest_dots[d, c] = (vector * weighted[[d]].toarray()[0]).sum()
        after[d, c] = (vector**2 * squares).sum()
    return over_root(over_root(rest_dots, after), lengths[:, None])


def multinomial_left_out(
    model: Multinomial | SimplifiedMultinomial, X: sparse.csr_array, labels: sparse.csr_array
) -> Floats:
    """log Pr(C) + sum of tf log Pr(w|C), less the same of the rest if there is one, from counts that lack the document."""
    evidence, smoothing = Evidence(model.counts_), float(model.smoothing)
    simplified = isinstance(model, SimplifiedMultinomial)
    table = evidence.documents_with if simplified else evidence.occurrences
    whole = evidence.all_documents_with if simplified else evidence.all_occurrences
    X = present(X) if simplified else X.astype(np.float64)
    pairs = Pairs(X, labels, table)
    d, c = pairs.document, pairs.label
    totals = (row_sums(table)[c] - row_sums(X)[d]) + smoothing * table.shape[1]
    label_scores = pairs.sums(pairs.rows.data * np.log(pairs.label_without + smoothing))
    label_scores -= row_sums(X)[d] * np.log(np.where(totals > 0, totals, 1.0))  # 0 only where there is no term at all
    scores = layer_scores(log_probabilities(table, smoothing), X)
    scores[d, c] = label_scores
    if model.several_labels_:
        rest = rest_of_others(X, table, whole, smoothing)
        rest[d, c] = layer_scores(log_probabilities_of_rest(table, whole, smoothing), X)[d, c]
        scores -= rest
    return scores + log_priors(evidence.documents, evidence.n_documents, labels, model)


def rest_of_others(X: sparse.csr_array, table: sparse.csr_array, whole: Floats, smoothing: float) -> Floats:
    """sum of tf log Pr(w|all but label and document), for labels that the document does not have."""
    n, n_labels, by_term = X.shape[0], table.shape[0], table.T.tocsr()
    remaining = whole[X.indices] - X.data + smoothing
    lengths = row_sums(X)
    totals = whole.sum() - row_sums(table)[None, :] - lengths[:, None] + smoothing * table.shape[1]
    out: Floats = row_sums(X, X.data * np.log(remaining))[:, None] - lengths[:, None] * np.log(
        np.where(totals > 0, totals, 1.0)
    )
    sizes = np.diff(by_term.indptr)[X.indices]  # of each entry of X, the labels that have its term
    ends = np.concatenate([[0], np.cumsum(sizes)])[X.indptr]
    start = 0
    while start < n:
        end = max(start + 1, int(np.searchsorted(ends, ends[start] + BLOCK, side="right")) - 1)
        entries = slice(X.indptr[start], X.indptr[end])
        which, place = entry_ranges(by_term.indptr[X.indices[entries]], sizes[entries])
        with np.errstate(divide="ignore", invalid="ignore"):  # labels that the document has are replaced by the caller
            logs = X.data[entries][which] * np.log1p(-by_term.data[place] / remaining[entries][which])
        row = np.repeat(np.arange(end - start), np.diff(X.indptr[start : end + 1]))[which]
        cell = row * n_labels + by_term.indices[place]
        out[start:end] += np.bincount(cell, weights=logs, minlength=(end - start) * n_labels).reshape(-1, n_labels)
        start = end
    return out


def log_priors(label_documents: Floats, n_documents: float, labels: sparse.csr_array, model: Any) -> Floats:
    """The log of the prior, or of its odds, when one document less is there: documents x labels."""
    has_label = labels.toarray()
    documents_left = label_documents - has_label
    n_others = n_documents - 1
    with np.errstate(divide="ignore"):
        if model.several_labels_:
            odds = np.log(documents_left) - np.log(n_others - documents_left)
            return np.where(np.isfinite(odds) & (model.priors == "uniform"), 0.0, odds)
        if model.priors == "uniform":
            documents_left, n_others = documents_left > 0, (documents_left > 0).sum(axis=1, keepdims=True)
        prior: Floats = np.log(documents_left) - np.log(n_others)
        return prior


def over_root(values: Floats, squares: Floats) -> Floats:
    """values / sqrt(squares); 0 where there is nothing to divide by."""
    quotients: Floats = np.where(squares > 0, values / np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0)
    return quotients


def values_at(table: sparse.csr_array, rows: Longs, columns: Any) -> Floats:
    """The entries of a sparse table in these places, 0 where nothing is stored; its columns are in order."""
    if not table.has_sorted_indices:
        table = table.sorted_indices()
    keys = row_values(table, np.arange(table.shape[0], dtype=np.int64)) * table.shape[1] + table.indices
    places = rows * table.shape[1] + columns
    if len(keys) == 0:
        return np.zeros(len(places))
    position = np.minimum(np.searchsorted(keys, places), len(keys) - 1)
    return np.where(keys[position] == places, table.data[position], 0.0)


def entry_ranges(starts: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """start, start + 1, ... of each range in one row, with the number of the range."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    first = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - first[which] + starts[which]


CLOSED_FORMS: dict[type[CountModel], Callable[..., Floats]] = {
    TFIDF: tfidf_left_out,
    Multinomial: multinomial_left_out,
    SimplifiedMultinomial: multinomial_left_out,
}
