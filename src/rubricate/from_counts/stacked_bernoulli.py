"""Stacked Bernoulli (StMBM): a Bernoulli model for each further time a term occurs. Learns from: documents, levels.
Source: 003 sec. 2.2.2.

    p_k = p(tf >= k | tf >= k-1, c) = (eps f_c n_v(k) + n_cv(k)) / (eps f_c n_v(k-1) + n_cv(k-1))         [003 eq. 28]
    tf < f_limit:   log q = sum_{k<=tf} log p_k + log(1 - p_{tf+1});   tf >= f_limit:  sum_{k<=f_limit} log p_k    [003 eq. 29]

Written as steps: going from k-1 to k occurrences adds  A_k = log p_k - log(1 - p_k) + [k < f_limit] log(1 - p_{k+1}),  so that
the score is additive over the terms that occur at least k times, level by level. Levels that say nothing (0 < n_v(k) <
n_v(k-1) fails) are left out (readings 003.10). A label without the term at level k-1 has p_k = n_v(k)/n_v(k-1), the same for
every such label: each level is sparse.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..additive import Additive, row_values
from ..errors import BadChoice
from ..estimator import CountModel, Scorer, Stack
from ..evidence import Evidence
from .bernoulli import presence, presence_of_rest

__all__ = ["StackedBernoulli"]

Floats = np.ndarray[Any, np.dtype[np.float64]]


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

    def _labels(self, evidence: Evidence) -> Scorer:
        return self._stacked(evidence, presence(evidence, self.smoothing), rest=False)

    def _rest(self, evidence: Evidence) -> Scorer:
        return self._stacked(evidence, presence_of_rest(evidence, self.smoothing), rest=True)

    def _stacked(self, evidence: Evidence, first: Additive, *, rest: bool) -> Scorer:
        if not isinstance(self.f_limit, int | np.integer) or self.f_limit < 1:
            raise BadChoice(f"f_limit={self.f_limit!r}: give a whole number from 1")
        last = min(int(self.f_limit), max(int(evidence.counts.max_times), 1))
        levels = [None, *(Level(evidence, k, self.smoothing, rest=rest) for k in range(2, last + 1)), None]
        layers: list[Additive] = []
        for k in range(1, last + 1):
            own, above = levels[k - 1], levels[k] if k < last else None
            parts = [first] if k == 1 and not self.higher_only else []
            parts += [own.step] if own is not None else []
            parts += [above.absence] if above is not None else []
            layers.append(added(parts, evidence))
        return Stack(layers, self._gains)

    @staticmethod
    def _gains(X: sparse.csr_array) -> sparse.csr_array:
        return X


class Level:
    """log p_k - log(1 - p_k), and log(1 - p_k), of one level from 2 up, for all labels."""

    def __init__(self, evidence: Evidence, k: int, smoothing: float, *, rest: bool) -> None:
        below, here = evidence.all_levels(k - 1), evidence.all_levels(k)
        use = (here > 0) & (here < below)
        usual = np.where(use, here / np.where(below > 0, below, 1.0), 0.5)
        odds, absent = np.log(usual) - np.log1p(-usual), np.log1p(-usual)
        table = evidence.levels(k - 1)  # a label that has nothing here has the usual p_k
        own_below, own_here = table.data, values_on(table, evidence.levels(k))
        sizes = evidence.documents
        if rest:
            sizes = evidence.n_documents - sizes
            own_below, own_here = below[table.indices] - own_below, here[table.indices] - own_here
        share = smoothing * row_values(table, sizes) / max(evidence.n_documents, 1.0)
        column, kept = table.indices, use[table.indices]
        with np.errstate(divide="ignore", invalid="ignore"):
            p = (share * here[column] + own_here) / (share * below[column] + own_below)
        p = np.where(kept & np.isfinite(p), p, 0.5)
        p = np.clip(p, 1e-300, 1 - 1e-15)
        step, absence = table.copy(), table.copy()
        step.data = np.where(kept, np.log(p) - np.log1p(-p) - odds[column], 0.0)
        absence.data = np.where(kept, np.log1p(-p) - absent[column], 0.0)
        zero = np.zeros(evidence.n_labels)
        self.step = Additive(zero, step, common=np.where(use, odds, 0.0))
        self.absence = Additive(zero, absence, common=np.where(use, absent, 0.0))


def values_on(pattern: sparse.csr_array, table: sparse.csr_array) -> Floats:
    """The values of `table` where `pattern` has entries, 0 where it has none of its own."""
    width = pattern.shape[1]
    where = row_values(pattern, np.arange(pattern.shape[0])).astype(np.int64) * width + pattern.indices
    own = row_values(table, np.arange(table.shape[0])).astype(np.int64) * width + table.indices
    place = np.searchsorted(own, where)
    place[place == len(own)] = 0
    return np.where(own[place] == where, table.data[place], 0.0) if len(own) else np.zeros(len(where))


def added(parts: list[Additive], evidence: Evidence) -> Additive:
    """The sum of additive scores; at most the first has groups."""
    shape = (evidence.n_labels, evidence.n_terms)
    if not parts:
        return Additive(np.zeros(shape[0]), sparse.csr_array(shape))
    weights, common = parts[0].weights, np.zeros(shape[1])
    for part in parts[1:]:
        weights = weights + part.weights
    for part in parts:
        common = common + (part.common if part.common is not None else 0.0)
    return Additive(
        np.sum([part.bias for part in parts], axis=0),
        sparse.csr_array(weights),
        common=common,
        groups=parts[0].groups,
        table=parts[0].table,
        absence=parts[0].absence,
    )
