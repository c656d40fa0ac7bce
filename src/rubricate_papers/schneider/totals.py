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
from .reuters import LETTERS, SCORES, Found, Stories, found, scaled_kl, texts
from .tokenisers import RUNS, apart, pieces, split

__all__ = ["Reading", "readings", "total_grid"]

SIZES = [5000, 20000]
MARK = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the total is, the stories with the words to choose from, and the total itself."""

    what: str
    own: Stories
    total: int

    @property
    def factor(self) -> float:
        """Words that can be chosen over the total."""
        return self.own.n_words / self.total

    def runs(self) -> Mapping[str, Found]:
        """MI, and KL with p(w) over this total."""
        return found(self.own, {"MI": SCORES["MI"], "KL": scaled_kl(self.factor)}, SIZES)


def readings(data: Path | None, own: Stories, train: rb.Corpus, test: rb.Corpus) -> Iterator[Reading]:
    """All of them; own: the stories in runs of letters, NUM among them."""
    words, terms, bare = own.n_words, own.X.shape[1], own.without_numbers()
    spaced = split(train, test)
    yield Reading("as printed: words and NUM", own, words)
    yield from tokens(own, spaced, train, test)
    yield Reading("words and |V|", own, words + terms)
    yield Reading("words and |V| once a class: the denominators of eq. 2 added up", own, words + 2 * terms)
    topics = [len(labels) for labels in own.labels]
    yield Reading("a story counts once for each of its topics", own, int(own.X.sum(axis=1) @ topics))
    every = rb.tabulate(texts(data, ten_train=False)[0], LETTERS)
    yield Reading("words of all 9,603 training stories", own, int(every.X.sum()))
    yield Reading("words and numbers; NUM is no word to choose", bare, words)
    yield Reading("the same, split at white space", spaced.without_numbers(), spaced.n_words)
    yield Reading("numbers count twice, as they stand and as NUM", own, words + bare.numbers)
    yield Reading(
        "the factor of «NUM is no word to choose», but NUM can be chosen", own, round(words**2 / bare.n_words)
    )


def tokens(own: Stories, spaced: Stories, train: rb.Corpus, test: rb.Corpus) -> Iterator[Reading]:
    """Tokens that are no words are counted in the total. spaced: the stories split at white space."""
    every = sum(len(pieces(text)) for text in train.texts)
    yield Reading("split at white space: all pieces, words and numbers or not", spaced, every)
    yield Reading("the same, NUM is no word to choose", spaced.without_numbers(), every)
    runs = int(rb.tabulate(train, RUNS).X.sum())
    yield Reading("runs of letters and digits: mixed ones too", apart(train, test), runs)
    marks = sum(len(MARK.findall(text)) for text in train.texts)
    yield Reading("words, NUM and punctuation marks", own, own.n_words + marks)


def total_grid(data: Path | None, own: Stories, train: rb.Corpus, test: rb.Corpus, printed: Published) -> Grid:
    """Each reading, its factor, and what it gives."""
    rows: list[tuple[str | float | None, ...]] = []
    for reading in readings(data, own, train, test):
        runs = reading.runs()
        kl, gain = runs["KL"], runs["KL"].macro[0] - runs["MI"].macro[0]
        recall = [float(value) for at in range(len(SIZES)) for value in (kl.micro[at], kl.macro[at])]
        rows.append((reading.what, reading.factor, *recall, float(gain)))
    said = [printed[f"{average}.20000.KL"].number for average in ("micro", "macro")]
    rows.append(("printed", None, None, None, *said, printed["gain.5000.KL"].number))
    heads = [f"{average}, {size:,}" for size in SIZES for average in ("micro", "macro")]
    return Grid(
        key="totals",
        title=f"KL by what «the total number of words» of p(w) may be, Reuters: {MEASURE}",
        columns=("total", "factor on p(w)", *heads, GAIN),
        rows=tuple(rows),
        note="The factor is the number of words that can be chosen over the total. The last reading is none: it shows whether "
        "the factor or the missing NUM makes the difference.",
    )
