"""The average divergence of documents from their label, over the documents; and what the approximation in `kl` costs.

Learns from: documents x terms, and labels. The paper leaves the error of its approximation to future work; here it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from .. import Counts, label_pairs, whole_numbers
from .cells import Classes, all_labels, label_against_rest, label_row
from .divergence import approximate_divergence, check_smoothing, global_divergence, share_of_words, term_probability

COMPARISONS = ("divergence", "score")


def exact_kl(X: Any, y: Any, *, label: str | None = None, smoothing: float = 1.0) -> Floats:
    """KL_t(S) = 1/|S| sum over documents d of p(w|d) log [ p(w|d) / p(w|c(d)) ], for each column of X.      [002 eq. 8]

    X: documents x terms, whole numbers (CSR or dense). y: one label a document, or a 0/1 indicator matrix, as for
    `Counts.from_matrix`. label: this label and the rest are the classes (labels of an indicator matrix are called by their
    column numbers). p(w|d) is not smoothed, p(w|c) is. A document without terms adds 0 but counts.
    """
    return Documents.of(X, y, label).document_mean(smoothing, lambda p, label_p, _: xlogy(p, p / label_p))


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
    documents = Documents.of(X, y, label)
    approximation = approximate_divergence(documents.classes, smoothing)
    if of == "divergence":
        exact = documents.document_mean(smoothing, lambda p, label_p, _: xlogy(p, p / label_p))
        return KLError(exact, approximation)
    exact = documents.document_mean(smoothing, lambda p, label_p, overall_p: xlogy(p, label_p / overall_p))
    return KLError(exact, global_divergence(documents.classes, share_of_words(documents.classes)) - approximation)


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents in classes, one class each; and the classes' counts."""

    X: sparse.csr_array
    classes: Classes
    members: Callable[[], Iterator[tuple[Longs, Floats, float]]]  # documents, occurrences and words of each class

    @classmethod
    def of(cls, X: Any, y: Any, label: str | None) -> Documents:
        """From a table and its labels."""
        X = whole_numbers(X)
        counts = Counts.from_matrix(X, y)
        names, label_of, document_of = label_pairs(y, X.shape[0])
        pairs = (np.ones(len(label_of)), (label_of, document_of))
        belongs = sparse.csr_array(pairs, shape=(len(names), X.shape[0]))
        if label is not None:
            row = label_row(counts, label)
            classes = label_against_rest(counts, row)
            inside = np.zeros(X.shape[0], dtype=bool)
            inside[belongs.indices[belongs.indptr[row] : belongs.indptr[row + 1]]] = True

            def label_then_rest() -> Iterator[tuple[Longs, Floats, float]]:
                for documents, cells in zip((inside, ~inside), classes.blocks(), strict=True):
                    yield documents.nonzero()[0], cells.occurrences, float(cells.words)

            return cls(X, classes, label_then_rest)
        if (np.bincount(document_of, minlength=X.shape[0]) != 1).any():
            raise InvalidSetting("documents with several labels or none: give label=, one label against the rest")
        classes, times = all_labels(counts), counts.occurrences

        def each_label() -> Iterator[tuple[Longs, Floats, float]]:
            dense = np.zeros(X.shape[1])  # read only where the label's documents have a term: no need to clear it
            for row in range(len(counts.labels)):
                part = slice(times.indptr[row], times.indptr[row + 1])
                dense[times.indices[part]] = times.data[part]
                documents = belongs.indices[belongs.indptr[row] : belongs.indptr[row + 1]]
                yield documents, dense, float(classes.words[row])

        return cls(X, classes, each_label)

    def document_mean(self, smoothing: float, part: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
        """1/|S| sum over documents of part(p(w|d), p(w|c(d)), p(w)), each term for itself; 0 where it does not occur."""
        check_smoothing(smoothing)
        n_documents, n_terms = self.X.shape
        total = np.zeros(n_terms)
        overall = share_of_words(self.classes)
        for documents, occurrences, words in self.members():
            rows = self.X[documents]
            lengths = np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()
            terms, document_share = rows.indices, rows.data / np.repeat(lengths, np.diff(rows.indptr))
            label_share = term_probability(occurrences[terms], words, n_terms, smoothing)
            total += np.bincount(terms, part(document_share, label_share, overall[terms]), minlength=n_terms)
        averages: Floats = total / max(n_documents, 1)
        return averages
