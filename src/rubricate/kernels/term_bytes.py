"""Terms as bytes: their keys, the vocabulary that numbers them, their order."""

import numpy as np
from numba import boolean, int32, int64, uint64

from .compilation import i32, i32w, i64, i64w, kernel, tuple_of, u8, u8w, u64, u64w, vocabulary_type
from .scan import FNV_PRIME, FNV_START, LONG, U1, term_hash

MANY_TERMS = 4096  # from here on sorted by radix


@kernel((u8, i64, u64w))
def term_keys(data, ends, keys):
    """The keys of terms given by their bytes, as `scan` makes them."""
    for term in range(len(ends) - 1):
        start, size = ends[term], ends[term + 1] - ends[term]
        k0, k1 = uint64(0), uint64(0)
        if size <= 16:
            for i in range(min(size, 8)):
                k0 |= uint64(data[start + i]) << uint64(i << 3)
            for i in range(8, size):
                k1 |= uint64(data[start + i]) << uint64((i - 8) << 3)
        else:
            k0 = FNV_START
            for i in range(size):
                k0 = (k0 ^ uint64(data[start + i])) * FNV_PRIME
            k1 = LONG | uint64(size)
        keys[2 * term] = k0
        keys[2 * term + 1] = k1


@kernel((tuple_of(u8, i64, u64, uint64), vocabulary_type, boolean, i32w))
def insert_terms(incoming, vocabulary, grow, numbers):
    """Look terms up in a vocabulary, adding those it lacks if `grow`; their numbers go to `numbers` (-1 = not there).

    incoming    bytes, ends, keys, hash seed; the vocabulary is laid out as for `scan` and has room
    """
    data, ends, new_keys, seed = incoming
    slots, keys, heap, heap_ends, state = vocabulary
    mask = uint64(len(slots) - 1)
    n_terms = state[0]
    n = len(numbers)
    # all first slots first, in a loop short enough for the processor to fetch many of them at once
    for term in range(n):
        numbers[term] = int32(slots[term_hash(new_keys[2 * term], new_keys[2 * term + 1], seed) & mask])
    for term in range(n):
        k0, k1 = new_keys[2 * term], new_keys[2 * term + 1]
        number = int64(numbers[term]) - 1
        long = k1 >= LONG
        if number >= 0 and not long and keys[2 * number] == k0 and keys[2 * number + 1] == k1:
            numbers[term] = number
            continue
        slot = term_hash(k0, k1, seed) & mask
        start, size = ends[term], ends[term + 1] - ends[term]
        while True:
            number = int64(slots[slot]) - 1
            if number < 0:
                break
            if keys[2 * number] == k0 and keys[2 * number + 1] == k1:
                same = True
                if long:
                    begin = heap_ends[number]
                    for i in range(size):
                        if heap[begin + i] != data[start + i]:
                            same = False
                            break
                if same:
                    break
            slot = (slot + U1) & mask
        if number < 0 and grow:
            number = n_terms
            slots[slot] = number + 1
            keys[2 * number] = k0
            keys[2 * number + 1] = k1
            begin = heap_ends[number]
            for i in range(size):
                heap[begin + i] = data[start + i]
            n_terms += 1
            heap_ends[n_terms] = begin + size
        numbers[term] = number
    state[0] = n_terms


@kernel((u64, int64, uint64, i32w))
def fill_slots(keys, n_terms, seed, slots):
    """Put terms 0..n_terms-1, all different, into an empty table of slots."""
    mask = uint64(len(slots) - 1)
    for number in range(n_terms):
        slot = term_hash(keys[2 * number], keys[2 * number + 1], seed) & mask
        while slots[slot] != 0:
            slot = (slot + U1) & mask
        slots[slot] = number + 1


@kernel(int64(u8, i64, u64w, i64w, int64, int64, int64, int64))
def merge_terms(heap, heap_ends, prefixes, order, source, target, first, last):
    """Merge sort of the terms at places first..last-1 of the half `source`; `target` is the other half.

    Returns the half that holds the result; a part of a half is copied back to `source`.
    """
    begun, width = source, 1
    while width < last - first:
        for start in range(first, last, 2 * width):
            middle, stop = min(start + width, last), min(start + 2 * width, last)
            i, j = start, middle
            for m in range(start, stop):
                left = i < middle
                if left and j < stop:
                    left = prefixes[source + i] <= prefixes[source + j]
                    if prefixes[source + i] == prefixes[source + j]:
                        x, y = order[source + i], order[source + j]
                        p, q = heap_ends[x] + 8, heap_ends[y] + 8
                        p_end, q_end = heap_ends[x + 1], heap_ends[y + 1]
                        while p < p_end and q < q_end and heap[p] == heap[q]:
                            p += 1
                            q += 1
                        left = q < q_end and (p >= p_end or heap[p] < heap[q])
                taken = source + (i if left else j)
                prefixes[target + m] = prefixes[taken]
                order[target + m] = order[taken]
                if left:
                    i += 1
                else:
                    j += 1
        source, target = target, source
        width *= 2
    if source != begun and 2 * (last - first) != len(order):
        for i in range(first, last):
            order[begun + i] = order[source + i]
        return begun
    return source


@kernel(int64(u8, i64, u64w, i64w))
def sort_terms(heap, heap_ends, prefixes, order):
    """Numbers of terms in the order of their bytes, which is that of their code points.

    Merge sort of (first eight bytes as one word, number); the bytes that follow are looked at where the words are equal.
    `prefixes` and `order` have two places a term; returns where in `order` the result begins.
    """
    n = len(heap_ends) - 1
    for term in range(n):
        start = heap_ends[term]
        word = uint64(0)
        for at in range(start, min(heap_ends[term + 1], start + 8)):
            word |= uint64(heap[at]) << uint64((7 - (at - start)) << 3)
        prefixes[term] = word
        order[term] = term
    source, target = 0, n
    if n > MANY_TERMS:
        # digit by digit from the lowest; after that only neighbours with equal words are out of order
        places = np.empty(2048, dtype=np.int64)
        for shift in (0, 11, 22, 33, 44, 55):
            places[:] = 0
            for i in range(n):
                places[(prefixes[source + i] >> uint64(shift)) & uint64(2047)] += 1
            total = 0
            for digit in range(2048):
                here = places[digit]
                places[digit] = total
                total += here
            for i in range(n):
                digit = (prefixes[source + i] >> uint64(shift)) & uint64(2047)
                place = target + places[digit]
                places[digit] += 1
                prefixes[place] = prefixes[source + i]
                order[place] = order[source + i]
            source, target = target, source
        start = 0
        while start < n:
            stop = start + 1
            while stop < n and prefixes[source + stop] == prefixes[source + start]:
                stop += 1
            if stop - start > 1:
                merge_terms(heap, heap_ends, prefixes, order, source, target, start, stop)
            start = stop
        return source
    return merge_terms(heap, heap_ends, prefixes, order, source, target, 0, n)


@kernel((i32, int64, u8, i64, tuple_of(u64w, i64w, u8w, i64w, i32w)))
def sorted_row(sequence, n_tokens, heap, heap_ends, output):
    """The terms of a single document, sorted, with their times: what `make_rows`, sorting and taking do in three steps.

    output   prefixes and order (spare, two places a term), data, ends, times of the sorted terms
    """
    prefixes, order, data, ends, times = output
    n = len(heap_ends) - 1
    begin = sort_terms(heap, heap_ends, prefixes, order)
    for term in range(n):
        prefixes[term] = 0
    for at in range(n_tokens):
        number = int64(sequence[at])
        prefixes[~number if number < 0 else number] += U1
    at = 0
    ends[0] = 0
    for place in range(n):
        number = order[begin + place]
        for i in range(heap_ends[number], heap_ends[number + 1]):
            data[at] = heap[i]
            at += 1
        ends[place + 1] = at
        times[place] = prefixes[number]


@kernel((u8, i64, i64, u8w, i64w))
def take_terms(heap, heap_ends, numbers, out, out_ends):
    at = 0
    out_ends[0] = 0
    for n in range(len(numbers)):
        for i in range(heap_ends[numbers[n]], heap_ends[numbers[n] + 1]):
            out[at] = heap[i]
            at += 1
        out_ends[n + 1] = at


@kernel((u8, i64, i64, int64, u8w, i64w))
def join_bigrams(heap, heap_ends, members, n_bigrams, out, out_ends):
    at = out_ends[0]
    for number in range(n_bigrams):
        left, right = members[number] >> 32, members[number] & 0xFFFFFFFF
        for i in range(heap_ends[left], heap_ends[left + 1]):
            out[at] = heap[i]
            at += 1
        out[at] = 32
        at += 1
        for i in range(heap_ends[right], heap_ends[right + 1]):
            out[at] = heap[i]
            at += 1
        out_ends[number + 1] = at
