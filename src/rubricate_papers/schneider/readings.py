"""What 002 leaves open, read in other ways, to see whether one of them gives what is printed: the parts of KL, the tokeniser, and
what «the total number of words» counts. Source: 002 sec. 3-4, eq. 11-14.

p(w)      occurrences over all words; smoothed; over all words and |V| a class
p(w|c)    smoothed as eq. 2 has it, or not
p(c)      a class's share of documents, or of words
0 in q    eq. 9 has it add nothing; literally it is infinite; or q is smoothed

Tokenisers for «only words consisting of alphabetic characters ... all numbers are mapped to NUM»:

runs of letters   every run of letters is a word: company's is company and s, b17 is b, 1986-87 are two numbers
apart             runs of letters and digits; those that mix both are left out: b17 is nothing
between spaces    what stands between white space, without the punctuation around it; left out unless it is all letters or a
                  number: company's and u.s. are nothing

The total that p(w) of eq. 12 is divided by: a reading counts more words in it than can be chosen, or some of them more than once:
p(w) is then smaller by the same factor for every word, (words that can be chosen) / total. Eq. 2 has a denominator of its own and
stays as printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import rubricate as rb

from ..arrays import Floats
from .trials import LETTERS, MI, Retrieval, Score, Stories, in_words, read_texts, retrieve, scaled_kl

RUNS = rb.Recipe(numbers="NUM")  # of letters and digits
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
AROUND = re.compile(r"^[\W_]+|[\W_]+$")
MARK = re.compile(r"[^\w\s]|_")
TOTAL_SIZES = [5000, 20000]


# -- the parts of KL


def divergence(p: Floats, q: Floats) -> Floats:
    """- p log q, 0 where q is."""
    return np.where(q > 0, -p * np.log(np.where(q > 0, q, 1.0)), 0.0)


def reading(
    *, p_of_word: str = "plain", p_in_class: str = "smoothed", p_of_class: str = "documents", q: str = "plain"
) -> Score:
    """KL with some of its parts read in another way. Two classes: everything is 2 x terms."""

    def scored(counts: rb.Counts) -> Floats:
        times = counts.occurrences[:-1].toarray().astype(np.float64)
        with_term = counts.documents_with[:-1].toarray().astype(np.float64)
        documents = counts.documents[:-1].astype(np.float64)[:, None]
        n_words, n_terms, words = times.sum(axis=1, keepdims=True), times.shape[1], times.sum(axis=0)
        inside = (1 + times) / (n_terms + n_words) if p_in_class == "smoothed" else times / n_words
        prior = documents / documents.sum() if p_of_class == "documents" else n_words / n_words.sum()
        share = {
            "plain": words / words.sum(),
            "smoothed": (1 + words) / (n_terms + words.sum()),
            "smoothed in each class": (2 + words) / (2 * n_terms + words.sum()),
            "mixed": (prior * inside).sum(axis=0),
        }[p_of_word]
        whole, within = with_term.sum(axis=0) / documents.sum(), with_term / documents
        if q == "smoothed":
            whole, within = (1 + with_term.sum(axis=0)) / (2 + documents.sum()), (1 + with_term) / (2 + documents)
        if q == "infinite":  # words that a class does not have come last
            within = np.where(with_term > 0, within, 1e-300)
        score: Floats = divergence(share, whole) - divergence(prior * inside, within).sum(axis=0)
        return score

    return scored


READINGS: dict[str, Score] = {
    "as printed": reading(),
    "p(w|c) not smoothed": reading(p_in_class="plain"),
    "p(w) smoothed": reading(p_of_word="smoothed"),
    "p(w) smoothed, once a class": reading(p_of_word="smoothed in each class"),
    "p(c) the class's share of words": reading(p_of_class="words"),
    "p(c) the class's share of words, p(w|c) not smoothed": reading(p_of_class="words", p_in_class="plain"),
    "q smoothed": reading(q="smoothed"),
    "q of 0 infinite": reading(q="infinite"),
    "dKL": reading(p_of_word="mixed"),
    "dKL, p(w|c) not smoothed": reading(p_of_word="mixed", p_in_class="plain"),
}


# -- tokenisers


def runs_of_letters(train: rb.Corpus, test: rb.Corpus) -> Stories:
    """Runs of letters, and NUM; runs that mix letters and digits are left out."""
    stories = in_words(train, test, RUNS)
    return stories.with_words(np.array([term.isalpha() for term in stories.terms]))


def pieces(text: str) -> list[str]:
    return text.replace(rb.recipe.FIELD_BREAK, " ").split()


def between_spaces(text: str) -> Iterator[str]:
    """What stands between white space, without the punctuation around it, if it is all letters or a number.

    >>> list(between_spaces("The U.S. firm's (B17) cost 1,250.75 dlrs."))
    ['the', 'cost', 'NUM', 'dlrs']
    """
    for piece in pieces(text):
        bare = AROUND.sub("", piece)
        if bare.isalpha():
            yield bare.lower()
        elif NUMBER.fullmatch(bare):
            yield rb.recipe.NUMBER_TERM


def split_at_spaces(train: rb.Corpus, test: rb.Corpus) -> Stories:
    return in_words(train, test, rb.Recipe(function=between_spaces))


TOKENISERS: dict[str, Callable[[rb.Corpus, rb.Corpus], Stories]] = {
    "runs of letters (as in the tables)": in_words,
    "runs of letters and digits, mixed ones left out": runs_of_letters,
    "split at white space, punctuation stripped, alphabetic or a number": split_at_spaces,
    "runs of letters, stop list of 20 Newsgroups": partial(in_words, recipe=rb.Recipe.schneider()),
}


# -- the total number of words


@dataclass(frozen=True, slots=True)
class Reading:
    """What the total is, the stories with the words to choose from, and the total itself."""

    what: str
    stories: Stories
    total: int

    @property
    def factor(self) -> float:
        return self.stories.n_words / self.total

    def runs(self) -> Mapping[str, Retrieval]:
        return retrieve(self.stories, {"MI": MI, "KL": scaled_kl(self.factor)}, TOTAL_SIZES)


def readings_of_total(data: Path | None, stories: Stories, train: rb.Corpus, test: rb.Corpus) -> Iterator[Reading]:
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
