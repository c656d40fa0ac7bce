"""PrTFIDF: a word of the document is drawn at random, and votes for its labels. Learns from: documents, occurrences.
Source: 000 sec. 5.1.

    Pr(C|d) = sum over w of Pr(C|w) Pr(w|d)                                                             [000 eq. 18]
    Pr(w|d) = TF(w, d) / sum_w' TF(w', d)                                                               [000 eq. 19]
    Pr(C|w) = Pr(w|C) Pr(C) / sum over C' of Pr(w|C') Pr(C')                                            [000 eq. 20]
    Pr(w|C) = TF(w, C) / sum_w' TF(w', C)                                                               [000 eq. 22]

Words without a training occurrence are left out of the document, also of its length; a document with no known word gets the
prior (readings 000.9).
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ...foundation.csr import scaled_rows
from ...scoring.additive import FallbackScorer, Layer, Scorer
from .count_model import CountModel, stored_count_model
from .evidence import Evidence


def word_shares(table: sparse.csr_array, priors: Floats) -> sparse.csr_array:
    """Pr(w|C) Pr(C), labels x terms.                                                                   [000 eq. 21-22]"""
    totals = np.asarray(table.sum(axis=1)).ravel()
    return scaled_rows(table, priors / np.where(totals > 0, totals, 1.0))


def label_given_word(table: sparse.csr_array, priors: Floats) -> sparse.csr_array:
    """Pr(C|w), labels x terms; nothing where a word occurs in no label.                                [000 eq. 20]"""
    joint = word_shares(table, priors)
    sums = np.asarray(joint.sum(axis=0)).ravel()
    joint.data /= sums[joint.indices]
    return joint


@stored_count_model("prtfidf", "known_")
class PrTFIDF(CountModel):
    """The posterior Pr(C|d), a sum over the words of the document.                                     [000 eq. 23]"""

    grows_with_length = False
    joint_scores = False

    posterior = "itself"

    def __init__(self, *, priors: str = "learned") -> None:
        self.priors = priors

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        table = evidence.occurrences
        if not self.several_labels_:
            self.known_ = np.asarray(table.sum(axis=0)).ravel() > 0
            weights = label_given_word(table, self.prior_)
        else:
            self.known_ = evidence.all_occurrences > 0
            weights = self._against_rest(evidence)
        return FallbackScorer(Layer(np.zeros(evidence.n_labels), weights), self.prior_)

    def _against_rest(self, evidence: Evidence) -> sparse.csr_array:
        """Pr(C|w) where the only other label is everything else."""
        table = evidence.occurrences
        totals = np.asarray(table.sum(axis=1)).ravel()
        joint = word_shares(table, self.prior_)
        rest_total = evidence.all_occurrences.sum() - totals
        label = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        scale = (1 - self.prior_) / np.where(rest_total > 0, rest_total, 1.0)
        rest = (evidence.all_occurrences[table.indices] - table.data) * scale[label]
        with np.errstate(invalid="ignore"):
            joint.data = np.where(joint.data > 0, joint.data / (joint.data + rest), 0.0)
        return joint
