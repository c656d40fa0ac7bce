"""Decisions without truth at hand: the best labels of each document, each label's share of a batch, the highest expected F.

    rcut         the k best labels of each document                                            (Yang 2001: rank-based cut)
    top_one      the best label of each document                                                         [004 footnote 4]
    pcut         of a batch of n documents, the round(n x proportion) with the highest scores             [004 sec. 7.3]
    complement   yes where a label scores higher than everything that is not the label                    [004 sec. 7.3]

These give 0/1 in the shape of the scores. Of equal scores (to 12 digits) the lower index comes first.

From probabilities alone, and worth what they are worth (calibrate first), follow the thresholds that make F_beta highest.
Source: Lewis 1995; Jansche 2007; Lipton et al. 2014. `f_optimal_threshold` puts expected counts in the place of counts,

    F* = highest of (1 + beta^2) sum of p assigned / (assigned + beta^2 sum of all p),   threshold = F* / (1 + beta^2)

so for F1 the threshold is half of the F that will be reached, never above 1/2. The error of this falls with the number of
documents. `f_optimal_set` takes the true expectation of F over all outcomes, documents being independent; the best set is the
most probable documents, and every size is tried, in cubic time. It is meant for few: the labels of one document, a small batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Longs
from ...measures.metrics.contingency import f_beta
from ...scoring.rules import deals_out, first_rows, is_higher, k_best, share_of_batch
from ..inputs import as_table, check_scores, per_label
from .goals import FBeta, best_candidate

FEW = 1000  # for so many f_optimal_set takes about a second


def rcut(scores: Any, k: int) -> Longs:
    """1 for the k labels with the highest scores of each document; for all if there are no more than k."""
    values = check_scores(scores)
    if values.ndim != 2:
        raise InvalidSetting(
            f"scores of shape {values.shape}: rcut compares the labels of a document; give documents x labels"
        )
    if k < 0 or k != int(k):
        raise InvalidSetting(f"k={k}: give a whole number of labels, 0 or more")
    return k_best(values, int(k))


def top_one(scores: Any) -> Longs:
    """1 for the label with the highest score of each document."""
    return rcut(scores, 1)


def pcut_counts(n_documents: int, proportions: Any) -> Longs:
    """x = round(n_documents x proportion), halves up: how many of a batch each label gets.               [004 sec. 7.3]"""
    return deals_out(n_documents, check_shares(np.atleast_1d(np.asarray(proportions, dtype=np.float64))))


def check_shares(shares: Floats) -> Floats:
    if not ((shares >= 0) & (shares <= 1)).all():
        raise InvalidSetting("proportions: give each label's share of the training documents, from 0 to 1")
    return shares


def pcut(scores: Any, proportions: Any) -> Longs:
    """1 for as many documents of the batch as `proportions` (a label's share of the training documents) say, best first.

    For batches only: what one document gets depends on the others.
    """
    values = check_scores(scores)
    table = as_table(values)
    shares = check_shares(per_label(proportions, table.shape[1], "proportions"))
    return share_of_batch(table, shares).reshape(values.shape)


def complement(scores: Any, complement_scores: Any) -> Longs:
    """1 where a label's score is strictly higher than that of its complement, all documents that do not have it."""
    values, rest = check_scores(scores), check_scores(complement_scores, "complement_scores")
    if values.shape != rest.shape:
        raise InvalidSetting(
            f"scores of shape {values.shape}, complement_scores of shape {rest.shape}: give both in one shape"
        )
    return is_higher(values, rest).astype(np.int64)


# -- the highest expected F


def check_probabilities(probabilities: Any) -> Floats:
    p = check_scores(probabilities, "probabilities")
    if not ((p >= 0) & (p <= 1)).all():
        raise InvalidSetting("probabilities: give numbers from 0 to 1; scores have their threshold from scut")
    return p


def f_optimal_threshold(probabilities: Any, *, beta: Any = 1.0) -> Any:
    """The threshold of each label on its probabilities that makes F_beta highest, expected counts taken for counts.

    probabilities: documents x labels, or one label's (1-d; then the threshold is one float); of the documents to decide on, or of
    others like them. A document is in if p > threshold.
    """
    p = check_probabilities(probabilities)
    table = as_table(p)
    goals = map(FBeta, per_label(beta, table.shape[1], "beta").tolist())
    assigned = np.arange(len(table) + 1)
    thresholds = np.empty(table.shape[1])
    for label, goal in enumerate(goals):
        hits = np.concatenate([[0.0], np.cumsum(np.sort(table[:, label])[::-1])])
        # all of p may be assigned and nothing wrong: rounding must not make a count negative
        wrong, missed = np.maximum(assigned - hits, 0.0), np.maximum(hits[-1] - hits, 0.0)
        thresholds[label] = float(f_beta(hits, wrong, missed, goal.beta).max()) / (1 + goal.beta**2)
    return float(thresholds[0]) if p.ndim == 1 else thresholds


def f_optimal_set(probabilities: Any, *, beta: float = 1.0) -> Longs:
    """0/1: the set with the highest expected F_beta, if documents (or labels of one document) are independent; exact.

    probabilities: 1-d, at most 1,000. Of equally good sets the smallest.
    """
    p = check_probabilities(probabilities)
    if p.ndim != 1 or len(p) > FEW:
        raise InvalidSetting(
            f"probabilities of shape {p.shape}: give one row of at most {FEW:,}; for more use f_optimal_threshold"
        )
    size = best_candidate(expected_f(np.sort(p)[::-1], beta=beta))
    return first_rows(p[:, None], size[None])[:, 0]


def expected_f(p: Floats, *, beta: float = 1.0) -> Floats:
    """The expected F_beta if the first 0, 1, … all are assigned; independent outcomes with these probabilities.

    E[F] at k = sum over i, j of P(i of the first k) P(j of the rest) (1 + beta^2) i / (k + beta^2 (i + j))
    """
    FBeta(beta)
    n, b2 = len(p), beta**2
    rest = [np.ones(1)]  # the law of the number right among the last 0, 1, …
    for probability in p[::-1]:
        rest.append(np.convolve(rest[-1], [1 - probability, probability]))
    first, values = np.ones(1), np.empty(n + 1)
    for k in range(n + 1):
        i, j = np.arange(k + 1)[:, None], np.arange(n - k + 1)
        below = k + b2 * (i + j)
        f = np.where(below > 0, (1 + b2) * i / np.maximum(below, 1e-300), 1.0)
        values[k] = first @ f @ rest[n - k]
        if k < n:
            first = np.convolve(first, [1 - p[k], p[k]])
    return values
