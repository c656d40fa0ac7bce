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

from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ...foundation.csr import scaled_rows
from ...storage.checks import sized
from ...storage.registry import stored
from ..additive import Additive
from .count_model import NO_GAINS, CountModel, Scorer, check_scorer, stored_count_model
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

    def _labels(self, evidence: Evidence) -> Scorer:
        table = evidence.occurrences
        if not self.several_labels_:
            self.known_ = np.asarray(table.sum(axis=0)).ravel() > 0
            weights = label_given_word(table, self.prior_)
        else:
            self.known_ = evidence.all_occurrences > 0
            weights = self._against_rest(evidence)
        return PriorScorer(Additive(np.zeros(evidence.n_labels), weights), self._gains, self.prior_)

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

    def _rest(self, evidence: Evidence) -> None:
        return None  # the score against everything else is complete in itself

    def _gains(self, X: sparse.csr_array) -> sparse.csr_array:
        known = X.astype(np.float64)
        known.data = known.data * self.known_[known.indices]
        totals = np.asarray(known.sum(axis=1)).ravel()
        return scaled_rows(known, 1 / np.where(totals > 0, totals, 1.0))


def _check_prior_scorer(scorer: PriorScorer) -> None:
    """A prior a label."""
    check_scorer(scorer)
    sized(scorer.prior, scorer.shape[0], what="prior")


@stored(
    "scorer.prior",
    keys=("additive", "prior"),
    make=lambda additive, prior: PriorScorer(additive, NO_GAINS, prior),
    check=_check_prior_scorer,
)
class PriorScorer(Scorer):
    """A scorer that falls back to the prior for documents without a known word."""

    def __init__(self, additive: Additive, gains: Any, prior: Floats) -> None:
        super().__init__(additive, gains)
        self.prior = prior

    def scores(self, X: sparse.csr_array, jobs: int = 1) -> Floats:
        """Scores, documents x labels."""
        gains = self.gains(X)
        out = self.additive.scores(gains, jobs)
        out[np.asarray(gains.sum(axis=1)).ravel() <= 0] = self.prior
        return out
