"""One trial: training counts, test documents, and how right each method is at each number of words. Source: 000 sec. 4, 6.

BAYES is summed over the ranked words in one sweep; TFIDF and PrTFIDF, whose norms change with the selection, are fitted anew from
the selected counts. No text and no training document is looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scipy import sparse

import rubricate as rb

# words of one letter are left out: the paper does not say so, but its lambda does (NOTES.md)
RECIPE = rb.Recipe.joachims().with_(min_length=2)
METHODS = {
    "PrTFIDF": rb.models.PrTFIDF(),
    "BAYES": rb.models.Multinomial(),
    "TFIDF": rb.models.TFIDF(),
    "TFIDF, IDF'": rb.models.TFIDF(idf="sqrt"),
}
RARE = (
    3  # words had to occur at least 3 times                                                            [000 sec. 4.2]
)

Trial = dict[str, list[float]]


def trial(
    counts: rb.Counts,
    X: sparse.csr_array,
    truth: Any,
    *,
    sizes: Sequence[int],
    drop: int = 0,
    methods: Mapping[str, Any] = METHODS,
) -> Trial:
    """Accuracy in % of each method at each size; a size above the number of words left, or 0, is all of them.

    X: test documents, columns as `counts.terms`. truth: the labels of each, any of which is right. drop: so many of the most
    frequent words are thrown out.
    """
    order = rb.term_scores.select(counts, by="mutual_information", min_occurrences=RARE, drop_most_frequent=drop)
    n_words = [min(size, len(order)) if size else len(order) for size in sizes]

    def percent_correct(_: Any, decisions: Any) -> float:
        return 100 * rb.metrics.accuracy(decisions, truth)

    out: Trial = {}
    for name, model in methods.items():
        curve = rb.validation.selection_curve(model, counts, order, X, None, n_words, measure=percent_correct)
        by_size = dict(zip(curve.sizes, curve.values, strict=True))
        out[name] = [by_size[size] for size in n_words]
    return out
