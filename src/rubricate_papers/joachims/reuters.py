"""Reuters acq and wheat: split by date, balanced subsamples, repeated. Source: 000 sec. 6.1.2, table 1, figures 3, 4, 6, 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.base import clone

import rubricate as rb

from ..arrays import Array, Bools, Longs
from .trials import METHODS, RARE, RECIPE, Trial, trial

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Stories:
    X: sparse.csr_array
    X_test: sparse.csr_array
    terms: list[str]
    labels: list[list[str]]
    labels_test: list[list[str]]

    def member(self, topic: str) -> tuple[Bools, Bools]:
        train, test = ([topic in labels for labels in part] for part in (self.labels, self.labels_test))
        return np.array(train), np.array(test)


def read_stories(
    data: Path | None, *, version: str = "joachims", recipe: rb.Recipe = RECIPE, leave_unused: bool = False
) -> tuple[Stories, rb.Corpus, rb.Corpus]:
    """The stories in words, and both parts in text. leave_unused: without those that LEWISSPLIT calls NOT-USED."""
    train, test = rb.collections.load("reuters21578", version=version, data=data)
    if leave_unused:
        train, test = (
            part.at([n for n, mark in enumerate(part.column("lewissplit")) if mark != "NOT-USED"])
            for part in (train, test)
        )
    table = rb.tabulate(train, recipe)
    X_test = rb.tabulate(test, recipe, terms=table.terms).X
    return Stories(table.X, X_test, table.terms, table.labels, test.labels), train, test


def balanced(member: Bools, rng: np.random.Generator) -> Longs:
    """All members and as many others, drawn at random, in a random order, one and the other in turn."""
    yes, no = rng.permutation(np.flatnonzero(member)), rng.permutation(np.flatnonzero(~member))
    return np.column_stack([yes, no[: len(yes)]]).ravel()


def topic_counts(stories: Stories, rows: Longs, topic: str) -> rb.Counts:
    """Counts of these training stories under two labels: the topic and the rest."""
    y = np.where(stories.member(topic)[0][rows], topic, OTHER)
    return rb.Counts.from_matrix(stories.X[rows], y, stories.terms)


def subsample(stories: Stories, topic: str, seed: int) -> tuple[Longs, sparse.csr_array, Array]:
    """One balanced subsample of each part: rows of the training stories, the test stories and their labels."""
    rng = np.random.default_rng([seed, len(topic)])
    member, member_test = stories.member(topic)
    train, test = balanced(member, rng), balanced(member_test, rng)
    return train, stories.X_test[test], np.where(member_test[test], topic, OTHER)


def by_words(stories: Stories, topic: str, seed: int, sizes: Sequence[int], *, drop: int = 0) -> Trial:
    """One balanced subsample of each part, numbers of words varied.                                      [000 fig. 6-7]"""
    train, X, truth = subsample(stories, topic, seed)
    return trial(topic_counts(stories, train, topic), X, truth, sizes=sizes, drop=drop)


def by_training_size(stories: Stories, topic: str, seed: int, sizes: Sequence[int]) -> list[Trial]:
    """One balanced subsample, its first so many training stories, all words.                             [000 fig. 3-4]"""
    train, X, truth = subsample(stories, topic, seed)
    parts = (topic_counts(stories, train[start:end], topic) for start, end in pairwise([0, *sizes]))
    return [trial(counts, X, truth, sizes=[0]) for counts in accumulate(parts, add)]


def correct_by_method(stories: Stories, topic: str, seed: int, sizes: Mapping[str, int]) -> dict[str, Bools]:
    """One balanced subsample: which test stories each method gets right, at its own number of words."""
    train, X, truth = subsample(stories, topic, seed)
    counts = topic_counts(stories, train, topic)
    order = rb.term_scores.select(counts, by="mutual_information", min_occurrences=RARE)
    out = {}
    for method, size in sizes.items():
        terms = order[: size or len(order)]
        fitted = clone(METHODS[method]).fit_counts(counts.select(terms), several_labels=False)
        out[method] = fitted.predict(X[:, terms]) == truth
    return out


def count_all_words(stories: Stories, topic: str, seed: int) -> int:
    """The number of words that «all words» means in one balanced subsample."""
    counts = topic_counts(stories, subsample(stories, topic, seed)[0], topic)
    return len(rb.term_scores.prune(counts, min_occurrences=RARE))


def best_words(stories: Stories, topic: str, rows: Longs) -> list[str]:
    """The 15 words with the highest mutual information with a topic, in these training stories.            [000 tab. 1]"""
    counts = topic_counts(stories, rows, topic)
    terms = rb.term_scores.select(counts, by="mutual_information", top=15, min_occurrences=RARE)
    return [stories.terms[n] for n in terms.tolist()]


@dataclass(frozen=True, slots=True)
class WordAlone:
    """The classifier that asks for one word: test stories with and without the topic, and those of them with the word."""

    positives: int
    positives_with: int
    negatives: int
    negatives_with: int

    @property
    def correct(self) -> int:
        return self.positives_with + self.negatives - self.negatives_with


def classify_by_word(stories: Stories, topic: str) -> WordAlone:
    """A story has the topic if it has the word of that name.                                             [000 sec. 6.1.2]"""
    has = stories.X_test[:, [stories.terms.index(topic)]].toarray().ravel() > 0
    member = stories.member(topic)[1]
    return WordAlone(int(member.sum()), int((has & member).sum()), int((~member).sum()), int((has & ~member).sum()))
