"""Widrow-Hoff and exponentiated gradient, one document after the other, all labels of a block at once. Source: 001 sec. 3.2-3.3.

A table has a row for each term that has occurred: the weights of all labels of the block, then as many sums, from which the mean
of all vectors (001 eq. 4) is found when somebody asks. A document touches the rows of its terms, so a step costs (terms of the
document) x (labels), whatever the vocabulary. Inner loops go over the labels of a whole row: Numba vectorises them, and rows of
some thirty labels hide what entering a loop costs. No operation joins two labels, and none is reassociated or fused: the numbers
of a label are the same bits whatever labels lie beside it.

Widrow-Hoff. Let w be the last of n vectors. Each step moves w, and what it moved is missing in the vectors before it:
    n w - (sum of the n vectors) = sum over the steps of (vectors before the step) x (step) = sums
    mean = w - sums / n

Exponentiated gradient. Weights are w = u / Z, where Z is the sum of u over all terms. A step multiplies the u of the document's
terms, and Z grows by as much as they did. T is the sum of 1/Z over the vectors before the last one. While the u of a term stands
still, its weights sum to u times what T grew by, so with sums = sum over the steps of (change of u) x T:
    sum of w over the vectors before the last one = u T - sums
This difference loses digits as Z T grows (a rounding of the sums is 2^-53 Z T of the mean of a term that comes late), and Z, a
running sum, loses digits as it shrinks. Then the label is renewed: its u are divided by their sum, Z = 1, T = 0.
Row 0 stands for each term that has no row of its own: they have been in no document, so their weights are the same.
"""

import math

import numpy as np
from numba import boolean, float64, int64

from .compilation import csr, csr_ones, f64, f64sw, f64w, i64, kernel

# Largest Z (1 + T), by the vectors so far: 2^10 a vector, 2^20 at most. A rounding then is 2^-43 of the mean of a weight that has
# been as large all the time, and 2^-33 = 1.2e-10 of the mean of one that comes last. 1 + T, since T is 0 after a renewal.
A_VECTOR, VECTORS = 2.0**10, 2.0**10
SHRUNK = 2.0**-8  # of Z by the largest it has been: Z has lost eight bits by then
STEEP = 2.7  # largest exponent of the series below: it takes an eighth, 0.34, of which the first term left out is 1e-16
BEYOND = 1e300  # exponents are held within this, so that differences of them are numbers


@kernel((csr, f64, csr_ones, i64, f64, f64, int64, f64sw, f64w))
def widrow_hoff(documents, moves, truth, sequence, rates, targets, vectors, table, losses):
    """w <- w - 2 eta (w.x - y) x for each document of the sequence.                                       [001 eq. 3]

    documents: ends, rows of their terms, values. moves: what the rows of a document move by, in place of the values that it is
    scored with. rates: eta of each document. targets: y of a label's documents and of the others. vectors: how many there have
    been. losses: grow by (w.x - y)^2.
    """
    ends, rows, values = documents
    label_ends, labels = truth
    high, low = targets[0], targets[1]
    n_labels = len(losses)
    residual, step = np.empty(n_labels), np.empty(2 * n_labels)
    for t in range(len(sequence)):
        document = sequence[t]
        first, last = ends[document], ends[document + 1]
        for c in range(n_labels):
            residual[c] = -low
        for k in range(label_ends[document], label_ends[document + 1]):
            residual[labels[k]] = -high
        for k in range(first, last):
            row, x = rows[k], values[k]
            for c in range(n_labels):
                residual[c] += x * table[row, c]
        for c in range(n_labels):
            losses[c] += residual[c] * residual[c]
            step[c] = -2.0 * rates[document] * residual[c]
            step[n_labels + c] = (vectors + t) * step[c]
        for k in range(first, last):
            row, x = rows[k], moves[k]
            for c in range(2 * n_labels):
                table[row, c] += x * step[c]


@kernel((f64sw, int64, int64, float64, csr, int64, int64, float64))
def renew(table, label, n_unmet, T, documents, first, last, exponent):
    """A label's u <- u exp(exponent x) / (their sum), its sums <- sums - u T, so that Z = 1 and T = 0 from here on.

    The terms of the document are entries `first` to `last`; there may be none. The largest exponent of a term that has weight
    is taken out first, so that no step is too steep: one of the new u is near 1.
    """
    _, rows, values = documents
    sums = table.shape[1] // 2 + label
    before, power = np.empty(last - first), np.empty(last - first)
    top = -np.inf
    for k in range(first, last):
        row, n = rows[k], k - first
        before[n] = table[row, label]
        power[n] = min(max(exponent * values[k], -BEYOND), BEYOND)
        table[row, sums] -= before[n] * T
        table[row, label] = 0.0
        if before[n] > 0.0:
            top = max(top, power[n])
    others = table[0, label] * n_unmet
    for row in range(1, len(table)):
        others += table[row, label]
    shrink = 0.0
    if others > 0.0:
        top = max(top, 0.0)
        shrink = math.exp(-top)
    total = others * shrink
    for n in range(last - first):
        before[n] *= math.exp(power[n] - top) if before[n] > 0.0 else 0.0
        total += before[n]
    for row in range(len(table)):
        table[row, sums] -= table[row, label] * T
        table[row, label] = table[row, label] * shrink / total
    for k in range(first, last):
        table[rows[k], label] = before[k - first] / total


@kernel((csr, csr_ones, i64, f64, f64, float64, boolean, int64, int64, f64sw, f64sw, f64w))
def exponentiated_gradient(
    documents, truth, sequence, steps, targets, absent, sigmoid, vectors, n_unmet, table, clocks, losses
):
    """w <- w exp(-step (w.x - y) x) / Z for each document of the sequence.                              [001 sec. 3.3]

    documents, targets, vectors, losses: as for Widrow-Hoff. steps: 2 eta of each document. absent: what terms that are not there
    add to all scores. sigmoid: 1/(1 + e^-w.x) in place of w.x. n_unmet: terms that row 0 stands for. clocks: Z, T, and the
    largest Z since the label was renewed.

    e^y - 1 is a series of y/8 to the twelfth power, then three times e <- e (2 + e), which squares 1 + e. It is made anew where
    the value changes from one term to the next, so binary documents need it once. Labels whose step is too steep for it are
    renewed with this step.
    """
    ends, rows, values = documents
    label_ends, labels = truth
    high, low = targets[0], targets[1]
    Z, T, peak = clocks[0], clocks[1], clocks[2]
    n_labels = len(losses)
    residual, exponent, grown_by = np.empty(n_labels), np.empty(n_labels), np.empty(n_labels)
    change, steep = np.empty(n_labels), np.zeros(n_labels, dtype=np.bool_)
    for t in range(len(sequence)):
        document = sequence[t]
        first, last = ends[document], ends[document + 1]
        for c in range(n_labels):
            residual[c] = 0.0
            change[c] = 0.0
        for k in range(first, last):
            row, x = rows[k], values[k]
            for c in range(n_labels):
                residual[c] += x * table[row, c]
        for c in range(n_labels):
            residual[c] = residual[c] / Z[c] + absent
        if sigmoid:
            for c in range(n_labels):
                residual[c] = 1.0 / (1.0 + math.exp(-residual[c]))
        for c in range(n_labels):
            residual[c] -= low
        for k in range(label_ends[document], label_ends[document + 1]):
            residual[labels[k]] -= high - low
        largest, any_steep = 0.0, False
        for k in range(first, last):
            largest = max(largest, abs(values[k]))
        for c in range(n_labels):
            losses[c] += residual[c] * residual[c]
            T[c] += 1.0 / Z[c]
            exponent[c] = -0.125 * steps[document] * residual[c]
            steep[c] = not abs(exponent[c]) * largest * 8.0 <= STEEP
            any_steep |= steep[c]
        if any_steep:
            for c in range(n_labels):
                if steep[c]:
                    renew(table, c, n_unmet, T[c], documents, first, last, 8.0 * exponent[c])
                    Z[c], T[c], peak[c], exponent[c] = 1.0, 0.0, 1.0, 0.0
        before = np.nan
        for k in range(first, last):
            row, x = rows[k], values[k]
            if x != before:
                before = x
                for c in range(n_labels):
                    y = exponent[c] * x
                    e = 1.0 + y * (1 / 11) * (1.0 + y * (1 / 12))
                    e = 1.0 + y * (1 / 8) * (1.0 + y * (1 / 9) * (1.0 + y * (1 / 10) * e))
                    e = 1.0 + y * (1 / 5) * (1.0 + y * (1 / 6) * (1.0 + y * (1 / 7) * e))
                    e = y * (1.0 + y * (1 / 2) * (1.0 + y * (1 / 3) * (1.0 + y * (1 / 4) * e)))
                    e = e * (2.0 + e)
                    e = e * (2.0 + e)
                    grown_by[c] = e * (2.0 + e)
            for c in range(n_labels):
                grown = table[row, c] * grown_by[c]
                table[row, c] += grown
                table[row, n_labels + c] += grown * T[c]
                change[c] += grown
        limit = A_VECTOR * min(float(vectors + t), VECTORS)
        for c in range(n_labels):
            Z[c] += change[c]
            peak[c] = max(peak[c], Z[c])
            if Z[c] * (1.0 + T[c]) > limit or Z[c] < SHRUNK * peak[c]:
                renew(table, c, n_unmet, T[c], documents, first, first, 0.0)
                Z[c], T[c], peak[c] = 1.0, 0.0, 1.0
