"""DCM maximum likelihood: the alpha of one label, of its rest, or of everything, by Newton's method with the fixed point of eq. 8
as its safeguard. Learns from: the whole table of `Counts`, (label, term, times) -> documents, and lengths. Source: 003 eq. 8.

The fixed point rises at every step but crawls: some hundred steps for 1e-8, thousands where the maximum is far. Newton's method
comes to the same point in about five (`kernels/fit_dirichlet.py` has the equations). The fixed point makes a step where the
likelihood is not concave, and all steps where Newton's method finds no maximum.

Neither goes over documents: the sum for a term depends only on its levels, the documents that have it at least once, twice, ....
Terms with the same histogram of counts have the same alpha at every step, so each different histogram of a label is one cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...foundation.arrays import Floats, Ints, Longs
from .evidence import Evidence, shared

LISTED = 128  # levels of a histogram; counts beyond are added by differences of Psi
NEWTON_STEPS = 25  # after which the fixed point takes over


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
        """The cells at some places."""
        return Cells(self.whole[places], self.less[places], self.terms[places])

    def plus(self, others: Cells) -> Cells:
        """These, and others after them."""
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
        """As kernels take them."""
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
