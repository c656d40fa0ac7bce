"""What the naive way costs: for one point of a curve the text is read into words again, words are chosen, a model is fitted and
asked, with scikit-learn's parts. One point is measured; the number of points is multiplied by it, and said to be an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

__all__ = ["HOW", "one_point"]

HOW = "one point measured in this run: text to words, selection, naive Bayes, answers, with scikit-learn on one core"
LETTERS = r"[^\W\d_]+"


def one_point(train: Sequence[str], y: Sequence[Any], test: Sequence[str], *, words: int) -> float:
    """Seconds for one point from text to answers."""
    begun = perf_counter()
    naive = make_pipeline(CountVectorizer(token_pattern=LETTERS), SelectKBest(chi2, k=words), MultinomialNB())
    naive.fit(train, y).predict(test)
    return perf_counter() - begun
