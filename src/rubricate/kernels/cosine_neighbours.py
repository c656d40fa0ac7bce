"""The k documents nearest by cosine: postings of rare terms are added up, a bound says who needs the common ones.

A part of the training documents lies here by term (which documents have it, with what weight) and, for the few terms that
very many documents have, by document too. Most additions are those of common terms, which hardly matter. So, for a query q:

1.  s(d), the share of the rare terms in the similarity, is added up for all documents d.
2.  The common terms add at most |q'| |d'|, the lengths of both vectors in those terms (Cauchy and Schwarz). k documents with
    a high s(d) are computed to the end; the lowest of their similarities is a floor.
3.  Documents with s(d) + |q'| |d'| below the floor cannot be among the k nearest. The others are computed to the end.

Where step 3 would leave too many, or common terms cost little, all postings are added up instead. The answer is always that
of computing and sorting all similarities. Similarities equal to 12 decimals are equal, then the lower document comes first.
"""

import math

import numpy as np
from numba import float64, int64, uint64

from .compilation import csr, f64, f64sw, f64w, i32, i64, i64sw, kernel, tuple_of, u16, u32
from .heap import push, sink

DECIMALS = 1e12
EQUAL = 1e-12
EPSILON = 2.0**-52
NARROW, WIDE = 8, 64  # documents of a block whose best stands for it: of the smallest and of the largest
LOOK_UP = 10.0  # going to a document costs as much as so many additions


@kernel(float64(f64w, int64))
def kth_highest(values, k):
    """The k-th highest value (Hoare's quickselect); the values are left in another order."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break
    return values[k - 1]


@kernel((csr, tuple_of(i64, u16, f64), tuple_of(i64, u32, f64), i32, f64, i64, int64, int64, int64, f64sw, i64sw))
def nearest(queries, postings, commons, slots, lengths, left_out, offset, first, last, values, places):
    """The k nearest of queries first..last-1 among the documents of a part and those found before, in order.

    queries      documents as CSR: ends, terms, weights
    postings     by term: ends, documents of the part, weights
    commons      by document of the part: ends, slots, weights of the common terms
    slots        of each term, -1 where it is rare
    lengths      |d'| of each document of the part, then 0 up to a multiple of WIDE
    left_out     for each query a document that is passed over, or -1
    offset       the number of the part's first document
    values       k similarities a query, to 12 decimals
    places       their documents; -1 where earlier parts had too few
    """
    q_ends, q_terms, q_weights = queries
    p_ends, p_documents, p_weights = postings
    c_ends, c_slots, c_weights = commons
    n, k, room = len(c_ends) - 1, values.shape[1], len(lengths)
    wide = NARROW
    while wide < WIDE and 8 * wide * k <= n:
        wide *= 2
    n_small, n_blocks = room // NARROW, room // wide
    reach = np.zeros(n_small)  # the highest |d'| of a small block
    for d in range(n):
        reach[d // NARROW] = max(reach[d // NARROW], lengths[d])
    sums = np.full(room, -np.inf)
    query = np.zeros(len(slots))
    common = np.empty(len(slots), dtype=np.int64)
    candidates = np.empty(room + k, dtype=np.int64)
    tops, peaks, ranked = np.empty(n_small), np.empty(n_blocks), np.empty(n_blocks)
    keys, neighbours = np.empty(k), np.empty(k, dtype=np.int64)
    for q in range(first, last):
        near = EQUAL + 8 * EPSILON * (q_ends[q + 1] - q_ends[q] + 8)  # equal to 12 decimals, or rounding
        # what earlier parts gave, worst first, is a heap
        before = 0
        while before < k and places[q, before] >= 0:
            before += 1
        for i in range(before):
            keys[before - 1 - i] = -np.rint(values[q, i] * DECIMALS)
            neighbours[before - 1 - i] = places[q, i]
        size = before
        floor = -np.inf
        if size == k:
            floor = -keys[0] / DECIMALS - near

        # 1: rare terms
        for d in range(n):
            sums[d] = 0.0
        n_common, additions, squares = 0, 0, 0.0
        for i in range(q_ends[q], q_ends[q + 1]):
            t, weight = q_terms[i], q_weights[i]
            if slots[t] >= 0:
                query[slots[t]] = weight
                common[n_common] = t
                n_common += 1
                additions += p_ends[t + 1] - p_ends[t]
                squares += weight * weight
            else:
                for j in range(uint64(p_ends[t]), uint64(p_ends[t + 1])):
                    sums[p_documents[j]] += weight * p_weights[j]
        if 0 <= left_out[q] - offset < n:
            sums[left_out[q] - offset] = -np.inf

        # 2 and 3: who may be among the nearest, by the bound; in a second turn, where those are many, with all terms added up
        length = math.sqrt(squares)
        most = additions / (LOOK_UP + c_ends[n] / n)
        whole = False
        for turn in range(2):
            limit, n_first, n_candidates = floor, 0, 0
            if turn == 1:
                whole, length = True, 0.0
                for i in range(n_common):
                    t = common[i]
                    weight = query[slots[t]]
                    for j in range(uint64(p_ends[t]), uint64(p_ends[t + 1])):
                        sums[p_documents[j]] += weight * p_weights[j]
            elif additions <= n:
                continue
            for small in range(n_small):
                d = small * NARROW
                a = sums[d] if sums[d] > sums[d + 4] else sums[d + 4]
                b = sums[d + 1] if sums[d + 1] > sums[d + 5] else sums[d + 5]
                c = sums[d + 2] if sums[d + 2] > sums[d + 6] else sums[d + 6]
                e = sums[d + 3] if sums[d + 3] > sums[d + 7] else sums[d + 7]
                a = a if a > b else b
                c = c if c > e else e
                tops[small] = a if a > c else c
            for block in range(n_blocks):
                peak = -np.inf
                for small in range(block * (wide // NARROW), (block + 1) * (wide // NARROW)):
                    peak = max(peak, tops[small])
                peaks[block] = peak
                ranked[block] = peak
            if before == 0 and n_blocks > k:
                peak = kth_highest(ranked, k)
                if whole:
                    limit = peak - near
                elif peak > -np.inf:
                    for block in range(n_blocks):
                        if peaks[block] >= peak and size < k:
                            small = block * (wide // NARROW)
                            while tops[small] != peaks[block]:
                                small += 1
                            d = small * NARROW
                            while sums[d] != peaks[block]:
                                d += 1
                            value = sums[d]
                            for j in range(uint64(c_ends[d]), uint64(c_ends[d + 1])):
                                value += c_weights[j] * query[c_slots[j]]
                            candidates[size] = d
                            ranked[size] = sums[d]
                            size = push(keys, neighbours, size, -np.rint(value * DECIMALS), d + offset)
                            sums[d] = -np.inf
                    n_first = n_candidates = k
                    limit = -keys[0] / DECIMALS - near
            for small in range(n_small):
                if tops[small] + length * reach[small] >= limit:
                    for d in range(small * NARROW, small * NARROW + NARROW):
                        if sums[d] + length * lengths[d] >= limit:
                            candidates[n_candidates] = d
                            n_candidates += 1
                    if n_candidates > most and not whole:
                        break
            if n_candidates <= most:
                break
            if n_first > 0:  # too many: as if nothing had been computed
                for i in range(k):
                    sums[candidates[i]] = ranked[i]
                size = 0
        floor = limit
        for i in range(n_first, n_candidates):
            d = candidates[i]
            value = sums[d]
            if value == -np.inf or value + length * lengths[d] < floor:
                continue
            if not whole:
                for j in range(uint64(c_ends[d]), uint64(c_ends[d + 1])):
                    value += c_weights[j] * query[c_slots[j]]
            size = push(keys, neighbours, size, -np.rint(value * DECIMALS), d + offset)
            if size == k:
                floor = -keys[0] / DECIMALS - near
        for i in range(size - 1, -1, -1):
            values[q, i] = -keys[0] / DECIMALS
            places[q, i] = neighbours[0]
            sink(keys, neighbours, i, keys[i], neighbours[i])
        for i in range(n_common):
            query[slots[common[i]]] = 0.0
