"""The layered form: a neural net with one hidden layer. [004 table 5]

score(d) = max(0, x_d A + a) B + b
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Floats, TermVector

__all__ = ["Layered"]


@dataclass(frozen=True, slots=True, eq=False)
class Layered:
    """The weights of the net."""

    into: Floats  # A, terms x hidden
    hidden_bias: Floats  # a
    out: Floats  # B, hidden x labels
    bias: Floats  # b, labels

    @property
    def n_labels(self) -> int:
        """How many labels are scored."""
        return len(self.bias)

    def hidden(self, documents: Sequence[TermVector]) -> Floats:
        """What the hidden units hand on: documents x hidden."""
        sums = np.zeros((len(documents), len(self.hidden_bias)))
        for n, document in enumerate(documents):
            for column, value in zip(document.columns.tolist(), document.values.tolist(), strict=True):
                sums[n] += value * self.into[column]
        units: Floats = np.maximum(sums + self.hidden_bias, 0.0)
        return units

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        """Documents x labels; `einsum` adds in one order, whatever the threads of the libraries."""
        scores: Floats = np.einsum("dh,hc->dc", self.hidden(documents), self.out) + self.bias
        return scores

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term adds to the score of a label, with the units that the document turns on held on and the others off. That
        is exact, since the net is linear as long as no unit turns."""
        adds: Floats = (self.into[document.columns] @ self._reached(document, label)) * document.values
        return adds

    def base(self, document: TermVector, label: int) -> float:
        """What is there without the terms."""
        return float(self.hidden_bias @ self._reached(document, label) + self.bias[label])

    def _reached(self, document: TermVector, label: int) -> Floats:
        """The weights of the units that the document turns on."""
        weights: Floats = self.out[:, label] * (self.hidden([document])[0] > 0)
        return weights
