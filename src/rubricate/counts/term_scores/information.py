"""How common a term is, and what it tells about the label.

Document frequency, occurrences and IDF, with `label` in the documents of that label alone; mutual information of a term and the
label, over documents (000, 003) or over word positions (002, 003).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import xlogy

from ...errors import UnknownName
from ...foundation.arrays import Floats
from .. import Counts
from .cells import Cells, Classes, dense_row, label_row, score_terms

PRIORS = ("documents", "words")


def document_frequency(counts: Counts, *, label: str | None = None) -> Floats:
    """Documents that have the term: DF(w)."""
    return dense_row(counts.documents_with, row_of(counts, label))


def occurrences(counts: Counts, *, label: str | None = None) -> Floats:
    """How often the term occurs: TF(w)."""
    return dense_row(counts.occurrences, row_of(counts, label))


def idf(counts: Counts, *, label: str | None = None) -> Floats:
    """IDF(w) = log( documents / documents with w ); 0 for a term in no document, where it is undefined.     [000 eq. 3]"""
    with_term = document_frequency(counts, label=label)
    n = float(counts.documents[row_of(counts, label)])
    return np.log(np.divide(n, with_term, out=np.ones_like(with_term), where=with_term > 0))


def row_of(counts: Counts, label: str | None) -> int:
    """The row of a label; the last, of everything, without one."""
    return len(counts.labels) if label is None else label_row(counts, label)


def mutual_information(counts: Counts, *, label: str | None = None, average: str | None = None) -> Floats:
    """I(T, w) = E(T) - E(T|w), in nats, over documents: has the term or not, which label.                [000 eq. 1-2]

    Relative frequencies, not smoothed. With several labels a document: the weighted mean over labels of each label against
    the rest, unless `label` or `average` say otherwise.

    >>> from rubricate import count
    >>> counts = count(["corn", "corn rises", "gold rises", "gold"], labels=["grain", "grain", "metal", "metal"])
    >>> dict(zip(counts.terms, mutual_information(counts).round(3).tolist()))
    {'corn': 0.693, 'gold': 0.693, 'rises': 0.0}
    """
    return score_terms(counts, over_documents, label=label, average=average)


def information_gain(counts: Counts, *, label: str | None = None, average: str | None = None) -> Floats:
    """What the term's presence or absence tells about the label: `mutual_information`, in nats, by its other name."""
    return mutual_information(counts, label=label, average=average)


def word_mutual_information(
    counts: Counts, *, label: str | None = None, average: str | None = None, prior: str = "words"
) -> Floats:
    """MI(W_t; C) = sum over c and x = 0, 1 of p(x, c) log [ p(x, c) / (p(x) p(c)) ].                       [002 eq. 4]

    x is whether a word position holds the term. prior="words": all of p(x, c), p(x), p(c) count word positions, so p(c) is
    the label's share of the words; also the average mutual information for the multinomial.             [003 sec. 5.1]
    prior="documents": p(c) is the label's share of the documents and p(x, c) = p(c) p(x|c).                [002 eq. 3]
    """
    if prior not in PRIORS:
        raise UnknownName("prior", prior, PRIORS)
    score = over_positions if prior == "words" else over_positions_of_documents
    return score_terms(counts, score, label=label, average=average)


def over_documents(classes: Classes) -> Floats:
    return information_between(
        classes, classes.n_documents, classes.documents_with, lambda cells: (cells.documents_with, cells.documents)
    )


def over_positions(classes: Classes) -> Floats:
    return information_between(
        classes, classes.n_words, classes.occurrences, lambda cells: (cells.occurrences, cells.words)
    )


def information_between(
    classes: Classes, n: float, term: Floats, events: Callable[[Cells], tuple[Floats, Floats | float]]
) -> Floats:
    """Mutual information of n events, `term` of which have the term; `counted`: a cell's events with it, and all its class's."""
    if n == 0:
        return np.zeros_like(term)

    def part(cells: Cells) -> Floats:
        both, size = events(cells)
        of_term = term[cells.terms]
        return information_part(both, of_term, size, n) + information_part(size - both, n - of_term, size, n)

    # classes without the term: size/n log [ 1 / p(absent) ] each. Sizes are whole numbers, so the difference is exact
    without = n - classes.term_sums(lambda cells: events(cells)[1])
    rest = xlogy(without / n, np.divide(n, n - term, out=np.ones_like(term), where=without > 0))
    information: Floats = np.maximum(classes.term_sums(part) + rest, 0.0)
    return information


def information_part(both: Floats, term: Floats, size: Floats | float, n: float) -> Floats:
    """p(c, x) log [ p(c, x) / (p(c) p(x)) ], with 0 log 0 = 0."""
    expected = term * (size / n)
    out: Floats = xlogy(both / n, np.divide(both, expected, out=np.ones_like(both), where=expected > 0))
    return out


def over_positions_of_documents(classes: Classes) -> Floats:
    """Mutual information where a class is drawn by its documents, then one of its word positions.

    sum over c of p(c) [ p(w|c) log p(w|c)/p(w) + (1 - p(w|c)) log (1 - p(w|c))/(1 - p(w)) ],  p(w) = sum of p(c) p(w|c)
    """
    n = classes.n_documents
    if n == 0:
        return np.zeros_like(classes.documents_with)

    def share(cells: Cells) -> Floats:
        return np.divide(
            cells.occurrences, cells.words, out=np.zeros_like(cells.occurrences), where=np.asarray(cells.words) > 0
        )

    p = np.minimum(classes.term_sums(lambda cells: share(cells) * (cells.documents / n)), 1.0)

    def part(cells: Cells) -> Floats:
        share_here, p_here = share(cells), p[cells.terms]
        present = xlogy(share_here, np.divide(share_here, p_here, out=np.ones_like(share_here), where=p_here > 0))
        absent = xlogy(
            1 - share_here, np.divide(1 - share_here, 1 - p_here, out=np.ones_like(share_here), where=p_here < 1)
        )
        return np.asarray((present + absent) * (cells.documents / n))

    without = n - classes.term_sums(lambda cells: cells.documents)
    rest = xlogy(without / n, np.divide(1, 1 - p, out=np.ones_like(p), where=(without > 0) & (p < 1)))
    information: Floats = np.maximum(classes.term_sums(part) + rest, 0.0)
    return information
