"""Term numbers to tables: rows of counts, bigrams, sums over labels, documents in which a term comes at least k times."""

import numpy as np
from numba import boolean, int64, uint64

from .compilation import f64, f64w, i32, i32w, i64, i64w, kernel, tuple_of, u64, u64w
from .scan import U1, U29, U32


@kernel((tuple_of(i32, i64, i32, int64, int64), tuple_of(boolean, i32w, i64w), tuple_of(i64w, i32w, i32w, i32w)))
def make_rows(tokens, bigrams, output):
    """One row of (term, times) a document, each term once, in order of first appearance.

    tokens   sequence and ends of `scan`, derived (the term each raw number stands for, -1 = left out), n_singles,
             n_documents
    bigrams  with_bigrams, slots, members (left << 32 | right of each bigram): a bigram's number is n_singles + its place
    output   row_ends, terms, times, last (where each term was written last); they and the slots have room for a bigram a token

    Returns the number of bigrams and of entries.
    """
    sequence, ends, derived, n_singles, n_documents = tokens
    with_bigrams, slots, members = bigrams
    row_ends, terms, times, last = output
    n_bigrams, m = 0, 0
    mask = uint64(len(slots) - 1)
    start = int64(0)
    for d in range(n_documents):
        row = m
        before = int64(-1)
        for at in range(start, ends[d]):
            number = int64(sequence[at])
            joined = number < 0
            if joined:
                number = ~number
            term = int64(derived[number])
            if term < 0:
                before = -1
                continue
            place = int64(last[term])
            if place >= row and terms[place] == term:
                times[place] += 1
            else:
                last[term] = m
                terms[m] = term
                times[m] = 1
                m += 1
            if with_bigrams:
                if joined and before >= 0:
                    bigram = before << 32 | term
                    h = uint64(bigram) * uint64(0x9E3779B97F4A7C15)
                    h ^= h >> U29
                    h *= uint64(0xD6E8FEB86659FD93)
                    slot = (h ^ (h >> U32)) & mask
                    while slots[slot] != 0 and members[slots[slot] - 1] != bigram:
                        slot = (slot + U1) & mask
                    if slots[slot] == 0:
                        members[n_bigrams] = bigram
                        n_bigrams += 1
                        slots[slot] = n_bigrams
                    bigram_number = n_singles + int64(slots[slot]) - 1
                    place = int64(last[bigram_number])
                    if place >= row and terms[place] == bigram_number:
                        times[place] += 1
                    else:
                        last[bigram_number] = m
                        terms[m] = bigram_number
                        times[m] = 1
                        m += 1
                before = term
        start = ends[d]
        row_ends[d] = m
    return n_bigrams, m


@kernel((i32, int64, i64w, i32w, i64w, i32w))
def document_entries(times, n_rows, cells, values, length_cells, lengths):
    """The entries of one document in each of its rows: terms are columns 0, 1, …; lengths are the sum of the times."""
    n = len(times)
    total = 0
    for i in range(n):
        total += times[i]
    for row in range(n_rows):
        for i in range(n):
            cells[row * n + i] = row << 32 | i
            values[row * n + i] = times[i]
        length_cells[row] = row << 32
        lengths[row] = total


@kernel(int64(i64, i32, i32, i32, i32, tuple_of(i64w, i32w, i32w)))
def sort_rows(row_ends, terms, times, places, columns, output):
    """Rows with their columns in ascending order, by two counting sorts: first by term, then back into rows.

    Terms are numbers within the chunk: `places` says where each stands among the terms of the chunk in column order (-1: it
    is left out), `columns` which columns these are, ascending. Ends, here and in the output (ends, terms, times), have a 0 in
    front. Returns the number of entries.
    """
    out_ends, out_terms, out_times = output
    n_rows = len(row_ends) - 1
    ends = np.zeros(len(columns) + 1, dtype=np.int32)
    m = 0
    for row in range(n_rows):
        out_ends[row] = m
        for i in range(row_ends[row], row_ends[row + 1]):
            place = places[terms[i]]
            if place >= 0:
                ends[place + 1] += 1
                m += 1
    out_ends[n_rows] = m
    for place in range(1, len(ends)):
        ends[place] += ends[place - 1]
    rows = np.empty(m, dtype=np.int32)
    sorted_times = np.empty(m, dtype=np.int32)
    for row in range(n_rows):
        for i in range(row_ends[row], row_ends[row + 1]):
            place = places[terms[i]]
            if place >= 0:
                at = ends[place]
                ends[place] = at + 1
                rows[at] = row
                sorted_times[at] = times[i]
    next_free = out_ends[:n_rows].copy()
    i = 0
    for place in range(len(columns)):
        column = columns[place]
        while i < ends[place]:
            at = next_free[rows[i]]
            next_free[rows[i]] = at + 1
            out_terms[at] = column
            out_times[at] = sorted_times[i]
            i += 1
    return m


@kernel(int64(u64, i64, u64, i64, u64w, i64w))
def add_runs(keys_a, n_a, keys_b, n_b, keys, n):
    """Merge two runs of sorted keys; numbers of equal keys are added. Returns the length of the merged run."""
    a, b, m = 0, 0, 0
    while a < len(keys_a) and b < len(keys_b):
        x, y = keys_a[a], keys_b[b]
        keys[m] = min(x, y)
        n[m] = (n_a[a] if x <= y else 0) + (n_b[b] if y <= x else 0)
        a += x <= y
        b += y <= x
        m += 1
    for rest in range(a, len(keys_a)):
        keys[m], n[m] = keys_a[rest], n_a[rest]
        m += 1
    for rest in range(b, len(keys_b)):
        keys[m], n[m] = keys_b[rest], n_b[rest]
        m += 1
    return m


@kernel(
    int64(tuple_of(i64, i32, i64), tuple_of(i64, i32, i64), int64, tuple_of(i64w, i32w, i64w)),
    int64(tuple_of(i64, f64, i64), tuple_of(i64, f64, i64), int64, tuple_of(i64w, f64w, i64w)),
)
def add_entries(left, right, sign, out):
    """left + sign * right, for entries (cell, times, documents) sorted by cell and times; entries that become 0 go.

    Returns the number of entries, or -1 if one would become negative.
    """
    cells_a, times_a, n_a = left
    cells_b, times_b, n_b = right
    cells, times, n = out
    a, b, m = 0, 0, 0
    while a < len(cells_a) or b < len(cells_b):
        if b == len(cells_b):
            order = -1
        elif a == len(cells_a):
            order = 1
        elif cells_a[a] != cells_b[b]:
            order = -1 if cells_a[a] < cells_b[b] else 1
        else:
            order = int64(times_a[a] > times_b[b]) - int64(times_a[a] < times_b[b])
        if order <= 0:
            cells[m], times[m], n[m] = cells_a[a], times_a[a], n_a[a]
            a += 1
        else:
            cells[m], times[m], n[m] = cells_b[b], times_b[b], 0
        if order >= 0:
            n[m] += sign * n_b[b]
            b += 1
        if n[m] < 0:
            return -1
        m += n[m] != 0
    return m


@kernel(int64(u64w, i64w))
def run_lengths(keys, n):
    """Squeeze sorted keys in place: each key once, how often it stood there in `n`. Returns how many are left."""
    m = 0
    at = 0
    while at < len(keys):
        key = keys[at]
        start = at
        at += 1
        while at < len(keys) and keys[at] == key:
            at += 1
        keys[m] = key
        n[m] = at - start
        m += 1
    return m


@kernel((i64, i32, i32, i64, i64, u64w))
def label_keys(row_ends, terms, times, label_ends, labels, keys):
    """A key row << 44 | term << 16 | times for each entry of a document and each of its rows; both ends have a 0 in front."""
    m = 0
    for d in range(len(row_ends) - 1):
        for which in range(label_ends[d], label_ends[d + 1]):
            row = uint64(labels[which]) << uint64(44)
            for i in range(row_ends[d], row_ends[d + 1]):
                keys[m] = row | uint64(terms[i]) << uint64(16) | uint64(times[i])
                m += 1


@kernel((i64, i32, i64, int64, f64w), (i64, f64, i64, int64, f64w))
def documents_reaching(starts, times, documents, k, out):
    """out[cell] = sum of the documents of its entries whose times are k or more; entries of a cell ascend in times."""
    end = len(times)
    for cell in range(len(starts) - 1, -1, -1):
        total = 0
        i = end - 1
        while i >= starts[cell] and times[i] >= k:
            total += documents[i]
            i -= 1
        out[cell] = total
        end = starts[cell]
