"""The linear form: a weighted sum of a document's weights. Rocchio, Widrow-Hoff, EG, SVM, maximum entropy, least squares.

score(d, c) = bias[c] + w_c . x_d,   w_c = weights[c] + factors[c] shared
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Floats, TableByTerm, TermVector, running_sum

__all__ = ["Linear"]


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """Weights of labels: a dense table of labels x terms, used as it lies in the file, without a transposed copy; or a sparse
    table by term."""

    weights: TableByTerm | Floats
    bias: Floats  # labels
    factors: Floats | None = None  # labels; with `shared`, a direction that all labels have in their proportions
    shared: Floats | None = None  # terms

    @property
    def n_labels(self) -> int:
        """How many labels are scored."""
        return len(self.bias)

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        """Documents x labels."""
        out = np.empty((len(documents), self.n_labels))
        for n, document in enumerate(documents):
            out[n] = self.bias
            if self.factors is not None and self.shared is not None:
                out[n] += running_sum(document.values * self.shared[document.columns]) * self.factors
            if isinstance(self.weights, TableByTerm):
                self.weights.add_product(document, out[n])
            else:
                for column, value in zip(document.columns.tolist(), document.values.tolist(), strict=True):
                    out[n] += value * self.weights[:, column]
        return out

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term of a document adds to the score of a label."""
        if isinstance(self.weights, TableByTerm):
            weights = self.weights.of_label(document.columns, label)
        else:
            weights = self.weights[label, document.columns]
        if self.factors is not None and self.shared is not None:
            weights = weights + self.shared[document.columns] * self.factors[label]
        adds: Floats = weights * document.values
        return adds

    def base(self, document: TermVector, label: int) -> float:
        """What is there without the terms."""
        return float(self.bias[label])
