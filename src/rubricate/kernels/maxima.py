"""Loops that climb to the maximum of Dirichlet compound multinomials: by Newton's method, and by the fixed point.

    above(v) = sum over d of Psi(tf_vd + alpha_v) - Psi(alpha_v),    below = sum over d of Psi(|d| + s) - Psi(s)

At the maximum above(v) = below for every term v. In u = log alpha and x = log s their logarithms are nearly straight lines
of slopes -bend(v) and -all_bend, all between 0 and 1, so that Newton's step needs no matrix and keeps alpha positive:

    du(v) = (r(v) + all_bend dx) / bend(v),   r(v) = log(above(v) / below)
    dx    = sum over v of alpha_v r(v) / bend(v)  /  (s - all_bend sum over v of alpha_v / bend(v))

Where the divisor of dx is not positive the likelihood is not concave, and the step is that of the fixed point, which makes
alpha_v above(v) / below of alpha_v. Histograms are those of `from_counts.histograms`; labels may as well be rests of labels.
"""
# mypy: ignore-errors
# (bodies are compiled by Numba, whose explicit signatures are their types)

from __future__ import annotations

from functools import partial

import numpy as np
from numba import float64, int64, njit, types

from .cache import CACHED
from .dirichlet import rise
from .signatures import f64, f64s, f64sw, f64w, i32, i64, i64w

kernel = partial(njit, cache=CACHED, nogil=True, boundscheck=None, error_model="numpy")
STEADY = 10.0  # from here on the series of `fall` is exact to 1e-13
LONGEST = 3.0  # step in log alpha
STAY, UPDATE, NEWTON = 0, 1, 2  # which step a label takes

PROFILES = types.Tuple((i64, f64, i64, f64, f64, f64))
CELLS = types.Tuple((i64, i32, i32, f64))
LENGTHS = types.Tuple((i64, f64, f64))


@kernel(float64(float64, float64))
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


@kernel(float64(float64))
def log_of(ratio):
    """log(ratio), exact to the fourth power of ratio - 1 and never beyond 3: far away a step need not be exact."""
    square = ratio * ratio
    return 3.0 * (square - 1.0) / (square + 4.0 * ratio + 1.0)


@kernel(float64(float64))
def exp_of(w):
    """exp(w), exact to the fourth power of w, for w within LONGEST."""
    return (12.0 + 6.0 * w + w * w) / (12.0 - 6.0 * w + w * w)


@kernel(float64(float64, float64, float64))
def step_of(ratio, push, slack):
    """Newton's step of a term in log alpha, within LONGEST."""
    return min(max((log_of(ratio) + push) * slack, -LONGEST), LONGEST)


@kernel([(LENGTHS, f64, i64, f64w, f64w)])
def below(lengths, s, way, total, bend):
    """Of each label that moves: `below` at s, and all_bend, the slope of its logarithm."""
    ends, length, documents = lengths
    for c in range(len(s)):
        if way[c] != STAY:
            down, curve = 0.0, 0.0
            for i in range(ends[c], ends[c + 1]):
                down += documents[i] * rise(s[c], length[i])
                curve += documents[i] * fall(s[c], length[i])
            total[c] = down
            bend[c] = s[c] * curve / down


@kernel([(PROFILES, CELLS, f64, f64, i64, int64, int64, f64w, f64w, f64sw)])
def own_slopes(profiles, cells, alpha, total, way, first, last, ratio, slack, sums):
    """For the cells of labels first..last-1: above / below, 1 / bend; and for these labels the two sums over terms.

    cells   ends (by label), profile, less, terms: so many terms of the label have the histogram `profile` without `less`;
            where alpha is 0 there is none left
    sums    out: alpha r / bend and alpha / bend
    """
    step_ends, steps, jump_ends, jump_from, jump_by, jump_documents = profiles
    ends, profile, less, terms = cells
    for c in range(first, last):
        gained, loose = 0.0, 0.0
        for i in range(ends[c], ends[c + 1] if way[c] != STAY else ends[c]):
            ratio[i], slack[i] = 1.0, 0.0
            a, p, m = alpha[i], profile[i], less[i]
            if a <= 0.0:
                continue
            up, curve, known, start = 0.0, 0.0, 0, step_ends[p]
            if m >= 0:
                own = step_ends[m]
                known = step_ends[m + 1] - own
                for j in range(known):
                    q = 1.0 / (a + j)
                    part = (steps[start + j] - steps[own + j]) * q
                    up += part
                    curve += part * q
                for k in range(jump_ends[m], jump_ends[m + 1]):
                    up -= jump_documents[k] * rise(a + jump_from[k], jump_by[k])
                    curve -= jump_documents[k] * fall(a + jump_from[k], jump_by[k])
            for j in range(known, step_ends[p + 1] - start):
                q = 1.0 / (a + j)
                part = steps[start + j] * q
                up += part
                curve += part * q
            for k in range(jump_ends[p], jump_ends[p + 1]):
                up += jump_documents[k] * rise(a + jump_from[k], jump_by[k])
                curve += jump_documents[k] * fall(a + jump_from[k], jump_by[k])
            ratio[i] = up / total[c]
            slack[i] = up / (a * curve)
            weight = terms[i] * a * slack[i]
            gained += weight * log_of(ratio[i])
            loose += weight
        sums[0, c], sums[1, c] = gained, loose


@kernel([(CELLS, f64, f64, f64, i64, int64, int64, f64w, f64w, f64w)])
def own_steps(cells, ratio, slack, push, way, first, last, alpha, s, longest):
    """One step for the cells of labels first..last-1, those that move.

    push   all_bend dx of each label
    s      out: the sum of alpha over these terms;   longest   out: the longest step, in log alpha
    """
    ends, _, _, terms = cells
    for c in range(first, last):
        size, most = 0.0, 0.0
        for i in range(ends[c], ends[c + 1] if way[c] != STAY else ends[c]):
            if way[c] == NEWTON:
                w = step_of(ratio[i], push[c], slack[i])
                alpha[i] *= exp_of(w)
                most = max(most, abs(w))
            else:
                alpha[i] *= ratio[i]
            size += terms[i] * alpha[i]
        s[c], longest[c] = size, most


@kernel([(PROFILES, f64s, f64s, f64, int64, int64, f64sw, f64sw, f64sw)])
def shared_slopes(profiles, terms, alpha, total, first, last, ratio, slack, sums):
    """`own_slopes` for histograms that all labels have: first..last-1, each for all labels at once.

    terms, alpha   histograms x labels
    """
    step_ends, steps, jump_ends, jump_from, jump_by, jump_documents = profiles
    n = alpha.shape[1]
    up, curve = np.empty(n), np.empty(n)
    sums[:] = 0.0
    for p in range(first, last):
        a = alpha[p]
        up[:] = 0.0
        curve[:] = 0.0
        start = step_ends[p]
        for k in range(start, step_ends[p + 1]):
            documents, j = steps[k], float64(k - start)
            for c in range(n):
                q = 1.0 / (a[c] + j)
                up[c] += documents * q
                curve[c] += documents * q * q
        for k in range(jump_ends[p], jump_ends[p + 1]):
            for c in range(n):
                up[c] += jump_documents[k] * rise(a[c] + jump_from[k], jump_by[k])
                curve[c] += jump_documents[k] * fall(a[c] + jump_from[k], jump_by[k])
        for c in range(n):
            share = up[c] / total[c]
            loose = up[c] / (a[c] * curve[c])
            ratio[p, c] = share
            slack[p, c] = loose
            weight = terms[p, c] * a[c] * loose
            sums[0, c] += weight * log_of(share)
            sums[1, c] += weight


@kernel([(f64s, f64s, f64s, f64, i64, int64, int64, f64sw, f64w, f64w)])
def shared_steps(terms, ratio, slack, push, way, first, last, alpha, s, longest):
    """`own_steps` for histograms that all labels have: first..last-1, each for all labels at once."""
    n = alpha.shape[1]
    s[:] = 0.0
    longest[:] = 0.0
    for p in range(first, last):
        for c in range(n):
            w = step_of(ratio[p, c], push[c], slack[p, c])
            factor = exp_of(w) if way[c] == NEWTON else ratio[p, c]
            alpha[p, c] *= 1.0 if way[c] == STAY else factor
            s[c] += terms[p, c] * alpha[p, c]
            longest[c] = max(longest[c], abs(w) if terms[p, c] > 0.0 else 0.0)


@kernel([(PROFILES, CELLS, LENGTHS, int64, int64, float64, f64w, i64w, f64w, f64w)])
def update(profiles, cells, lengths, c, max_iter, tol, alpha, iterations, change, s):
    """Updates of label c by the fixed point, until no alpha changes by more than its share tol, or max_iter.

    alpha   of each cell, in: the start, out: the end;   change   out: the last one, the largest share
    """
    step_ends, steps, jump_ends, jump_from, jump_by, jump_documents = profiles
    ends, profile, less, terms = cells
    length_ends, length, documents = lengths
    size, largest, n = 0.0, np.inf, 0
    for i in range(ends[c], ends[c + 1]):
        size += terms[i] * alpha[i]
    if size == 0.0:
        largest = 0.0
    while n < max_iter and largest > tol:
        total = 0.0
        for i in range(length_ends[c], length_ends[c + 1]):
            total += documents[i] * rise(size, length[i])
        size, largest = 0.0, 0.0
        for i in range(ends[c], ends[c + 1]):
            a, p, m = alpha[i], profile[i], less[i]
            if a <= 0.0:
                continue
            up, known, start = 0.0, 0, step_ends[p]
            if m >= 0:
                own = step_ends[m]
                known = step_ends[m + 1] - own
                for j in range(known):
                    up += (steps[start + j] - steps[own + j]) / (a + j)
                for k in range(jump_ends[m], jump_ends[m + 1]):
                    up -= jump_documents[k] * rise(a + jump_from[k], jump_by[k])
            for j in range(known, step_ends[p + 1] - start):
                up += steps[start + j] / (a + j)
            for k in range(jump_ends[p], jump_ends[p + 1]):
                up += jump_documents[k] * rise(a + jump_from[k], jump_by[k])
            factor = up / total
            alpha[i] = a * factor
            size += terms[i] * alpha[i]
            if terms[i] > 0.0:
                largest = max(largest, abs(factor - 1.0))
        n += 1
    iterations[c], change[c], s[c] = n, largest, size
