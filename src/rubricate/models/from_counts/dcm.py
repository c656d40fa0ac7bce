"""DCM: each document draws its own multinomial, so that a word once used is used again. Learns from: the whole table of `Counts`,
(label, term, times) -> documents, and lengths. Source: 003 sec. 2.1.2.

    p(d|c) = Gamma(s) / Gamma(s + |d|)  |d|!  prod over terms v of d of  Gamma(tf_vd + alpha_v) / (tf_vd! Gamma(alpha_v))
    s      = sum over v of alpha_v                                                                           [003 eq. 7]

    alpha_v <- alpha_v  sum over d of (Psi(tf_vd + alpha_v) - Psi(alpha_v))
                      / sum over d of (Psi(|d| + s) - Psi(s))                                                [003 eq. 8]

(the denominator with |d|, readings 003.1), from EDCM's unsmoothed beta on. The maximum to which these updates crawl is found by
Newton's method from the same start (`fit_dirichlet`); with tol=0 the updates are made as they stand. A maximum exists only where
counts are more spread than a multinomial allows (readings 003.2); elsewhere the updates are made, alpha grows until max_iter, and
`converged` says so. Smoothing adds 0.01 times the smallest alpha of the label to every term; where there are no words at all, 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...foundation.csr import row_values, with_data
from ...foundation.threads import available_threads, side_by_side
from ...scoring.length_dependent import Alpha, AlphaOdds, LengthScorer
from . import edcm
from .count_model import CountModel, stored_count_model
from .dirichlet import Lengths, check_unseen, finite_or_zero, row_minima, solve_s
from .evidence import Evidence
from .fit_dirichlet import NEWTON_STEPS, Cells, Histograms, Maximum, cells_of, fit_dirichlet, histograms_of

LIMIT = 200_000_000  # values that the rests of all labels may have
FEW = 30_000  # values for which threads are not worth while


def fit(evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1) -> Alpha:
    """DCM of every label: the maximum, or, where there is none, max_iter updates. With tol=0 these are made, exactly so many;
    none is the start.                                                                                           [003 eq. 8]"""
    check(unseen, max_iter, tol)
    table, n_labels, scale = evidence.documents_with, evidence.n_labels, edcm.fit(evidence, unseen=unseen).scale
    histograms, lengths = histograms_of(evidence), Lengths.of_labels(evidence)
    cells, cell_of, first = cells_of(table.indptr, histograms.of_labels, np.full(table.nnz, -1, dtype=np.int32))
    beta, ends = row_values(table, scale)[first] * table.data[first], np.searchsorted(first, table.indptr)
    alpha, summary = np.empty(len(first)), Summary.empty(n_labels)

    def fit_label(n: int) -> None:
        part = slice(ends[n], ends[n + 1])
        label_cells, start = cells.at(part), beta[part].copy
        maximum = fit_dirichlet(histograms, label_cells, lengths.of(n), start, max_iter=max_iter, tol=tol)
        alpha[part] = maximum.alpha
        summary.record(n, maximum)

    side_by_side(fit_label, range(n_labels), jobs if len(alpha) > FEW else 1)
    table = with_data(table, alpha[cell_of])
    smoothing = unseen * finite_or_zero(row_minima(table, table.data))
    return Alpha(table, np.where(np.diff(table.indptr) > 0, smoothing, 1.0), *summary)


def rest(evidence: Evidence, *, unseen: float = 0.01, max_iter: int = 1000, tol: float = 1e-8, jobs: int = 1) -> Alpha:
    """DCM of every label's rest, everything - label, one row a label.                                           [003 eq. 8]

    The terms that a label lacks are in its rest as they are in everything: those of one kind (same histogram) have one
    alpha a label, so that what is stored is kinds x labels, and labels x terms only for the terms a label has. A rest is
    nearly everything: Newton's method starts from the maximum of everything, and from EDCM, as that of labels does, only
    where it finds none from there.
    """
    check(unseen, max_iter, tol)
    table, n_labels, histograms = evidence.documents_with, evidence.n_labels, histograms_of(evidence)
    n_kinds = histograms.n_kinds
    if (n_kinds + 1) * n_labels > LIMIT:
        raise InvalidSetting(
            f"the rests of {n_labels:,} labels, with {n_kinds:,} kinds of terms, would take {(n_kinds + 1) * n_labels:,} "
            f"values, more than {LIMIT:,}: select terms, or fit fewer labels at a time"
        )
    check_counts(evidence, histograms)
    label_lengths, all_lengths = Lengths.of_labels(evidence), Lengths.of_everything(evidence)
    kinds = kinds_of(histograms)
    everything = fit_everything(histograms, kinds, all_lengths, max_iter=max_iter, tol=tol)
    # terms that both a label and its rest have: the histogram of everything less the label's
    kind, everywhere = histograms.of_terms[table.indices], evidence.all_documents_with[table.indices]
    places = np.flatnonzero(table.data < everywhere)
    ends = np.searchsorted(places, table.indptr)
    common, cell_of, first = cells_of(ends, kind[places], histograms.of_labels[places])
    ends, first = np.searchsorted(places[first], table.indptr), places[first]
    near_common = everything[common.whole] * (1 - table.data[first] / everywhere[first])
    shared, common_alpha = np.tile(np.append(everything, 0.0), (n_labels, 1)), np.empty(len(first))
    summary, smallest = Summary.empty(n_labels), np.full(n_labels, np.inf)

    def fit_rest(n: int) -> None:
        part, lengths = slice(ends[n], ends[n + 1]), all_lengths.less(label_lengths.of(n))
        terms = kinds.terms - np.bincount(kind[table.indptr[n] : table.indptr[n + 1]], minlength=n_kinds)
        lacking = np.flatnonzero(terms > 0)  # kinds with a term that the label lacks
        cells = kinds._replace(terms=terms).at(lacking).plus(common.at(part))
        start = partial(from_edcm, histograms, cells, lengths)
        near = np.concatenate([everything[lacking], near_common[part]])
        maximum = fit_dirichlet(histograms, cells, lengths.of(0), start, near, max_iter=max_iter, tol=tol)
        shared[n, lacking], common_alpha[part] = np.split(maximum.alpha, [len(lacking)])
        smallest[n] = maximum.alpha.min(initial=np.inf)
        summary.record(n, maximum)

    side_by_side(fit_rest, range(n_labels), jobs if shared.size + len(common_alpha) > FEW else 1)
    alpha = np.zeros(table.nnz)
    alpha[places] = common_alpha[cell_of]
    smoothing = np.where(np.isfinite(smallest), unseen * finite_or_zero(smallest), 1.0)
    return Alpha(with_data(table, alpha), smoothing, *summary, histograms.of_terms, np.ascontiguousarray(shared.T))


class Summary(NamedTuple):
    """Of each label: the sum of alpha, steps taken, whether they converged."""

    s: Floats
    iterations: Longs
    converged: Bools

    @classmethod
    def empty(cls, n_labels: int) -> Summary:
        """Before any label is fitted."""
        return cls(np.zeros(n_labels), np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels, dtype=bool))

    def record(self, label: int, maximum: Maximum) -> None:
        """Write down what fitting a label came to."""
        self.s[label], self.iterations[label], self.converged[label] = maximum[1:]


# -- where to begin


def kinds_of(histograms: Histograms) -> Cells:
    """The terms of everything, a cell for each histogram."""
    n = histograms.n_kinds
    terms = np.bincount(histograms.of_terms, minlength=n + 1)[:n].astype(np.float64)
    return Cells(np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32), terms)


def fit_everything(histograms: Histograms, kinds: Cells, lengths: Lengths, *, max_iter: int, tol: float) -> Floats:
    """Alpha of each kind of terms in everything: the maximum, or, where there is none, EDCM's."""
    start, steps = partial(from_edcm, histograms, kinds, lengths), min(max_iter, NEWTON_STEPS)
    maximum = fit_dirichlet(histograms, kinds, lengths.of(0), start, max_iter=steps, tol=tol)
    return maximum.alpha if maximum.converged else start()


def from_edcm(histograms: Histograms, cells: Cells, lengths: Lengths) -> Floats:
    """EDCM's beta as alpha: in proportion to the documents with the term.                                      [003 eq. 11]"""
    documents_with = histograms.documents_of(cells)
    pairs = (cells.terms * documents_with).sum(keepdims=True)
    _, _, s = solve_s(lengths, pairs)
    beta: Floats = s / np.maximum(pairs, 1.0) * documents_with
    return beta


def check_counts(evidence: Evidence, histograms: Histograms) -> None:
    """Nothing may be in a label that is not in everything: the loops subtract one histogram from the other, level by level."""
    table, n_levels = evidence.documents_with, np.diff(histograms.ends)
    more = (table.data > evidence.all_documents_with[table.indices]).any()
    if more or (n_levels[histograms.of_labels] > n_levels[histograms.of_terms[table.indices]]).any():
        raise InvalidSetting("a label holds documents that everything does not: these counts contradict themselves")


def check(unseen: float, max_iter: int, tol: float) -> None:
    """Refuse settings without a meaning."""
    check_unseen(unseen)
    if max_iter < 0 or not tol >= 0:
        raise InvalidSetting(f"max_iter={max_iter}, tol={tol}: neither may be below 0")


@stored_count_model("dcm", "converged_", "iterations_", "n_iter_", "parameters_")
class DCM(CountModel):
    """log p(c) + log p(d|c), a Dirichlet compound multinomial a label                                          [003 eq. 7]

    unseen: times the smallest alpha of a label, added to every term. tol: the share to which alpha is at the maximum; with 0,
    max_iter updates of eq. 8 are made. `iterations_` has the steps of each label, Newton's or, where these find no maximum,
    updates; `converged_`, whether they came to the maximum (a label whose counts are no more spread than a multinomial's has
    no finite one and stops at max_iter updates, readings 003.2). jobs: threads.
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

    def _fit_scorer(self, evidence: Evidence) -> LengthScorer:
        parameters = fit(evidence, **self._settings())
        self.parameters_, self.iterations_, self.converged_ = parameters, parameters.iterations, parameters.converged
        self.n_iter_ = max(1, int(parameters.iterations.max(initial=0)))
        if not self.several_labels_:
            return LengthScorer(parameters)
        return LengthScorer(AlphaOdds(parameters, rest(evidence, **self._settings())))
