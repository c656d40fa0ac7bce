"""Linear models by dual coordinate descent: hinge, squared hinge, logistic and squared loss. Sources: Hsieh et al. 2008 (hinges),
Yu, Huang & Lin 2011 (logistic).

Least 1/2 |w|^2 + sum over documents of cost x loss, with score = w.x + offset + scale v, where v, the weight of a constant
feature, is penalised like the others. A document has one dual variable; it says how much of the document is in w:

    hinge            cost max(0, 1 - m),      a from 0 to cost                                   w = sum of y a x
    squared hinge    cost max(0, 1 - m)^2,    a from 0, r = 1 / 2 cost                           w = sum of y a x
    logistic         cost ln(1 + e^-m),       a = cost sigmoid(z), z is kept                     w = sum of y a x
    squares          cost (t - score)^2,      a any number, r = 1 / 2 cost                       w = sum of a x
    with y = 1 in the label and -1 outside, m = y score, t = 1 in the label and 0 outside

Documents come by in random order, and each sets its variable to where the dual is best, the others held fixed. What a document
has in the primal is at least what it has in the dual (Fenchel and Young); by how much is its gap. The sum of gaps is primal -
dual, so that primal is at most this sum above the least. Gaps say when to stop, and which documents matter:

    hinge            cost h - a (1 - m),                 h = max(0, 1 - m)
    squared hinge    cost h^2 - a (1 - m) + a^2 / 4 cost
    logistic         cost (p (z + m) + ln(1 + e^-m) - ln(1 + e^z)),  p = sigmoid(z)
    squares          cost (t - score - a / 2 cost)^2

Where the loss has a corner most documents stand still, so each label goes through the few that move (`descend_label`), over a
vector of its own. Where it has none, all documents move all the time, and all labels of a block go side by side over rows of a
table, terms x labels (`sweep_block`), as they do when all documents are looked at (`gaps_of_block`): a row is read once for all.
No operation joins two labels and sums are always made in the same order: a label's numbers are the same bits in any block.
"""

import math

import numpy as np
from numba import boolean, float64, int64, uint8, uint32, uint64

from .compilation import f64, f64s, f64sw, f64w, i64, kernel, readable, tuple_of, u8, u32

HINGE, SQUARED_HINGE, LOGISTIC, SQUARES = range(4)
FAR = 36.0  # log-odds beyond which a sigmoid is 0 or 1 to the last bit
STEEP = 4.0  # largest slope of the logistic dual that counts as a gain: steeper ones last for a moment

documents_type = tuple_of(i64, u32, f64)  # ends of documents with a 0 in front, rows of their terms, values
u8s, bools = readable(uint8, 2), readable(boolean)


@kernel(tuple_of(float64, float64)(int64, float64, float64, float64, uint8))
def loss_and_gap(loss, cost, score, variable, inside):
    """Of one document: its loss times cost, and its share of primal - dual."""
    if loss == SQUARES:
        rest = inside - score
        return cost * rest * rest, cost * (rest - 0.5 * variable / cost) ** 2
    margin = score if inside else -score
    if loss == LOGISTIC:
        value = max(-margin, 0.0) + math.log1p(math.exp(-abs(margin)))
        size = math.exp(-abs(variable))
        p = 1.0 / (1.0 + size) if variable > 0.0 else size / (1.0 + size)
        return cost * value, cost * (p * (variable + margin) + value - max(variable, 0.0) - math.log1p(size))
    rest = max(0.0, 1.0 - margin)
    if loss == HINGE:
        return cost * rest, cost * rest - variable * (1.0 - margin)
    value = cost * rest * rest
    return value, value - variable * (1.0 - margin) + 0.25 * variable * variable / cost


@kernel(tuple_of(float64, float64, float64)(int64, float64, float64, float64, float64, uint8, int64))
def best_step(loss, cost, square, score, before, inside, newton):
    """Of one document: the variable at which the dual is best, the change of what w has of x, and what the dual gains.

    square: x.x with the constant feature. newton: steps towards the best log-odds, from where they are; what is gained is then
    a guess, as if the slope fell evenly to 0.
    """
    y = 1.0 if inside else -1.0
    if loss == LOGISTIC:
        p = 1.0 / (1.0 + math.exp(-before))
        z, q, margin, pull = before, p, y * score, cost * square
        for _ in range(newton):  # z + m + pull (sigmoid(z) - p) = 0
            new = z - (z + margin + pull * (q - p)) / (1.0 + pull * q * (1.0 - q))
            z = 0.0 if new * z < 0.0 else min(max(new, -FAR), FAR)  # at 0 the sigmoid turns its bend
            q = 1.0 / (1.0 + math.exp(-z))
        change = cost * (q - p)
        return z, y * change, -0.5 * change * min(max(before + margin, -STEEP), STEEP)
    if loss == SQUARES:
        y = 1.0
        slope, ridge, low, high = score - inside + 0.5 / cost * before, 0.5 / cost, -np.inf, np.inf
    elif loss == SQUARED_HINGE:
        slope, ridge, low, high = y * score - 1.0 + 0.5 / cost * before, 0.5 / cost, 0.0, np.inf
    else:
        slope, ridge, low, high = y * score - 1.0, 0.0, 0.0, cost
    bend = square + ridge
    new = min(max(before - slope / bend, low), high)
    change = new - before
    return new, y * change, -change * (slope + 0.5 * change * bend)


@kernel((int64, documents_type, f64, u8s, f64s, f64, f64, float64, f64s, f64s, f64w, f64w, f64sw))
def gaps_of_block(loss, documents, weights, inside, costs, bias, offset, scale, table, variables, primal, gap, gaps):
    """Half of |w|^2 and v^2 and all losses (primal), the gap of each document (gaps) and their sum (gap).

    documents x labels: inside 0/1, variables, gaps. weights: of documents; of weight 0 are none. costs: outside and inside a
    label. table: terms x labels.
    """
    ends, rows, values = documents
    width = table.shape[1]
    score = np.zeros(width)
    for c in range(width):
        primal[c] = bias[c] * bias[c]
        gap[c] = 0.0
    for r in range(len(table)):
        for c in range(width):
            primal[c] += table[r, c] * table[r, c]
    for c in range(width):
        primal[c] *= 0.5
    for d in range(len(weights)):
        if weights[d] == 0.0:
            continue
        for c in range(width):
            score[c] = offset[c] + scale * bias[c]
        k, last = ends[d], ends[d + 1]
        while k + 3 < last:  # four rows at a time: scores are read and written a quarter as often
            r0, r1, r2, r3 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
            x0, x1, x2, x3 = values[k], values[k + 1], values[k + 2], values[k + 3]
            for c in range(width):
                two = (score[c] + x0 * table[r0, c]) + x1 * table[r1, c]
                score[c] = (two + x2 * table[r2, c]) + x3 * table[r3, c]
            k += 4
        for rest in range(k, last):
            r, x = rows[rest], values[rest]
            for c in range(width):
                score[c] += x * table[r, c]
        for c in range(width):
            value, part = loss_and_gap(
                loss, weights[d] * costs[inside[d, c], c], score[c], variables[d, c], inside[d, c]
            )
            primal[c] += value
            gap[c] += part
            gaps[d, c] = part


@kernel(
    tuple_of(float64, int64)(
        int64,
        documents_type,
        f64,
        f64,
        u8,
        f64,
        float64,
        float64,
        float64,
        int64,
        uint64,
        uint32[::1],
        f64w,
        f64w,
        f64w,
        float64,
    )
)
def descend_label(
    loss, documents, lengths, weights, inside, costs, scale, goal, least, most, seed, moving, w, bias, variables, dual
):
    """Sweeps over the moving documents of one label, until the gaps met in a sweep sum to at most goal x dual, or `most` sweeps.

    A document whose gap is at most least x dual leaves for the rest. lengths: x.x of documents. moving: their numbers, which are
    shuffled: in one order again and again it would take many times the sweeps. bias: v, one number. dual: what it is so far;
    returned with what has been gained, and the sweeps made.
    """
    ends, rows, values = documents
    n, v, sweep = len(moving), bias[0], 0
    state = uint64(seed) * uint64(0x9E3779B97F4A7C15) + uint64(1)
    while sweep < most:
        for i in range(n - 1, 0, -1):
            state = state * uint64(6364136223846793005) + uint64(1442695040888963407)
            j = ((state >> uint64(32)) * uint64(i + 1)) >> uint64(32)
            moving[i], moving[j] = moving[j], moving[i]
        seen, small, stay = 0.0, least * dual, 0
        for i in range(n):
            d = moving[i]
            score = scale * v
            for k in range(ends[d], ends[d + 1]):
                score += values[k] * w[rows[k]]
            cost, before = weights[d] * costs[inside[d]], variables[d]
            _, gap = loss_and_gap(loss, cost, score, before, inside[d])
            seen += gap
            if gap > small:
                moving[stay] = d
                stay += 1
                square = lengths[d] + scale * scale
                variables[d], step, gain = best_step(loss, cost, square, score, before, inside[d], 0)
                dual += gain
                v += scale * step
                for k in range(ends[d], ends[d + 1]):
                    w[rows[k]] += values[k] * step
        n = stay
        sweep += 1
        if seen <= goal * dual:
            break
    bias[0] = v
    return dual, sweep


@kernel(
    (
        int64,
        documents_type,
        f64,
        f64,
        u8s,
        f64s,
        f64,
        float64,
        float64,
        int64,
        i64,
        bools,
        f64sw,
        f64w,
        f64sw,
        f64w,
        f64w,
    )
)
def sweep_block(
    loss,
    documents,
    lengths,
    weights,
    inside,
    costs,
    offset,
    scale,
    least,
    newton,
    order,
    running,
    table,
    bias,
    variables,
    dual,
    seen,
):
    """One sweep over the documents in this order, all labels of a block at once.

    Labels that are not running stand still. A document whose gap is at most least x dual stands still. newton: steps towards the
    best log-odds. dual: grows by what is gained. seen: what the steps gain together.
    """
    ends, rows, values = documents
    width = table.shape[1]
    score, step, moving = np.zeros(width), np.zeros(width), np.zeros(width, dtype=np.int64)
    for c in range(width):
        seen[c] = 0.0
    for t in range(len(order)):
        d = order[t]
        if weights[d] == 0.0:
            continue
        for c in range(width):
            score[c] = offset[c] + scale * bias[c]
        k, last = ends[d], ends[d + 1]
        while k + 3 < last:
            r0, r1, r2, r3 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
            x0, x1, x2, x3 = values[k], values[k + 1], values[k + 2], values[k + 3]
            for c in range(width):
                two = (score[c] + x0 * table[r0, c]) + x1 * table[r1, c]
                score[c] = (two + x2 * table[r2, c]) + x3 * table[r3, c]
            k += 4
        for rest in range(k, last):
            r, x = rows[rest], values[rest]
            for c in range(width):
                score[c] += x * table[r, c]
        square, many = lengths[d] + scale * scale, 0
        for c in range(width):
            cost, before = weights[d] * costs[inside[d, c], c], variables[d, c]
            new, change, gain = best_step(loss, cost, square, score[c], before, inside[d, c], newton)
            step[c] = 0.0
            if running[c] and gain * (1.0 + 2.0 * cost * square) > least * dual[c]:  # its gap is no more than that
                variables[d, c], step[c] = new, change
                dual[c] += gain
                seen[c] += gain
                bias[c] += scale * change
                moving[many] = c
                many += 1
        if 4 * many > width:
            for k in range(ends[d], ends[d + 1]):
                r, x = rows[k], values[k]
                for c in range(width):
                    table[r, c] += x * step[c]
        else:
            for i in range(many):
                c = moving[i]
                for k in range(ends[d], ends[d + 1]):
                    table[rows[k], c] += values[k] * step[c]
