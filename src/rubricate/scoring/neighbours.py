"""The neighbours form: the training documents most like a document vote for their labels. [004 sec. 2; Yang & Liu 1999]

    score(d, c) = sum over the k nearest training documents t that have c of vote(t),   vote: cos(d, t), 1, or 1 / place

Cosines are rounded to 12 decimals, so that the order of additions does not matter; of equally near ones the first comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UnknownName
from ..storage.checks import ascending, need, sized, table_size, within
from ..storage.registry import stored
from .arrays import Csr, Floats, Longs, TermVector, running_sum

PART = 1 << 16  # documents; their numbers within a part take two bytes
WIDE = 64  # of `kernels.cosine_neighbours`: lengths are filled up to a multiple of it
VOTES = ("similarity", "uniform", "rank")


def check_part(part: Part) -> None:
    """Postings and documents of one size, weights of documents of length 1: a search for a highest sum that is no number
    would not end."""
    n, n_terms = len(part), len(part.slots)
    need(n <= PART and len(part.postings) == len(part.commons) == 3, "not a part of an index")
    (ends, documents, weights), (common_ends, slots, common) = part.postings, part.commons
    ascending(ends, len(documents), n_terms, "postings")
    sized(weights, len(documents), what="weights of postings")
    sized(documents, len(documents), kinds="u", what="documents of postings")
    within(documents, n, "documents of postings")
    ascending(common_ends, len(slots), n, "common terms")
    sized(common, len(slots), what="weights of common terms")
    sized(slots, len(slots), kinds="u", what="slots of common terms")
    within(slots, n_terms, "slots of common terms")
    sized(part.slots, n_terms, kinds="i", what="slots")
    within(part.slots, n_terms, "slots", least=-1)
    sized(part.lengths, -(-n // WIDE) * WIDE, what="lengths")
    for numbers in (weights, common, part.lengths):
        need((np.abs(numbers) < 2).all(), "documents that are not of length 1")


@stored("index.part", keys=("postings", "commons", "slots", "lengths"), check=check_part)
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Up to 65,536 training documents of length 1; see `kernels.cosine_neighbours`."""

    postings: tuple[Any, Any, Any]  # by term: ends, a 0 in front, documents, weights
    commons: tuple[Any, Any, Any]  # by document: ends, slots, weights of the common terms
    slots: Any  # of terms, -1 where rare
    lengths: Floats  # of documents in their common terms

    def __len__(self) -> int:
        return len(self.commons[0]) - 1

    def cosines(self, unit: TermVector) -> Floats:
        """The cosine of each training document with a document of length 1."""
        sums = np.zeros(len(self))
        ends, documents, weights = self.postings
        for column, value in zip(unit.columns.tolist(), unit.values.tolist(), strict=True):
            here = slice(ends[column], ends[column + 1])
            sums[documents[here]] += value * weights[here]
        return sums


def vote_weights(similarities: Floats, vote: str) -> Floats:
    """What each neighbour's vote counts, the last axis nearest first: its similarity, 1 ("uniform"), or 1/place ("rank"). One
    that has nothing in common with the document, or less than nothing, has no vote."""
    near = similarities > 0
    if vote == "similarity":
        return np.where(near, similarities, 0.0)
    if vote == "uniform":
        return near.astype(np.float64)
    if vote == "rank":
        return near / np.arange(1.0, similarities.shape[-1] + 1)
    raise UnknownName("vote weights", str(vote), VOTES)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The training documents, all parts full but the last, and their labels."""

    parts: tuple[Part, ...]
    truth: Csr  # training documents x labels
    n_terms: int
    k: int
    vote: str  # of VOTES

    def __post_init__(self) -> None:
        parts, sizes = self.parts, [len(part) for part in self.parts]
        need(
            all(isinstance(part, Part) and len(part.slots) == self.n_terms for part in parts),
            "parts of different sizes",
        )
        need(table_size(self.truth, "truth")[0] == sum(sizes), "other documents than labels")

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.truth.shape[1]), self.n_terms

    def nearest(self, document: TermVector) -> tuple[Floats, Longs]:
        """Cosines, to 12 decimals, and numbers of the k nearest training documents, nearest first."""
        unit = of_length_1(document)
        sums = np.concatenate([np.zeros(0), *(part.cosines(unit) for part in self.parts)])
        cosines = np.rint(sums * 1e12) / 1e12
        order = np.argsort(-cosines, kind="stable")[: self.k]
        return cosines[order], order

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        out, truth = np.zeros((len(documents), self.shape[0])), self.truth
        for n, document in enumerate(documents):
            cosines, numbers = self.nearest(document)
            for number, vote in zip(numbers.tolist(), vote_weights(cosines, self.vote).tolist(), strict=True):
                here = slice(truth.indptr[number], truth.indptr[number + 1])
                out[n, truth.indices[here]] += vote * truth.data[here]
        return out


def of_length_1(document: TermVector) -> TermVector:
    """x / |x|, however large or small its weights; a zero vector stays zero."""
    x = document.values
    with np.errstate(over="ignore", under="ignore"):
        squares = running_sum(x**2)
        if not 1e-200 < squares < 1e200 and (largest := float(np.abs(x).max(initial=0.0))) > 0:
            x = x / largest  # squares of such weights leave the doubles
            squares = running_sum(x**2)
        return document.with_values(x / np.sqrt(squares if squares > 0 else 1.0))
