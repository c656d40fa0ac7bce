"""Top terms: the words a fitted model goes by, label by label.

    weight(t, c)    what one occurrence of the term adds to the label's score, in a document of nothing else; where documents have
                    one label, less its mean over labels, since only differences between labels decide
    usual(t, c)     of the label's training documents, the share that has the term; where documents are weighted, the mean weight
                    of the term in them
    average(t, c) = weight x usual: what the term adds to a document of the label on average. The terms are ranked by it, so that
                    neither a word that occurred once nor one that is everywhere comes first

Learns from: a fitted TextClassifier and the statistics it keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..counts import indicator
from ..foundation.arrays import Floats
from .predictions import names_of_labels

if TYPE_CHECKING:
    from ..training.text_classifier import TextClassifier

CELLS = 2**22  # terms x labels at a time


@dataclass(frozen=True, slots=True)
class TopTerm:
    """A term of a label; see the module."""

    term: str
    weight: float
    average: float


def top_terms(model: TextClassifier, *, top: int = 10) -> dict[str, list[TopTerm]]:
    """The first terms of each label, best first; only terms that speak for it and that it has."""
    if top < 1 or (model.documents_ is None and model.counts_ is None):  # saved slim: no label's documents are known
        return {name: [] for name in names_of_labels(model)}
    by_term = mean_term_weights(model)
    present, weights = by_term.tocsc(), weights_at(model, by_term).tocsc()
    out = {}
    for label, name in enumerate(names_of_labels(model)):
        part = slice(present.indptr[label], present.indptr[label + 1])
        terms, weight = present.indices[part], weights.data[part]
        average = (present.data[part] * weight).round(12)
        first = np.argsort(-average, kind="stable")[:top].tolist()
        first = [n for n in first if average[n] > 0]
        out[name] = [TopTerm(model.terms_[terms[n]], float(weight[n]), float(average[n])) for n in first]
    return out


def weights_at(model: TextClassifier, places: sparse.csr_array) -> sparse.csr_array:
    """The weights in the places of a table, terms x labels; worked out for some terms at a time."""
    step = max(1, CELLS // max(places.shape[1], 1))
    data = [np.zeros(0)]
    for start in range(0, places.shape[0], step):
        some = places[start : start + step]
        rows = np.repeat(np.arange(some.shape[0]), np.diff(some.indptr))
        data.append(term_weights(model, start, some.shape[0])[rows, some.indices])
    return sparse.csr_array((np.concatenate(data), places.indices, places.indptr), shape=places.shape)


def term_weights(model: TextClassifier, start: int, size: int) -> Floats:
    """What one occurrence of terms start, start + 1, … adds: terms x labels."""
    shape = (size, len(model.terms_))
    alone = sparse.csr_array((np.ones(size), np.arange(start, start + size), np.arange(size + 1)), shape=shape)
    nothing = sparse.csr_array((1, shape[1]))
    with np.errstate(invalid="ignore"):
        weights: Floats = model.model_.class_scores(alone) - model.model_.class_scores(nothing)
    weights = np.nan_to_num(weights, nan=0.0, posinf=0.0, neginf=0.0)  # labels without documents
    return weights if model.several_labels_ else weights - weights.mean(axis=1, keepdims=True)


def mean_term_weights(model: TextClassifier) -> sparse.csr_array:
    """How much of each term a document of each label has: terms x labels; see the module."""
    if model.documents_ is None:
        counts: Any = model.counts_
        counts = counts.aligned(counts.terms, model._order).select(model.terms_)
        table, sizes = counts.documents_with[:-1], counts.documents[:-1]  # the last row is everything
    else:
        documents, weighting = model.documents_, model.weighting_
        column = {term: n for n, term in enumerate(documents.terms)}
        X = documents.X[:, [column[term] for term in model.terms_]]
        truth = indicator(documents.labels, model._order)
        table = truth.T.astype(np.float64) @ (X if weighting is None else weighting.of(X))
        sizes = np.asarray(truth.sum(axis=0))
    rows = sparse.csr_array(sparse.csr_array(table).T)
    by_label = np.maximum(np.asarray(sizes, dtype=np.float64), 1.0)
    return sparse.csr_array((rows.data / by_label[rows.indices], rows.indices, rows.indptr), shape=rows.shape)
