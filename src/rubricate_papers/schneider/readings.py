"""Other readings of KL, to see whether one of them gives what is printed. Source: 002 eq. 11-14; what is left open there.

p(w)      occurrences over all words; smoothed; over all words and |V| a class
p(w|c)    smoothed as eq. 2 has it, or not
p(c)      a class's share of documents, or of words
0 in q    eq. 9 has it add nothing; literally it is infinite; or q is smoothed
"""

from __future__ import annotations

import numpy as np

import rubricate as rb

from ..arrays import Floats
from .reuters import Score


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
