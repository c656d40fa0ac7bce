"""Reuters: ten topics, a binary classifier each, words chosen for each topic; recall where it equals precision.
Source: 002 sec. 4, fig. 2-3.

«Only the 10 largest classes» is read as: only documents with one of them, in both parts. The vocabulary says so: the 6,490
training documents of ten topics have 22,506 words (printed: 22,430), the 9,603 of ModApte 27,378.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats, Longs

TOPICS = rb.collections.TEN_TOPICS
LETTERS = rb.Recipe.schneider(stop=False)

Score = Callable[[rb.Counts], Floats]

SCORES: dict[str, Score] = {
    "MI": rb.term_scores.word_mutual_information,
    "KL": rb.term_scores.kl,
    "dKL": rb.term_scores.dkl,
}


@dataclass(frozen=True, slots=True)
class Stories:
    """Training and test stories as rows of words, and how many numbers the training stories hold besides."""

    X: sparse.csr_array
    X_test: sparse.csr_array
    terms: list[str]
    labels: list[list[str]]
    labels_test: list[list[str]]
    numbers: int = 0

    @property
    def n_words(self) -> int:
        """Words of the training stories, each as often as it occurs."""
        return int(self.X.sum())

    @property
    def share_of_words(self) -> float:
        """Words over words and numbers."""
        return self.n_words / (self.n_words + self.numbers)

    def with_words(self, mask: Bools) -> Stories:
        columns = np.flatnonzero(mask)
        terms = [self.terms[n] for n in columns.tolist()]
        return replace(self, X=self.X[:, columns], X_test=self.X_test[:, columns], terms=terms)

    def without_numbers(self) -> Stories:
        """Without NUM among the words to choose from; its occurrences are kept in `numbers`."""
        bare = self.with_words(np.array([term != rb.recipe.NUMBER_TERM for term in self.terms]))
        return replace(bare, numbers=self.n_words - bare.n_words)

    def topic_counts(self, topic: str) -> tuple[rb.Counts, Bools]:
        """Counts of the topic and of the rest, and which test stories have it."""
        y = np.array(["yes" if topic in labels else "no" for labels in self.labels])
        return rb.Counts.from_matrix(self.X, y, self.terms), np.array([topic in labels for labels in self.labels_test])

    def all_topic_counts(self) -> rb.Counts:
        """Counts of all topics at once; a story counts in each of its topics."""
        rows = np.repeat(np.arange(len(self.labels)), [len(labels) for labels in self.labels])
        y = np.array([topic for labels in self.labels for topic in labels])
        return rb.Counts.from_matrix(self.X[rows], y, self.terms)


def read_texts(data: Path | None, *, ten_train: bool = True, ten_test: bool = True) -> tuple[rb.Corpus, rb.Corpus]:
    """Training and test stories in text. ten_train, ten_test: only those with one of the ten topics."""
    train, test = rb.collections.load("reuters21578", version="10", data=data)
    train = train.at([n for n, labels in enumerate(train.labels) if labels or not ten_train])
    return train, test.at([n for n, labels in enumerate(test.labels) if labels or not ten_test])


def in_words(train: rb.Corpus, test: rb.Corpus, recipe: rb.Recipe = LETTERS) -> Stories:
    """Stories in the words of the training stories."""
    table = rb.tabulate(train, recipe)
    X_test = rb.tabulate(test, recipe, terms=table.terms).X
    return Stories(table.X, X_test, table.terms, table.labels, test.labels)


def scaled_kl(factor: float) -> Score:
    """KL with p(w) of eq. 12 times a factor: K~ is proportional to p(w).                                    [002 eq. 12-13]"""

    def score(counts: rb.Counts) -> Floats:
        times, with_term = rb.term_scores.occurrences(counts), rb.term_scores.document_frequency(counts)
        q = np.where(with_term > 0, with_term, counts.n_documents) / counts.n_documents
        divergence: Floats = -times / times.sum() * np.log(q)
        return rb.term_scores.kl(counts) - (1 - factor) * divergence

    return score


@dataclass(frozen=True, slots=True)
class Retrieval:
    """For each topic: which of its n test stories rank among the first n, sizes x stories."""

    hits: dict[str, Bools]

    @property
    def recall(self) -> Floats:
        """Of each topic at each size, %: topics x sizes."""
        return 100 * np.array([hits.mean(axis=1) for hits in self.hits.values()])

    @property
    def macro(self) -> Floats:
        """The mean over topics at each size."""
        mean: Floats = self.recall.mean(axis=0)
        return mean

    @property
    def micro(self) -> Floats:
        """Over all stories of all topics at each size."""
        mean: Floats = 100 * self.pooled.mean(axis=1)
        return mean

    @property
    def pooled(self) -> Bools:
        """All topics side by side: sizes x stories."""
        return np.hstack(list(self.hits.values()))


def retrieve(
    stories: Stories, scores: Mapping[str, Score], sizes: Sequence[int], topics: Sequence[str] = TOPICS
) -> dict[str, Retrieval]:
    """Rank test stories by log odds, take as many as the topic has; for each score that words are chosen by.    [002 sec. 4]

    Ties go by index (readings 002.8). A topic is counted once; all sizes are one sweep over the ranked words.
    """
    hits: dict[str, dict[str, Bools]] = {name: {} for name in scores}
    for topic in topics:
        counts, truth = stories.topic_counts(topic)
        for name, score in scores.items():
            hits[name][topic] = hits_by_size(counts, rb.term_scores.ranked(score(counts)), stories.X_test, truth, sizes)
    return {name: Retrieval(by_topic) for name, by_topic in hits.items()}


def retrieve_by_shared_words(
    stories: Stories, scores: Mapping[str, Score], sizes: Sequence[int], topics: Sequence[str] = TOPICS
) -> dict[str, Retrieval]:
    """The same where words are selected once, for all topics together."""
    counts = stories.all_topic_counts()
    return retrieve(stories, {name: constant_score(score(counts)) for name, score in scores.items()}, sizes, topics)


def constant_score(values: Floats) -> Score:
    """A score whose values do not depend on the counts."""
    return lambda counts: values


def hits_by_size(counts: rb.Counts, order: Longs, X: sparse.csr_array, truth: Bools, sizes: Sequence[int]) -> Bools:
    """Which of a topic's n test stories rank among the first n, at each size: sizes x stories."""
    hits: dict[int, Bools] = {}
    n_words = [min(size, len(order)) for size in sizes]
    ascending = iter(sorted(set(n_words)))

    def keep(_: Any, scores: Floats) -> float:
        odds = np.round(scores[:, 1] - scores[:, 0], 12)
        retrieved = np.zeros(len(odds), dtype=bool)
        retrieved[np.argsort(-odds, kind="stable")[: truth.sum()]] = True
        hits[next(ascending)] = retrieved[truth]
        return float(retrieved[truth].mean())

    rb.validation.selection_curve(
        rb.models.Multinomial(), counts, order, X, None, n_words, measure=keep, on_scores=True
    )
    return np.array([hits[size] for size in n_words])
