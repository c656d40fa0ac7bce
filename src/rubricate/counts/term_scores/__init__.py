"""Term scores: Counts -> one number a term, for looking at a collection and for choosing terms.

    document_frequency, occurrences, idf            how common a term is
    mutual_information (= information_gain)         what a document's having the term says about its label
    word_mutual_information                         the same over word positions
    kl, dkl                                         whether documents of a label use the term alike, and others do not
    chi2, odds_ratio, binormal_separation           how far a label and the rest are apart
    exact_kl, kl_error                              from documents, to judge the approximation in kl and dkl

Every score of counts takes `label`: that label against all other documents, the rest being everything - label, from the same
counts. Without it the score is about all labels, in the way that `average` says:

    "joint"     which of the labels a document has, all at once; needs exactly one label a document
    "weighted"  the mean over labels of label against rest, each label weighted by its documents
    "mean"      the plain mean over labels
    "max"       the highest over labels
    None        joint if each document has one label, otherwise weighted; for the two scores that are defined for two
                classes only (odds_ratio, binormal_separation), max

Logarithms are natural, 0 log 0 = 0. Documents without a label belong to the rest of every label; labels without a document
are left out of means. `select` ranks terms by a score after pruning rare and frequent ones.
"""

from __future__ import annotations

from .association import binormal_separation, chi2, odds_ratio
from .divergence import KLError, dkl, exact_kl, kl, kl_error
from .information import (
    document_frequency,
    idf,
    information_gain,
    mutual_information,
    occurrences,
    word_mutual_information,
)
from .selection import SCORES, grid, prune, ranked, score_named, select, telling_terms

__all__ = [
    "SCORES",
    "KLError",
    "binormal_separation",
    "chi2",
    "dkl",
    "document_frequency",
    "exact_kl",
    "grid",
    "idf",
    "information_gain",
    "kl",
    "kl_error",
    "mutual_information",
    "occurrences",
    "odds_ratio",
    "prune",
    "ranked",
    "score_named",
    "select",
    "telling_terms",
    "word_mutual_information",
]
