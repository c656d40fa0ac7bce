"""Weightings: a document's counts to weights, by the frequencies of the training documents. One document at a time.

binary          1                                                                                     [001 sec. 6.3]
tf              tf
log_tf          ln(1 + tf)                                                                              [003 eq. 15]
ltc             (1 + ln tf) idf, over its length                                                      [001 sec. 6.3]
tfc             tf idf, over its length
wilbur_tfidf    ln(1 + tf) idf, over its length                                                      [003 eq. 15-17]
wilbur_idf      idf, over its length                                                                 [003 eq. 16-18]
inquery         0.6 ntf nidf,  ntf = 0.4 H + 0.6 ln(tf + 0.5) / ln(max tf + 1),  nidf = ln(N/df) / ln N   [001 sec. 7.2]
inquery_okapi   0.6 tf / (tf + 0.5 + 1.5 |d|/avg)  ln((N + 0.5)/df) / ln(N + 1)
bm25            tf (k + 1) / (tf + k (1 - b + b |d|/avg))  ln(1 + (N - df + 0.5)/(df + 0.5)),  k = 1.2, b = 0.75
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import UnknownName
from .arrays import Floats, TermVector, running_sum

__all__ = ["WEIGHTINGS", "Weighting"]

K, B = 1.2, 0.75  # of BM25
SHORTEST = 1e-300  # average length, where there is none


@dataclass(frozen=True, slots=True, eq=False)
class Weighting:
    """A weighting by name, with the frequencies that it needs."""

    name: str
    idf: Floats | None = None  # terms
    documents_with: Floats | None = None  # terms
    n_documents: float = 0.0
    average_length: float = 0.0

    def __post_init__(self) -> None:
        if self.name not in WEIGHTINGS:
            raise UnknownName("weighting", self.name, WEIGHTINGS)

    def of(self, document: TermVector) -> TermVector:
        """The document with weights in place of counts; a weight may be 0."""
        return document.with_values(WEIGHTINGS[self.name](self, document))


def of_length_1(weights: Floats) -> Floats:
    """Weights times 1 / their Euclidean length; a zero vector stays zero."""
    norm = np.sqrt(running_sum(weights**2))
    scaled: Floats = weights * (1 / (norm if norm > 0 else 1.0))
    return scaled


def idf_of(weighting: Weighting, document: TermVector) -> Floats:
    """ln(N / df) of the document's terms."""
    table = np.zeros(0) if weighting.idf is None else weighting.idf
    return table[document.columns].astype(np.float64)


def frequencies_of(weighting: Weighting, document: TermVector) -> Floats:
    """df of the document's terms."""
    table = np.zeros(0) if weighting.documents_with is None else weighting.documents_with
    return table[document.columns]


def ltc(weighting: Weighting, document: TermVector) -> Floats:
    """(1 + ln tf) idf, over its length."""
    return of_length_1((1 + np.log(document.values)) * idf_of(weighting, document))


def tfc(weighting: Weighting, document: TermVector) -> Floats:
    """tf idf, over its length."""
    return of_length_1(document.values * idf_of(weighting, document))


def wilbur_tfidf(weighting: Weighting, document: TermVector) -> Floats:
    """ln(1 + tf) idf, over its length."""
    return of_length_1(np.log1p(document.values) * idf_of(weighting, document))


def wilbur_idf(weighting: Weighting, document: TermVector) -> Floats:
    """idf, over its length."""
    return of_length_1(idf_of(weighting, document))


def inquery(weighting: Weighting, document: TermVector) -> Floats:
    """INQUERY's belief above 0.4; H = 1 up to a highest tf of 200, then 200 / max tf."""
    tf, n = document.values, weighting.n_documents
    top = np.full(len(tf), tf.max(initial=0.0))
    ntf = 0.4 * np.where(top <= 200, 1.0, 200 / np.maximum(top, 1)) + 0.6 * np.log(tf + 0.5) / np.log(top + 1)
    df = frequencies_of(weighting, document)
    nidf = np.log(n / np.where(df > 0, df, n)) / np.log(max(n, 2))
    belief: Floats = 0.6 * ntf * nidf
    return belief


def inquery_okapi(weighting: Weighting, document: TermVector) -> Floats:
    """INQUERY's belief above 0.4, from TREC-4 on."""
    tf, n = document.values, weighting.n_documents
    t = tf / (tf + 0.5 + 1.5 * document.total / max(weighting.average_length, SHORTEST))
    df = frequencies_of(weighting, document)
    i = np.log((n + 0.5) / np.where(df > 0, df, n + 0.5)) / np.log(n + 1)
    belief: Floats = 0.6 * t * i
    return belief


def bm25(weighting: Weighting, document: TermVector) -> Floats:
    """BM25, never negative."""
    tf, df = document.values, frequencies_of(weighting, document)
    t = tf * (K + 1) / (tf + K * (1 - B + B * document.total / max(weighting.average_length, SHORTEST)))
    weights: Floats = t * np.log1p((weighting.n_documents - df + 0.5) / (df + 0.5))
    return weights


WEIGHTINGS: dict[str, Callable[[Weighting, TermVector], Floats]] = {
    "binary": lambda _, document: np.ones(len(document)),
    "tf": lambda _, document: document.values,
    "log_tf": lambda _, document: np.log1p(document.values),
    "ltc": ltc,
    "tfc": tfc,
    "wilbur_tfidf": wilbur_tfidf,
    "wilbur_idf": wilbur_idf,
    "inquery": inquery,
    "inquery_okapi": inquery_okapi,
    "bm25": bm25,
}
