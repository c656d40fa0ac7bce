"""What documents are like, in a few whole numbers: which labels they get, how sure of them the model is, how many of their terms
it does not know, how long they are. A model keeps the profile of its training documents, and new ones are compared with it.

    labels         documents that are given each label, and documents that are given none
    unknown        share of a document's terms that the model does not know; 0 for a document without a term
    certainty      how probable it is that all decisions on a document are correct (`predictions.certainty`)
    length         terms of a document, known or not

Of the last three there are histograms of documents, shares in steps of 1/40 and lengths in steps of half a doubling, and sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..storage.checks import need, sized
from ..storage.registry import stored
from .arrays import Bools, Floats, Longs
from .predictions import Predictions, certainty

BINS = 40
STEPS_A_DOUBLING = 2  # of length: the last bin begins at 2^19.5 terms
UNKNOWN, CERTAINTY, LENGTH = range(3)  # rows of the histograms
SHARE_VALUES: Floats = (np.arange(BINS) + 0.5) / BINS  # the middle of each bin of shares
LOG_VALUES: Floats = (np.arange(BINS) + 0.5) / STEPS_A_DOUBLING  # log2(1 + length), likewise


def _check_profile(profile: DocumentProfile) -> None:
    need(isinstance(profile.documents, int) and profile.documents >= 0, "a number of documents below 0")
    need(isinstance(profile.folds, int) and (profile.folds == 0 or profile.folds > 1), "no number of folds")
    need(isinstance(profile.labels, np.ndarray) and profile.labels.ndim == 1, "no numbers of documents by label")
    sized(profile.labels, len(profile.labels), kinds="i", what="documents by label")
    sized(profile.bins, 3, BINS, kinds="i", what="histograms of documents")
    sized(profile.sums, 3, what="sums over documents")
    need(profile.bins.min() >= 0 and (profile.bins.sum(axis=1) == profile.documents).all(), "other documents than bins")
    numbers = np.append(profile.labels, profile.unlabelled)
    need(numbers.min() >= 0 and numbers.max() <= profile.documents, "labels of more documents than there are")
    need(np.isfinite(profile.sums).all() and profile.sums.min() >= 0, "sums below 0")


@stored("document_profile", keys=("documents", "labels", "unlabelled", "bins", "sums", "folds"), check=_check_profile)
@dataclass(frozen=True, slots=True, eq=False)
class DocumentProfile:
    """Counts of documents; profiles of different documents add up."""

    documents: int
    labels: Longs  # documents that are given each label
    unlabelled: int  # documents that are given none
    bins: Longs  # UNKNOWN, CERTAINTY, LENGTH x BINS
    sums: Floats  # of the same: shares, certainties, terms
    folds: int = (
        0  # of a training whose models were asked about the documents they had not seen; 0: the model itself was
    )

    @classmethod
    def empty(cls, n_labels: int) -> DocumentProfile:
        none = np.zeros(n_labels, dtype=np.int64)
        return cls(0, none, 0, np.zeros((3, BINS), dtype=np.int64), np.zeros(3))

    @classmethod
    def of(cls, *, lengths: Any, known: Any, certainties: Floats, decisions: Any, folds: int = 0) -> DocumentProfile:
        """Of some documents. lengths: in terms; known: in terms that the model knows; decisions: 0/1, documents x labels."""
        lengths, known = np.asarray(lengths, dtype=np.float64), np.asarray(known, dtype=np.float64)
        unknown = (lengths - known) / np.maximum(lengths, 1.0)
        places = np.stack([unknown * BINS, certainties * BINS, np.log2(1 + lengths) * STEPS_A_DOUBLING])
        places = np.minimum(places.astype(np.int64), BINS - 1)
        bins = np.bincount((places + BINS * np.arange(3)[:, None]).ravel(), minlength=3 * BINS).reshape(3, BINS)
        given: Bools = np.asarray(decisions) > 0
        without = int(np.count_nonzero(~given.any(axis=1)))
        sums = np.array([unknown.sum(), certainties.sum(), lengths.sum()])
        return cls(len(lengths), given.sum(axis=0, dtype=np.int64), without, bins, sums, folds)

    def __add__(self, other: DocumentProfile) -> DocumentProfile:
        return DocumentProfile(
            self.documents + other.documents,
            self.labels + other.labels,
            self.unlabelled + other.unlabelled,
            self.bins + other.bins,
            self.sums + other.sums,
            self.folds,
        )

    @property
    def means(self) -> Floats:
        """Mean share of unknown terms, mean certainty, mean length; 0 of no document."""
        means: Floats = self.sums / max(self.documents, 1)
        return means

    @property
    def label_shares(self) -> Floats:
        shares: Floats = self.labels / max(self.documents, 1)
        return shares

    @property
    def typical_length(self) -> float:
        """The geometric mean of lengths, by their bins: a few huge documents do not move it."""
        return float(2.0 ** (self.bins[LENGTH] @ LOG_VALUES / max(self.documents, 1)) - 1)


def block_profile(block: Predictions, *, multilabel: bool) -> DocumentProfile:
    """Of a block of predictions that has its counts as term vectors."""
    certainties = certainty(block.probabilities, block.decisions, multilabel=multilabel)
    return DocumentProfile.of(
        lengths=[document.length for document in block.counts],
        known=[document.values.sum() for document in block.counts],
        certainties=certainties,
        decisions=block.decisions,
    )


def profile_of(blocks: Iterable[Predictions], *, n_labels: int, multilabel: bool) -> DocumentProfile:
    """Of a stream of predictions."""
    return sum((block_profile(block, multilabel=multilabel) for block in blocks), DocumentProfile.empty(n_labels))
