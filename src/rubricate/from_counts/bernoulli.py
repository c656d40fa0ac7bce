"""Bernoulli (MBM): each term is there or not, by itself; absence counts too. Learns from: documents, documents_with.
Source: 003 sec. 2.2.1, with its own smoothing.

    p_b(v|c) = (eps f_c n_v + n_cv) / (eps f_c |D| + |D_c|),   f_c = |D_c| / |D|                          [003 eq. 21-22]
             = (eps n_v/|D| + n_cv/|D_c|) / (1 + eps)

so that a term the label does not have has the same probability in every such label: the model is sparse. Terms in every
document or in none say nothing about the label and are left out (readings 003.9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..additive import Additive, present, row_sums, row_values
from ..estimator import CountModel, Scorer
from ..evidence import Evidence

__all__ = ["Bernoulli", "informative", "presence", "presence_of_rest"]

Floats = np.ndarray[Any, np.dtype[np.float64]]


def informative(evidence: Evidence) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Terms in some documents but not in all."""
    n_v = evidence.all_documents_with
    mask: np.ndarray[Any, np.dtype[np.bool_]] = (n_v > 0) & (n_v < evidence.n_documents)
    return mask


def presence(evidence: Evidence, smoothing: float) -> Additive:
    """The log likelihood of presence and absence of every term.                                          [003 eq. 23]"""
    use = informative(evidence)
    q = np.where(use, evidence.all_documents_with / max(evidence.n_documents, 1.0), 0.5)
    table = evidence.documents_with
    p = (smoothing * q[table.indices] + table.data / row_values(table, evidence.documents)) / (1 + smoothing)
    return from_probabilities(table, p, smoothing * q / (1 + smoothing), use)


def from_probabilities(table: sparse.csr_array, p: Floats, default: Floats, use: Any) -> Additive:
    """The additive form of p where the label has the term, and one default a term for labels that have not."""
    usual_odds = np.where(use, np.log(default) - np.log1p(-default), 0.0)
    usual_absent = np.where(use, np.log1p(-default), 0.0)
    kept = use[table.indices]
    absent = np.where(kept, np.log1p(-p) - usual_absent[table.indices], 0.0)
    weights = table.copy()
    weights.data = np.where(kept, np.log(p) - np.log1p(-p) - usual_odds[table.indices], 0.0)
    absence = table.copy()
    absence.data = absent
    nothing = Additive(np.zeros(table.shape[0]), absence, common=usual_absent)
    return Additive(usual_absent.sum() + row_sums(table, absent), weights, common=usual_odds, absence=nothing)


def presence_of_rest(evidence: Evidence, smoothing: float) -> Additive:
    """The same for everything - label. Where the label lacks a term, p depends on the term by n_v alone: terms of equal
    n_v form a group, and groups x labels is a small table."""
    use = informative(evidence)
    n_v, n = np.where(use, evidence.all_documents_with, 0.5), max(evidence.n_documents, 1.0)
    rest = np.maximum(evidence.n_documents - evidence.documents, 0.5)  # a label on every document has no rest
    values, groups = np.unique(n_v, return_inverse=True)
    groups = groups.reshape(-1)
    usual = np.minimum(values[:, None] * (smoothing / n + 1 / rest) / (1 + smoothing), 1 - 1e-15)
    counted = np.bincount(groups[use], minlength=len(values)).astype(np.float64)
    odds = (np.log(usual) - np.log1p(-usual)) * (counted > 0)[:, None]
    bias = counted @ np.log1p(-usual)
    table = evidence.documents_with
    label = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    p = (smoothing * n_v[table.indices] / n + (n_v[table.indices] - table.data) / rest[label]) / (1 + smoothing)
    p = np.clip(p, 1e-300, 1 - 1e-15)
    kept, own = use[table.indices], usual[groups[table.indices], label]
    weights = table.copy()
    weights.data = np.where(kept, np.log(p) - np.log1p(-p) - np.log(own) + np.log1p(-own), 0.0)
    absence = table.copy()
    absence.data = np.where(kept, np.log1p(-p) - np.log1p(-own), 0.0)
    absent = np.log1p(-usual) * (counted > 0)[:, None]
    nothing = Additive(np.zeros(table.shape[0]), absence, groups=groups, table=absent)
    return Additive(bias + row_sums(table, absence.data), weights, groups=groups, table=odds, absence=nothing)


class Bernoulli(CountModel):
    """log p(c) + sum over all terms of log p_b if it is there, log(1 - p_b) if not                       [003 eq. 23]"""

    _by_presence = True

    def __init__(self, *, smoothing: float = 0.01, priors: str = "learned") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _labels(self, evidence: Evidence) -> Scorer:
        return Scorer(presence(evidence, self.smoothing), self._gains)

    def _rest(self, evidence: Evidence) -> Scorer:
        return Scorer(presence_of_rest(evidence, self.smoothing), self._gains)

    @staticmethod
    def _gains(X: sparse.csr_array) -> sparse.csr_array:
        return present(X)
