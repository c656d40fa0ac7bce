"""Curves from scores to probabilities, fitted: rising steps, logistic regressions, a temperature.

rising_steps           the nearest rising curve to the truth of documents in the order of their scores (pool adjacent violators)
logistic_regression    slopes and an offset, by Newton's method with halved steps
temperature_sums       slope and curvature of the loss of a temperature: what a Newton step asks for

A pass over the documents needs an exponential for each. They are made from additions and multiplications a block at a time, which
the compiler turns into vectors, where the library's would be called once a document. Sums are kept in several parts likewise.
"""

import numpy as np
from numba import boolean, float64, njit

from .compilation import f64, f64s, f64w, i64, kernel, tuple_of, u8

SAME_SCORE = 1e-15  # scores no further apart have one value
LANES, BLOCK = 16, 512
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
SHIFT = 6755399441055744.0  # 1.5 x 2^52: added to a number, it leaves its whole part in the lowest bits
LOWEST = -700.0  # exp of less is 0 for every purpose here
STEPS, HALVINGS = 100, 40
TOLERANCE = 1e-10  # of the mean gradient
NOISE = 1e-12  # of a loss: what rounding can add to it


# -- rising steps


@kernel(tuple_of(f64w, f64w)(f64, u8, i64, float64, float64), error_model="numpy")
def rising_steps(scores, positive, order, high, low):
    """Corners of the rising curve with the least squared distance: scores, values. order: documents by rising score; their target
    is high where they have the label, otherwise low.

    Equal scores have the mean of their targets, so that their order does not matter. Neighbouring blocks that do not rise are
    pooled, forwards as far as it goes, then backwards. Scores and values of a block's first and last document are the corners.
    """
    n = len(order)
    first, value, weight = np.empty(n), np.empty(n), np.empty(n)
    groups, i = -1, 0
    total, size = 0.0, 0.0
    while i < n:
        score = scores[order[i]]
        members, others = 0, 0
        while i < n and scores[order[i]] == score:
            members += positive[order[i]]
            others += 1 - positive[order[i]]
            i += 1
        if groups < 0 or score - first[groups] >= SAME_SCORE:
            if groups >= 0:
                value[groups], weight[groups] = total / size, size
            groups += 1
            first[groups] = score
            total, size = 0.0, 0.0
        for _ in range(others):
            total += low
        for _ in range(members):
            total += high
        size += others + members
    value[groups], weight[groups] = total / size, size
    groups += 1
    starts = np.empty(groups + 1, dtype=np.int64)
    starts[0], starts[1] = 0, 1
    block, i = 0, 1
    while i < groups:
        mean, mass = value[i], weight[i]
        if value[block] >= mean:
            total = weight[block] * value[block] + mass * mean
            mass += weight[block]
            mean = total / mass
            while i < groups - 1 and mean >= value[i + 1]:
                i += 1
                total += weight[i] * value[i]
                mass += weight[i]
                mean = total / mass
            while block > 0 and value[block - 1] >= mean:
                block -= 1
                total += weight[block] * value[block]
                mass += weight[block]
                mean = total / mass
        else:
            block += 1
        value[block], weight[block] = mean, mass
        i += 1
        starts[block + 1] = i
    at, values = np.empty(2 * block + 2), np.empty(2 * block + 2)
    corners = 0
    for b in range(block + 1):
        at[corners], values[corners] = first[starts[b]], value[b]
        corners += 1
        if starts[b + 1] - starts[b] > 1:
            at[corners], values[corners] = first[starts[b + 1] - 1], value[b]
            corners += 1
    return at[:corners].copy(), values[:corners].copy()


# -- exponentials and sums, a block of documents at a time


@njit(error_model="numpy")
def exponentials(x, out, bits):
    """out = exp(x) for x from LOWEST to 0, to the last bit or two; x is overwritten. bits: the memory of out as whole numbers.

    exp(x) = 2^k exp(r) with k whole and |r| <= ln 2 / 2; exp(r) is Taylor's polynomial, 2^k a number with that exponent.
    """
    for i in range(len(x)):
        out[i] = x[i] * LOG2_E + SHIFT
        k = out[i] - SHIFT
        r = (x[i] - k * LN2_HIGH) - k * LN2_LOW
        r2 = r * r
        r4 = r2 * r2
        low = (1.0 + r) + r2 * (0.5 + r * (1 / 6))
        middle = (1 / 24 + r * (1 / 120)) + r2 * (1 / 720 + r * (1 / 5040))
        high = (1 / 40320 + r * (1 / 362880)) + r2 * (1 / 3628800 + r * (1 / 39916800))
        x[i] = low + r4 * (middle + r4 * (high + r4 * (1 / 479001600 + r * (1 / 6227020800))))
    for i in range(len(x)):
        bits[i] = (bits[i] + 1023) << 52
    for i in range(len(x)):
        out[i] *= x[i]


@njit(error_model="numpy")
def dot(a, b, parts):
    """The sum of a b over a block."""
    for lane in range(LANES):
        parts[lane] = 0.0
    for i in range(0, BLOCK, LANES):
        for lane in range(LANES):
            parts[lane] += a[i + lane] * b[i + lane]
    total = 0.0
    for lane in range(LANES):
        total += parts[lane]
    return total


# -- logistic regression


@njit(error_model="numpy")
def newton_sums(z, targets, n, theta, gradient, hessian):
    """The loss at theta, sum over documents of log(1 + exp(eta)) - t eta; its gradient and hessian are written.

    z: features x documents, filled up with 0 to whole blocks; the offset is the last of theta. With e = exp(-|eta|) everything
    is a fraction: the probability 1 / (1 + e) or e / (1 + e), its variance e / (1 + e)^2. Of the logarithms of 1 + e one is
    taken for many documents, that of their product.
    """
    k = len(z)
    eta, e, d, w, x = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    bits, parts, ones = e.view(np.int64), np.empty(LANES), np.ones(BLOCK)
    for f in range(k + 1):
        gradient[f] = 0.0
        for g in range(k + 1):
            hessian[g, f] = 0.0
    loss = 0.0
    for start in range(0, z.shape[1], BLOCK):
        t = targets[start : start + BLOCK]
        for i in range(BLOCK):
            eta[i] = theta[k]
        for f in range(k):
            row, slope = z[f, start : start + BLOCK], theta[f]
            for i in range(BLOCK):
                eta[i] += slope * row[i]
        for i in range(BLOCK):
            x[i] = max(-abs(eta[i]), LOWEST)
        exponentials(x, e, bits)
        for i in range(BLOCK):
            q = 1.0 / (1.0 + e[i])
            above = eta[i] >= 0.0
            d[i] = (q if above else e[i] * q) - t[i]
            w[i] = e[i] * q * q
            x[i] = (eta[i] if above else 0.0) - t[i] * eta[i]
        for i in range(n - start, BLOCK):  # what fills the last block up
            e[i], d[i], w[i], x[i] = 0.0, 0.0, 0.0, 0.0
        for lane in range(LANES):
            parts[lane] = 1.0
        for i in range(0, BLOCK, LANES):
            for lane in range(LANES):
                parts[lane] *= 1.0 + e[i + lane]
        for lane in range(LANES):
            loss += np.log(parts[lane])
        loss += dot(x, ones, parts)
        gradient[k] += dot(d, ones, parts)
        hessian[k, k] += dot(w, ones, parts)
        for f in range(k):
            row = z[f, start : start + BLOCK]
            gradient[f] += dot(d, row, parts)
            for i in range(BLOCK):
                x[i] = w[i] * row[i]
            hessian[f, k] += dot(x, ones, parts)
            for g in range(f + 1):
                hessian[g, f] += dot(x, z[g, start : start + BLOCK], parts)
    return loss


@njit(error_model="numpy")
def newton_step(gradient, hessian, step):
    """The solution of (hessian + ridge) step = gradient, by elimination; the hessian, of which the upper half counts, is lost."""
    n = len(gradient)
    ridge = 1.0
    for i in range(n):
        ridge += hessian[i, i]
        step[i] = gradient[i]
    for i in range(n):
        hessian[i, i] += 1e-12 * ridge
    for i in range(n):
        for j in range(i + 1, n):
            factor = hessian[i, j] / hessian[i, i]
            for m in range(j, n):
                hessian[j, m] -= factor * hessian[i, m]
            step[j] -= factor * step[i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            step[i] -= hessian[i, j] * step[j]
        step[i] /= hessian[i, i]


@kernel(tuple_of(f64w, float64)(f64s, u8, float64, float64), error_model="numpy")
def logistic_regression(features, positive, high, low):
    """Slopes and, last, the offset; and the loss with them. features: features x documents; targets are high and low.

    A feature that does not vary has the slope 0. Newton's steps are taken on features with mean 0 and variance 1, and halved
    until the loss falls.
    """
    k, n = features.shape
    size = -(-n // BLOCK) * BLOCK
    z, targets, middle, width = np.zeros((k, size)), np.zeros(size), np.empty(k), np.empty(k)
    share = 0.0
    for i in range(n):
        targets[i] = high if positive[i] else low
        share += targets[i]
    share /= n
    for f in range(k):
        total = 0.0
        for i in range(n):
            total += features[f, i]
        middle[f] = total / n
        total = 0.0
        for i in range(n):
            total += (features[f, i] - middle[f]) * (features[f, i] - middle[f])
        width[f] = np.sqrt(total / n)
        if width[f] > 1e-12 * max(1.0, abs(middle[f])):
            for i in range(n):
                z[f, i] = (features[f, i] - middle[f]) / width[f]
        else:
            width[f] = 1.0
    theta, trial, step = np.zeros(k + 1), np.zeros(k + 1), np.zeros(k + 1)
    theta[k] = np.log(share) - np.log1p(-share)
    gradient, hessian = np.zeros(k + 1), np.zeros((k + 1, k + 1))
    loss, scale, steps, halvings = np.inf, 1.0, 0, 0
    while steps <= STEPS and halvings < HALVINGS:
        for f in range(k + 1):
            trial[f] = theta[f] - scale * step[f]
        new_loss = newton_sums(z, targets, n, trial, gradient, hessian)
        if not new_loss <= loss + NOISE * abs(loss):
            scale /= 2
            halvings += 1
            continue
        theta, trial, loss = trial, theta, new_loss
        steepest = 0.0
        for f in range(k + 1):
            steepest = max(steepest, abs(gradient[f]))
        if steepest <= TOLERANCE * n:
            break
        newton_step(gradient, hessian, step)
        scale, halvings = 1.0, 0
        steps += 1
    for f in range(k):
        theta[f] /= width[f]
        theta[k] -= theta[f] * middle[f]
    return theta, loss


# -- temperature


@kernel(tuple_of(float64, float64)(f64s, float64, boolean), error_model="numpy")
def temperature_sums(scores, factor, exclusive):
    """Sums of the mean score and of its variance under the probabilities that these scores have times a factor: over documents,
    P = softmax(factor s), or where labels do not exclude each other over cells, P = 1 / (1 + exp(-factor s)) of s against 0."""
    n, n_labels = scores.shape
    rows = max(1, BLOCK // n_labels) if exclusive else 1  # documents at a time
    size = rows * n_labels if exclusive else BLOCK
    x, e, s, parts = np.zeros(size), np.empty(size), np.empty(size), np.empty(LANES)
    bits, flat = e.view(np.int64), scores.reshape(-1)
    means, variances = 0.0, 0.0
    if exclusive:
        for start in range(0, n, rows):
            some = scores[start : start + rows]
            for d in range(len(some)):
                highest = some[d, 0]
                for c in range(1, n_labels):
                    highest = max(highest, some[d, c])
                for c in range(n_labels):
                    x[d * n_labels + c] = max(factor * (some[d, c] - highest), LOWEST)
            exponentials(x, e, bits)
            for d in range(len(some)):
                total, first, second = 0.0, 0.0, 0.0
                for c in range(n_labels):
                    part = e[d * n_labels + c]
                    total += part
                    first += part * some[d, c]
                    second += part * some[d, c] * some[d, c]
                mean = first / total
                means += mean
                variances += second / total - mean * mean
        return means, variances
    for start in range(0, len(flat), BLOCK):
        for i in range(BLOCK):
            s[i] = flat[start + i] if start + i < len(flat) else 0.0
            x[i] = max(-abs(factor * s[i]), LOWEST)
        exponentials(x, e, bits)
        for i in range(BLOCK):
            q = 1.0 / (1.0 + e[i])
            x[i] = q if s[i] >= 0.0 else e[i] * q
            e[i] = e[i] * q * q * s[i]
        means += dot(x, s, parts)
        variances += dot(e, s, parts)
    return means, variances
