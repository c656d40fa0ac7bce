"""Leave-one-out in closed form: what a count model says of a document it was trained on, had it not seen it.

Taking a document out changes the tables of its own labels in its own terms, and (where labels are told from the rest) the
tables of the rest of all others: everything is there already. The fitted model, the documents and their 0/1 labels go in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..foundation.arrays import Floats, Longs
from ..foundation.csr import present, row_sums, row_values
from ..models.from_counts.evidence import Evidence
from ..models.from_counts.multinomial import Multinomial, log_probabilities, log_probabilities_of_rest
from ..models.from_counts.simplified_multinomial import SimplifiedMultinomial
from ..models.from_counts.tfidf import TFIDF

__all__ = ["multinomial_left_out", "tfidf_left_out"]

BLOCK = 1 << 21  # entries that are looked at in one go
CANCELLED = 1e-6  # of a squared length so little is left that it has to be summed anew


class Pairs:
    """All (document, label) pairs of a table, with the terms of the document and how often the label has them."""

    def __init__(self, X: sparse.csr_array, labels: sparse.csr_array, table: sparse.csr_array) -> None:
        self.document, self.label = labels.nonzero()
        self.rows = X[self.document]  # one row a pair
        label_of = row_values(self.rows, self.label.astype(np.int64))
        self.label_has = values_at(table, label_of, self.rows.indices)
        self.left = self.label_has - self.rows.data  # without the document

    def sums(self, entries: Floats) -> Floats:
        """A sum over the terms of the document for each pair."""
        return row_sums(self.rows, entries)


def tfidf_left_out(model: TFIDF, X: sparse.csr_array, labels: sparse.csr_array) -> Floats:
    """Similarities with prototypes that the document has been taken out of; IDF unchanged (readings 004.2)."""
    evidence, squares = Evidence(model.counts_), model.idf_**2
    table, normalised = evidence.occurrences, model.similarity != "dot"
    norms = row_sums(table, table.data**2 * squares[table.indices])
    own_squares = row_sums(X, X.data**2 * squares[X.indices])
    pairs = Pairs(X, labels, table)
    weights = squares[pairs.rows.indices]
    own = pairs.sums(pairs.left * pairs.rows.data * weights)
    if normalised:
        before = norms[pairs.label]
        after = before - pairs.sums(pairs.rows.data * (pairs.label_has + pairs.left) * weights)
        for p in np.flatnonzero(after <= CANCELLED * before):
            left = table[[pairs.label[p]]] - pairs.rows[[p]]
            after[p] = (left.data**2 * squares[left.indices]).sum()
        own = over_root(own, after)
    lengths = own_squares if model.similarity == "cosine" else np.ones(X.shape[0])
    own = over_root(own, lengths[pairs.document])
    scores = model.class_scores(X)
    if not model.several_labels_ or not model.against_rest:
        scores[pairs.document, pairs.label] = own
        return scores
    rest = rest_without(X, model, evidence, own_squares, lengths)
    as_fitted = model.complement_scores(X)
    mine = scores + as_fitted  # the similarity with the label's own prototype
    scores = mine - rest
    scores[pairs.document, pairs.label] = own - as_fitted[pairs.document, pairs.label]
    return scores


def rest_without(X: sparse.csr_array, model: TFIDF, evidence: Evidence, own_squares: Floats, lengths: Floats) -> Floats:
    """Similarities with everything but the label and the document; for labels that the document does not have."""
    squares, whole, table = model.idf_**2, evidence.all_occurrences, evidence.occurrences
    weighted = X.astype(np.float64)
    weighted.data = weighted.data * squares[weighted.indices]
    dots = (weighted @ whole)[:, None] - (weighted @ table.T).toarray()  # of the document and the rest
    left: Floats = dots - own_squares[:, None]
    if model.similarity == "dot":
        return left
    has = whole[table.indices]
    lost = row_sums(table, (has**2 - (has - table.data) ** 2) * squares[table.indices])
    before = (whole**2 * squares).sum() - lost
    after = before - 2 * dots + own_squares[:, None]
    for d, c in np.argwhere(after <= CANCELLED * np.maximum(before, (whole**2 * squares).sum())):
        vector = whole - table[[c]].toarray()[0] - X[[d]].toarray()[0]
        left[d, c] = (vector * weighted[[d]].toarray()[0]).sum()
        after[d, c] = (vector**2 * squares).sum()
    return over_root(over_root(left, after), lengths[:, None])


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
    own = pairs.sums(pairs.rows.data * np.log(pairs.left + smoothing))
    own -= row_sums(X)[d] * np.log(np.where(totals > 0, totals, 1.0))  # 0 only where there is no term at all
    scores = log_probabilities(table, smoothing).scores(X)
    scores[d, c] = own
    if model.several_labels_:
        rest = rest_of_others(X, table, whole, smoothing)
        rest[d, c] = log_probabilities_of_rest(table, whole, smoothing).scores(X)[d, c]
        scores -= rest
    return scores + log_priors(evidence.documents, evidence.n_documents, labels, model)


def rest_of_others(X: sparse.csr_array, table: sparse.csr_array, whole: Floats, smoothing: float) -> Floats:
    """sum of tf log Pr(w|all but label and document), for labels that the document does not have."""
    n, n_labels, by_term = X.shape[0], table.shape[0], table.T.tocsr()
    left = whole[X.indices] - X.data + smoothing
    lengths = row_sums(X)
    totals = whole.sum() - row_sums(table)[None, :] - lengths[:, None] + smoothing * table.shape[1]
    out: Floats = row_sums(X, X.data * np.log(left))[:, None] - lengths[:, None] * np.log(
        np.where(totals > 0, totals, 1.0)
    )
    sizes = np.diff(by_term.indptr)[X.indices]  # of each entry of X, the labels that have its term
    ends = np.concatenate([[0], np.cumsum(sizes)])[X.indptr]
    start = 0
    while start < n:
        end = max(start + 1, int(np.searchsorted(ends, ends[start] + BLOCK, side="right")) - 1)
        entries = slice(X.indptr[start], X.indptr[end])
        which, place = entry_ranges(by_term.indptr[X.indices[entries]], sizes[entries])
        with np.errstate(divide="ignore", invalid="ignore"):  # labels the document has are not asked for
            logs = X.data[entries][which] * np.log1p(-by_term.data[place] / left[entries][which])
        row = np.repeat(np.arange(end - start), np.diff(X.indptr[start : end + 1]))[which]
        cell = row * n_labels + by_term.indices[place]
        out[start:end] += np.bincount(cell, weights=logs, minlength=(end - start) * n_labels).reshape(-1, n_labels)
        start = end
    return out


def log_priors(documents: Floats, n_documents: float, labels: sparse.csr_array, model: Any) -> Floats:
    """The log of the prior, or of its odds, when one document less is there: documents x labels."""
    own = labels.toarray()
    left = documents - own
    n = n_documents - 1
    with np.errstate(divide="ignore"):
        if model.several_labels_:
            odds = np.log(left) - np.log(n - left)
            return np.where(np.isfinite(odds) & (model.priors == "uniform"), 0.0, odds)
        if model.priors == "uniform":
            left, n = left > 0, (left > 0).sum(axis=1, keepdims=True)
        prior: Floats = np.log(left) - np.log(n)
        return prior


def over_root(values: Floats, squares: Floats) -> Floats:
    """values / sqrt(squares); 0 where there is nothing to divide by."""
    found: Floats = np.where(squares > 0, values / np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0)
    return found


def values_at(table: sparse.csr_array, rows: Longs, columns: Any) -> Floats:
    """The entries of a sparse table in these places, 0 where nothing is stored; its columns are in order."""
    if not table.has_sorted_indices:
        table = table.sorted_indices()
    keys = row_values(table, np.arange(table.shape[0], dtype=np.int64)) * table.shape[1] + table.indices
    wanted = rows * table.shape[1] + columns
    if len(keys) == 0:
        return np.zeros(len(wanted))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, table.data[place], 0.0)


def entry_ranges(starts: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """start, start + 1, ... of each range in one row, with the number of the range."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    first = np.cumsum(sizes) - sizes
    return which, np.arange(len(which)) - first[which] + starts[which]
