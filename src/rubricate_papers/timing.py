"""What the naive way costs: for one point of a curve the text is tokenised again, words are selected, a model is fitted and
predicts, with scikit-learn's parts. One point is measured; times the number of points it is the estimate."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

HOW = "one point measured in this run: text to words, selection, naive Bayes, answers, with scikit-learn on one core"
LETTERS = r"[^\W\d_]+"


def seconds_for_one_point(train: Any, y: Any, test: Any, *, words: int) -> float:
    """From text to answers: training texts, their labels, and test texts that are predicted."""
    start = perf_counter()
    vectorizer = CountVectorizer(token_pattern=LETTERS)
    make_pipeline(vectorizer, SelectKBest(chi2, k=words), MultinomialNB()).fit(train, y).predict(test)
    return perf_counter() - start
