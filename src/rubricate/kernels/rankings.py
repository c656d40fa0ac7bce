"""Thresholds along rankings: the documents of each label by falling score, sorted once, of which any part may be taken.

A threshold lies between two scores that differ, so candidates are the ends of runs of scores that are the same to 12 digits; it is
put midway. Nothing that scores -inf lies above a threshold. `decisions.thresholds.ranking` says the same of one label in NumPy.

candidate_thresholds    of every label those that one more positive lies above
threshold_at_depth      of one label the last one within a depth
held_out_counts         of one label what thresholds at some depths assign to documents that did not place them
"""

import numpy as np
from numba import float64, int64, njit

from .compilation import f64, f64s, f64w, i64, i64s, i64w, kernel, tuple_of, u8, u8s

SAME = 1e-12
CLOSE = 1 + 1e-12


@njit(error_model="numpy")
def is_higher(score, other):
    """Whether a score is above the other and not the same to 12 digits."""
    size = max(abs(score), abs(other)) if np.isfinite(score) and np.isfinite(other) else 0.0
    return score - other > SAME * size


@njit(error_model="numpy")
def midway(above, below):
    """Midway between scores that differ; where the upper one is infinite, or nothing lies between, at the lower one."""
    middle = (above + below) / 2
    if not np.isfinite(middle):
        middle = above / 2 + below / 2
    return middle if middle < above else below


@kernel(tuple_of(i64w, i64w, i64w, f64w, f64w)(f64s, u8s, i64s, u8), error_model="numpy")
def candidate_thresholds(scores, positive, order, inside):
    """Of each label one after the other: none, then down to one more positive. Ends of labels with a 0 in front; of each candidate
    the documents above it, those of them that have the label, and the threshold; and of each label the lowest finite score, 0
    where there is none.

    scores, positive, order: labels x documents; inside: documents that take part.
    """
    n_labels, n = scores.shape
    size = n_labels
    for label in range(n_labels):
        for d in range(n):
            size += positive[label, d] & inside[d]
    ends, places = np.zeros(n_labels + 1, dtype=np.int64), np.zeros(size, dtype=np.int64)
    hits, thresholds = np.zeros(size, dtype=np.int64), np.full(size, np.inf)
    lowest, at = np.zeros(n_labels), 0
    for label in range(n_labels):
        at += 1  # none: 0 documents, inf
        place, found, before, last = 0, 0, 0, np.inf
        for i in range(n):
            d = order[label, i]
            if not inside[d]:
                continue
            score = scores[label, d]
            if found > before and is_higher(last, score):
                places[at], hits[at], thresholds[at] = place, found, midway(last, score)
                at += 1
                before = found
            if score == -np.inf:
                break
            place += 1
            found += positive[label, d]
            last = score
        if found > before:
            places[at], hits[at], thresholds[at] = place, found, -np.inf
            at += 1
        ends[label + 1] = at
        lowest[label] = last if last < np.inf else 0.0
    return ends, places[:at].copy(), hits[:at].copy(), thresholds[:at].copy(), lowest


@njit(error_model="numpy")
def ends_of_runs(scores, part, left_out, most, ends, thresholds):
    """The number of candidates of a ranking without one part, until more than `most` documents are above; these numbers and the
    thresholds are written."""
    count, above, last = 0, 0, np.inf
    for i in range(len(scores)):
        if part[i] == left_out:
            continue
        if above and is_higher(last, scores[i]):
            ends[count], thresholds[count] = above, midway(last, scores[i])
            count += 1
            if above > most:
                return count
        if scores[i] == -np.inf:
            return count
        above += 1
        last = scores[i]
    if above:
        ends[count], thresholds[count] = above, -np.inf
        count += 1
    return count


@kernel(tuple_of(int64, float64)(f64, float64, int64), error_model="numpy")
def threshold_at_depth(scores, depth, positives):
    """How many documents are above the last candidate within a depth, and the threshold. scores: falling."""
    n = len(scores)
    ends, thresholds = np.empty(n + 1, dtype=np.int64), np.empty(n + 1)
    limit, size = depth * CLOSE, max(positives, 1)
    count = ends_of_runs(scores, np.zeros(n, dtype=np.int64), -1, limit * size + 1, ends, thresholds)
    place, threshold = 0, np.inf
    for e in range(count):
        if ends[e] / size <= limit:
            place, threshold = ends[e], thresholds[e]
    return place, threshold


@kernel(tuple_of(i64w, i64w)(f64, u8, i64, int64, f64), error_model="numpy")
def held_out_counts(scores, positive, part, n_parts, depths):
    """Right and assigned at each depth, over all documents, each part decided by thresholds that the others place at that depth.
    scores fall, depths rise; positive and part are those of the documents in the order of their scores."""
    n, n_depths = len(scores), len(depths)
    hits, assigned = np.zeros(n_depths, dtype=np.int64), np.zeros(n_depths, dtype=np.int64)
    ends, thresholds = np.empty(n + 1, dtype=np.int64), np.empty(n + 1)
    for left_out in range(n_parts):
        positives = 0
        for i in range(n):
            positives += positive[i] * (part[i] != left_out)
        size = max(positives, 1)
        count = ends_of_runs(scores, part, left_out, depths[-1] * CLOSE * size + 1, ends, thresholds)
        e, i, right, above = 0, 0, 0, 0
        for k in range(n_depths):
            while e < count and ends[e] / size <= depths[k] * CLOSE:
                e += 1
            threshold = thresholds[e - 1] if e else np.inf
            while i < n and scores[i] > threshold:
                if part[i] == left_out:
                    above += 1
                    right += positive[i]
                i += 1
            hits[k] += right
            assigned[k] += above
    return hits, assigned
