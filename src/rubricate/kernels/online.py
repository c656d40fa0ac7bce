"""One example after the other, four labels at once: Widrow-Hoff (001 sec. 3.2); and what a learner must know of its documents.

A step costs (terms of the document) x (labels), whatever the size of the vocabulary. Widrow-Hoff's vectors are sums of documents,
and so is what their mean (001 eq. 4) lacks of the last: n w less the sum of n vectors is the sum over the steps of (vectors
before it) x (step). A step adds to both at once, with another coefficient, and terms that no document has need nothing. The
weights of a term for four labels and what their means lack are one cache line.
"""

from __future__ import annotations

import numpy as np
from numba import float64, int32, int64, njit

from .arrays import b8w as boolean_array
from .arrays import documents_type, f64, i32, i64, labels_type
from .arrays import f64ssw as cube
from .arrays import f64sw as table
from .cache import CACHED
from .lanes import ROW, WIDE, add_to_rows, sum_of_rows
from .native import prefetch

__all__ = ["looked_over", "numbered", "widrow_hoff", "written_rows"]


@njit(
    [(documents_type, labels_type, i64, f64, f64, int64, cube, cube, table)],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def widrow_hoff(documents, truth, sequence, rates, settings, vectors, tables, shifts, losses):
    """w <- w - 2 eta (w.x - y) x for each example of the sequence.                                        [001 eq. 3]

    rates: 2 eta of each document. settings: low target, high less low, weight of an absent term, number of terms. vectors: how
    many there have been; 0 if nobody asks for their mean. Labels go by fours, and for each four there are: tables, a cache line a
    term, its weights and what the sum of all vectors has beyond as many times the last (see the module; never more than 0 for
    weights that grow); shifts, what absent terms did to all weights alike, to all sums, and the sum of the weights without it;
    losses, sums of (w.x - y)^2 before each step.
    """
    ends, terms, values = documents
    label_ends, labels = truth
    low, rise, absent, n_terms = settings[0], settings[1], settings[2], settings[3]
    residual = np.empty(WIDE)
    step = np.empty(ROW)
    for four in range(len(tables)):
        rows, shift = tables[four], shifts[four]
        for t in range(len(sequence)):
            d = sequence[t]
            first, last = ends[d], ends[d + 1]
            if t + 2 < len(sequence):  # documents lie anywhere: ask for one while others are worked on
                coming = sequence[t + 2]
                for k in range(ends[coming], ends[coming + 1], 8):
                    prefetch(values, 8 * k)
                for k in range(ends[coming], ends[coming + 1], 16):
                    prefetch(terms, 4 * k)
            sum_of_rows(residual, rows, terms, values, first, last)
            for c in range(WIDE):
                residual[c] -= low
            for k in range(label_ends[d], label_ends[d + 1]):
                if labels[k] // WIDE == four:
                    residual[labels[k] % WIDE] -= rise
            inside = 0.0
            if absent != 0.0:
                for k in range(first, last):
                    inside += values[k]
                for c in range(WIDE):
                    residual[c] += absent * (shift[2, c] + n_terms * shift[0, c]) + shift[0, c] * inside
            rate, before = rates[d], float(vectors + t) if vectors > 0 else 0.0
            for c in range(WIDE):
                losses[four, c] += residual[c] * residual[c]
                step[c] = -rate * residual[c]
                step[WIDE + c] = -before * step[c]
            if rate == 0.0:
                continue
            soon = first
            if t + 1 < len(sequence):
                soon = min(ends[sequence[t + 1]], len(terms) - (last - first))
            add_to_rows(step, rows, terms, values, first, last, soon)
            if absent != 0.0:
                for c in range(WIDE):
                    shift[0, c] += step[c] * absent
                    shift[1, c] += step[WIDE + c] * absent
                    shift[2, c] += step[c] * inside


@njit([(cube, cube, float64, i32, int64, int64, table, table)], cache=CACHED, nogil=True, boundscheck=None)
def written_rows(tables, shifts, vectors, rows, start, end, last, mean):
    """Columns start..end-1 of terms x labels: the weights of Widrow-Hoff, and the mean of so many vectors. What nobody asks for
    has no rows. rows: the row of the table for each row that is written, -1 for those left alone."""
    final, averaging, fours = last.shape[0] > 0, mean.shape[0] > 0, (end - start) // WIDE
    for j in range(len(rows)):
        i = rows[j]
        if i < 0:
            continue
        for four in range(fours):  # written out: what is read before anything is written goes side by side
            c = start + WIDE * four
            a, b = tables[four, i, 0] + shifts[four, 0, 0], tables[four, i, 1] + shifts[four, 0, 1]
            e, f = tables[four, i, 2] + shifts[four, 0, 2], tables[four, i, 3] + shifts[four, 0, 3]
            if final:
                last[j, c], last[j, c + 1], last[j, c + 2], last[j, c + 3] = a, b, e, f
            if averaging:
                p, q = tables[four, i, 4] + shifts[four, 1, 0], tables[four, i, 5] + shifts[four, 1, 1]
                r, s = tables[four, i, 6] + shifts[four, 1, 2], tables[four, i, 7] + shifts[four, 1, 3]
                p, q, r, s = a + p / vectors, b + q / vectors, e + r / vectors, f + s / vectors
                mean[j, c], mean[j, c + 1], mean[j, c + 2], mean[j, c + 3] = p, q, r, s
        for c in range(WIDE * fours, end - start):
            a = tables[fours, i, c % WIDE] + shifts[fours, 0, c % WIDE]
            if final:
                last[j, start + c] = a
            if averaging:
                mean[j, start + c] = a + (tables[fours, i, WIDE + c % WIDE] + shifts[fours, 1, c % WIDE]) / vectors


@njit([(documents_type, int64, int64, float64[::1], boolean_array)], cache=CACHED, nogil=True, boundscheck=None)
def looked_over(documents, start, end, norms, there):
    """The squared lengths of documents start..end-1, and which terms occur in them."""
    ends, terms, values = documents
    for d in range(start, end):
        first, last = ends[d], ends[d + 1]
        a, b, e, f = 0.0, 0.0, 0.0, 0.0  # strands, which the processor works on at the same time
        k = first
        while k + 4 <= last:
            a += values[k] * values[k]
            b += values[k + 1] * values[k + 1]
            e += values[k + 2] * values[k + 2]
            f += values[k + 3] * values[k + 3]
            k += 4
        while k < last:
            a += values[k] * values[k]
            k += 1
        norms[d] = (a + b) + (e + f)
        for k in range(first, last):
            there[terms[k]] = True


@njit([int64(documents_type, i64, int32[::1], int32[::1], boolean_array)], cache=CACHED, nogil=True, boundscheck=None)
def numbered(documents, sequence, places, columns, seen):
    """Number the terms as they come first: in the documents of the sequence, then in the others. places: of each term, -1 before;
    columns: the places of the terms of all entries. Returns how many there are."""
    ends, terms, _ = documents
    n_documents, n_places = len(ends) - 1, 0
    for t in range(len(sequence) + n_documents):
        d = sequence[t] if t < len(sequence) else t - len(sequence)
        if t + 2 < len(
            sequence
        ):  # documents and the places of their terms lie anywhere: ask for them ahead of their use
            for k in range(ends[sequence[t + 2]], ends[sequence[t + 2] + 1], 16):
                prefetch(terms, 4 * k)
                prefetch(columns, 4 * k)
            for k in range(ends[sequence[t + 1]], ends[sequence[t + 1] + 1]):
                prefetch(places, 4 * int64(terms[k]))
        if seen[d]:
            continue
        seen[d] = True
        for k in range(ends[d], ends[d + 1]):
            place = places[terms[k]]
            if place < 0:
                place = n_places
                places[terms[k]] = place
                n_places += 1
            columns[k] = place
    return n_places
