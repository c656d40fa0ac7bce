"""All trials of 000 together: the best setting of each method, and whether two methods differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

import rubricate as rb

from ..arrays import Bools, Floats
from ..frame import Plan
from .trials import Trial

TASKS = {"newsgroups": "20 Newsgroups", "acq": "Reuters acq", "wheat": "Reuters wheat"}


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
    test_share: float  # of 20 Newsgroups
    all_documents: Mapping[str, int]
    all_words: Mapping[str, int]
    correct: Mapping[str, Sequence[Mapping[str, Bools]]] = field(default_factory=dict)

    def values(self, task: str, method: str) -> Floats:
        """Accuracy by trial and number of words."""
        return np.array([trial[method] for trial in (self.words if task == "newsgroups" else self.by_words[task])])

    def sizes(self, task: str) -> list[int]:
        """The numbers of words; 0 is all."""
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
            careful = rb.significance.corrected_resampled_t(a, b, n_train=1 - self.test_share, n_test=self.test_share).p
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
        """Whether both tests say so at 5 %."""
        return max(self.sign, self.careful) < 0.05


def size_text(size: int) -> str:
    return f"{size:,} words" if size else "all words"
