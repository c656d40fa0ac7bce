"""What «the total number of words» may be that p(w) of eq. 12 is divided by. Source: 002 sec. 3.

A reading counts more words in the total than can be chosen, or counts some of them more than once: p(w) is then smaller by the
same factor for every word, (words that can be chosen) / total. Eq. 2 has a denominator of its own and stays as printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import rubricate as rb

from ..frame import Grid, Published
from .grids import GAIN, MEASURE
from .reuters import LETTERS, SCORES, Retrieval, Stories, read_texts, retrieve, scaled_kl
from .tokenisers import RUNS, pieces, runs_of_letters, split_at_spaces

SIZES = [5000, 20000]
MARK = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the total is, the stories with the words to choose from, and the total itself."""

    what: str
    stories: Stories
    total: int

    @property
    def factor(self) -> float:
        """Words that can be chosen over the total."""
        return self.stories.n_words / self.total

    def runs(self) -> Mapping[str, Retrieval]:
        """MI, and KL with p(w) over this total."""
        return retrieve(self.stories, {"MI": SCORES["MI"], "KL": scaled_kl(self.factor)}, SIZES)


def readings(data: Path | None, stories: Stories, train: rb.Corpus, test: rb.Corpus) -> Iterator[Reading]:
    """stories: in runs of letters, NUM among them."""
    words, terms, no_numbers = stories.n_words, stories.X.shape[1], stories.without_numbers()
    spaced = split_at_spaces(train, test)
    yield Reading("as printed: words and NUM", stories, words)
    yield from tokens(stories, spaced, train, test)
    yield Reading("words and |V|", stories, words + terms)
    yield Reading("words and |V| once a class: the denominators of eq. 2 added up", stories, words + 2 * terms)
    topics = [len(labels) for labels in stories.labels]
    yield Reading("a story counts once for each of its topics", stories, int(stories.X.sum(axis=1) @ topics))
    every = rb.tabulate(read_texts(data, ten_train=False)[0], LETTERS)
    yield Reading("words of all 9,603 training stories", stories, int(every.X.sum()))
    yield Reading("words and numbers; NUM is no word to choose", no_numbers, words)
    yield Reading("the same, split at white space", spaced.without_numbers(), spaced.n_words)
    yield Reading("numbers count twice, as they stand and as NUM", stories, words + no_numbers.numbers)
    yield Reading(
        "the factor of «NUM is no word to choose», but NUM can be chosen", stories, round(words**2 / no_numbers.n_words)
    )


def tokens(stories: Stories, spaced: Stories, train: rb.Corpus, test: rb.Corpus) -> Iterator[Reading]:
    """Readings whose total also counts tokens that are no words. spaced: the stories split at white space."""
    every = sum(len(pieces(text)) for text in train.texts)
    yield Reading("split at white space: all pieces, words and numbers or not", spaced, every)
    yield Reading("the same, NUM is no word to choose", spaced.without_numbers(), every)
    runs = int(rb.tabulate(train, RUNS).X.sum())
    yield Reading("runs of letters and digits: mixed ones too", runs_of_letters(train, test), runs)
    marks = sum(len(MARK.findall(text)) for text in train.texts)
    yield Reading("words, NUM and punctuation marks", stories, stories.n_words + marks)


def total_grid(data: Path | None, stories: Stories, train: rb.Corpus, test: rb.Corpus, printed: Published) -> Grid:
    """Each reading, its factor, and what it gives."""
    rows: list[tuple[str | float | None, ...]] = []
    for reading in readings(data, stories, train, test):
        runs = reading.runs()
        kl, gain = runs["KL"], runs["KL"].macro[0] - runs["MI"].macro[0]
        recall = [float(value) for at in range(len(SIZES)) for value in (kl.micro[at], kl.macro[at])]
        rows.append((reading.what, reading.factor, *recall, float(gain)))
    theirs = [printed[f"{average}.20000.KL"].number for average in ("micro", "macro")]
    rows.append(("printed", None, None, None, *theirs, printed["gain.5000.KL"].number))
    heads = [f"{average}, {size:,}" for size in SIZES for average in ("micro", "macro")]
    return Grid(
        key="totals",
        title=f"KL by what «the total number of words» of p(w) may be, Reuters: {MEASURE}",
        columns=("total", "factor on p(w)", *heads, GAIN),
        rows=tuple(rows),
        note="The factor is the number of words that can be chosen over the total. The last reading is none: it shows whether "
        "the factor or the missing NUM makes the difference.",
    )
