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

from rubricate.corpus import Corpus, collections
from rubricate.corpus.splits import held_out
from rubricate.counts import Counts
from rubricate.counts.one_pass import tabulate
from rubricate.counts.term_scores import idf, prune, select
from rubricate.models.from_counts.tfidf import idf_prime
from rubricate.terms.recipe import Recipe

from ..arrays import Array, Floats
from .trials import RARE, RECIPE, Trial, trial

__all__ = ["DROPPED", "TEST", "Articles", "Lambda", "articles", "by_training_size", "by_words", "lambdas", "words_left"]

DROPPED = (
    100  # the most frequent words are thrown out                                                  [000 sec. 6.1.1]
)
TEST = 0.33


@dataclass(frozen=True, slots=True)
class Articles:
    """Articles as rows of words; a cross-posted one has several groups, any of which is a right answer."""

    X: sparse.csr_array
    terms: list[str]
    labels: list[list[str]]  # what it is trained on: its folder, or all folders of merged copies
    groups: list[list[str]]  # what counts as right

    def split(self, seed: int) -> tuple[Array, Array]:
        """Positions of training and test articles, in every group in the same proportion."""
        test = held_out(self.labels, TEST, seed=seed)
        return np.flatnonzero(~test), np.flatnonzero(test)

    def counted(self, rows: Array) -> Counts:
        """Counts of these articles, one of several groups once in each."""
        copies = [(row, label) for row in rows.tolist() for label in self.labels[row]]
        at = np.array([row for row, _ in copies])
        return Counts.from_matrix(self.X[at], np.array([label for _, label in copies]), self.terms)

    def truth(self, rows: Array, *, either: bool = True) -> list[list[str]]:
        """The right answers: any group it was posted to, or its own folder alone."""
        return [(self.groups if either else self.labels)[row] for row in rows.tolist()]


def articles(
    data: Path | None,
    *,
    version: str = "19997",
    headers: str = "subject",
    crossposts: str = "copies",
    recipe: Recipe | None = None,
) -> tuple[Articles, Corpus]:
    """The articles in words, and in text."""
    corpus = collections.read("20newsgroups", version=version, data=data, headers=headers, crossposts=crossposts)
    corpus = corpus.in_memory()
    table = tabulate(corpus, recipe or RECIPE)
    groups = [(own or "").split() for own in corpus.column("groups")]
    return Articles(table.X, table.terms, table.labels, groups), corpus


def by_words(own: Articles, seed: int, sizes: Sequence[int], *, either: bool = True, drop: int = DROPPED) -> Trial:
    """One split, numbers of words varied.                                                                   [000 fig. 5]"""
    train, test = own.split(seed)
    return trial(own.counted(train), own.X[test], own.truth(test, either=either), sizes=sizes, drop=drop)


def by_training_size(own: Articles, seed: int, sizes: Sequence[int]) -> list[Trial]:
    """One split, the first so many of its training articles in a random order, all words.                   [000 fig. 2]

    Each size adds the counts of the articles it has more than the last; sizes ascend.
    """
    train, test = own.split(seed)
    order = np.random.default_rng(seed).permutation(train)
    X, truth = own.X[test], own.truth(test)
    sums = accumulate((own.counted(order[start:end]) for start, end in pairwise([0, *sizes])), add)
    return [trial(counts, X, truth, sizes=[0], drop=DROPPED) for counts in sums]


def words_left(own: Articles, seed: int) -> int:
    """How many words «all» are, in one split."""
    return len(prune(own.counted(own.split(seed)[0]), min_occurrences=RARE, drop_most_frequent=DROPPED))


@dataclass(frozen=True, slots=True)
class Lambda:
    """Euclidean length over number of words of the twenty prototypes: mean, standard deviation, least, largest."""

    mean: float
    sd: float
    least: float
    largest: float


def lambdas(own: Articles, rows: Array, *, words: int, prime: bool = False) -> Lambda:
    """lambda(C) = sqrt(sum over w of (TF(w, C) IDF(w))^2) / sum over w of TF(w, C)                          [000 eq. 24]

    of the `words` words of highest mutual information; with IDF' for IDF if `prime`.
    """
    counts = own.counted(rows)
    kept = counts.select(
        select(counts, by="mutual_information", top=words, min_occurrences=RARE, drop_most_frequent=DROPPED)
    )
    table = kept.occurrences[:-1].astype(np.float64)
    weights = idf_prime(table, kept.n_documents) if prime else idf(kept)
    length = np.sqrt((table.multiply(table)) @ weights**2)
    values: Floats = length / np.asarray(table.sum(axis=1)).ravel()
    return Lambda(float(values.mean()), float(values.std(ddof=1)), float(values.min()), float(values.max()))
