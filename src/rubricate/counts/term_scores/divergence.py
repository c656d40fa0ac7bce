"""KL and dKL: terms that documents of one label use alike and documents of other labels do not. Source: 002 sec. 3.

Learns from: documents, documents_with, occurrences; the documents themselves are not needed, which is the paper's point. The
paper leaves the error of this approximation to future work; `exact_kl` and `kl_error` compute it from documents x terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import xlogy

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.csr import row_values
from .. import Counts, label_pairs, whole_numbers
from .cells import Cells, Classes, all_labels, check_smoothing, label_against_rest, label_row, row_cells, score_terms

COMPARISONS = ("divergence", "score")


def kl(counts: Counts, *, label: str | None = None, average: str | None = None, smoothing: float = 1.0) -> Floats:
    """KL(w) = K~(S) - KL~(S), with p(w) the term's share of all words.                                    [002 eq. 13]

    smoothing: what eq. 2 adds to each count, 1 in the paper. V there is all terms of the counts, also those that occur
    nowhere (a matrix may have such columns; `counts.pruned()` takes them out). A term in no document scores 0.
    """
    check_smoothing(smoothing)

    def score(classes: Classes) -> Floats:
        return global_divergence(classes, share_of_words(classes)) - approximate_divergence(classes, smoothing)

    return score_terms(counts, score, label=label, average=average)


def dkl(counts: Counts, *, label: str | None = None, average: str | None = None, smoothing: float = 1.0) -> Floats:
    """dKL(w): `kl` with p'(w) = sum over c of p(c) p(w|c) in place of p(w).                               [002 eq. 14]

    It is 0 for a term that has the same share of documents in all labels, however often it occurs there.
    """
    check_smoothing(smoothing)

    def score(classes: Classes) -> Floats:
        return global_divergence(classes, mixture(classes, smoothing)) - approximate_divergence(classes, smoothing)

    return score_terms(counts, score, label=label, average=average)


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


# -- over documents


def exact_kl(X: Any, y: Any, *, label: str | None = None, smoothing: float = 1.0) -> Floats:
    """KL_t(S) = 1/|S| sum over documents d of p(w|d) log [ p(w|d) / p(w|c(d)) ], for each column of X.      [002 eq. 8]

    X: documents x terms, whole numbers (CSR or dense). y: one label a document, or a 0/1 indicator matrix, as for
    `Counts.from_matrix`. label: this label and the rest are the classes (labels of an indicator matrix are called by their
    column numbers). p(w|d) is not smoothed, p(w|c) is. A document without terms adds 0 but counts.
    """
    return document_mean(X, y, label, smoothing, lambda p, label_p, _: xlogy(p, p / label_p))[0]


@dataclass(frozen=True, slots=True, eq=False)
class KLError:
    """An approximation beside what it approximates, for each term."""

    exact: Floats
    approximate: Floats

    @property
    def max_error(self) -> float:
        """The largest distance."""
        return float(np.abs(self.exact - self.approximate).max(initial=0.0))

    @property
    def mean_error(self) -> float:
        """The mean distance; 0 where there are no terms."""
        return float(np.abs(self.exact - self.approximate).mean()) if len(self.exact) else 0.0

    @property
    def rank_correlation(self) -> float:
        """Spearman's: 1 if both put the terms in the same order; nan if one of them puts them in none."""
        from scipy.stats import spearmanr

        # equal to 12 decimals is equal, as in `ranked`
        exact, approximate = np.round(self.exact, 12), np.round(self.approximate, 12)
        if len(exact) < 2 or np.ptp(exact) == 0 or np.ptp(approximate) == 0:
            return float("nan")
        return float(spearmanr(exact, approximate).statistic)

    def __repr__(self) -> str:
        return (
            f"<KLError: {len(self.exact):,} terms, max {self.max_error:.3g}, mean {self.mean_error:.3g}, "
            f"rank correlation {self.rank_correlation:.3f}>"
        )


def kl_error(X: Any, y: Any, *, label: str | None = None, smoothing: float = 1.0, of: str = "divergence") -> KLError:
    """What the approximation from counts costs on these documents; X, y and label as for `exact_kl`.

    of="divergence": KL_t(S) over documents, and KL~_t(S) from counts.                                   [002 eq. 8-11]
    of="score": the score KL(w) itself, which decides the selection: 1/|S| sum of p(w|d) log [ p(w|c(d)) / p(w) ] over
    documents, and `kl` from counts.                                                                       [002 eq. 13]
    """
    if of not in COMPARISONS:
        raise UnknownName("comparison", of, COMPARISONS)
    if of == "divergence":
        exact, classes = document_mean(X, y, label, smoothing, lambda p, label_p, _: xlogy(p, p / label_p))
        return KLError(exact, approximate_divergence(classes, smoothing))
    exact, classes = document_mean(X, y, label, smoothing, lambda p, label_p, all_p: xlogy(p, label_p / all_p))
    return KLError(
        exact, global_divergence(classes, share_of_words(classes)) - approximate_divergence(classes, smoothing)
    )


def document_mean(
    X: Any, y: Any, label: str | None, smoothing: float, part: Callable[[Floats, Floats, Floats], Floats]
) -> tuple[Floats, Classes]:
    """1/|S| sum over documents of part(p(w|d), p(w|c(d)), p(w)), each term for itself; 0 where it does not occur.
    And the classes: the label and the rest, or all labels."""
    X = whole_numbers(X)
    (n_documents, n_terms), counts = X.shape, Counts.from_matrix(X, y)
    _, label_of, document_of = label_pairs(y, n_documents)
    class_of = np.ones(n_documents, dtype=np.int64)
    cells: Iterable[Cells]
    if label is not None:
        row = label_row(counts, label)
        class_of[document_of[label_of == row]] = 0
        classes = label_against_rest(counts, row)
        cells = classes.blocks()
    elif (np.bincount(document_of, minlength=n_documents) != 1).any():
        raise InvalidSetting("documents with several labels or none: give label=, one label against the rest")
    else:
        class_of[document_of] = label_of
        classes = all_labels(counts)
        cells = (row_cells(counts, row, classes.words) for row in range(len(counts.labels)))
    check_smoothing(smoothing)
    total, share_of_all = np.zeros(n_terms), share_of_words(classes)
    for n, class_cells in enumerate(cells):
        rows = X[(class_of == n).nonzero()[0]]
        terms, document_share = rows.indices, rows.data / row_values(rows, rows.sum(axis=1, dtype=np.float64))
        label_share = term_probability(class_cells.occurrences[terms], class_cells.words, n_terms, smoothing)
        total += np.bincount(terms, part(document_share, label_share, share_of_all[terms]), minlength=n_terms)
    return total / max(n_documents, 1), classes
