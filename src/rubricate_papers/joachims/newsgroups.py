"""20 Newsgroups: repeated splits, numbers of words and of training articles varied, and what else might explain a difference.
Source: 000 sec. 6.1.1, figures 2 and 5; lambda: sec. 5.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add
from pathlib import Path

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Array, Floats
from .trials import RARE, RECIPE, TEST, Trial, trial

DROPPED = 100  # so many of the most frequent words are thrown out: 000 sec. 6.1.1


@dataclass(frozen=True, slots=True)
class Articles:
    """Articles as rows of words; for a cross-posted one any of its groups is correct."""

    X: sparse.csr_array
    terms: list[str]
    labels: list[list[str]]  # what it is trained on: its folder, or all folders of merged copies
    groups: list[list[str]]  # what counts as right

    def split(self, seed: int) -> tuple[Array, Array]:
        """Positions of training and test articles, in every group in the same proportion."""
        test = rb.validation.held_out(self.labels, TEST, seed=seed)
        return np.flatnonzero(~test), np.flatnonzero(test)

    def counts_of(self, rows: Array) -> rb.Counts:
        """Counts of these articles, one of several groups once in each."""
        copies = [(row, label) for row in rows.tolist() for label in self.labels[row]]
        at = np.array([row for row, _ in copies])
        return rb.Counts.from_matrix(self.X[at], np.array([label for _, label in copies]), self.terms)

    def truth(self, rows: Array, *, either: bool = True) -> list[list[str]]:
        """The correct labels of these articles: any group it was posted to, or its own folder alone."""
        return [(self.groups if either else self.labels)[row] for row in rows.tolist()]


def read_articles(
    data: Path | None,
    recipe: rb.Recipe = RECIPE,
    *,
    version: str = "19997",
    headers: str = "subject",
    crossposts: str = "copies",
) -> tuple[Articles, rb.Corpus]:
    corpus = rb.collections.read("20newsgroups", version=version, data=data, headers=headers, crossposts=crossposts)
    corpus = corpus.in_memory()
    table = rb.tabulate(corpus, recipe)
    groups = [(names or "").split() for names in corpus.column("groups")]
    return Articles(table.X, table.terms, table.labels, groups), corpus


def by_words(articles: Articles, seed: int, sizes: Sequence[int], *, either: bool = True, drop: int = DROPPED) -> Trial:
    """One split, numbers of words varied.                                                                   [000 fig. 5]"""
    train, test = articles.split(seed)
    truth = articles.truth(test, either=either)
    return trial(articles.counts_of(train), articles.X[test], truth, sizes=sizes, drop=drop)


def by_training_size(articles: Articles, seed: int, sizes: Sequence[int]) -> list[Trial]:
    """One split, the first so many of its training articles in a random order, all words.                   [000 fig. 2]

    Each size adds the counts of the articles it has more than the last; sizes ascend.
    """
    train, test = articles.split(seed)
    order = np.random.default_rng(seed).permutation(train)
    X, truth = articles.X[test], articles.truth(test)
    sums = accumulate((articles.counts_of(order[start:end]) for start, end in pairwise([0, *sizes])), add)
    return [trial(counts, X, truth, sizes=[0], drop=DROPPED) for counts in sums]


def count_all_words(articles: Articles, seed: int) -> int:
    """The number of words that «all words» means in one split."""
    counts = articles.counts_of(articles.split(seed)[0])
    return len(rb.term_scores.prune(counts, min_occurrences=RARE, drop_most_frequent=DROPPED))


@dataclass(frozen=True, slots=True)
class Lambda:
    """Euclidean length over number of words of the twenty prototypes: mean, standard deviation, least, largest."""

    mean: float
    sd: float
    least: float
    largest: float


def lambdas(articles: Articles, rows: Array, *, words: int, prime: bool = False) -> Lambda:
    """lambda(C) = sqrt(sum over w of (TF(w, C) IDF(w))^2) / sum over w of TF(w, C)                          [000 eq. 24]

    of the `words` words of highest mutual information; with IDF' for IDF if `prime`.
    """
    counts = articles.counts_of(rows)
    selection = rb.term_scores.select(
        counts, by="mutual_information", top=words, min_occurrences=RARE, drop_most_frequent=DROPPED
    )
    counts = counts.select(selection)
    table = counts.occurrences[:-1].astype(np.float64)
    weights = rb.models.TFIDF(idf="sqrt").fit_counts(counts).idf_ if prime else rb.term_scores.idf(counts)
    length = np.sqrt((table.multiply(table)) @ weights**2)
    values: Floats = length / np.asarray(table.sum(axis=1)).ravel()
    return Lambda(float(values.mean()), float(values.std(ddof=1)), float(values.min()), float(values.max()))
