"""Choosing terms: pruning, ranking, the n best. Source: 000 sec. 4.2, with rules for ties."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from .. import Counts
from .association import binormal_separation, chi2, odds_ratio
from .cells import label_row
from .divergence import dkl, kl
from .information import (
    document_frequency,
    idf,
    information_gain,
    mutual_information,
    occurrences,
    word_mutual_information,
)

SCORES: dict[str, Callable[..., Floats]] = {
    function.__name__: function
    for function in (
        document_frequency,
        occurrences,
        idf,
        mutual_information,
        information_gain,
        word_mutual_information,
        kl,
        dkl,
        chi2,
        odds_ratio,
        binormal_separation,
    )
}
FREQUENCIES = frozenset({"document_frequency", "occurrences", "idf"})  # the others tell labels apart, and need labels


def score_named(name: str) -> Callable[..., Floats]:
    """The score of that name: (counts, label=None) -> a number for each term."""
    if name not in SCORES:
        raise UnknownName("score", name, SCORES)
    return SCORES[name]


def select(
    counts: Counts,
    *,
    by: str | Floats = "mutual_information",
    top: int | None = None,
    min_occurrences: int = 1,
    drop_most_frequent: int = 0,
    label: str | None = None,
) -> Longs:
    """The numbers of the best terms, best first: pruned, then ranked, then the `top` first of them (all if None).

    by: a name in SCORES, or an array with a number for each term (for a score with settings, or one's own). Scores are those
    of the counts as given: pruned terms are passed over, and still counted where a score counts words.  [000 sec. 4.2]
    """
    candidates = prune(counts, min_occurrences=min_occurrences, drop_most_frequent=drop_most_frequent)
    if top is not None and top < 0:
        raise InvalidSetting(f"top={top}: a number of terms is not negative")
    if not isinstance(by, str):
        if label is not None:
            raise InvalidSetting("label= goes with the name of a score; scores given as an array are taken as they are")
        scores = np.asarray(by, dtype=np.float64)
        if scores.shape != (len(counts.term_array),):
            raise InvalidSetting(f"scores of shape {scores.shape} for {len(counts.term_array)} terms")
    else:
        scores = score_named(by)(counts, label=label)
    return ranked(scores, among=candidates)[:top]


def prune(counts: Counts, *, min_occurrences: int = 1, drop_most_frequent: int = 0) -> Longs:
    """The numbers of terms that occur at least so often and are not among the most frequent, ascending.  [000 sec. 4.2]

    Occurrences in all documents count, not documents. The most frequent are found among terms that occur often enough; of
    equally frequent ones the first goes first. If there are no more than are to be dropped, nothing is left.
    """
    if min_occurrences < 0 or drop_most_frequent < 0:
        raise InvalidSetting(f"{min_occurrences=}, {drop_most_frequent=}: neither may be negative")
    times = occurrences(counts)
    enough: Longs = (times >= min_occurrences).nonzero()[0]
    by_frequency = np.argsort(-times[enough], kind="stable")
    return np.sort(enough[by_frequency[drop_most_frequent:]])


def ranked(scores: Floats, *, among: Longs | None = None) -> Longs:
    """The numbers of terms by score, highest first; scores equal to 12 decimals are equal, then the first comes first."""
    candidates = np.arange(len(scores)) if among is None else np.sort(among)
    candidate_scores = scores[candidates]
    if np.isnan(candidate_scores).any():
        raise InvalidSetting(
            f"term {candidates[np.isnan(candidate_scores)][0]} has no score (nan): leave it out, or give it a number"
        )
    order: Longs = candidates[np.argsort(-np.round(candidate_scores, 12), kind="stable")]
    return order


def grid(n_terms: int, points: int = 100) -> Longs:
    """Sizes of the vocabulary to try: i n_terms / points, rounded, halves up, at least 1; i = 1 … points.  [003 sec. 5.1]"""
    if points < 1 or n_terms < 0:
        raise InvalidSetting(f"{n_terms=}, {points=}: at least one point, and terms are not negative")
    steps = np.arange(1, points + 1, dtype=np.int64)
    return np.maximum((2 * steps * n_terms + points) // (2 * points), 1)


def telling_terms(
    counts: Counts, label: str, *, by: str = "mutual_information", top: int = 10, min_documents: int = 2
) -> list[tuple[str, float]]:
    """The terms that say most for a label: highest score among those commoner in it than elsewhere."""
    scores = score_named(by)(counts, label=label)
    best = commoner_terms(counts, label, scores, min_documents=min_documents)[:top].tolist()
    return [(counts.terms[term], float(scores[term])) for term in best]


def commoner_terms(counts: Counts, label: str, scores: Floats, *, min_documents: int = 2) -> Longs:
    """The numbers of terms commoner in the label than elsewhere, and in some of its documents, by score, best first."""
    size = max(int(counts.documents[label_row(counts, label)]), 1)
    in_label, everywhere = document_frequency(counts, label=label), document_frequency(counts)
    commoner = in_label / size > everywhere / max(counts.n_documents, 1)
    return ranked(scores, among=(commoner & (in_label >= min_documents)).nonzero()[0])
