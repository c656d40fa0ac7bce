"""Thresholds along rankings: the documents of each label by falling score, sorted once, of which any part may be taken.

A threshold lies between two scores that differ, so candidates are the ends of runs of scores that are the same to 12 digits; it
is put midway. Nothing that scores -inf lies above a threshold. `decisions.thresholds.ranking` says it of one label in NumPy.

candidate_thresholds    of every label those that one more positive lies above
threshold_at_depth      of one label the last one within a depth
held_out_counts         of one label what thresholds at some depths assign to documents that did not place them
"""

import numpy as np
from numba import float64, int64, njit

from .compilation import f64, f64s, f64w, i32, i32s, i64, i64w, kernel, tuple_of, u8, u8s

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


@kernel(tuple_of(i64w, i64w, i64w, i64w, f64w, f64w)(f64s, u8s, i32s, u8, int64), error_model="numpy")
def candidate_thresholds(scores, positive, order, inside, most):
    """Candidates, one label after the other: none, then down to one more positive. Returned are the positives of each label; the
    ends of labels, a 0 in front; of each candidate the documents above it, those of them that have the label, and the threshold;
    and of each label the lowest finite score, 0 where there is none.

    scores, positive, order: labels x places, by falling score; inside: documents that take part; most: positives in all.
    """
    n_labels, n = scores.shape
    positives, ends = np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels + 1, dtype=np.int64)
    places, hits = np.zeros(n_labels + most, dtype=np.int64), np.zeros(n_labels + most, dtype=np.int64)
    thresholds, lowest = np.full(n_labels + most, np.inf), np.zeros(n_labels)
    at = 0
    for label in range(n_labels):
        at += 1  # none: 0 documents, inf
        place, found, before, last = 0, 0, 0, np.inf
        for i in range(n):
            if not inside[order[label, i]]:
                continue
            score = scores[label, i]
            if found > before and is_higher(last, score):
                places[at], hits[at], thresholds[at] = place, found, midway(last, score)
                at += 1
                before = found
            positives[label] += positive[label, i]
            if score > -np.inf:
                place += 1
                found += positive[label, i]
                last = score
        if found > before:
            places[at], hits[at], thresholds[at] = place, found, -np.inf
            at += 1
        ends[label + 1] = at
        lowest[label] = last if last < np.inf else 0.0
    return positives, ends, places[:at].copy(), hits[:at].copy(), thresholds[:at].copy(), lowest


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


@kernel(tuple_of(int64, float64)(f64, i32, u8, float64, int64), error_model="numpy")
def threshold_at_depth(scores, order, inside, depth, positives):
    """How many documents are above the last candidate within a depth, and the threshold."""
    n = len(scores)
    ends, thresholds, part = np.empty(n + 1, dtype=np.int64), np.empty(n + 1), np.zeros(n, dtype=np.int64)
    for i in range(n):
        part[i] = inside[order[i]]
    limit, size = depth * CLOSE, max(positives, 1)
    count = ends_of_runs(scores, part, 0, limit * size + 1, ends, thresholds)
    place, threshold = 0, np.inf
    for e in range(count):
        if ends[e] / size <= limit:
            place, threshold = ends[e], thresholds[e]
    return place, threshold


@kernel(tuple_of(i64w, i64w)(f64, u8, i32, i64, int64, f64), error_model="numpy")
def held_out_counts(scores, positive, order, part_of, n_parts, depths):
    """Right and assigned at each depth, over all documents, each part decided by thresholds that the others place at that depth.

    scores, positive, order: of places, by falling score; part_of: of documents, -1 for those that take no part; depths rise.
    """
    n, n_depths = 0, len(depths)
    hits, assigned = np.zeros(n_depths, dtype=np.int64), np.zeros(n_depths, dtype=np.int64)
    ends, thresholds = np.empty(len(scores) + 1, dtype=np.int64), np.empty(len(scores) + 1)
    own, part, has = np.empty(len(scores)), np.empty(len(scores), dtype=np.int64), np.empty(len(scores), dtype=np.int64)
    positives = np.zeros(n_parts + 1, dtype=np.int64)
    for i in range(len(scores)):
        if part_of[order[i]] >= 0:
            own[n], part[n], has[n] = scores[i], part_of[order[i]], positive[i]
            positives[part[n]] += has[n]
            positives[n_parts] += has[n]
            n += 1
    for left_out in range(n_parts):
        size = max(positives[n_parts] - positives[left_out], 1)
        count = ends_of_runs(own[:n], part, left_out, depths[-1] * CLOSE * size + 1, ends, thresholds)
        e, i, right, above = 0, 0, 0, 0
        for k in range(n_depths):
            while e < count and ends[e] / size <= depths[k] * CLOSE:
                e += 1
            threshold = thresholds[e - 1] if e else np.inf
            while i < n and own[i] > threshold:
                if part[i] == left_out:
                    above += 1
                    right += has[i]
                i += 1
            hits[k] += right
            assigned[k] += above
    return hits, assigned
