"""The three collections of 003 that can be had: training and test documents as rows of words. Source: 003 sec. 3-4.

Reuters     ModApte, the ten largest topics, each against all other stories; letters and digits, stop words out, no pairs
20 News     the 19,997 articles with their whole headers (NOTES.md says why), five folds: five times 80/20
WebKB       seven categories, Cornell for testing, no stop list

003 took the words of the last two with Rainbow: runs of two letters and more. The vocabulary is that of the training documents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

import rubricate as rb

from ..arrays import Array, Bools
from ..frame.published import published

PAPER = published("wilbur_kim")
FOLDS = 5
HELD_OUT = 1 / 3
RAINBOW = rb.Recipe(tokens="letters", numbers="drop", min_length=2)
RECIPES = {
    "Reuters": rb.Recipe.wilbur_kim(pairs=False),
    "20 Newsgroups": RAINBOW.with_(stop="english"),
    "WebKB": RAINBOW,
}


@dataclass(frozen=True, slots=True)
class Task:
    """Training and test documents with the same columns: the words of the training documents."""

    name: str
    train: rb.Table
    test: rb.Table
    exclusive: bool  # one label a document, so that there is an accuracy

    @property
    def labels(self) -> list[str]:
        return self.train.counts.labels

    @property
    def truth(self) -> Bools:
        """Which test document has which label: documents x labels."""
        return np.array([[label in labels for label in self.labels] for labels in self.test.labels])

    @property
    def label(self) -> Array:
        return np.array([labels[0] for labels in self.test.labels])

    def only(self, train: Bools, test: Bools | None = None) -> Task:
        """Some of the documents; the words are those of the training documents left."""
        test_part = self.test if test is None else self.test.at(test)
        return task_in_training_words(self.name, self.train.at(train), test_part, self.exclusive)


def read_pages(data: Path | None, *, university: str = "cornell") -> tuple[rb.Corpus, rb.Corpus]:
    """WebKB: training pages, and those of one university for testing, in text."""
    return rb.collections.load("webkb", data=data, test_university=university)


def in_words(name: str, train: rb.Corpus, test: rb.Corpus, recipe: rb.Recipe | None = None) -> Task:
    table = rb.tabulate(train, recipe or RECIPES[name])
    return Task(name, table, rb.tabulate(test, table.recipe, terms=table.terms), name != "Reuters")


def read_articles(data: Path | None, *, headers: str = "all", version: str = "19997") -> tuple[rb.Table, rb.Corpus]:
    corpus = rb.collections.read("20newsgroups", version=version, data=data, headers=headers).in_memory()
    return rb.tabulate(corpus, RECIPES["20 Newsgroups"]), corpus


def of_fold(table: rb.Table, folds: Array, fold: int) -> Task:
    return task_of("20 Newsgroups", table, folds == fold)


def task_of(name: str, table: rb.Table, test: Bools, *, exclusive: bool = True) -> Task:
    return task_in_training_words(name, table.at(~test), table.at(test), exclusive)


def task_in_training_words(name: str, train: rb.Table, test: rb.Table, exclusive: bool) -> Task:
    """A task without the words that no training document has."""
    columns = np.flatnonzero(np.bincount(train.X.indices, minlength=train.X.shape[1]))
    terms = train.term_array.take(pa.array(columns))
    train_part, test_part = (replace(part, X=part.X[:, columns], term_array=terms) for part in (train, test))
    return Task(name, train_part, test_part, exclusive)


def part_held_out(task: Task, seed: int) -> Task:
    """A third of the training documents to choose on, the others to learn from. The test part is not looked at."""
    mask = rb.validation.held_out(task.train.labels, HELD_OUT, seed=seed)
    return task_of(task.name, task.train, mask, exclusive=task.exclusive)
