"""The neighbours form: the training documents most like a document vote for their labels. [004 sec. 2; Yang & Liu 1999]

    score(d, c) = sum over the k nearest training documents t that have c of vote(t),   vote: cos(d, t), 1, or 1 / place

Cosines are rounded to 12 decimals, so that the order of additions does not matter; of equally near ones the first comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Csr, Floats, Longs, TermVector, running_sum

__all__ = ["Neighbours", "Postings"]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Training documents of length 1 by term: where each term's documents end (a 0 in front), their numbers, their weights."""

    ends: Longs
    documents: Any
    weights: Floats
    n_documents: int

    def cosines(self, unit: TermVector) -> Floats:
        """The cosine of each training document with a document of length 1."""
        sums = np.zeros(self.n_documents)
        for column, value in zip(unit.columns.tolist(), unit.values.tolist(), strict=True):
            here = slice(self.ends[column], self.ends[column + 1])
            sums[self.documents[here]] += value * self.weights[here]
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The training documents, in parts of up to 65,536, and their labels."""

    parts: tuple[Postings, ...]
    truth: Csr  # training documents x labels
    k: int
    vote: str  # "similarity", "uniform" or "rank"

    @property
    def n_labels(self) -> int:
        """How many labels are scored."""
        return int(self.truth.shape[1])

    def nearest(self, document: TermVector) -> tuple[Floats, Longs]:
        """Cosines, to 12 decimals, and numbers of the k nearest training documents, nearest first."""
        unit = of_length_1(document)
        sums = np.concatenate([np.zeros(0), *(part.cosines(unit) for part in self.parts)])
        cosines = np.rint(sums * 1e12) / 1e12
        order = np.argsort(-cosines, kind="stable")[: self.k]
        return cosines[order], order

    def votes(self, cosines: Floats) -> Floats:
        """What each neighbour's vote counts, nearest first; one with nothing in common with the document has none."""
        near = cosines > 0
        if self.vote == "similarity":
            return np.where(near, cosines, 0.0)
        if self.vote == "uniform":
            return near.astype(np.float64)
        ranked: Floats = near / np.arange(1.0, len(cosines) + 1)
        return ranked

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        """Documents x labels."""
        out, truth = np.zeros((len(documents), self.n_labels)), self.truth
        for n, document in enumerate(documents):
            cosines, numbers = self.nearest(document)
            for number, vote in zip(numbers.tolist(), self.votes(cosines).tolist(), strict=True):
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
