"""Weightings: a document's counts to weights, by the frequencies of the training documents.

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

The functions are of entries side by side, of one document or of many; `models.vectors` applies them to tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UnknownName
from ..storage.checks import need, sized
from .arrays import Floats, TermVector, running_sum

LOCAL: dict[str, Callable[[Floats], Floats]] = {"binary": np.ones_like, "tf": lambda tf: tf, "log_tf": np.log1p}
BY_IDF: dict[str, Callable[[Floats, Floats], Floats]] = {
    "ltc": lambda tf, idf: (1 + np.log(tf)) * idf,
    "tfc": lambda tf, idf: tf * idf,
    "wilbur_tfidf": lambda tf, idf: np.log1p(tf) * idf,
    "wilbur_idf": lambda tf, idf: idf,
}
FORMS = (*sorted(LOCAL), *sorted(BY_IDF), "bm25", "inquery", "inquery_okapi")


def inquery_tf(tf: Floats, highest: Any) -> Floats:
    """0.6 ntf; H = 1 up to a highest tf of 200, then 200 / max tf."""
    h = np.where(highest <= 200, 1.0, 200 / np.maximum(highest, 1))
    ntf: Floats = 0.4 * h + 0.6 * np.log(tf + 0.5) / np.log(highest + 1)
    return 0.6 * ntf


def inquery_idf(df: Floats, n: float) -> Floats:
    nidf: Floats = np.log(n / np.where(df > 0, df, n)) / np.log(max(n, 2))
    return nidf


def okapi_tf(tf: Floats, lengths: Any, average: float) -> Floats:
    share: Floats = tf / (tf + 0.5 + 1.5 * lengths / max(average, 1e-300))
    return 0.6 * share


def okapi_idf(df: Floats, n: float) -> Floats:
    idf: Floats = np.log((n + 0.5) / np.where(df > 0, df, n + 0.5)) / np.log(n + 1)
    return idf


def bm25_tf(tf: Floats, lengths: Any, average: float, k: float = 1.2, b: float = 0.75) -> Floats:
    share: Floats = tf * (k + 1) / (tf + k * (1 - b + b * lengths / max(average, 1e-300)))
    return share


def bm25_idf(df: Floats, n: float) -> Floats:
    """Never negative."""
    return np.log1p((n - df + 0.5) / (df + 0.5))


def check_weighting(weighting: Any) -> None:
    """A number a term, where there are numbers of terms."""
    for name in ("idf", "documents_with"):
        numbers = getattr(weighting, name)
        if numbers is not None:
            sized(numbers, weighting.n_terms, what=name)
            need(np.isfinite(numbers).all(), f"{name} that are no numbers")


@dataclass(frozen=True, slots=True, eq=False)
class Weighting:
    """A weighting by name, with the frequencies that it needs."""

    name: str
    idf: Floats | None = None  # terms
    documents_with: Floats | None = None  # terms
    n_documents: float = 0.0
    average_length: float = 0.0

    def __post_init__(self) -> None:
        if self.name not in FORMS:
            raise UnknownName("weighting", self.name, FORMS)

    def of(self, document: TermVector) -> TermVector:
        """The document with weights in place of counts; a weight may be 0."""
        tf, n, average = document.values, self.n_documents, self.average_length
        if self.name in LOCAL:
            return document.with_values(LOCAL[self.name](tf))
        if self.name in BY_IDF:
            idf = np.zeros(0) if self.idf is None else self.idf
            return document.with_values(of_length_1(BY_IDF[self.name](tf, idf[document.columns])))
        df = (np.zeros(0) if self.documents_with is None else self.documents_with)[document.columns]
        if self.name == "inquery":
            highest = np.full(len(tf), tf.max(initial=0.0))
            return document.with_values(inquery_tf(tf, highest) * inquery_idf(df, n))
        if self.name == "inquery_okapi":
            return document.with_values(okapi_tf(tf, document.total, average) * okapi_idf(df, n))
        return document.with_values(bm25_tf(tf, document.total, average) * bm25_idf(df, n))


def of_length_1(weights: Floats) -> Floats:
    """Weights times 1 / their Euclidean length; a zero vector stays zero."""
    norm = np.sqrt(running_sum(weights**2))
    scaled: Floats = weights * (1 / (norm if norm > 0 else 1.0))
    return scaled
