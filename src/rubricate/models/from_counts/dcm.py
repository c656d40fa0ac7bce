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

The fixed point rises at every step but crawls: some hundred steps for 1e-8, thousands where the maximum is far. Newton's method
comes to the same point in about five (`kernels/fit_dirichlet.py` has the equations). The fixed point makes a step where the
likelihood is not concave, and all steps where Newton's method finds no maximum.

Neither goes over documents: the sum for a term depends only on its levels, the documents that have it at least once, twice, ....
Terms with the same histogram of counts have the same alpha at every step, so each different histogram of a label is one cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Ints, Longs
from ...foundation.csr import row_values, with_data
from ...foundation.threads import available_threads, side_by_side
from ...scoring.length_dependent import Alpha, AlphaOdds, LengthScorer
from . import edcm
from .count_model import CountModel, stored_count_model
from .dirichlet import Lengths, check_unseen, finite_or_zero, row_minima, solve_s
from .evidence import Evidence, shared

LIMIT = 200_000_000  # values that the rests of all labels may have
FEW = 30_000  # values for which threads are not worth while
LISTED = 128  # levels of a histogram; counts beyond are added by differences of Psi
NEWTON_STEPS = 25  # after which the fixed point takes over


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
    check_unseen(unseen)
    if max_iter < 0 or not tol >= 0:
        raise InvalidSetting(f"max_iter={max_iter}, tol={tol}: neither may be below 0")


# -- the maximum


class Maximum(NamedTuple):
    """Where the likelihood has its maximum, or where max_iter steps ended."""

    alpha: Floats  # of each cell
    s: float  # their sum over all terms
    iterations: int
    converged: bool


class Cells(NamedTuple):
    """Terms of labels, or of their rests: those with histogram `whole` less histogram `less` (-1 for none) are a cell."""

    whole: Ints
    less: Ints
    terms: Floats  # how many there are

    def at(self, places: slice | Longs) -> Cells:
        return Cells(self.whole[places], self.less[places], self.terms[places])

    def plus(self, others: Cells) -> Cells:
        return Cells(
            np.concatenate([self.whole, others.whole]),
            np.concatenate([self.less, others.less]),
            np.concatenate([self.terms, others.terms]),
        )


@dataclass(frozen=True, eq=False)
class Histograms:
    """The different histograms of a table, first those of everything, then those of labels.

    levels: of each, documents with at least 1, 2, 3, ... occurrences, as far as LISTED. far: (from, by, documents), for
    occurrences beyond and for those that are no whole number.
    """

    ends: Longs  # of levels, a 0 in front
    levels: Floats
    far_ends: Longs
    far_from: Floats
    far_by: Floats
    far_documents: Floats
    documents_with: Floats
    n_kinds: int  # histograms of everything
    of_terms: Ints  # of each term, in everything; n_kinds for a term that never occurs
    of_labels: Ints  # of each entry of `documents_with` of the evidence

    @property
    def tables(self) -> tuple[Longs, Floats, Longs, Floats, Floats, Floats]:
        return self.ends, self.levels, self.far_ends, self.far_from, self.far_by, self.far_documents

    def documents_of(self, cells: Cells) -> Floats:
        """Documents with the terms of each cell."""
        n = self.documents_with
        documents: Floats = n[cells.whole] - np.where(cells.less >= 0, n[cells.less], 0.0)
        return documents


def cells_of(ends: Longs, whole: Ints, less: Ints) -> tuple[Cells, Ints, Longs]:
    """Terms of a label with equal histograms in one cell; the cell of each term, and the first term of each cell. Cells are in
    the order of labels, as terms are: `ends` says where those of each label end, a 0 in front."""
    rows = np.arange(len(whole) + 1)
    cell_of, first = number_rows(rows, whole.astype(np.int64), less.astype(np.int64), groups=ends)
    return Cells(whole[first], less[first], np.bincount(cell_of).astype(np.float64)), cell_of, first


@shared
def histograms_of(evidence: Evidence) -> Histograms:
    """Each different histogram of the table once."""
    entries = evidence.entries
    starts, cells = entries._distinct
    ends, n = np.append(starts, len(entries)), evidence.documents_with.nnz
    times = entries.values.astype(np.float64)
    keys = times.view(np.int64), entries.documents
    of_occurring, first_term = number_rows(ends[n:], *keys)
    of_labels, first_cell = number_rows(ends[: n + 1], *keys)
    # those with most levels first: neighbouring loops over levels are then of equal length, which processors predict
    order = np.argsort(-times[ends[first_term + n + 1] - 1], kind="stable")
    of_terms = np.full(evidence.n_terms, len(order), dtype=np.int32)
    of_terms[cells[n:] & 0xFFFFFFFF] = np.argsort(order)[of_occurring]
    rows = np.concatenate([first_term[order] + n, first_cell])
    sizes = ends[rows + 1] - ends[rows]
    starts = np.cumsum(sizes) - sizes
    places = np.repeat(ends[rows] - starts, sizes) + np.arange(sizes.sum())
    levels = levels_of(starts, sizes, times[places], entries.documents[places].astype(np.float64))
    return Histograms(*levels, len(order), of_terms, of_labels + np.int32(len(order)))


def levels_of(
    starts: Longs, sizes: Longs, times: Floats, documents: Floats
) -> tuple[Longs, Floats, Longs, Floats, Floats, Floats, Floats]:
    """The first fields of `Histograms`, from (times, documents) of each: where it starts, and its size."""
    is_whole = times == np.floor(times)
    highest = np.where(is_whole, np.minimum(times, LISTED), 0.0).astype(np.int64)
    n_levels = np.maximum.reduceat(highest, starts)
    ends = np.append(0, np.cumsum(n_levels))
    place = np.repeat(ends[:-1], sizes) + highest - 1
    exactly = np.bincount(place[is_whole], documents[is_whole], minlength=ends[-1])
    at_least = np.append(np.cumsum(exactly[::-1])[::-1], 0.0)  # in this histogram and all after it
    levels = at_least[:-1] - np.repeat(at_least[ends[1:]], n_levels)
    far = np.flatnonzero(~is_whole | (times > LISTED))
    far_from = np.where(is_whole[far], float(LISTED), 0.0)
    far_ends = np.searchsorted(far, np.append(starts, len(times)))
    return ends, levels, far_ends, far_from, times[far] - far_from, documents[far], np.add.reduceat(documents, starts)


def number_rows(ends: Longs, left: Longs, right: Longs, *, groups: Longs | None = None) -> tuple[Ints, Longs]:
    """A number for each row of pairs (left, right), the same for equal rows of a group; and the first row of each number. `ends`
    says where the pairs of each row end, a 0 in front, `groups` where the rows of each group do."""
    from ...kernels.fit_dirichlet import distinct

    n = len(ends) - 1
    groups = np.array([0, n]) if groups is None else groups.astype(np.int64)
    number, first = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    slots = np.zeros(1 << max(3, int(2 * np.diff(groups).max(initial=0)).bit_length()), dtype=np.int64)
    return number, first[: distinct(groups, ends, left, right, slots, number, first)].copy()


def fit_dirichlet(
    histograms: Histograms,
    cells: Cells,
    lengths: tuple[Floats, Floats],
    start: Callable[[], Floats],
    near: Floats | None = None,
    *,
    max_iter: int,
    tol: float,
) -> Maximum:
    """alpha at the maximum, to a share tol, by Newton's method from `near`, if that is given, then from `start`. Where neither
    finds one: the fixed point from `start` on, until no alpha changes by more than its share tol, max_iter steps at most. With
    tol=0 the fixed point makes exactly max_iter steps.                                                          [003 eq. 8]

    lengths   of the documents, and how many have each
    start     gives alpha of each cell, a new array at each call;   near   alpha of each cell
    """
    from ...kernels.fit_dirichlet import fixed_point, newton

    problem = histograms.tables, tuple(cells), lengths
    if tol > 0:
        # the error squares: sqrt(tol) / 100 before a step is tol / 10,000 after it, times a factor that is large where s is
        close, steps = min(0.01 * tol**0.5, 1e-3), min(NEWTON_STEPS, max_iter)
        for begin in (start,) if near is None else (near.copy, start):
            alpha = begin()
            iterations, converged, s = newton(*problem, steps, close, alpha)
            if converged:
                return Maximum(alpha, s, iterations, converged)
    alpha = start()
    iterations, converged, s = fixed_point(*problem, max_iter, tol, alpha)
    return Maximum(alpha, s, iterations, converged)


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
