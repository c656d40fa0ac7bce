"""One trial: training counts, test documents, and how right each method is at each number of words; all trials together: the best
setting of each method, and whether two methods differ. Source: 000 sec. 4, 6.

BAYES is summed over the ranked words in one sweep; TFIDF and PrTFIDF, whose norms change with the selection, are fitted anew from
the selected counts. No text and no training document is looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats
from ..frame import Plan
from ..frame.published import published

PAPER = published("joachims")
TASKS = {"newsgroups": "20 Newsgroups", "acq": "Reuters acq", "wheat": "Reuters wheat"}
# words of one letter are left out: the paper does not say so, but its lambda does (NOTES.md)
RECIPE = rb.Recipe.joachims().with_(min_length=2)
METHODS = {
    "PrTFIDF": rb.models.PrTFIDF(),
    "BAYES": rb.models.Multinomial(),
    "TFIDF": rb.models.TFIDF(),
    "TFIDF, IDF'": rb.models.TFIDF(idf="sqrt"),
}
TEST = 0.33  # of 20 Newsgroups
RARE = 3  # words had to occur at least 3 times: 000 sec. 4.2

Trial = dict[str, list[float]]


def trial(counts: rb.Counts, X: sparse.csr_array, truth: Any, *, sizes: Sequence[int], drop: int = 0) -> Trial:
    """Accuracy in % of each method at each size; a size above the number of words left, or 0, is all of them.

    X: test documents, columns as `counts.terms`. truth: the labels of each, any of which is right. drop: so many of the most
    frequent words are thrown out.
    """
    order = rb.term_scores.select(counts, by="mutual_information", min_occurrences=RARE, drop_most_frequent=drop)
    n_words = [min(size, len(order)) if size else len(order) for size in sizes]

    def percent_correct(_: Any, decisions: Any) -> float:
        return 100 * rb.metrics.accuracy(decisions, truth)

    out: Trial = {}
    for name, model in METHODS.items():
        curve = rb.validation.selection_curve(model, counts, order, X, None, n_words, measure=percent_correct)
        by_size = dict(zip(curve.sizes, curve.values, strict=True))
        out[name] = [by_size[size] for size in n_words]
    return out


@dataclass(frozen=True, slots=True)
class Results:
    """All trials: of each split or subsample, by number of words, and by number of training documents.

    all_documents, all_words: how many training documents and words «all» are, task by task. correct: of some subsamples of
    each topic, which test stories each method gets right at its best.
    """

    plan: Plan
    words: Sequence[Trial]
    trained: Sequence[Sequence[Trial]]
    by_words: Mapping[str, Sequence[Trial]]
    by_size: Mapping[str, Sequence[Sequence[Trial]]]
    all_documents: Mapping[str, int]
    all_words: Mapping[str, int]
    correct: Mapping[str, Sequence[Mapping[str, Bools]]] = field(default_factory=dict)

    def values(self, task: str, method: str) -> Floats:
        """Accuracy by trial and number of words."""
        return np.array([trial[method] for trial in (self.words if task == "newsgroups" else self.by_words[task])])

    def sizes(self, task: str) -> list[int]:
        return list(self.plan["words" if task == "newsgroups" else "reuters words"])

    def best(self, task: str, method: str) -> tuple[int, Floats]:
        """The number of words with the highest mean, and accuracy by trial there."""
        values = self.values(task, method)
        at = int(values.mean(axis=0).argmax())
        return self.sizes(task)[at], values[:, at]

    def against(self, task: str, first: str, second: str) -> Difference:
        """Two methods at their best: the difference, and whether it is more than chance."""
        a, b = self.best(task, first)[1], self.best(task, second)[1]
        sign = rb.significance.sign_test(a, b).p
        if task == "newsgroups":
            careful = rb.significance.corrected_resampled_t(a, b, n_train=1 - TEST, n_test=TEST).p
            return Difference(float((a - b).mean()), sign, careful)
        ps = [rb.significance.mcnemar(correct[first], correct[second]).p for correct in self.correct[task]]
        return Difference(float((a - b).mean()), sign, float(np.median(ps)))


@dataclass(frozen=True, slots=True)
class Difference:
    """Points of accuracy; p of the paper's sign test over trials; and p of a test that allows for what trials share: the
    corrected resampled t-test over splits, or McNemar's over documents, the median of some balanced subsamples."""

    points: float
    sign: float
    careful: float

    @property
    def significant(self) -> bool:
        return max(self.sign, self.careful) < 0.05


def size_text(size: int) -> str:
    return f"{size:,} words" if size else "all words"
