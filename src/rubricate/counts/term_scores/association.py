"""How far apart a label and the rest are in the share of documents that have a term.

Not from the five papers, but what people compare them with: chi-square and odds ratio as in Yang & Pedersen (1997) and
Mladenic & Grobelnik (1999), binormal separation after Forman (2003). Learns from: documents, documents_with.

                     has the term   has it not
    the label             a             b
    the rest              c             d
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from .. import Counts
from .cells import Cells, Classes, check_smoothing, label_and_rest, score_terms


def chi2(counts: Counts, *, label: str | None = None, average: str | None = None) -> Floats:
    """Pearson's chi-square of the table labels x (has the term, has it not), documents counted; no correction.

    For two classes n (ad - bc)^2 / [(a+b)(c+d)(a+c)(b+d)]; for more, the sum of (found - expected)^2 / expected. 0 for a term
    in no document or in all. scikit-learn's chi2 on 0/1 columns leaves the second column of the table out: it is smaller by
    the share of documents without the term.
    """
    return score_terms(counts, chi_square, label=label, average=average)


def chi_square(classes: Classes) -> Floats:
    n, term = classes.n_documents, classes.documents_with

    def part(cells: Cells) -> Floats:
        expected = term[cells.terms] * (cells.documents / n)
        return np.divide(
            (cells.documents_with - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
        )

    if n == 0:
        return np.zeros_like(term)
    # a class without the term adds what was expected of it; the sum over the absent documents is in proportion
    without = (n - classes.term_sums(lambda cells: cells.documents)) * (term / n)
    present = classes.term_sums(part) + without
    return np.multiply(present, np.divide(n, n - term, out=np.zeros_like(term), where=(term > 0) & (term < n)))


def odds_ratio(
    counts: Counts, *, label: str | None = None, average: str | None = None, smoothing: float = 0.5
) -> Floats:
    """log [ ad / (bc) ]: the odds of having the term, in the label against in the rest; above 0 where the label has it more.

    smoothing is added to each of a, b, c, d, so that the score is finite (0.5 is Haldane's and Anscombe's; without it, 0,
    the score is infinite where one of them is 0). 0 where the label or the rest has no documents, and for 0/0. Without
    `label`: the highest over labels.
    """
    check_smoothing(smoothing)

    def log_odds(classes: Classes) -> Floats:
        label_cells, rest = label_and_rest(classes)
        if not (label_cells.documents and rest.documents):
            return np.zeros_like(label_cells.documents_with)
        a, c = label_cells.documents_with + smoothing, rest.documents_with + smoothing
        b, d = label_cells.documents + 2 * smoothing - a, rest.documents + 2 * smoothing - c
        for_label, against = a * d, b * c
        defined = (for_label > 0) | (against > 0)
        with np.errstate(divide="ignore"):
            logs = np.log(np.where(defined, for_label, 1.0)) - np.log(np.where(defined, against, 1.0))
        return np.asarray(logs)

    return score_terms(counts, log_odds, label=label, average=average, joint=False)


def binormal_separation(
    counts: Counts, *, label: str | None = None, average: str | None = None, clip: float = 0.0005
) -> Floats:
    """| F(a/(a+b)) - F(c/(c+d)) |, F the inverse of the normal distribution's cumulative function (Forman 2003).

    Shares below `clip`, or above 1 - clip, are taken as that, since F is infinite at 0 and 1; 0.0005 is Forman's. 0 where the
    label or the rest has no documents. Without `label`: the highest over labels.
    """
    if not 0 < clip < 0.5:
        raise InvalidSetting(f"clip={clip}: give a number above 0 and below 0.5")

    def separation(classes: Classes) -> Floats:
        label_cells, rest = label_and_rest(classes)
        if not (label_cells.documents and rest.documents):
            return np.zeros_like(label_cells.documents_with)
        label_share, rest_share = (
            np.clip(cells.documents_with / cells.documents, clip, 1 - clip) for cells in (label_cells, rest)
        )
        return np.asarray(np.abs(ndtri(label_share) - ndtri(rest_share)))

    return score_terms(counts, separation, label=label, average=average, joint=False)
