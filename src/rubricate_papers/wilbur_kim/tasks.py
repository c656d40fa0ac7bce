"""The three collections of 003 that can be had: training and test documents as rows of words. Source: 003 sec. 3-4.

Reuters     ModApte, the ten largest topics, each against all other stories; letters and digits, stop words out, no pairs
20 News     the 19,997 articles with their whole headers (NOTES.md says why), five folds: five times 80/20
WebKB       seven categories, Cornell for testing, no stop list

003 took the words of the last two with Rainbow: runs of two letters and more. The vocabulary is that of the training documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from rubricate.corpus import Corpus, collections
from rubricate.corpus.splits import held_out
from rubricate.counts.one_pass import Table, tabulate
from rubricate.terms.recipe import Recipe

from ..arrays import Array, Bools

__all__ = [
    "FOLDS",
    "RAINBOW",
    "RECIPES",
    "Task",
    "articles",
    "in_words",
    "of_fold",
    "pages",
    "part_held_out",
    "stories",
    "task_of",
]

FOLDS = 5
HELD_OUT = 1 / 3
RAINBOW = Recipe(tokens="letters", numbers="drop", min_length=2)
RECIPES = {
    "Reuters": Recipe.wilbur_kim(pairs=False),
    "20 Newsgroups": RAINBOW.with_(stop="english"),
    "WebKB": RAINBOW,
}


@dataclass(frozen=True, slots=True)
class Task:
    """Training and test documents with the same columns: the words of the training documents."""

    name: str
    train: Table
    test: Table
    exclusive: bool  # one label a document, so that there is an accuracy

    @property
    def labels(self) -> list[str]:
        """The labels of the training documents."""
        return self.train.counts.labels

    @property
    def truth(self) -> Bools:
        """Which test document has which label: documents x labels."""
        return member(self.test.labels, self.labels)

    @property
    def own_label(self) -> Array:
        """The label of each test document, where there is one."""
        return np.array([own[0] for own in self.test.labels])

    def only(self, train: Bools, test: Bools | None = None) -> Task:
        """Some of the documents; the words are those of the training documents left."""
        return narrowed(
            self.name, self.train.at(train), self.test if test is None else self.test.at(test), self.exclusive
        )


def member(labels: Sequence[Sequence[str]], names: Sequence[str]) -> Bools:
    """Which document has which of these labels."""
    place = {name: n for n, name in enumerate(names)}
    out = np.zeros((len(labels), len(names)), dtype=bool)
    for row, own in enumerate(labels):
        out[row, [place[name] for name in own if name in place]] = True
    return out


def stories(data: Path | None) -> tuple[Corpus, Corpus]:
    """Reuters, ten topics: training and test stories in text."""
    return collections.load("reuters21578", version="10", data=data)


def pages(data: Path | None, *, university: str = "cornell") -> tuple[Corpus, Corpus]:
    """WebKB: training pages, and those of one university for testing, in text."""
    return collections.load("webkb", data=data, test_university=university)


def in_words(name: str, train: Corpus, test: Corpus, recipe: Recipe | None = None) -> Task:
    """Both parts in the words of the training documents."""
    table = tabulate(train, recipe or RECIPES[name])
    return Task(name, table, tabulate(test, table.recipe, terms=table.terms), name != "Reuters")


def articles(
    data: Path | None,
    *,
    headers: str = "all",
    version: str = "19997",
    recipe: Recipe | None = None,
) -> tuple[Table, Corpus]:
    """20 Newsgroups in words and in text."""
    corpus = collections.read("20newsgroups", version=version, data=data, headers=headers).in_memory()
    return tabulate(corpus, recipe or RECIPES["20 Newsgroups"]), corpus


def of_fold(table: Table, folds: Array, fold: int) -> Task:
    """20 Newsgroups with one fold for testing."""
    return task_of("20 Newsgroups", table, folds == fold)


def task_of(name: str, table: Table, test: Bools, *, exclusive: bool = True) -> Task:
    """Some documents for testing, the others for training."""
    return narrowed(name, table.at(~test), table.at(test), exclusive)


def narrowed(name: str, train: Table, test: Table, exclusive: bool) -> Task:
    """Words that no training document has are left out."""
    seen = np.flatnonzero(np.bincount(train.X.indices, minlength=train.X.shape[1]))
    terms = train.term_array.take(pa.array(seen))
    own, rest = (replace(part, X=part.X[:, seen], term_array=terms) for part in (train, test))
    return Task(name, own, rest, exclusive)


def part_held_out(task: Task, seed: int) -> Task:
    """A third of the training documents to choose on, the others to learn from. The test part is not looked at."""
    mask = held_out(task.train.labels, HELD_OUT, seed=seed)
    return task_of(task.name, task.train, mask, exclusive=task.exclusive)
