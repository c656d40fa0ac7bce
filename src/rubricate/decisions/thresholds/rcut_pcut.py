"""Decisions without a fitted cut: the best labels of each document, or each label's share of a batch.

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
from .inputs import as_table, higher, per_label, scores_given

__all__ = ["complement", "pcut", "pcut_counts", "rcut", "top_one"]


def order_of(scores: Floats) -> Longs:
    """Each column's rows, highest score first; of the same score, the lower index first."""
    order = np.argsort(-scores, axis=0, kind="stable")
    sorted_ = np.take_along_axis(scores, order, axis=0)
    steps = np.zeros(scores.shape, dtype=np.int64)
    steps[1:] = higher(sorted_[:-1], sorted_[1:])
    level = np.cumsum(steps, axis=0)
    again = np.lexsort((order, level), axis=0)
    found: Longs = np.take_along_axis(order, again, axis=0)
    return found


def first_ones(scores: Floats, how_many: Longs) -> Longs:
    """1 for the first how_many[c] of each column c."""
    decisions = np.zeros(scores.shape, dtype=np.int64)
    taken = (np.arange(scores.shape[0])[:, None] < how_many).astype(np.int64)
    np.put_along_axis(decisions, order_of(scores), taken, axis=0)
    return decisions


def rcut(scores: Any, k: int) -> Longs:
    """1 for the k labels with the highest scores of each document; for all if there are no more than k."""
    found = scores_given(scores)
    if found.ndim != 2:
        raise InvalidSetting(
            f"scores of shape {found.shape}: rcut compares the labels of a document; give documents x labels"
        )
    if k < 0 or k != int(k):
        raise InvalidSetting(f"k={k}: give a whole number of labels, 0 or more")
    return first_ones(found.T, np.full(found.shape[0], int(k))).T.copy()


def top_one(scores: Any) -> Longs:
    """1 for the label with the highest score of each document."""
    return rcut(scores, 1)


def pcut_counts(n_documents: int, proportions: Any) -> Longs:
    """x = round(n_documents x proportion), halves up: how many of a batch each label gets.               [004 sec. 7.3]"""
    shares = np.atleast_1d(np.asarray(proportions, dtype=np.float64))
    if not ((shares >= 0) & (shares <= 1)).all():
        raise InvalidSetting("proportions: give each label's share of the training documents, from 0 to 1")
    # a half that came from a fraction such as 45/90 may be a hair below a half
    counts: Longs = np.floor(n_documents * shares + 0.5 + 1e-9).astype(np.int64)
    return counts


def pcut(scores: Any, proportions: Any) -> Longs:
    """1 for as many documents of the batch as `proportions` (a label's share of the training documents) say, best first.

    For batches only: what one document gets depends on the others.
    """
    found = scores_given(scores)
    table = as_table(found)
    if len(table) == 1:
        raise InvalidSetting(
            "Pcut deals a batch out by proportion and can say nothing of one document: "
            "use scut (a cut a label), rcut or top_one, or give the whole batch"
        )
    shares = per_label(proportions, table.shape[1], "proportions")
    decisions = first_ones(table, pcut_counts(len(table), shares))
    return decisions.reshape(found.shape)


def complement(scores: Any, complement_scores: Any) -> Longs:
    """1 where a label's score is strictly higher than that of its complement, all documents that do not have it."""
    own, rest = scores_given(scores), scores_given(complement_scores, "complement_scores")
    if own.shape != rest.shape:
        raise InvalidSetting(
            f"scores of shape {own.shape}, complement_scores of shape {rest.shape}: give both in one shape"
        )
    return higher(own, rest).astype(np.int64)
