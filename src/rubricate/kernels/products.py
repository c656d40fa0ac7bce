"""Documents x terms times terms x labels, sparse or dense: into a dense block of scores, or to those above a threshold.

Scipy would hold the interpreter's lock, and make a third sparse matrix.

A frequent term has a weight for most labels and comes in most documents: from its second document on its weights are kept as
a dense row, which is added several labels at a time. Sums are made in the same order either way, and are the same to the bit.
"""

import numpy as np
from llvmlite import ir
from numba import int64, types
from numba.extending import intrinsic

from .compilation import csr, f64, f64s, f64ss, f64sw, f64w, i32, i32w, i64, i64w, kernel, tuple_of

FULL = 6  # a row with more than one weight in so many labels is quicker when dense
ROOM = 1 << 19  # numbers in dense rows
FEW = 16  # documents for which it is not worth while
AHEAD = 3  # entries between asking for a row and using it


@intrinsic
def prefetch(typing_context, array, offset):
    """Ask for the cache line so many bytes after the start of an array, which is going to be read and written soon. A wrong
    offset costs time and does no harm."""

    def codegen(context, builder, signature, args):
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.gep(builder.bitcast(data, pointer), [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        builder.call(ask, [place, ir.Constant(number, 1), ir.Constant(number, 3), ir.Constant(number, 1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


@kernel((csr, csr, int64, int64, f64sw))
def add_products(documents, weights, first, last, out):
    """out[d, c] += sum over terms of X[d, v] W[v, c], for documents first..last-1; both are CSR: ends, columns, values."""
    row_ends, terms, values = documents
    term_ends, labels, weight = weights
    n_labels = out.shape[1]
    if last - first < FEW:
        for d in range(first, last):
            for i in range(row_ends[d], row_ends[d + 1]):
                for j in range(term_ends[terms[i]], term_ends[terms[i] + 1]):
                    out[d, labels[j]] += values[i] * weight[j]
        return
    rows = min(ROOM // max(n_labels, 1), row_ends[last] - row_ends[first])
    dense = np.empty((rows, n_labels))
    place = np.full(len(term_ends) - 1, -2, dtype=np.int32)  # of the term's dense row; -1: seen once, -2: never
    used = 0
    for d in range(first, last):
        for i in range(row_ends[d], row_ends[d + 1]):
            value, v = values[i], terms[i]
            start, end = term_ends[v], term_ends[v + 1]
            if place[v] == -2:
                place[v] = -1
            elif place[v] == -1 and used < rows and (end - start) * FULL > n_labels:
                place[v] = used
                for c in range(n_labels):
                    dense[used, c] = 0.0
                for j in range(start, end):
                    dense[used, labels[j]] = weight[j]
                used += 1
            r = place[v]
            if r >= 0:
                for c in range(n_labels):
                    out[d, c] += value * dense[r, c]
            else:
                for j in range(start, end):
                    out[d, labels[j]] += value * weight[j]


@kernel((i64, i64, f64s, int64, int64, f64sw))
def add_rows(row_ends, place, table, first, last, out):
    """out[d] += sum over the entries of d of table[place], for documents first..last-1."""
    start = row_ends[first]
    for d in range(first, last):
        for i in range(row_ends[d], row_ends[d + 1]):
            r = place[i - start]
            for c in range(out.shape[1]):
                out[d, c] += table[r, c]


@kernel((tuple_of(i64, i32, f64, i64), f64ss, int64, int64, int64, f64sw))
def add_columns(columns, rows, offset, first, last, out):
    """out[d, c] += gain rows[level, v - offset, c] for each document d of columns v = first..last-1.

    columns   ends, documents, gains, levels
    """
    ends, documents, gains, levels = columns
    for v in range(first, last):
        for i in range(ends[v], ends[v + 1]):
            d, gain, k = documents[i], gains[i], levels[i]
            for c in range(out.shape[1]):
                out[d, c] += gain * rows[k, v - offset, c]


@kernel((csr, f64s, int64, int64, f64sw))
def add_dense_products(rows, table, first, last, out):
    """out[d, c] += sum over terms of X[d, v] T[v, c], for rows first..last-1 of a CSR matrix: ends, columns, values."""
    ends, terms, values = rows
    row = 8 * table.shape[1]
    for d in range(first, last):
        for k in range(ends[d], ends[d + 1]):
            if k + AHEAD < len(terms):  # rows lie far apart: ask for one while others are worked on
                place = int64(terms[k + AHEAD]) * row
                for line in range(0, row, 64):
                    prefetch(table, place + line)
            j, x = terms[k], values[k]
            for c in range(table.shape[1]):
                out[d, c] += x * table[j, c]


@kernel((csr, csr, tuple_of(i32, f64s), f64, f64, int64, tuple_of(i64w, i32w, f64w), i64w))
def match_topics(documents, postings, common, bias, thresholds, first, matches, state):
    """Write (document, topic, score) of each score above its topic's threshold, documents `first` and later, while there is room.

    One document's scores are held at a time, so that nothing of the size documents x topics is ever written. A term that many
    topics ask for has its weights in a dense row besides, which is added several topics at a time.

    documents  CSR of beliefs: ends, terms, values
    postings   CSR of terms: ends, topics, weights
    common     the dense row of each term, -1 where it has none; the rows
    state      out: how many were written, and the document that is to be looked at next
    """
    row_ends, terms, values = documents
    term_ends, topics, weights = postings
    place, rows = common
    out_document, out_topic, out_score = matches
    n_topics = len(bias)
    scores = np.empty(n_topics)
    n_matches = 0
    d = first
    while d < len(row_ends) - 1:
        for t in range(n_topics):
            scores[t] = bias[t]
        for i in range(row_ends[d], row_ends[d + 1]):
            value, v = values[i], terms[i]
            r = place[v]
            if r >= 0:
                for t in range(n_topics):
                    scores[t] += value * rows[r, t]
            else:
                for j in range(term_ends[v], term_ends[v + 1]):
                    scores[topics[j]] += value * weights[j]
        above = 0
        for t in range(n_topics):
            above += 1 if scores[t] > thresholds[t] else 0
        if above > 0:
            if n_matches + above > len(out_document):
                break
            for t in range(n_topics):
                if scores[t] > thresholds[t]:
                    out_document[n_matches] = d
                    out_topic[n_matches] = t
                    out_score[n_matches] = scores[t]
                    n_matches += 1
        d += 1
    state[0] = n_matches
    state[1] = d
