"""Bernoulli (MBM): each term is there or not, by itself; absence counts too. Learns from: documents, documents_with.
Source: 003 sec. 2.2.1, with its own smoothing.

    p_b(v|c) = (eps f_c n_v + n_cv) / (eps f_c |D| + |D_c|),   f_c = |D_c| / |D|                          [003 eq. 21-22]
             = (eps n_v/|D| + n_cv/|D_c|) / (1 + eps)

so that a term the label does not have has the same probability in every such label: the model is sparse. Terms in every
document or in none say nothing about the label and are left out (readings 003.9).

`on` and `off` below are p_b and 1 - p_b times 1 + eps, `usual` where a label lacks the term: ratios of them are made first, and
one logarithm taken of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Bools, Floats
from ...foundation.csr import row_sums, row_values, with_data
from ...scoring.additive import Layer, Scorer
from .count_model import CountModel, stored_count_model
from .evidence import Evidence, shared


def informative_terms(evidence: Evidence) -> Bools:
    """Terms in some documents but not in all."""
    n_v = evidence.all_documents_with
    mask: Bools = (n_v > 0) & (n_v < evidence.n_documents)
    return mask


@shared
def presence(evidence: Evidence, smoothing: float) -> Layer:
    """The log likelihood of presence and absence of every term.                                          [003 eq. 23]"""
    table, informs = evidence.documents_with, informative_terms(evidence)
    extra = smoothing * np.where(informs, evidence.all_documents_with / max(evidence.n_documents, 1.0), 0.5)
    usual_on, usual_off = extra, 1 + smoothing - extra
    share = table.data / row_values(table, evidence.documents)
    on, off = extra[table.indices] + share, (smoothing - extra)[table.indices] + (1 - share)
    entries = on / off * (usual_off / usual_on)[table.indices], off / usual_off[table.indices]
    odds, absent = np.log(usual_on / usual_off) * informs, np.log(usual_off / (1 + smoothing)) * informs
    return with_absence(table, informs, entries, (odds, absent), absent.sum())


@shared
def presence_odds(evidence: Evidence, smoothing: float) -> Layer:
    """`presence` less that in everything - label. Where the label lacks a term, p there depends on the term by n_v alone:
    terms of equal n_v form a group, and groups x labels is a small table."""
    table, informs, n_v = evidence.documents_with, informative_terms(evidence), evidence.all_documents_with
    values, groups = evidence.by_frequency
    informing = (values > 0) & (values < evidence.n_documents)
    sizes = np.maximum(evidence.n_documents - evidence.documents, 0.5)  # a label on every document has no rest
    q = np.where(informing, values / max(evidence.n_documents, 1.0), 0.5)
    extra = smoothing * q
    usual_on, usual_off = extra, 1 + smoothing - extra
    # shares above 1: no term of the group is lacking, and what stands here cancels
    rest_share = np.where(informing, values, 0.5)[:, None] / sizes
    group_on = extra[:, None] + rest_share
    group_off = np.maximum((smoothing - extra)[:, None] + (1 - rest_share), 1e-15)
    group_odds = group_on / group_off
    place = groups[table.indices] * table.shape[0] + row_values(table, np.arange(table.shape[0]))
    share = table.data / row_values(table, evidence.documents)
    rest_has = (n_v[table.indices] - table.data) / row_values(table, sizes)
    base = extra[groups][table.indices]
    on, off = base + share, smoothing - base + (1 - share)
    rest_on, rest_off = base + rest_has, smoothing - base + (1 - rest_has)
    entries = (
        on / off * (rest_off / rest_on) * (group_odds * (usual_off / usual_on)[:, None]).ravel()[place],
        off / rest_off * (group_off / usual_off[:, None]).ravel()[place],
    )
    odds, absent = np.log(usual_on / usual_off) * informing, np.log(usual_off / (1 + smoothing)) * informing
    group_absent = np.log(group_off / (1 + smoothing)) * informing[:, None]
    terms = np.bincount(groups, minlength=len(values)).astype(np.float64)
    grouped = groups, -np.log(group_odds) * informing[:, None], -group_absent
    bias = terms @ absent - terms @ group_absent
    return with_absence(table, informs, entries, (odds[groups], absent[groups]), bias, grouped)


def with_absence(
    table: sparse.csr_array,
    informs: Any,
    entries: tuple[Floats, Floats],
    common: tuple[Floats, Floats],
    bias: Any,
    grouped: tuple[Any, Floats, Floats] | tuple[None, None, None] = (None, None, None),
) -> Layer:
    """The additive form: what a term adds when it is there, and, in the bias, what all of them add when they are not.

    entries: of both the ratio, for the terms a label has, to what is common to all labels that lack them.
    """
    groups, group_odds, group_absent = grouped
    gains, losses = np.log(entries[0]), np.log(entries[1])
    if not informs.all():
        gains, losses = gains * informs[table.indices], losses * informs[table.indices]
    absence = Layer(
        np.zeros(table.shape[0]), with_data(table, losses), common=common[1], groups=groups, table=group_absent
    )
    total = bias + row_sums(table, losses)
    return Layer(total, with_data(table, gains), common=common[0], groups=groups, table=group_odds, absence=absence)


@stored_count_model("bernoulli")
class Bernoulli(CountModel):
    """log p(c) + sum over all terms of log p_b if it is there, log(1 - p_b) if not                       [003 eq. 23]"""

    def __init__(self, *, smoothing: float = 0.01, priors: str = "learned") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _fit_scorer(self, evidence: Evidence) -> Scorer:
        additive = presence_odds if self.several_labels_ else presence
        return Scorer(additive(evidence, float(self.smoothing)))
