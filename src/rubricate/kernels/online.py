"""One example after the other, all labels of a block at once: Widrow-Hoff and exponentiated gradient (001 sec. 3).

A step costs (terms of the document) x (labels of the block), whatever the size of the vocabulary. The means of all vectors
(001 eq. 4) cost no more: Widrow-Hoff's is a weighted sum of the documents, so that only its coefficients are kept, one a
document, and multiplied out at the end; EG's sums are brought up to date term by term, when a weight is about to change.

A table is terms x labels, so that the labels of a term lie side by side.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, float64, int32, int64, njit, types

from .native import prefetch

__all__ = [
    "add_documents",
    "exponentiated_gradient",
    "looked_over",
    "means_of_gradient",
    "widrow_hoff",
]

i32 = types.Array(int32, 1, "C", readonly=True)
i64 = types.Array(int64, 1, "C", readonly=True)
f64 = types.Array(float64, 1, "C", readonly=True)
documents_type = types.Tuple((i64, i32, f64))
labels_type = types.Tuple((i64, i32))
table = float64[:, ::1]
boolean_array = boolean[::1]
LN2_HIGH = 6.93147180369123816490e-01  # ln 2 in two parts, the first with zeros at the end
LN2_LOW = 1.90821492927058770002e-10
INVERSE_LN2 = 1.4426950408889634
MAGIC = 6755399441055744.0  # 1.5 x 2^52: what is added to it ends as a whole number in its last bits
AHEAD = 12  # entries of a document between asking for a row and using it
SHIFT = np.int64(52)
ONE = np.int64(1023 << 52)


@njit(
    [(documents_type, labels_type, i64, f64, f64, int64, table, table, table, float64[::1])],
    cache=True,
    nogil=True,
    boundscheck=None,
)
def widrow_hoff(documents, truth, sequence, rates, settings, ahead, weights, pulls, shift, losses):
    """w <- w - 2 eta (w.x - y) x for each example of the sequence.                                        [001 eq. 3]

    rates: 2 eta of each document. settings: low target, high less low, weight of an absent term. weights: terms x labels.
    ahead: vectors that come after the first step, up to which the mean is taken. pulls: documents x labels, how much of each
    document is in the sum of those vectors; no rows if nobody asks. shift: what absent terms did to all weights alike, and
    the sum of the weights without it. losses: sum of (w.x - y)^2 before each step.
    """
    ends, terms, values = documents
    label_ends, labels = truth
    low, rise, absent = settings[0], settings[1], settings[2]
    n_labels = weights.shape[1]
    n_terms = float(weights.shape[0])
    averaging = pulls.shape[0] > 0
    row = 8 * n_labels
    residual = np.empty(n_labels)
    for t in range(len(sequence)):
        d = sequence[t]
        first, last = ends[d], ends[d + 1]
        if t + 1 < len(sequence):  # the next document lies anywhere
            coming = sequence[t + 1]
            for k in range(ends[coming], ends[coming + 1], 8):
                prefetch(values, 8 * k)
            for k in range(ends[coming], ends[coming + 1], 16):
                prefetch(terms, 4 * k)
        for c in range(n_labels):
            residual[c] = -low
        for k in range(first, last):
            if k + AHEAD < last:  # rows lie far apart: ask for one while others are worked on
                place = int64(terms[k + AHEAD]) * row
                for line in range(0, row, 64):
                    prefetch(weights, place + line)
            j, x = terms[k], values[k]
            for c in range(n_labels):
                residual[c] += weights[j, c] * x
        for k in range(label_ends[d], label_ends[d + 1]):
            residual[labels[k]] -= rise
        inside = 0.0
        if absent != 0.0:
            for k in range(first, last):
                inside += values[k]
            for c in range(n_labels):
                residual[c] += absent * (shift[1, c] + n_terms * shift[0, c]) + shift[0, c] * inside
        rate = rates[d]
        for c in range(n_labels):
            losses[c] += residual[c] * residual[c]
            residual[c] *= rate
        if rate == 0.0:
            continue
        for k in range(first, last):
            j, x = terms[k], values[k]
            for c in range(n_labels):
                weights[j, c] -= residual[c] * x
        if averaging:
            after = float(ahead - t)
            for c in range(n_labels):
                pulls[d, c] -= after * residual[c]
        if absent != 0.0:
            for c in range(n_labels):
                shift[0, c] -= residual[c] * absent
                shift[1, c] -= residual[c] * inside


@njit([(documents_type, table, table)], cache=True, nogil=True, boundscheck=None)
def add_documents(documents, coefficients, out):
    """out[v, c] += sum over documents of X[d, v] coefficients[d, c]: terms x labels."""
    ends, terms, values = documents
    row = 8 * out.shape[1]
    for d in range(len(ends) - 1):
        for k in range(ends[d], ends[d + 1]):
            if k + AHEAD < len(terms):
                place = int64(terms[k + AHEAD]) * row
                for line in range(0, row, 64):
                    prefetch(out, place + line)
            j, x = terms[k], values[k]
            for c in range(out.shape[1]):
                out[j, c] += x * coefficients[d, c]


@njit([(documents_type, float64[::1], boolean_array)], cache=True, nogil=True, boundscheck=None)
def looked_over(documents, norms, there):
    """The squared length of each document, and which terms occur."""
    ends, terms, values = documents
    for d in range(len(ends) - 1):
        total = 0.0
        for k in range(ends[d], ends[d + 1]):
            total += values[k] * values[k]
            there[terms[k]] = True
        norms[d] = total


@njit(
    [(documents_type, labels_type, i64, f64, f64, boolean, float64[:, :, ::1], table, table, float64[::1])],
    cache=True,
    nogil=True,
    boundscheck=None,
)
def exponentiated_gradient(documents, truth, sequence, rates, settings, sigmoid, tables, sums, clocks, losses):
    """w <- w exp(-2 eta (w.x - y) x) / Z for each example of the sequence.                             [001 sec. 3.3]

    rates: 2 eta of each document. settings: low target, high less low, weight of an absent term (a constant in all weights
    cancels in Z), bound of the normaliser, bound of the exponent. clocks: Z; T, the sum of 1/Z over the vectors since Z was
    last 1; what rounding took from that sum; how often the labels were brought up to date. tables, terms x 2 x labels, side
    by side for the sake of the cache: u, with w = u / Z; and the sum of (change of u) x T, so that u T less that is the sum
    of w over the vectors. sums: terms x labels, of the vectors before T began anew; no rows if nobody asks, and tables are
    terms x 1 x labels. losses: sum of (w.x - y)^2 before each step.
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
    for t in range(len(sequence)):
        d = sequence[t]
        first, last = ends[d], ends[d + 1]
        if t + 1 < len(sequence):  # the next document lies anywhere
            coming = sequence[t + 1]
            for k in range(ends[coming], ends[coming + 1], 8):
                prefetch(values, 8 * k)
            for k in range(ends[coming], ends[coming + 1], 16):
                prefetch(terms, 4 * k)
        for c in range(n_labels):
            residual[c] = 0.0
            change[c] = 0.0
        largest, alike = 0.0, True
        for k in range(first, last):
            if k + AHEAD < last:
                place = int64(terms[k + AHEAD]) * row
                for line in range(0, row, 64):
                    prefetch(tables, place + line)
            j, x = terms[k], values[k]
            largest = max(largest, abs(x))
            alike = alike and x == values[first]
            for c in range(n_labels):
                residual[c] += tables[j, 0, c] * x
        rate = rates[d]
        for c in range(n_labels):
            score = residual[c] / clocks[0, c] + absent
            if sigmoid:
                score = 1.0 / (1.0 + np.exp(-score))
            residual[c] = score - low
        for k in range(label_ends[d], label_ends[d + 1]):
            residual[labels[k]] -= rise
        steep = False
        for c in range(n_labels):
            losses[c] += residual[c] * residual[c]
            # the vector before this step counts in the mean; Neumaier's sum keeps the clock true
            tick = 1.0 / clocks[0, c]
            total = clocks[1, c] + tick
            if clocks[1, c] >= tick:
                clocks[2, c] += (clocks[1, c] - total) + tick
            else:
                clocks[2, c] += (tick - total) + clocks[1, c]
            clocks[1, c] = total
            now[c] = clocks[1, c] + clocks[2, c]
            residual[c] *= -rate
            if abs(residual[c]) * largest > steepest:
                steep = True
        if rate == 0.0:
            continue
        if steep:
            # an exponent that would leave the numbers: the whole label, with the largest exponent taken out
            for c in range(n_labels):
                top, bottom = -np.inf, 0.0
                k = first
                for j in range(n_terms):
                    exponent = 0.0
                    if k < last and terms[k] == j:
                        exponent = residual[c] * values[k]
                        k += 1
                    if tables[j, 0, c] > 0.0:
                        top = max(top, exponent)
                k = first
                for j in range(n_terms):
                    if averaging:
                        sums[j, c] += tables[j, 0, c] * now[c] - tables[j, 1, c]
                        tables[j, 1, c] = 0.0
                    exponent = -top
                    if k < last and terms[k] == j:
                        exponent = residual[c] * values[k] - top
                        k += 1
                    if tables[j, 0, c] > 0.0:
                        tables[j, 0, c] *= np.exp(exponent)
                    bottom += tables[j, 0, c]
                for j in range(n_terms):
                    tables[j, 0, c] /= bottom
                clocks[0, c] = 1.0
                clocks[1, c] = 0.0
                clocks[2, c] = 0.0
                clocks[3, c] += 1.0
            continue
        for k in range(first, last):
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
        drifted = False
        for c in range(n_labels):
            clocks[0, c] += change[c]
            if clocks[0, c] > drift or clocks[0, c] * drift < 1.0:
                drifted = True
        if drifted:
            # a Z has moved far from 1, and small ticks would drown in a large clock: all labels are brought up to date at
            # once, since they share the cache lines that must be read
            for c in range(n_labels):
                power[c] = 1.0 / clocks[0, c]
                change[c] = 0.0
            for j in range(n_terms):
                if averaging:
                    for c in range(n_labels):
                        sums[j, c] += tables[j, 0, c] * now[c] - tables[j, 1, c]
                        tables[j, 1, c] = 0.0
                for c in range(n_labels):
                    tables[j, 0, c] *= power[c]
                    change[c] += tables[j, 0, c]
            for c in range(n_labels):
                clocks[0, c] = change[c]
                clocks[1, c] = 0.0
                clocks[2, c] = 0.0
                clocks[3, c] += 1.0


@njit(
    [(float64[:, :, ::1], table, table, float64, float64[:, :], float64[:, :])],
    cache=True,
    nogil=True,
    boundscheck=None,
)
def means_of_gradient(tables, sums, clocks, vectors, last, mean):
    """The last weights of exponentiated gradient, and the mean of so many vectors; clocks[0] is the sum of the weights."""
    for j in range(tables.shape[0]):
        for c in range(tables.shape[2]):
            weight = tables[j, 0, c] / clocks[0, c]
            now = clocks[1, c] + clocks[2, c]
            last[j, c] = weight
            mean[j, c] = (sums[j, c] + (tables[j, 0, c] * now - tables[j, 1, c]) + weight) / vectors
