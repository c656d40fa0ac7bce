"""Loops over sums of gamma and digamma functions, for models in which words come in bursts.

    rise(x, t)      Psi(x + t) - Psi(x)              = sum over j < t of 1 / (x + j)   for whole t
    log_rise(x, t)  log Gamma(x + t) - log Gamma(x)  = sum over j < t of log(x + j)    for whole t

Both are made from terms that do not cancel, so that they are as exact for x = 1e12 as for x = 1e-12, and t may be any
positive number. They take numbers, not arrays, and are compiled into the loops that call them.
"""

import math

from numba import float64, int64

from .compilation import f64, f64s, f64sw, f64w, i32, i64, kernel, tuple_of

DIRECT = 16.0  # up to so many factors a product is quicker than a series
STEADY = 10.0  # from here on the asymptotic series are exact to 1e-14
STORED = tuple_of(i64, i32, f64, f64)


@kernel(float64(float64, float64), error_model="numpy")
def rise(x, t):
    """Psi(x + t) - Psi(x), for x > 0 and t > -x."""
    if t == 0.0:
        return 0.0
    total = 0.0
    if 0.0 < t <= DIRECT and t == math.floor(t):
        for j in range(int64(t)):
            total += 1.0 / (x + j)
        return total
    while x < STEADY:
        total += t / (x * (x + t))
        x += 1.0
    z = x + t
    p, q = 1.0 / (x * x), 1.0 / (z * z)
    near = p * (1 / 12 - p * (1 / 120 - p * (1 / 252 - p * (1 / 240 - p / 132))))
    far = q * (1 / 12 - q * (1 / 120 - q * (1 / 252 - q * (1 / 240 - q / 132))))
    return total + math.log1p(t / x) + 0.5 * t / (x * z) + (near - far)


@kernel(float64(float64, float64), error_model="numpy")
def log_rise(x, t):
    """log Gamma(x + t) - log Gamma(x), for x > 0 and t >= 0; for x = 0 and t > 0 it is -inf."""
    if t == 0.0:
        return 0.0
    if t <= DIRECT and t == math.floor(t) and x < 1e15:
        product = x
        for j in range(1, int64(t)):
            product *= x + j
        return math.log(product)
    total = 0.0
    if x < STEADY:
        total = math.log(x) - math.log(x + t)
        x += 1.0
        ratio = 1.0
        while x < STEADY:
            ratio *= x / (x + t)
            x += 1.0
        total += math.log(ratio)
    z = x + t
    a, b = 1.0 / x, 1.0 / z
    p, q = a * a, b * b
    near = a * (1 / 12 - p * (1 / 360 - p * (1 / 1260 - p * (1 / 1680 - p / 1188))))
    far = b * (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q / 1188))))
    return total + (x - 0.5) * math.log1p(t / x) + t * (math.log(z) - 1.0) + (far - near)


@kernel((f64, f64, f64sw))
def log_rises(x, t, out):
    """out[i, c] = log_rise(x[c], t[i])."""
    for i in range(len(t)):
        for c in range(len(x)):
            out[i, c] = log_rise(x[c], t[i])


@kernel((tuple_of(i64, f64, f64), f64, f64, f64w), error_model="numpy")
def bursts(lengths, excess, room, s):
    """The s of each label for which  sum over documents of s rise(s, |d|) - 1  is `excess`, a number above 0 and below `room`.

    lengths   ends, lengths (none is 0), documents: the lengths of each label's documents
    room      where that sum goes as s grows: words less documents
    s         in: where to begin, above 0;   out: the result

    With x = log s, log(sum / (room - sum)) is nearly straight, and of slope 1 at both ends: the secant finds the root in a
    few steps. A bracket that halves guards it, for lengths below 1 can bend the curve.
    """
    ends, length, documents = lengths
    for c in range(len(s)):
        low, high, x = -80.0, 80.0, math.log(s[c])
        before_x, before_f = 0.0, 0.0
        known = False
        for _ in range(200):
            at = math.exp(x)
            total = 0.0
            for i in range(ends[c], ends[c + 1]):
                total += documents[i] * at * rise(at + 1.0, length[i] - 1.0)
            if total > excess[c]:
                high = x
            else:
                low = x
            to = 0.5 * (low + high)
            if 0.0 < total < room[c]:
                f = math.log(total / excess[c]) - math.log((room[c] - total) / (room[c] - excess[c]))
                straight = x - f
                if known and f != before_f:
                    straight = x - f * (x - before_x) / (f - before_f)
                before_x, before_f, known = x, f, True
                if low < straight < high:
                    to = straight
            near = abs(to - x) <= 1e-15 * max(1.0, abs(x))
            x = to
            if near:
                break
        s[c] = math.exp(x)


@kernel((i64, f64, f64s, float64, f64sw), error_model="numpy")
def add_rises(row, t, values, sign, out):
    """out[i, c] += sign log_rise(values[row[i], c], t[i])."""
    n_labels = values.shape[1]
    for i in range(len(t)):
        r, times = row[i], t[i]
        whole = times <= DIRECT and times == math.floor(times)
        for c in range(n_labels):
            x = values[r, c]
            if whole and x < 1e15:
                product = x
                for m in range(1, int64(times)):
                    product *= x + m
                out[i, c] += sign * math.log(product)
            else:
                out[i, c] += sign * log_rise(x, times)


@kernel((i64, f64, STORED, float64, i64, f64w), error_model="numpy")
def add_stored(terms, t, stored, sign, ends, out):
    """For each pair of term and times, out += sign (log_rise(value, t) - log_rise(instead, t)), a number for each label that
    has the term stored.

    stored   ends (by term), labels, value, instead: what the term would have if it were not stored
    ends     where the numbers of each pair end, a 0 in front
    """
    term_ends, _, values, instead = stored
    for i in range(len(terms)):
        k, times = ends[i], t[i]
        whole = times <= DIRECT and times == math.floor(times)
        for j in range(term_ends[terms[i]], term_ends[terms[i] + 1]):
            x, y = values[j], instead[j]
            if whole and x < 1e15 and 1e-60 < y < 1e15:
                above, under = x, y
                for m in range(1, int64(times)):
                    above *= x + m
                    under *= y + m
                out[k] += sign * math.log(above / under)
            else:
                out[k] += sign * (log_rise(x, times) - log_rise(y, times))
            k += 1
