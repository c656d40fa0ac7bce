"""TFIDF: cosine with a prototype, the sum of a label's documents. Learns from: occurrences, documents_with.
Source: 000 sec. 4.3.1 and 5.2; the dot product, with the prototype normalised or not: 004 sec. 3 and 5.

    d(w) = TF(w, d) IDF(w),   c(w) = TF(w, C) IDF(w)                                                       [000 eq. 4-5]
    H = argmax over C of cos(d, c)                                                                         [000 eq. 6-9]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from ...counts.term_scores import idf
from ...errors import UnknownName
from ...foundation.arrays import Floats, first_best
from ...foundation.csr import row_sums, scaled_rows, with_data
from ...scoring.additive import Layer, Rest, Scorer
from ..table_scores import gains_of, rest_scores
from .count_model import CountModel, shares, stored_count_model
from .evidence import Evidence

FORMS = ("log", "sqrt")
SIMILARITIES = ("cosine", "category", "dot")


def idf_prime(occurrences: sparse.csr_array, n_documents: float) -> Floats:
    """IDF'(w) = sqrt(|D| / DF'(w)),  DF'(w) = sum over C of TF(w, C) / sum_w' TF(w', C).                [000 eq. 26-27]"""
    totals = np.asarray(occurrences.sum(axis=1)).ravel()
    shares = scaled_rows(occurrences, 1 / np.where(totals > 0, totals, 1.0))
    df = np.asarray(shares.sum(axis=0)).ravel()
    return np.where(df > 0, np.sqrt(n_documents / np.where(df > 0, df, 1.0)), 0.0)


def prototypes(evidence: Evidence, weights: Floats) -> sparse.csr_array:
    """c(w), labels x terms.                                                                                [000 eq. 5]"""
    table = evidence.occurrences
    return with_data(table, table.data * weights[table.indices])


@stored_count_model("tfidf", "idf_")
class TFIDF(CountModel):
    """cos(d, c) for each label.                                                                            [000 eq. 8]

    idf: "log" (eq. 3) or "sqrt" (IDF' of eq. 26, summed over the labels).
    similarity: "cosine"; "category", the label's vector normalised but not the document's; or "dot", neither.  [004 sec. 5]
    With several labels a document the score is the similarity with the label's prototype less that with the prototype of
    everything else; with against_rest=False it is the similarity alone, which hardly decides by itself (a document gets the
    label it is most similar to) but is what density estimation and thresholds start from.               [004 sec. 3]
    `predict_proba` are the similarities' shares of their sum: an order, not a calibrated probability; PrTFIDF is the
    probabilistic reading.
    """

    grows_with_length = False
    joint_scores = False

    posterior = "shares"
    priors = "none"

    def __init__(self, *, idf: str = "log", similarity: str = "cosine", against_rest: bool = True) -> None:
        self.idf = idf
        self.similarity = similarity
        self.against_rest = against_rest

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.idf not in FORMS:
            raise UnknownName("form of idf", str(self.idf), FORMS)
        if self.similarity not in SIMILARITIES:
            raise UnknownName("similarity", str(self.similarity), SIMILARITIES)

    def _weights(self, evidence: Evidence) -> Floats:
        if self.idf == "log":
            return idf(evidence.counts)
        return idf_prime(evidence.occurrences, evidence.n_documents)

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        self.idf_ = self._weights(evidence)
        table = prototypes(evidence, self.idf_)
        if self.similarity != "dot":
            norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
            table = scaled_rows(table, 1 / np.where(norms > 0, norms, 1.0))
        return Scorer(Layer(np.zeros(evidence.n_labels), table))

    def _fit_rest(self, evidence: Evidence) -> Rest | None:
        return self._complement(evidence) if self.against_rest else None

    def _complement(self, evidence: Evidence) -> Rest:
        """cos(d, everything - label): one common prototype less the label's, over the norm of the rest."""
        whole = evidence.all_occurrences * self.idf_
        table = prototypes(evidence, self.idf_)
        scale = np.ones(evidence.n_labels)
        if self.similarity != "dot":
            whole_values = whole[table.indices]
            lost_squares = table.copy()
            lost_squares.data = whole_values**2 - (whole_values - table.data) ** 2
            norms = np.sqrt(np.maximum((whole**2).sum() - np.asarray(lost_squares.sum(axis=1)).ravel(), 0.0))
            scale = np.where(norms > 0, 1 / np.where(norms > 0, norms, 1.0), 0.0)
        return Rest(Layer(np.zeros(evidence.n_labels), scaled_rows(table, -scale)), whole, scale)

    def complement_scores(self, X: Any) -> Floats:
        """For each label the similarity with its complement: all training documents that do not have it.   [004 sec. 3]"""
        check_is_fitted(self)
        self._refuse_slim()
        return rest_scores(self._complement(Evidence(self.counts_)), self._gains(self._check_documents(X)))

    def _gains(self, X: sparse.csr_array) -> sparse.csr_array:
        form: Any = self._form
        return gains_of(form, X)

    def decide(self, scores: Floats) -> Any:
        """Decisions from scores. Similarities of several labels without the rest: the most similar label, if any is."""
        if not self.several_labels_ or self.against_rest:
            return super().decide(scores)
        decisions = np.zeros(scores.shape, dtype=np.int64)
        rows = np.arange(len(scores))
        best = first_best(scores)
        decisions[rows, best] = scores[rows, best] > 0
        return decisions

    def predict_proba(self, X: Any) -> Floats:
        """The similarities as shares of their sum; with several labels a document, where the label lies between everything
        else (0) and itself (1). Not calibrated."""
        check_is_fitted(self)
        if not self.several_labels_:
            return super().predict_proba(X)
        scores = self.class_scores(X)
        if not self.against_rest:
            return shares(scores, several=False)
        if self.similarity == "dot":  # label / (label + rest)
            gains = self._gains(self._check_documents(X))
            rest: Any = self._against
            most = gains @ rest.whole
        elif self.similarity == "category":  # as the cosine
            most = np.sqrt(row_sums(gains := self._gains(self._check_documents(X)), gains.data**2))
        else:
            most = np.ones(len(scores))
        return shares(np.clip(scores / np.where(most > 0, most, 1.0)[:, None], -1, 1), several=True)
