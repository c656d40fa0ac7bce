"""Weightings: documents x terms of counts to documents x terms of weights. Pure functions of counts and document frequencies.

    local        binary, tf, log (1 + ln tf), log1p (ln(1 + tf))
    global       idf = ln(N / df), from `Counts`; 0 for a term in no training document
    normalised   cosine (Euclidean length 1), length (sum 1), pivoted (between both ends of a slope)

`weighted(X, counts, form)` does it by name. Sparse in, sparse out: INQUERY's belief of 0.4 in an absent term is
`ABSENT`; what is stored is the belief above it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..counts import Counts
from ..counts.term_scores import document_frequency, idf
from ..errors import InvalidSetting, UnknownName
from ..foundation.arrays import Floats
from ..foundation.csr import present, row_sums, row_values, scaled_rows, with_data
from ..scoring.weighting import (
    BY_IDF,
    FORMS,
    LOCAL,
    bm25_idf,
    bm25_tf,
    check_weighting,
    inquery_idf,
    inquery_tf,
    okapi_idf,
    okapi_tf,
)
from ..storage.registry import stored

__all__ = [
    "ABSENT",
    "FORMS",
    "Weighting",
    "binary",
    "bm25",
    "cosine",
    "inquery",
    "inquery_okapi",
    "length",
    "log_tf",
    "ltc",
    "pivoted",
    "tf",
    "tfc",
    "weighted",
    "wilbur_idf",
    "wilbur_tfidf",
]

ABSENT = 0.4  # INQUERY's belief in a term that is not there


# -- normalisations


def cosine(X: sparse.csr_array) -> sparse.csr_array:
    """Each document divided by its Euclidean length; a zero vector stays zero."""
    norms = np.sqrt(row_sums(X, X.data**2))
    return scaled_rows(X, 1 / np.where(norms > 0, norms, 1.0))


def length(X: sparse.csr_array) -> sparse.csr_array:
    """Each document divided by the sum of its weights."""
    sums = row_sums(X)
    return scaled_rows(X, 1 / np.where(sums > 0, sums, 1.0))


def pivoted(X: sparse.csr_array, *, slope: float = 0.2, pivot: float | None = None) -> sparse.csr_array:
    """Each document divided by (1 - slope) + slope x (its Euclidean length / pivot), pivot the mean length of documents that
    have one (Singhal et al. 1996): long documents lose less than by the cosine."""
    if not 0 <= slope <= 1:
        raise InvalidSetting(f"slope={slope}: give a number from 0 to 1")
    norms = np.sqrt(row_sums(X, X.data**2))
    if pivot is None:
        pivot = float(norms[norms > 0].mean()) if (norms > 0).any() else 1.0
    return scaled_rows(X, 1 / ((1 - slope) + slope * norms / pivot))


# -- local and global weights


def binary(X: sparse.csr_array) -> sparse.csr_array:
    """1 for a term that is there.                                                                         [001 sec. 6.3]"""
    return present(X)


def tf(X: sparse.csr_array) -> sparse.csr_array:
    """The number of occurrences."""
    return X.astype(np.float64)


def log_tf(X: sparse.csr_array) -> sparse.csr_array:
    """TF_vd = ln(1 + tf).                                                                                  [003 eq. 15]"""
    return with_data(X, np.log1p(X.data))


def ltc(X: sparse.csr_array, weights: Floats) -> sparse.csr_array:
    """(1 + ln tf) ln(N/df), cosine-normalised: SMART's tf x idf.                                          [001 sec. 6.3]"""
    return by_idf(X, weights, "ltc")


def tfc(X: sparse.csr_array, weights: Floats) -> sparse.csr_array:
    """tf ln(N/df), cosine-normalised: the form of Salton & Buckley 1988."""
    return by_idf(X, weights, "tfc")


def wilbur_tfidf(X: sparse.csr_array, weights: Floats) -> sparse.csr_array:
    """ln(1 + tf) ln(|D|/n_v), cosine-normalised.                                                        [003 eq. 15-17]"""
    return by_idf(X, weights, "wilbur_tfidf")


def wilbur_idf(X: sparse.csr_array, weights: Floats) -> sparse.csr_array:
    """ln(|D|/n_v) of the terms that are there, cosine-normalised.                                       [003 eq. 16-18]"""
    return by_idf(X, weights, "wilbur_idf")


def by_idf(X: sparse.csr_array, weights: Floats, form: str) -> sparse.csr_array:
    return cosine(with_data(X, BY_IDF[form](X.data, weights[X.indices])))


# -- beliefs and BM25


def inquery(X: sparse.csr_array, documents_with: Floats, n_documents: float) -> sparse.csr_array:
    """INQUERY's belief above 0.4 (Callan, Croft & Broglio 1995; readings 001.13):                         [001 sec. 7.2]

    0.6 ntf nidf,  ntf = 0.4 H + 0.6 ln(tf + 0.5) / ln(max_tf + 1),  nidf = ln(N/df) / ln N
    H = 1 up to max_tf 200, then 200 / max_tf
    """
    highest = np.zeros(X.shape[0])
    np.maximum.at(highest, row_values(X, np.arange(X.shape[0])), X.data)
    belief = inquery_tf(X.data, row_values(X, highest)) * inquery_idf(documents_with, n_documents)[X.indices]
    return with_data(X, belief)


def inquery_okapi(
    X: sparse.csr_array, documents_with: Floats, n_documents: float, average_length: float
) -> sparse.csr_array:
    """The belief above 0.4 from TREC-4 on: 0.6 T I,  T = tf / (tf + 0.5 + 1.5 dl/avgdl),  I = ln((N + 0.5)/df) / ln(N + 1)."""
    share = okapi_tf(X.data, row_values(X, row_sums(X)), average_length)
    return with_data(X, share * okapi_idf(documents_with, n_documents)[X.indices])


def bm25(
    X: sparse.csr_array,
    documents_with: Floats,
    n_documents: float,
    average_length: float,
    *,
    k: float = 1.2,
    b: float = 0.75,
) -> sparse.csr_array:
    """tf (k + 1) / (tf + k (1 - b + b dl/avgdl)) x ln(1 + (N - df + 0.5)/(df + 0.5)), never negative."""
    share = bm25_tf(X.data, row_values(X, row_sums(X)), average_length, k, b)
    return with_data(X, share * bm25_idf(documents_with, n_documents)[X.indices])


# -- by name

BY_LENGTH: dict[str, Callable[..., sparse.csr_array]] = {"bm25": bm25, "inquery_okapi": inquery_okapi}


@stored(
    "weighting",
    keys=("form", "n_terms", "idf", "documents_with", "n_documents", "average_length"),
    check=check_weighting,
)
@dataclass(frozen=True, eq=False)
class Weighting:
    """A weighting with the frequencies it needs: fitted on training statistics, then applied to any documents.

    idf, documents_with: a number a term, None where the form does without; average_length: of the training documents.
    """

    form: str
    n_terms: int
    idf: Floats | None = None
    documents_with: Floats | None = None
    n_documents: float = 0.0
    average_length: float = 0.0

    @classmethod
    def fitted(cls, counts: Counts, form: str = "ltc") -> Weighting:
        """The weighting of that name, with the frequencies of these statistics."""
        n_terms, n = len(counts.term_array), float(counts.n_documents)
        if form in LOCAL:
            return cls(form, n_terms)
        if form in BY_IDF:
            return cls(form, n_terms, idf=idf(counts))
        if form == "inquery":
            return cls(form, n_terms, documents_with=document_frequency(counts), n_documents=n)
        if form in BY_LENGTH:
            row = counts.lengths[[len(counts.labels)]]
            average = float((row @ np.arange(row.shape[1]))[0]) / max(n, 1.0)
            return cls(form, n_terms, None, document_frequency(counts), n, average)
        raise UnknownName("weighting", form, FORMS)

    def of(self, X: Any) -> sparse.csr_array:
        """Documents x terms of counts, weighted."""
        X = sparse.csr_array(X).astype(np.float64)
        if X.shape[1] != self.n_terms:
            raise InvalidSetting(f"X has {X.shape[1]} columns, the counts {self.n_terms} terms: use the same terms")
        if self.form in LOCAL:
            return with_data(X, LOCAL[self.form](X.data))
        if self.idf is not None:
            return by_idf(X, self.idf, self.form)
        frequencies = np.zeros(self.n_terms) if self.documents_with is None else self.documents_with
        if self.form == "inquery":
            return inquery(X, frequencies, self.n_documents)
        return BY_LENGTH[self.form](X, frequencies, self.n_documents, self.average_length)

    @property
    def absent(self) -> float:
        """The weight of a term that is not there, above which the others are stored."""
        return ABSENT if self.form.startswith("inquery") else 0.0


def weighted(X: Any, counts: Counts, form: str = "ltc") -> sparse.csr_array:
    """Documents x terms of counts, weighted by name; frequencies and lengths are those of `counts`, the training statistics.

    X has the columns of `counts.terms`. For "inquery" and "inquery_okapi" the belief is ABSENT + what is stored.
    """
    return Weighting.fitted(counts, form).of(X)
