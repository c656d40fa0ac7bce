"""Stacked Bernoulli (StMBM): a Bernoulli model for each further time a term occurs. Learns from: documents, levels.
Source: 003 sec. 2.2.2.

    p_k = p(tf >= k | tf >= k-1, c) = (eps f_c n_v(k) + n_cv(k)) / (eps f_c n_v(k-1) + n_cv(k-1))         [003 eq. 28]
    tf < f_limit:   log q = sum_{k<=tf} log p_k + log(1 - p_{tf+1});   tf >= f_limit:  sum_{k<=f_limit} log p_k    [003 eq. 29]

Written as steps: going from k-1 to k occurrences adds  A_k = log p_k - log(1 - p_k) + [k < f_limit] log(1 - p_{k+1}),  so that
the score is additive over the terms that occur at least k times, level by level. Uninformative levels (0 < n_v(k) <
n_v(k-1) fails) are left out (readings 003.10). A label without the term at level k-1 has p_k = n_v(k)/n_v(k-1), the same for
every such label: each level is sparse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...foundation.csr import row_values, with_data
from ...scoring.additive import Layer, Stack
from .bernoulli import presence, presence_odds
from .count_model import CountModel, stored_count_model
from .evidence import Evidence


@stored_count_model("stacked_bernoulli")
class StackedBernoulli(CountModel):
    """log p(c) + sum over terms of log q_vd                                                              [003 eq. 30]

    f_limit: occurrences beyond it are not told apart; 1 is Bernoulli. higher_only: levels 2 and up alone, without the prior,
    for the paper's question whether they know anything about the label (readings 003.11).
    """

    def __init__(
        self, *, f_limit: int = 5, smoothing: float = 0.01, priors: str = "learned", higher_only: bool = False
    ) -> None:
        self.f_limit = f_limit
        self.smoothing = smoothing
        self.priors = priors
        self.higher_only = higher_only

    def _fit_scorer(self, evidence: Evidence) -> Stack:
        if not isinstance(self.f_limit, int | np.integer) or self.f_limit < 1:
            raise InvalidSetting(f"f_limit={self.f_limit!r}: give a whole number from 1")
        first_layer, logs = (presence_odds, log_odds) if self.several_labels_ else (presence, log_likelihoods)
        last = min(int(self.f_limit), max(int(evidence.counts.max_times), 1))
        layers = [nothing(evidence) if self.higher_only else first_layer(evidence, float(self.smoothing))]
        for level in levels(evidence, last):
            step, absence = logs(evidence, level, float(self.smoothing))
            layers[-1] = plus(layers[-1], absence, level.among)
            layers.append(step)
        return Stack(layers)


@dataclass(frozen=True, eq=False)
class Level:
    """Documents in which terms occur k-1 times or more, and k times or more."""

    places: Longs  # where a label has any of the first: entries of `documents_with`
    among: Longs  # where these are among the places of the level below
    label_below: Floats  # in the label, at `places`
    label_here: Floats
    below: Floats  # in everything, of each term
    here: Floats

    @property
    def use(self) -> Bools:
        """Terms that some, but not all, of the documents below reach the level with."""
        mask: Bools = (self.here > 0) & (self.here < self.below)
        return mask


def levels(evidence: Evidence, last: int) -> Iterator[Level]:
    label_below, below = evidence.reaching(1)
    places = np.arange(len(label_below))
    for k in range(2, last + 1):
        label_here, here = evidence.reaching(k)
        among = np.flatnonzero(label_below)
        places = places[among]
        yield Level(places, among, label_below[among], label_here[places], below, here)
        label_below, below = label_here[places], here


def log_likelihoods(evidence: Evidence, level: Level, smoothing: float) -> tuple[Layer, Layer]:
    """log p_k - log(1 - p_k), and log(1 - p_k), where a label has the term at level k-1 and where it has not. [003 eq. 28]"""
    spots, column, (on, off), _ = chances(evidence, level, smoothing)
    use = level.use
    stay = np.where(use, level.below - level.here, 1.0)
    usual, absent = np.where(use, level.here, 1.0) / stay, stay / np.where(use, level.below, 1.0)
    step = logs_at(evidence, level, spots, on / off / usual[column])
    absence = logs_at(evidence, level, spots, off / (on + off) / absent[column])
    zero = np.zeros(evidence.n_labels)
    return Layer(zero, step, common=np.log(usual)), Layer(zero, absence, common=np.log(absent))


def log_odds(evidence: Evidence, level: Level, smoothing: float) -> tuple[Layer, Layer]:
    """The same less that in everything - label. Labels without the term at level k-1, and their rests, have the usual p_k,
    n_v(k)/n_v(k-1): there is no difference."""
    spots, _, (on, off), (rest_on, rest_off) = chances(evidence, level, smoothing)
    step = logs_at(evidence, level, spots, on / off * (rest_off / rest_on))
    absence = logs_at(evidence, level, spots, off / (on + off) * ((rest_on + rest_off) / rest_off))
    zero = np.zeros(evidence.n_labels)
    return Layer(zero, step), Layer(zero, absence)


def chances(
    evidence: Evidence, level: Level, smoothing: float
) -> tuple[Longs, Longs, tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Those of the level's places whose terms it says something of, their columns, and there p_k and 1 - p_k up to a
    factor, in the label and in its rest; where there is no document at all, as if half of them went on.  [003 eq. 28]"""
    table, use = evidence.documents_with, level.use
    spots = np.flatnonzero(use[table.indices[level.places]])
    column = table.indices[level.places[spots]]
    share = smoothing / max(evidence.n_documents, 1.0) * row_values(table, evidence.documents)[level.places[spots]]
    all_on, all_off = level.here[column], (level.below - level.here)[column]
    label_on = level.label_here[spots]
    label_off = level.label_below[spots] - label_on
    on, off = share * all_on + label_on, share * all_off + label_off
    share = smoothing - share
    rest_on, rest_off = share * all_on + (all_on - label_on), share * all_off + (all_off - label_off)
    return spots, column, (on, off), (np.maximum(rest_on, 1e-300), np.maximum(rest_off, 1e-300))


def logs_at(evidence: Evidence, level: Level, spots: Longs, ratios: Floats) -> sparse.csr_array:
    """Logarithms of ratios at some of the level's places, 0 at the others: labels x terms."""
    table = evidence.documents_with
    data = np.zeros(len(level.places))
    data[spots] = np.log(np.clip(ratios, 1e-300, 1e300))
    if len(data) == table.nnz:
        return with_data(table, data)
    ends = np.searchsorted(level.places, table.indptr)
    return sparse.csr_array((data, table.indices[level.places], ends), shape=table.shape)


def nothing(evidence: Evidence) -> Layer:
    """A score of 0, with entries where `presence` has them."""
    table = evidence.documents_with
    return Layer(np.zeros(evidence.n_labels), with_data(table, np.zeros(table.nnz)))


def plus(layer: Layer, absence: Layer, among: Longs) -> Layer:
    """A layer, and the absence of the next level, whose entries stand among those of the layer."""
    data = layer.weights.data.copy()
    data[among] += absence.weights.data
    common = absence.common if layer.common is None else layer.common
    if layer.common is not None and absence.common is not None:
        common = layer.common + absence.common
    return replace(layer, weights=with_data(layer.weights, data), common=common)
