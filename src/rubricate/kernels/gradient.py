"""Exponentiated gradient (001 sec. 3.3), one example after the other, all labels of a block at once.

A step costs (terms of the document) x (labels of the block), whatever the size of the vocabulary. Weights are w = u / Z: a step
changes the u of the document's terms, and Z by the sum of what changed. Let T be the sum of 1/Z over the vectors so far. As
long as the u of a term stands still its weights sum to u times what T grew by; so each term keeps s, the sum of (change of
u) x T, and u T - s is the sum of its weights over all vectors.                                              [001 eq. 4]

That cancels once T is large and 1/Z small. When Z has grown far, all labels of the block turn a page: Z becomes 1, T becomes 0,
and each term follows when it is next met: u <- u p, s <- s - u g, with p and g of the page where it was left. When Z has
shrunk far it has lost digits: all terms follow at once, and Z is summed anew. That needs the vocabulary, and is rare.

A table is terms x 2 x labels, u and s, so that what belongs to a term lies side by side; terms x 1 x labels, u alone, if
nobody asks for the mean.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int32, int64, njit

from .arrays import documents_type, f64, i32, i64, labels_type
from .arrays import f64ssw as cube
from .arrays import f64sw as matrix
from .native import prefetch

__all__ = ["PAGES", "exponentiated_gradient", "means_of_gradient", "up_to_date"]

PAGES = 64  # that may be turned before all terms follow
AHEAD = 8  # rows that are asked for before they are written out
LN2_HIGH = 6.93147180369123816490e-01  # ln 2 in two parts, the first with zeros at the end
LN2_LOW = 1.90821492927058770002e-10
INVERSE_LN2 = 1.4426950408889634
MAGIC = 6755399441055744.0  # 1.5 x 2^52: what is added to it ends as a whole number in its last bits
SHIFT = np.int64(52)
ONE = np.int64(1023 << 52)


@njit([(cube, int32[::1], cube)], cache=True, nogil=True, boundscheck=None)
def up_to_date(tables, left, pages):
    """All terms on the page that is open, which becomes the first. left: the page where each term was left; at the end the one
    that is open. pages: p and g of each."""
    n_terms, averaging = tables.shape[0], tables.shape[1] == 2
    if left[n_terms] == 0:
        return
    for j in range(n_terms):
        page = left[j]
        for c in range(tables.shape[2]):
            if averaging:
                tables[j, 1, c] -= tables[j, 0, c] * pages[page, 1, c]
            tables[j, 0, c] *= pages[page, 0, c]
        left[j] = 0
    left[n_terms] = 0
    pages[0, 0] = 1.0
    pages[0, 1] = 0.0


@njit(
    [(documents_type, labels_type, i64, f64, f64, boolean, cube, int32[::1], cube, matrix, float64[::1])],
    cache=True,
    nogil=True,
    boundscheck=None,
)
def exponentiated_gradient(documents, truth, sequence, rates, settings, sigmoid, tables, left, pages, clocks, losses):
    """w <- w exp(-2 eta (w.x - y) x) / Z for each example of the sequence.                             [001 sec. 3.3]

    rates: 2 eta of each document. settings: low target, high less low, weight of an absent term (a constant in all weights
    cancels in Z), how far Z may go, bound of the exponent. tables, left, pages: see the module. clocks: Z and T, each as a sum
    and what rounding took from it. losses: sum of (w.x - y)^2 before each step.
    """
    ends, terms, values = documents
    label_ends, labels = truth
    low, rise, absent, drift, steepest = settings[0], settings[1], settings[2], settings[3], settings[4]
    n_terms, n_labels = tables.shape[0], tables.shape[2]
    averaging = tables.shape[1] == 2
    row = 8 * tables.shape[1] * n_labels
    residual = np.empty(n_labels)
    factor = np.empty(n_labels)
    power = np.empty(n_labels)
    bits = power.view(np.int64)
    change = np.empty(n_labels)
    now = np.empty(n_labels)
    entry_of = np.empty(0, dtype=np.int64)
    for t in range(len(sequence)):
        d = sequence[t]
        first, last = ends[d], ends[d + 1]
        if t + 2 < len(sequence):  # documents lie anywhere: ask for one while others are worked on
            coming = sequence[t + 2]
            for k in range(ends[coming], ends[coming + 1], 8):
                prefetch(values, 8 * k)
            for k in range(ends[coming], ends[coming + 1], 16):
                prefetch(terms, 4 * k)
        for c in range(n_labels):
            residual[c] = 0.0
            change[c] = 0.0
        largest, alike, page = 0.0, True, left[n_terms]
        for k in range(first, last):
            j, x = terms[k], values[k]
            largest = max(largest, abs(x))
            alike = alike and x == values[first]
            if page > 0 and left[j] != page:
                before = left[j]
                for c in range(n_labels):
                    if averaging:
                        tables[j, 1, c] -= tables[j, 0, c] * pages[before, 1, c]
                    tables[j, 0, c] *= pages[before, 0, c]
                left[j] = page
            for c in range(n_labels):
                residual[c] += tables[j, 0, c] * x
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
            if abs(residual[c]) * largest > steepest:
                steep = True
        if rate == 0.0:
            continue
        if steep:
            # an exponent that would leave the numbers: the whole label, with the largest exponent taken out
            up_to_date(tables, left, pages)
            if len(entry_of) == 0:
                entry_of = np.full(n_terms, -1)
            for k in range(first, last):
                entry_of[terms[k]] = k
            for c in range(n_labels):
                top, bottom = -np.inf, 0.0
                for j in range(n_terms):
                    if tables[j, 0, c] > 0.0:
                        top = max(top, 0.0 if entry_of[j] < 0 else residual[c] * values[entry_of[j]])
                for j in range(n_terms):
                    if averaging:
                        tables[j, 1, c] -= tables[j, 0, c] * now[c]
                    if tables[j, 0, c] > 0.0:
                        exponent = 0.0 if entry_of[j] < 0 else residual[c] * values[entry_of[j]]
                        tables[j, 0, c] *= np.exp(exponent - top)
                    bottom += tables[j, 0, c]
                for j in range(n_terms):
                    tables[j, 0, c] /= bottom
                clocks[0, c] = 1.0
                clocks[1, c] = 0.0
                clocks[2, c] = 0.0
                clocks[3, c] = 0.0
            for k in range(first, last):
                entry_of[terms[k]] = -1
            continue
        soon, end = int64(0), int64(0)
        if t + 1 < len(sequence):
            soon, end = ends[sequence[t + 1]], ends[sequence[t + 1] + 1]
        for k in range(first, last):
            if soon < end:  # rows lie far apart: ask for those of the next document while this one is worked on
                place = int64(terms[soon]) * row
                for line in range(0, row, 64):
                    prefetch(tables, place + line)
                prefetch(left, 4 * int64(terms[soon]))
                soon += 1
            j, x = terms[k], values[k]
            if k == first or not alike:
                # e^y = 2^n e^r, y = n ln 2 + r: the series of e^r to r^13, exact to the last digits for |r| < 0.35; written
                # out because this way the labels go through it side by side
                for c in range(n_labels):
                    y = residual[c] * x
                    power[c] = y * INVERSE_LN2 + MAGIC
                    n = power[c] - MAGIC
                    r = y - n * LN2_HIGH - n * LN2_LOW
                    e = r / 6227020800.0 + 1.0 / 479001600.0
                    e = e * r + 1.0 / 39916800.0
                    e = e * r + 1.0 / 3628800.0
                    e = e * r + 1.0 / 362880.0
                    e = e * r + 1.0 / 40320.0
                    e = e * r + 1.0 / 5040.0
                    e = e * r + 1.0 / 720.0
                    e = e * r + 1.0 / 120.0
                    e = e * r + 1.0 / 24.0
                    e = e * r + 1.0 / 6.0
                    e = e * r + 0.5
                    e = e * r + 1.0
                    factor[c] = e * r + 1.0
                for c in range(n_labels):
                    bits[c] = (bits[c] << SHIFT) + ONE
                for c in range(n_labels):
                    factor[c] *= power[c]
            if averaging:
                for c in range(n_labels):
                    weight = tables[j, 0, c]
                    changed = weight * factor[c]
                    more = changed - weight
                    change[c] += more
                    tables[j, 0, c] = changed
                    tables[j, 1, c] += more * now[c]
            else:
                for c in range(n_labels):
                    weight = tables[j, 0, c]
                    changed = weight * factor[c]
                    change[c] += changed - weight
                    tables[j, 0, c] = changed
        while soon < end:
            place = int64(terms[soon]) * row
            for line in range(0, row, 64):
                prefetch(tables, place + line)
            soon += 1
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
        left[n_terms] = page + 1
        if shrunk or page + 2 == PAGES:
            up_to_date(tables, left, pages)
            for c in range(n_labels):
                change[c] = 0.0
            for j in range(n_terms):
                for c in range(n_labels):
                    change[c] += tables[j, 0, c]
            for c in range(n_labels):
                clocks[0, c] = change[c]
        else:
            pages[page + 1, 0] = 1.0
            pages[page + 1, 1] = 0.0


@njit([(cube, matrix, float64, i32, int64, matrix, matrix)], cache=True, nogil=True, boundscheck=None)
def means_of_gradient(tables, clocks, vectors, rows, first, last, mean):
    """The last weights of exponentiated gradient, and the mean of so many vectors, which has no rows if nobody asks: columns from
    `first` on of terms x labels. rows: the row of the table for each row that is written, -1 for those left alone. The table is
    up to date."""
    averaging, n_labels = mean.shape[0] > 0, tables.shape[2]
    row = 8 * tables.shape[1] * n_labels
    Z, T = np.zeros(n_labels), clocks[2] + clocks[3]
    for i in range(tables.shape[0]):
        for c in range(n_labels):
            Z[c] += tables[i, 0, c]
    for j in range(len(rows)):
        if j + AHEAD < len(rows) and rows[j + AHEAD] >= 0:  # rows lie anywhere
            place = int64(rows[j + AHEAD]) * row
            for line in range(0, row, 64):
                prefetch(tables, place + line)
        i = rows[j]
        if i < 0:
            continue
        for c in range(n_labels):
            last[j, first + c] = tables[i, 0, c] / Z[c]
        if averaging:
            for c in range(n_labels):
                total = tables[i, 0, c] * T[c] - tables[i, 1, c]
                mean[j, first + c] = (total + last[j, first + c]) / vectors
