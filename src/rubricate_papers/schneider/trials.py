"""Reuters: ten topics, a binary classifier each, words chosen for each topic; recall where it equals precision. 20 Newsgroups:
five-fold cross-validation by subtraction, numbers of words by cumulative sums. Source: 002 sec. 4, fig. 1-3.

«Only the 10 largest classes» is read as: only documents with one of them, in both parts. The vocabulary says so: the 6,490
training documents of ten topics have 22,506 words (printed: 22,430), the 9,603 of ModApte 27,378.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats, Longs, in_terms_of
from ..frame.published import published

PAPER = published("schneider")
TOPICS = rb.collections.TEN_TOPICS
LETTERS = rb.Recipe.schneider(stop=False)
FOLDS = 5

Score = Callable[[rb.Counts], Floats]

MI = rb.term_scores.word_mutual_information
SCORES: dict[str, Score] = {"MI": MI, "KL": rb.term_scores.kl, "dKL": rb.term_scores.dkl}


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
        return self.n_words / (self.n_words + self.numbers)

    def with_words(self, mask: Bools) -> Stories:
        terms = [self.terms[n] for n in np.flatnonzero(mask).tolist()]
        return replace(self, X=self.X[:, mask], X_test=self.X_test[:, mask], terms=terms)

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
        return np.asarray(self.recall.mean(axis=0))

    @property
    def micro(self) -> Floats:
        """Over all stories of all topics at each size."""
        return np.asarray(100 * self.pooled.mean(axis=1))

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
    """The same where words are selected once, for all topics together: their scores do not depend on the topic's counts."""
    counts = stories.all_topic_counts()
    values = {name: score(counts) for name, score in scores.items()}
    constant = {name: lambda _, name=name: values[name] for name in scores}
    return retrieve(stories, constant, sizes, topics)


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

    model = rb.models.Multinomial()
    rb.validation.selection_curve(model, counts, order, X, None, n_words, measure=keep, on_scores=True)
    return np.array([hits[size] for size in n_words])


# -- 20 Newsgroups


def read_articles(data: Path | None, *, version: str = "19997", headers: str = "none") -> tuple[rb.Table, rb.Corpus]:
    """The articles in words, without headers and the 100 most frequent words of English; and in text."""
    corpus = rb.collections.read("20newsgroups", version=version, data=data, headers=headers).in_memory()
    return rb.tabulate(corpus, rb.Recipe.schneider()), corpus


def by_fold(table: rb.Table, scores: Mapping[str, Score], sizes: Sequence[int], *, seed: int) -> dict[str, Floats]:
    """Accuracy in % of each score, by fold and number of words. A fold is trained on everything less the fold.  [002 fig. 1]"""
    folds = rb.validation.fold_numbers(table.labels, FOLDS, seed=seed)
    parts = rb.validation.fold_counts(table, folds)
    total = reduce(add, parts)
    y = np.array([labels[0] for labels in table.labels])
    out: dict[str, list[list[float]]] = {name: [] for name in scores}
    for fold, part in enumerate(parts):
        train, inside = total - part, np.flatnonzero(folds == fold)
        X = in_terms_of(train, table, inside)
        for name, score in scores.items():
            order, model = rb.term_scores.ranked(score(train)), rb.models.Multinomial()
            out[name].append(rb.validation.selection_curve(model, train, order, X, y[inside], sizes).values)
    return {name: 100 * np.array(values) for name, values in out.items()}
