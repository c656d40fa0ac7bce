"""Exponentiated gradient (001 sec. 3.3), one example after the other, eight or sixteen labels at once.

A step costs (terms of the document) x (labels), whatever the size of the vocabulary. Weights are w = u / Z: a step changes the u
of the document's terms, and Z by the sum of what changed. Let T be the sum of 1/Z over the vectors so far. As long as the u of
a term stands still its weights sum to u times what T grew by; so each term keeps s, the sum of (change of u) x T, and
u T - s is the sum of its weights over all vectors.                                                          [001 eq. 4]

That cancels once T is large and 1/Z small. When Z has grown far, all labels of the block turn a page: Z becomes 1, T becomes 0,
and each term follows when it is next met: u <- u p, s <- s - u g, with p and g of the page where it was left. When Z has
shrunk far it has lost digits: all terms follow at once, and Z is summed anew. That needs all rows, and is rare.

A row is the u of eight labels or sixteen, and their s: whole cache lines. Terms that are alike so far share one (`alike`): a
vocabulary costs the rows that differ, and a document of many rare terms touches few of them.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int32, int64, njit

from .arrays import f64, i32, i32sw, i64, i64w, labels_type, plan_type
from .arrays import f64ssw as cube
from .arrays import f64sw as matrix
from .cache import CACHED
from .lanes import ROW, copy_twin_row, multiply_by_powers, multiply_rows, powers, sum_of_twin_rows
from .native import prefetch

__all__ = ["PAGES", "exponentiated_gradient", "means_of_gradient", "up_to_date"]

PAGES = 64  # that may be turned before all terms follow
ONE = np.uint64(1)
AHEAD = 8  # rows that are asked for before they are written out
TOGETHER = np.uint64(4)  # rows that are multiplied before more are asked for
LEFT, SIZE = 0, 1  # columns of `about`
OPEN, USED = 0, 1  # entries of `state`


@njit([(cube, i32sw, cube, i64w)], cache=CACHED, nogil=True, boundscheck=None)
def up_to_date(tables, about, pages, state):
    """All rows on the page that is open, which becomes the first. about: of each row the page where it was left, and how many
    terms it has. pages: p and g of each. state: the page that is open, the last row in use."""
    if state[OPEN] == 0:
        return
    for i in range(state[USED] + 1):
        page = about[i, LEFT]
        if about[i, SIZE] == 0:  # nobody is there
            tables[i] = 0.0
        for c in range(tables.shape[2]):
            tables[i, 1, c] -= tables[i, 0, c] * pages[page, 1, c]
            tables[i, 0, c] *= pages[page, 0, c]
        about[i, LEFT] = 0
    state[OPEN] = 0
    pages[0, 0] = 1.0
    pages[0, 1] = 0.0


@njit(
    [(plan_type, labels_type, i64, f64, f64, boolean, cube, i32sw, cube, i64w, matrix, float64[::1])],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def exponentiated_gradient(
    plan, truth, sequence, rates, settings, sigmoid, tables, about, pages, state, clocks, losses
):
    """w <- w exp(-2 eta (w.x - y) x) / Z for each example of the sequence.                             [001 sec. 3.3]

    plan: the rows of each, as `alike` says. rates: 2 eta of each document. settings: low target, high less low, weight of
    an absent term (a constant in all weights cancels in Z), how far Z may go, bound of the exponent. tables, about, pages,
    state: see the module and `up_to_date`. clocks: Z and T, each as a sum and what rounding took from it. losses: sum of
    (w.x - y)^2 before each step, a label.
    """
    ends, moved, largest, rows, sources, given, counts, weights = plan
    label_ends, labels = truth
    low, rise, absent, drift, steepest = settings[0], settings[1], settings[2], settings[3], settings[4]
    n_labels, lanes = len(losses), tables.shape[2]
    row = 16 * lanes
    residual, factor, change, now = np.zeros(lanes), np.zeros(lanes), np.zeros(lanes), np.zeros(lanes)
    entry_of = np.empty(0, dtype=np.int64)
    for t in range(len(sequence)):
        d, first, last = sequence[t], ends[t], ends[t + 1]
        page = state[OPEN]
        if page > 0:
            for k in range(first, last):
                i = sources[k]
                if about[i, LEFT] != page:
                    before = about[i, LEFT]
                    for c in range(lanes):
                        tables[i, 1, c] -= tables[i, 0, c] * pages[before, 1, c]
                        tables[i, 0, c] *= pages[before, 0, c]
                    about[i, LEFT] = page
        for k in range(moved[t], last):
            i, own = sources[k], rows[k]
            if i != own:
                copy_twin_row(tables, int64(i), int64(own))
                about[own, LEFT], about[own, SIZE] = page, int32(counts[k])
                about[i, SIZE] -= int32(counts[k])
                state[USED] = max(state[USED], int64(own))
        for lane in range(0, lanes, ROW):
            sum_of_twin_rows(residual, tables, rows, weights, int64(first), int64(last), lane)
        rate = rates[d]
        for c in range(n_labels):
            score = residual[c] / (clocks[0, c] + clocks[1, c]) + absent
            if sigmoid:
                score = 1.0 / (1.0 + np.exp(-score))
            residual[c] = score - low
        for k in range(label_ends[d], label_ends[d + 1]):
            residual[labels[k]] -= rise
        steep = False
        for c in range(n_labels):
            losses[c] += residual[c] * residual[c]
            # the vector before this step counts in the mean; Neumaier's sum keeps the clock true
            tick = 1.0 / (clocks[0, c] + clocks[1, c])
            total = clocks[2, c] + tick
            if clocks[2, c] >= tick:
                clocks[3, c] += (clocks[2, c] - total) + tick
            else:
                clocks[3, c] += (tick - total) + clocks[2, c]
            clocks[2, c] = total
            now[c] = clocks[2, c] + clocks[3, c]
            residual[c] *= -rate
            change[c] = 0.0
            if abs(residual[c]) * largest[t] > steepest:
                steep = True
        if rate == 0.0:
            continue
        if steep:
            # an exponent that would leave the numbers: the whole label, with the largest exponent taken out
            up_to_date(tables, about, pages, state)
            if len(entry_of) == 0:
                entry_of = np.full(len(tables), -1)
            for k in range(first, last):
                entry_of[rows[k]] = int64(k)
            for c in range(n_labels):
                top, bottom = -np.inf, 0.0
                for i in range(state[USED] + 1):
                    if about[i, SIZE] > 0 and tables[i, 0, c] > 0.0:
                        top = max(top, 0.0 if entry_of[i] < 0 else residual[c] * given[entry_of[i]])
                for i in range(state[USED] + 1):
                    if about[i, SIZE] == 0:  # nobody is there
                        tables[i, 0, c] = tables[i, 1, c] = 0.0
                    tables[i, 1, c] -= tables[i, 0, c] * now[c]
                    if tables[i, 0, c] > 0.0:
                        exponent = 0.0 if entry_of[i] < 0 else residual[c] * given[entry_of[i]]
                        tables[i, 0, c] *= np.exp(exponent - top)
                        bottom += tables[i, 0, c] * about[i, SIZE]
                for i in range(state[USED] + 1):
                    tables[i, 0, c] /= bottom
                clocks[0, c] = 1.0
                clocks[1, c] = 0.0
                clocks[2, c] = 0.0
                clocks[3, c] = 0.0
            for k in range(first, last):
                entry_of[rows[k]] = -1
            continue
        soon, end = last, ends[min(t + 2, len(sequence))]
        alike = first + ONE
        while alike < last and given[alike] == given[first]:
            alike += ONE
        if first < last and alike == last:  # one value, and one factor
            for lane in range(0, lanes, ROW):
                powers(factor, residual, given[first], lane)
        k = first
        while k < last:
            stop = min(k + TOGETHER, last)
            for lane in range(0, lanes, ROW):
                if alike == last:
                    multiply_rows(factor, now, change, tables, rows, counts, int64(k), int64(stop), lane)
                else:
                    multiply_by_powers(residual, now, change, tables, rows, counts, int64(k), int64(stop), lane, given)
            for _ in range(2 * int64(stop - k)):  # rows lie far apart: ask for those of the next document meanwhile
                if soon < end:
                    for line in range(0, row, 64):
                        prefetch(tables, row * int64(sources[soon]) + line)
                    prefetch(about, 8 * int64(sources[soon]))
                    soon += ONE
            k = stop
        while soon < end:
            for line in range(0, row, 64):
                prefetch(tables, row * int64(sources[soon]) + line)
            prefetch(about, 8 * int64(sources[soon]))
            soon += ONE
        grown, shrunk = False, False
        for c in range(n_labels):
            total = clocks[0, c] + change[c]
            if clocks[0, c] >= abs(change[c]):
                clocks[1, c] += (clocks[0, c] - total) + change[c]
            else:
                clocks[1, c] += (change[c] - total) + clocks[0, c]
            clocks[0, c] = total
            grown = grown or total > drift
            shrunk = shrunk or total * drift < 1.0
        if not grown and not shrunk:
            continue
        # a page is turned, for all labels at once, since they share the cache lines that must be read
        for c in range(n_labels):
            smaller = 1.0 / (clocks[0, c] + clocks[1, c])
            for before in range(page + 1):
                pages[before, 1, c] += pages[before, 0, c] * now[c]
                pages[before, 0, c] *= smaller
            clocks[0, c] = 1.0
            clocks[1, c] = 0.0
            clocks[2, c] = 0.0
            clocks[3, c] = 0.0
        state[OPEN] = page + 1
        if shrunk or page + 2 == PAGES:
            up_to_date(tables, about, pages, state)
            for c in range(n_labels):
                change[c] = 0.0
            for i in range(state[USED] + 1):
                for c in range(n_labels):
                    change[c] += tables[i, 0, c] * about[i, SIZE]
            for c in range(n_labels):
                clocks[0, c] = change[c]
        else:
            pages[page + 1, 0] = 1.0
            pages[page + 1, 1] = 0.0


@njit([(cube, i32sw, int64, matrix, float64, i32, int64, matrix, matrix)], cache=CACHED, nogil=True, boundscheck=None)
def means_of_gradient(tables, about, used, clocks, vectors, rows, first, last, mean):
    """The last weights of exponentiated gradient, and the mean of so many vectors: columns from `first` on of terms x labels.
    What nobody asks for has no rows. used: the last row in use. rows: the row of the table for each row that is written, -1 for
    those left alone. The table is up to date."""
    final, averaging, n_labels = last.shape[0] > 0, mean.shape[0] > 0, clocks.shape[1]
    row = 16 * tables.shape[2]
    Z, T = np.zeros(n_labels), clocks[2] + clocks[3]
    for i in range(used + 1):
        for c in range(n_labels):
            Z[c] += tables[i, 0, c] * about[i, SIZE]
    for j in range(len(rows)):
        if j + AHEAD < len(rows) and rows[j + AHEAD] >= 0:  # rows lie anywhere
            for line in range(0, row, 64):
                prefetch(tables, row * int64(rows[j + AHEAD]) + line)
        i = rows[j]
        if i < 0:
            continue
        if final:
            for c in range(n_labels):
                last[j, first + c] = tables[i, 0, c] / Z[c]
        if averaging:
            for c in range(n_labels):
                total = tables[i, 0, c] * T[c] - tables[i, 1, c]
                mean[j, first + c] = (total + tables[i, 0, c] / Z[c]) / vectors
