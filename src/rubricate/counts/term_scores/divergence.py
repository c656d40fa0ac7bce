"""KL and dKL: terms that documents of one label use alike and documents of other labels do not. Source: 002 sec. 3.

Learns from: documents, documents_with, occurrences; the documents themselves are not needed, which is the paper's point.
How far that approximation is from the divergence over documents: `exact_kl`, `kl_error`.
"""

from __future__ import annotations

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from .. import Counts
from .cells import Cells, Classes, score_terms


def kl(counts: Counts, *, label: str | None = None, average: str | None = None, smoothing: float = 1.0) -> Floats:
    """KL(w) = K~(S) - KL~(S), with p(w) the term's share of all words.                                    [002 eq. 13]

    smoothing: what eq. 2 adds to each count, 1 in the paper. V there is all terms of the counts, also those that occur
    nowhere (a matrix may have such columns; `counts.pruned()` takes them out). A term in no document scores 0.
    """
    check_smoothing(smoothing)
    return score_terms(
        counts,
        lambda classes: (
            global_divergence(classes, share_of_words(classes)) - approximate_divergence(classes, smoothing)
        ),
        label=label,
        average=average,
    )


def dkl(counts: Counts, *, label: str | None = None, average: str | None = None, smoothing: float = 1.0) -> Floats:
    """dKL(w): `kl` with p'(w) = sum over c of p(c) p(w|c) in place of p(w).                               [002 eq. 14]

    It is 0 for a term that has the same share of documents in all labels, however often it occurs there.
    """
    check_smoothing(smoothing)
    return score_terms(
        counts,
        lambda classes: (
            global_divergence(classes, mixture(classes, smoothing)) - approximate_divergence(classes, smoothing)
        ),
        label=label,
        average=average,
    )


def check_smoothing(smoothing: float) -> None:
    """A number not below 0."""
    if not (smoothing >= 0 and np.isfinite(smoothing)):
        raise InvalidSetting(f"smoothing={smoothing}: give a number that is not negative")


def term_probability(occurrences: Floats | float, words: Floats | float, n_terms: int, smoothing: float) -> Floats:
    """p(w|c) = (1 + occurrences) / (|V| + words of the label), 1 being the smoothing; 0/0 is 0.            [002 eq. 2]"""
    denominator = np.asarray(smoothing * n_terms + words)
    numerator = np.asarray(smoothing + occurrences)
    out = np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape))
    return np.asarray(np.divide(numerator, denominator, out=out, where=denominator > 0))


def approximate_divergence(classes: Classes, smoothing: float) -> Floats:
    """KL~(S) = - sum over c of p(c) p(w|c) log q(w|c),  q(w|c) = documents of c with w / documents of c.  [002 eq. 11]

    A class without the term adds 0, as eq. 9 has it.                                                   [002 eq. 9-10]
    """
    n = classes.n_documents

    def part(cells: Cells) -> Floats:
        p = term_probability(cells.occurrences, cells.words, classes.n_terms, smoothing)
        q = np.divide(cells.documents_with, cells.documents, out=np.ones_like(p), where=cells.documents_with > 0)
        return np.asarray(p * np.log(q) * (cells.documents / n))

    return -classes.term_sums(part) if n else np.zeros_like(classes.documents_with)


def global_divergence(classes: Classes, p: Floats) -> Floats:
    """K~(S) = - p(w) log q(w),  q(w) = documents with w / documents; 0 for a term in no document.         [002 eq. 12]"""
    q = np.divide(classes.documents_with, classes.n_documents, out=np.ones_like(p), where=classes.documents_with > 0)
    return -p * np.log(q)


def share_of_words(classes: Classes) -> Floats:
    """p(w): occurrences of the term over all words."""
    return classes.occurrences / max(classes.n_words, 1.0)


def mixture(classes: Classes, smoothing: float) -> Floats:
    """p'(w) = sum over c of p(c) p(w|c).                                                                  [002 eq. 14]"""
    n = max(classes.n_documents, 1.0)
    # a class without the term still has p(w|c) > 0 by smoothing: that part is the same for all terms
    unseen = float(term_probability(0.0, classes.words, classes.n_terms, smoothing) @ (classes.sizes / n))

    def part(cells: Cells) -> Floats:
        denominator = np.asarray(smoothing * classes.n_terms + cells.words)
        share = np.divide(cells.occurrences, denominator, out=np.zeros_like(cells.occurrences), where=denominator > 0)
        return np.asarray(share * (cells.documents / n))

    return classes.term_sums(part) + unseen
