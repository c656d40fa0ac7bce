"""DCM: each document draws its own multinomial, so that a word once used is used again. Learns from: the whole table of `Counts`,
(label, term, times) -> documents, and lengths. Source: 003 sec. 2.1.2.

    p(d|c) = Gamma(s) / Gamma(s + |d|)  |d|!  prod over terms v of d of  Gamma(tf_vd + alpha_v) / (tf_vd! Gamma(alpha_v))
    s      = sum over v of alpha_v                                                                           [003 eq. 7]

    alpha_v <- alpha_v  sum over d of (Psi(tf_vd + alpha_v) - Psi(alpha_v))
                      / sum over d of (Psi(|d| + s) - Psi(s))                                                [003 eq. 8]

(the denominator with |d|, readings 003.1), from EDCM's unsmoothed beta on. Never over documents: the upper sum runs over
how many documents have the term once, twice, …, the lower one over how many have which length. Terms of a label with the
same such histogram have the same alpha at every step, so each histogram is worked on once.

The maximum to which these updates crawl is found by Newton's method from the same start (`ascent`); with tol=0 the updates are
made as they stand. A maximum exists only where counts are more spread than a multinomial allows (readings 003.2); elsewhere
the updates are made, alpha grows until max_iter, and `converged` says so. Smoothing adds 0.01 times the smallest alpha of the
label to every term; where there are no words at all, 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.csr import with_data
from ...foundation.threads import available_threads
from . import edcm
from .ascent import climbed, newton
from .climbers import Climbers, everything_of, labels_of, rests_of
from .count_model import CountModel, LengthScorer, Scorer
from .dcm_scores import Odds, Parameters, contributions, log_likelihood, odds, odds_contributions, scores
from .edcm import check_unseen, finite, row_minima
from .evidence import Evidence
from .histograms import Histograms
from .lengths import Lengths, solved

__all__ = [
    "DCM",
    "Odds",
    "Parameters",
    "contributions",
    "fit",
    "log_likelihood",
    "odds",
    "odds_contributions",
    "rest",
    "scores",
]

LIMIT = 200_000_000  # values that the rests of all labels may have
AT_A_TIME = 4_000_000  # values worked on at a time


def fit(
    evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1
) -> Parameters:
    """DCM of every label: the maximum, or, where there is none, max_iter updates. With tol=0 these are made, exactly so many;
    none is the start.                                                                                           [003 eq. 8]"""
    check(unseen, max_iter, tol)
    table, scale = evidence.documents_with, edcm.fit(evidence, unseen=unseen).scale
    climbers, cell_of = labels_of(evidence)
    alpha, found = climbed(climbers, partial(climbers.start, scale), max_iter=max_iter, tol=tol, jobs=jobs)
    table = with_data(table, alpha[0][cell_of])
    smoothing = unseen * finite(row_minima(table, table.data))
    return Parameters(table, np.where(np.diff(table.indptr) > 0, smoothing, 1.0), *found)


def rest(
    evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1
) -> Parameters:
    """DCM of every label's rest, everything - label, one row a label.                                           [003 eq. 8]

    The terms that a label lacks are in its rest as they are in everything: those of one kind (same histogram) have one
    alpha a label, so that what is kept is kinds x labels, and labels x terms only for the terms a label has. A rest is
    nearly everything: Newton's method starts from the maximum of everything. The updates of eq. 8, where it finds none or
    tol is 0, start from EDCM, as those of labels do.
    """
    check(unseen, max_iter, tol)
    table, n_labels = evidence.documents_with, evidence.n_labels
    histograms = Histograms.of(evidence)
    size = (histograms.n_kinds + 1) * n_labels
    if size > LIMIT:
        raise InvalidSetting(
            f"the rests of {n_labels:,} labels, with {histograms.n_kinds:,} kinds of terms, would take {size:,} values, "
            f"more than {LIMIT:,}: select terms, or fit fewer labels at a time"
        )
    shared, alpha = np.zeros((histograms.n_kinds + 1, n_labels)), np.zeros(table.nnz)
    s, smallest = np.zeros(n_labels), np.full(n_labels, np.inf)
    iterations, converged = np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels, dtype=bool)
    everything = of_everything(evidence, max_iter=max_iter, tol=tol)
    for first, last in blocks(evidence, histograms):
        (climbers, cell_of), here = rests_of(evidence, first, last), slice(first, last)
        start, near = partial(from_edcm, evidence, climbers, here), from_everything(climbers, everything)
        (own, shared[:-1, here]), (s[here], iterations[here], converged[here]) = climbed(
            climbers, start, near, max_iter=max_iter, tol=tol, jobs=jobs
        )
        alpha[table.indptr[first] : table.indptr[last]] = own[cell_of]
        smallest[here] = np.where(climbers.shared > 0, shared[:-1, here], np.inf).min(axis=0, initial=np.inf)
    stored = with_data(table, alpha)
    smallest = np.minimum(smallest, row_minima(stored, stored.data))
    smoothing = np.where(np.isfinite(smallest), unseen * finite(smallest), 1.0)
    return Parameters(stored, smoothing, s, iterations, converged, histograms.of_terms, shared)


# -- where to begin


def of_everything(evidence: Evidence, *, max_iter: int, tol: float) -> Floats:
    """Alpha of each kind of terms in everything: the maximum, or, where there is none, EDCM's."""
    climbers, pairs = everything_of(evidence), evidence.all_documents_with.sum(keepdims=True)
    _, _, s = solved(climbers.lengths, pairs)
    start = climbers.start(s / np.maximum(pairs, 1.0))
    near = start[0].copy(), start[1].copy()
    _, _, (arrived,) = newton(climbers, near, max_iter=max_iter, tol=tol, jobs=1)
    return near[0] if arrived else start[0]


def from_everything(climbers: Climbers, alpha: Floats) -> tuple[Floats, Floats]:
    """The same alpha in the rests; of a term that the label has, the share of its documents that are the rest's."""
    held = climbers.pool.documents_with
    own = alpha[climbers.profile] * (1 - held[climbers.less] / held[climbers.profile])
    return own, np.repeat(alpha[:, None], len(climbers), axis=1)


def from_edcm(evidence: Evidence, climbers: Climbers, here: slice) -> tuple[Floats, Floats]:
    """Where EDCM has the rests of some labels."""
    return climbers.start(edcm.rest(evidence).scale[here])


def blocks(evidence: Evidence, histograms: Histograms) -> list[tuple[int, int]]:
    """Ranges of labels whose rests take a bounded amount of memory."""
    n_labels = evidence.n_labels
    at_most = max((last - first for first, last in Lengths.blocks(evidence)), default=1)
    size = max(1, min(at_most, AT_A_TIME // (histograms.n_kinds + 1)))
    return [(first, min(first + size, n_labels)) for first in range(0, n_labels, size)]


def check(unseen: float, max_iter: int, tol: float) -> None:
    """Settings that make sense."""
    check_unseen(unseen)
    if max_iter < 0 or not tol >= 0:
        raise InvalidSetting(f"max_iter={max_iter}, tol={tol}: neither may be below 0")


class DCM(CountModel):
    """log p(c) + log p(d|c), a Dirichlet compound multinomial a label                                          [003 eq. 7]

    unseen: times the smallest alpha of a label, added to every term. tol: the share to which alpha is at the maximum; with 0,
    max_iter updates of eq. 8 are made. How many steps a label took, Newton's or, where these find no maximum, updates, and
    whether it came to rest is told in `iterations_` and `converged_` (a label whose counts are no more spread than a
    multinomial's has no finite maximum and stops at max_iter updates, readings 003.2). jobs: threads.
    """

    def __init__(
        self,
        *,
        unseen: float = 0.01,
        max_iter: int = 1000,
        tol: float = 1e-8,
        priors: str = "learned",
        jobs: int | None = None,
    ) -> None:
        self.unseen = unseen
        self.max_iter = max_iter
        self.tol = tol
        self.priors = priors
        self.jobs = jobs

    def _settings(self) -> dict[str, Any]:
        if not isinstance(self.max_iter, int | np.integer) or self.max_iter < 0:
            raise InvalidSetting(f"max_iter={self.max_iter!r}: give a whole number from 0")
        jobs = self.jobs or available_threads()
        return {"unseen": self.unseen, "max_iter": int(self.max_iter), "tol": float(self.tol), "jobs": jobs}

    def _labels(self, evidence: Evidence) -> Scorer:
        learned = fit(evidence, **self._settings())
        self.parameters_, self.iterations_, self.converged_ = learned, learned.iterations, learned.converged
        self.n_iter_ = max(1, int(learned.iterations.max(initial=0)))
        if not self.several_labels_:
            return LengthScorer(learned, scores, contributions)
        return LengthScorer(Odds(learned, rest(evidence, **self._settings())), odds, odds_contributions)

    def _rest(self, evidence: Evidence) -> None:
        return None  # `odds` has seen to it
