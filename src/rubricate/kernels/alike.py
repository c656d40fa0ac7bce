"""Terms that a learner cannot tell apart, and the documents that tell them apart.

Terms that were in the same documents with the same values have the same weights, if they began with the same: they share a row
until a document has some of them and not the others. At first all terms are in row 0; those that a document brings for the
first time leave it together. What a document does to the rows depends on no label, so it is found out once for all of them.
"""

from __future__ import annotations

import numpy as np
from numba import int32, int64, njit, types, uint64

from .arrays import f64, f64w, i32sw, i32w, i64, i64w, u32, u32w, u64, u64w
from .cache import CACHED
from .native import prefetch

__all__ = ["told_apart"]

SIZE, ENTRY, FREE = 0, 1, 2  # columns of `about`
USED, HEAD = 0, 1  # entries of `state`
NONE, ONE = np.uint64(0), np.uint64(1)
# whole numbers without a sign: for others Numba asks at each access whether they count from the end
documents_type = types.Tuple((u64, u32, f64))  # type: ignore[no-untyped-call]


@njit(
    [(documents_type, i64, i32w, i32sw, i64w, u64w, u64w, f64w, u32w, u32w, f64w, f64w, f64w)],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def told_apart(documents, sequence, places, about, state, ends, moved, largest, rows, sources, values, counts, weights):
    """What the documents of the sequence, one after the other, do to the rows.

    places: the row of each term, negative if it may not be alone there, 0 until it is met. about: of each row how many terms it
    has, the entry that took terms from it last, the free row after it. state: the last row in use, the first that has become free
    or 0. Written are, for each document, its rows, each once: which one, the row that it is copied from before anything else
    (itself: it is not), the value, how many terms, and the product of both. New rows come last, from `moved` on. ends: where the
    entries of each document end, from the second place on. largest: the largest value of each, without its sign.
    """
    all_ends, terms, all_values = documents
    longest = NONE
    for t in range(len(sequence)):
        longest = max(longest, all_ends[sequence[t] + 1] - all_ends[sequence[t]])
    room = np.empty((3, int64(longest) + 1), dtype=np.uint64)
    later, fresh, firsts = room[0], room[1], room[2]
    n = NONE
    ends[0] = NONE
    for t in range(len(sequence)):
        if t + 3 < len(sequence):  # documents lie anywhere: ask for one while others are worked on
            coming = sequence[t + 3]
            for k in range(all_ends[coming], all_ends[coming + 1], np.uint64(8)):
                prefetch(all_values, int64(k) * 8)
            for k in range(all_ends[coming], all_ends[coming + 1], np.uint64(16)):
                prefetch(terms, int64(k) * 4)
        if t + 2 < len(sequence):
            for k in range(all_ends[sequence[t + 2]], all_ends[sequence[t + 2] + 1]):
                prefetch(places, int64(terms[k]) * 4)
        if t + 1 < len(sequence):
            for k in range(all_ends[sequence[t + 1]], all_ends[sequence[t + 1] + 1]):
                prefetch(about, int64(min(places[terms[k]], int32(0))) * -12)
        # terms with a row of their own; then those of rows that others have too; then those that come for the first time: each
        # kind in a loop of its own, which the processor can foresee
        begin, m, f, most = n, NONE, NONE, 0.0
        for k in range(all_ends[sequence[t]], all_ends[sequence[t] + 1]):
            i, x = places[terms[k]], all_values[k]
            rows[n], sources[n], values[n], weights[n], counts[n] = i, i, x, x, 1.0
            n += uint64(i > 0)
            later[m] = k
            m += uint64(i <= 0)
            most = max(most, abs(x))
        largest[t], moved[t], new = most, n, n
        shared = m
        m = NONE
        for q in range(shared):
            k = later[q]
            i = places[terms[k]]
            fresh[f] = k
            f += uint64(i == 0)
            later[m] = k
            m += uint64(i < 0)
        for q in range(m):
            k = later[q]
            x, i = all_values[k], uint64(-places[terms[k]])
            e = uint64(about[i, ENTRY])
            if begin <= e and e < n and sources[e] == i and values[e] == x:
                counts[e] += 1.0
                weights[e] += x
                about[rows[e], SIZE] += 1
            elif about[i, SIZE] == 1:  # the others have left
                rows[n], sources[n], values[n], weights[n], counts[n], firsts[n - new] = i, i, x, x, 1.0, k
                n += ONE
                continue
            else:
                own = state[
                    HEAD
                ]  # a row for it; written out here and below, since calls with arrays cost more than the loop
                if own > 0:
                    state[HEAD] = about[uint64(own), FREE]
                else:
                    state[USED] += 1
                    own = state[USED]
                e = n
                about[uint64(own), SIZE], about[uint64(own), ENTRY], about[i, ENTRY] = 1, 0, e
                rows[n], sources[n], values[n], weights[n], counts[n], firsts[n - new] = own, i, x, x, 1.0, k
                n += ONE
            places[terms[k]] = -int64(rows[e])
            about[i, SIZE] -= 1
            if about[i, SIZE] == 0:
                about[i, FREE] = state[HEAD]
                state[HEAD] = int64(i)
        own, more = int64(0), int64(0)
        for q in range(f):
            k = fresh[q]
            x = all_values[k]
            if more == 0 or x != values[n - ONE]:
                if more > 0:
                    about[uint64(own), SIZE], counts[n - ONE], weights[n - ONE] = more, more, more * values[n - ONE]
                    more = int64(0)
                own = state[HEAD]
                if own > 0:
                    state[HEAD] = about[uint64(own), FREE]
                else:
                    state[USED] += 1
                    own = state[USED]
                about[uint64(own), ENTRY] = 0
                rows[n], sources[n], values[n], firsts[n - new] = own, 0, x, k
                n += ONE
            places[terms[k]] = -own
            more += 1
        if more > 0:
            about[uint64(own), SIZE], counts[n - ONE], weights[n - ONE] = more, more, more * values[n - ONE]
            about[0, SIZE] -= int32(f)
        for e in range(new, n):
            if about[rows[e], SIZE] == 1:
                places[terms[firsts[e - new]]] = rows[e]
        ends[t + 1] = n
