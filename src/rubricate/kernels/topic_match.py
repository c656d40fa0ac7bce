"""Documents against the thresholds of many topics: an inverted table of terms, each with its topics and their weights.

One document's scores are held at a time, so that nothing of the size documents x topics is ever written. A term that many topics
ask for has its weights in a dense row besides, which is added several topics at a time.
"""
# mypy: ignore-errors
# (bodies are compiled by Numba, whose explicit signatures are their types)

from __future__ import annotations

import numpy as np
from numba import float64, int32, int64, njit, types

from .cache import CACHED
from .signatures import f64, f64s, i32, i64


@njit(
    [
        (
            types.Tuple((i64, i32, f64)),
            types.Tuple((i64, i32, f64)),
            types.Tuple((i32, f64s)),
            f64,
            f64,
            int64,
            types.Tuple((int64[::1], int32[::1], float64[::1])),
            int64[::1],
        )
    ],
    cache=CACHED,
    nogil=True,
    boundscheck=None,
)
def match_topics(documents, postings, common, bias, thresholds, first, matches, state):
    """Write (document, topic, score) of each score above its topic's threshold, documents `first` and later, while there is room.

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
