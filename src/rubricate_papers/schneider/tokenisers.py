"""Other tokenisers for «only words consisting of alphabetic characters ... all numbers are mapped to NUM». Source: 002 sec. 4.

runs of letters   every run of letters is a word: company's is company and s, b17 is b, 1986-87 are two numbers
apart             runs of letters and digits; those that mix both are left out: b17 is nothing
between spaces    what stands between white space, without the punctuation around it; left out unless it is all letters or a
                  number: company's and u.s. are nothing
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import rubricate as rb

from .reuters import Stories, in_words

RUNS = rb.Recipe(numbers="NUM")  # of letters and digits
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
AROUND = re.compile(r"^[\W_]+|[\W_]+$")


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
    """Stories in the words of `between_spaces`."""
    return in_words(train, test, rb.Recipe(function=between_spaces))


TOKENISERS: dict[str, Callable[[rb.Corpus, rb.Corpus], Stories]] = {
    "runs of letters (as in the tables)": in_words,
    "runs of letters and digits, mixed ones left out": runs_of_letters,
    "split at white space, punctuation stripped, alphabetic or a number": split_at_spaces,
    "runs of letters, stop list of 20 Newsgroups": partial(in_words, recipe=rb.Recipe.schneider()),
}
