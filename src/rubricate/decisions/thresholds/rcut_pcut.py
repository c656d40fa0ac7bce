"""Decisions without a fitted threshold: the best labels of each document, or each label's share of a batch.

    rcut         the k best labels of each document                                            (Yang 2001: rank-based cut)
    top_one      the best label of each document                                                         [004 footnote 4]
    pcut         of a batch of n documents, the round(n x proportion) with the highest scores             [004 sec. 7.3]
    complement   yes where a label scores higher than everything that is not the label                    [004 sec. 7.3]

All give 0/1 in the shape of the scores. Of equal scores (to 12 digits) the lower index comes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Longs
from ...scoring.rules import deals_out, is_higher, k_best, share_of_batch
from ..inputs import as_table, check_scores, per_label


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
    """Shares of documents, from 0 to 1."""
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
