"""Loops of DCM maximum likelihood: Newton's method and the fixed point. Source: 003 eq. 8; the form of the Hessian, Minka 2000.

    above(v) = sum over d of Psi(tf_vd + alpha_v) - Psi(alpha_v)         below = sum over d of Psi(|d| + s) - Psi(s)

At the maximum above(v) = below for every term v. The fixed point goes there by

    alpha_v <- alpha_v above(v) / below                                                                     [003 eq. 8]

Newton's method solves log above(v) = log below in log alpha_v, so that alpha stays positive. With

    r(v)    = log(above(v) / below)
    bend(v) = - d log above(v) / d log alpha_v          bend = - d log below / d log s

its step needs no matrix, since terms meet in s only: the Hessian is a diagonal and a constant.

    d log alpha_v = (r(v) + bend d log s) / bend(v)
    d log s       = sum over v of alpha_v r(v) / bend(v)  /  (s - bend sum over v of alpha_v / bend(v))

The divisor is above 0 where the likelihood is concave. With levels(k) the documents in which v occurs k times or more,

    above(v) = sum over k from 0 on of levels(k + 1) / (alpha_v + k)

A histogram of v is these levels as far as they are listed, and triples (from, by, documents) for counts beyond and for weights
that are no whole numbers: documents x (Psi(alpha_v + from + by) - Psi(alpha_v + from)).

Arguments of the loops:
    histograms   ends (of levels), levels; ends (of triples), from, by, documents
    cells        whole, less, terms: so many terms have histogram `whole` less histogram `less` (-1 for none), and one alpha
    lengths      lengths, documents: how many documents have each length
    alpha        of each cell; in: the start, above 0; out: the end
"""

import numpy as np
from numba import boolean, float64, int64, types, uint64

from .compilation import f64, f64w, i32, i32w, i64, i64w, kernel, tuple_of
from .dirichlet import STEADY, rise

LONGEST = 3.0  # step of Newton's method in log alpha
FARTHEST = 1e8  # an s beyond it is on its way to infinity
FLAT = 1e-10  # less curvature than that is none: every s is as good (one term only, or one word a document)
U29, U32 = uint64(29), uint64(32)

HISTOGRAMS = tuple_of(i64, f64, i64, f64, f64, f64)
CELLS = tuple_of(i32, i32, f64)
LENGTHS = tuple_of(f64, f64)
RESULT = tuple_of(int64, boolean, float64)  # steps, whether they converged, s


@kernel(float64(float64, float64), error_model="numpy")
def fall(x, t):
    """Psi'(x) - Psi'(x + t) = sum over j < t of 1 / (x + j)^2 for whole t; for x > 0 and t > 0."""
    total = 0.0
    while x < STEADY:
        z = x * (x + t)
        total += t * (x + x + t) / (z * z)
        x += 1.0
    a, b = 1.0 / x, 1.0 / (x + t)
    p, q = a * a, b * b
    near = p * (0.5 + a * (1 / 6 - p * (1 / 30 - p * (1 / 42 - p * (1 / 30 - p * 5 / 66)))))
    far = q * (0.5 + b * (1 / 6 - q * (1 / 30 - q * (1 / 42 - q * (1 / 30 - q * 5 / 66)))))
    return total + t * a * b + (near - far)


@kernel(float64(float64), error_model="numpy")
def pade_log(ratio):
    """log(ratio) to the fourth power of ratio - 1, and never beyond 3: far from the maximum a step need not be exact."""
    square = ratio * ratio
    return 3.0 * (square - 1.0) / (square + 4.0 * ratio + 1.0)


@kernel(float64(float64), error_model="numpy")
def pade_exp(w):
    """exp(w) to the fourth power of w, positive for every w."""
    return (12.0 + 6.0 * w + w * w) / (12.0 - 6.0 * w + w * w)


@kernel(types.UniTuple(float64, 2)(LENGTHS, float64), error_model="numpy")
def below_and_slope(lengths, s):
    """below, and minus its derivative by s."""
    below, slope = 0.0, 0.0
    length, documents = lengths
    for i in range(len(length)):
        below += documents[i] * rise(s, length[i])
        slope += documents[i] * fall(s, length[i])
    return below, slope


@kernel((HISTOGRAMS, CELLS, f64, f64w, f64w), error_model="numpy")
def above_and_slopes(histograms, cells, alpha, above, slope):
    """above(v) of each cell, and minus its derivative by alpha."""
    ends, levels, far_ends, far_from, far_by, far_documents = histograms
    whole, less, _ = cells
    for i in range(len(alpha)):
        a, p, m, up, down, in_both = alpha[i], whole[i], less[i], 0.0, 0.0, 0
        start = ends[p]
        if m >= 0:
            minus = ends[m]
            in_both = ends[m + 1] - minus
            for k in range(in_both):
                q = 1.0 / (a + k)
                part = (levels[start + k] - levels[minus + k]) * q
                up += part
                down += part * q
            for j in range(far_ends[m], far_ends[m + 1]):
                up -= far_documents[j] * rise(a + far_from[j], far_by[j])
                down -= far_documents[j] * fall(a + far_from[j], far_by[j])
        for k in range(in_both, ends[p + 1] - start):
            q = 1.0 / (a + k)
            part = levels[start + k] * q
            up += part
            down += part * q
        for j in range(far_ends[p], far_ends[p + 1]):
            up += far_documents[j] * rise(a + far_from[j], far_by[j])
            down += far_documents[j] * fall(a + far_from[j], far_by[j])
        above[i], slope[i] = up, down


@kernel(float64(CELLS, f64), error_model="numpy")
def sum_of(cells, alpha):
    """s: the sum of alpha over all terms."""
    s, terms = 0.0, cells[2]
    for i in range(len(alpha)):
        s += terms[i] * alpha[i]
    return s


@kernel(float64(f64, float64, f64w), error_model="numpy")
def update(above, below, alpha):
    """One step of the fixed point; the largest share by which it changes an alpha.                             [003 eq. 8]"""
    largest = 0.0
    for i in range(len(alpha)):
        ratio = above[i] / below
        alpha[i] *= ratio
        largest = max(largest, abs(ratio - 1.0))
    return largest


@kernel(RESULT(HISTOGRAMS, CELLS, LENGTHS, int64, float64, f64w), error_model="numpy")
def fixed_point(histograms, cells, lengths, max_iter, tol, alpha):
    """Steps of the fixed point until none changes an alpha by more than its share tol, max_iter at most."""
    above, slope, s = np.empty(len(alpha)), np.empty(len(alpha)), sum_of(cells, alpha)
    if s == 0.0:
        return 0, True, s
    for n in range(max_iter):
        below, _ = below_and_slope(lengths, s)
        above_and_slopes(histograms, cells, alpha, above, slope)
        largest = update(above, below, alpha)
        s = sum_of(cells, alpha)
        if largest <= tol:
            return n + 1, True, s
    return max_iter, False, s


@kernel(RESULT(HISTOGRAMS, CELLS, LENGTHS, int64, float64, f64w), error_model="numpy")
def newton(histograms, cells, lengths, max_iter, tol, alpha):
    """Newton's steps until none changes a log alpha by more than tol, max_iter at most; where the likelihood is not concave, a
    step of the fixed point, which always rises. Gives up where s runs off to infinity."""
    above, slope, s = np.empty(len(alpha)), np.empty(len(alpha)), sum_of(cells, alpha)
    r, slack, terms = np.empty(len(alpha)), np.empty(len(alpha)), cells[2]
    if s == 0.0:
        return 0, True, s
    for n in range(max_iter):
        below, fall_of_s = below_and_slope(lengths, s)
        bend, scale = s * fall_of_s / below, 1.0 / below
        above_and_slopes(histograms, cells, alpha, above, slope)
        for i in range(len(alpha)):  # apart from the sums below, whose order is fixed: so this loop is vectorised
            slack[i] = above[i] / (alpha[i] * slope[i])  # 1 / bend(v)
            r[i] = pade_log(above[i] * scale)
        weighted_r, weighted = 0.0, 0.0
        for i in range(len(alpha)):
            weight = terms[i] * alpha[i] * slack[i]
            weighted_r += weight * r[i]
            weighted += weight
        divisor, largest = s - bend * weighted, 0.0
        concave = divisor > FLAT * s
        if concave:
            push = bend * weighted_r / divisor  # bend d log s
            for i in range(len(alpha)):
                r[i] = min(max((r[i] + push) * slack[i], -LONGEST), LONGEST)  # d log alpha_v
                alpha[i] *= pade_exp(r[i])
            for i in range(len(alpha)):
                largest = max(largest, abs(r[i]))
        else:
            update(above, below, alpha)
        s = sum_of(cells, alpha)
        if concave and largest <= tol:
            return n + 1, True, s
        if not s < FARTHEST:
            return n + 1, False, s
    return max_iter, False, s


@kernel(int64(i64, i64, i64, i64, i64w, i32w, i64w), error_model="numpy")
def distinct(groups, ends, left, right, slots, number, first):
    """Number the different rows of pairs (left, right) of each group, through all groups from 0 on, so that each is worked on
    once.

    groups   where the rows of each group end, a 0 in front;   ends   where the pairs of each row end, a 0 in front
    slots    zeros, a power of two of them, twice the rows of a group or more
    number   out: of each row, its number;   first   out: the first row that has a number

    Returns how many numbers there are.
    """
    n = 0
    mask = uint64(len(slots) - 1)
    for g in range(len(groups) - 1):
        before = n  # a slot with such a number, or a lower one, is of another group, and free
        for row in range(groups[g], groups[g + 1]):
            start, size = ends[row], ends[row + 1] - ends[row]
            h = uint64(size)
            for i in range(start, start + size):
                h = (h ^ uint64(left[i])) * uint64(0x9E3779B97F4A7C15)
                h = (h ^ (h >> U29) ^ uint64(right[i])) * uint64(0xD6E8FEB86659FD93)
                h ^= h >> U32
            slot, same = h & mask, False
            while slots[slot] > before and not same:
                other = ends[first[slots[slot] - 1]]
                same = ends[first[slots[slot] - 1] + 1] - other == size
                for i in range(size):
                    same = same and left[other + i] == left[start + i] and right[other + i] == right[start + i]
                if not same:
                    slot = (slot + uint64(1)) & mask
            if not same:
                first[n] = row
                n += 1
                slots[slot] = n
            number[row] = slots[slot] - 1
    return n
