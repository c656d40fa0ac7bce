"""The linear form: a weighted sum of a document's weights. Rocchio, Widrow-Hoff, EG, SVM, maximum entropy, least squares.

score(d, c) = bias[c] + w_c . x_d,   w_c = weights[c] + factors[c] shared
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from ..storage.checks import need, sized, table_size
from ..storage.registry import stored
from .arrays import Explanation, Floats, Longs, TableByTerm, TermVector, compiled_products, running_sum

LARGEST = 2**30  # weights of a dense table: 8 GB
BLOCK = 256  # terms at a time
SMALL = 2**25  # bytes of dense weights of which a copy, terms first, is worth its memory for single documents


def check_linear(linear: Linear) -> None:
    n_labels, n_terms = linear.weights.shape
    if linear.is_sparse:
        table_size(linear.weights, "weights")
    else:
        sized(linear.weights, n_labels, n_terms, what="weights")
    sized(linear.bias, n_labels, what="bias")
    need((linear.factors is None) == (linear.shared is None), "factors without a shared direction")
    if linear.factors is not None and linear.shared is not None:
        sized(linear.factors, n_labels, what="factors")
        sized(linear.shared, n_terms, what="shared")


@stored("linear", keys=("weights", "bias", "factors", "shared"), check=check_linear)
@dataclass(frozen=True, eq=False)
class Linear:
    """Weights of labels x terms, dense or sparse; ten thousand labels of a clipped Rocchio stay sparse."""

    weights: Any  # an array, or a Csr
    bias: Floats  # labels
    factors: Floats | None = None  # labels; with `shared`, a direction that all labels have in their proportions
    shared: Floats | None = None  # terms

    @property
    def shape(self) -> tuple[int, int]:
        return self.weights.shape  # type: ignore[no-any-return]

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.weights, np.ndarray)

    @cached_property
    def by_term(self) -> TableByTerm:
        """Sparse weights, terms x labels."""
        return TableByTerm.of(self.weights)

    @cached_property
    def rows(self) -> Floats:
        """Dense weights, terms x labels; only scores of many documents, or of small tables, are worth the copy."""
        return np.ascontiguousarray(self.weights.T)

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        out = np.empty((len(documents), self.shape[0]))
        for n, document in enumerate(documents):
            out[n] = self.bias
            if self.factors is not None and self.shared is not None:
                out[n] += running_sum(document.values * self.shared[document.columns]) * self.factors
            if self.is_sparse:
                self.by_term.add_product(document, out[n])
            else:
                self._add_dense(document, out[n])
        return out

    def _add_dense(self, document: TermVector, out: Floats) -> None:
        """out += value * weights, term after term: a sum over an axis would add pairwise, and differ in the last bits."""
        loops = compiled_products()
        if loops is not None and (self.weights.nbytes <= SMALL or "rows" in vars(self)):
            loops.add_dense_products(document.row, self.rows, 0, 1, out[None])
            return
        for start in range(0, len(document), BLOCK):
            part = slice(start, start + BLOCK)
            adds = self.weights[:, document.columns[part]].T * document.values[part, None]
            out[:] = np.cumsum(np.vstack([out, adds]), axis=0)[-1]

    def term_scores(self, columns: Longs) -> Floats:
        """The scores of documents of one term of weight 1 each, terms x labels."""
        out = np.tile(self.bias, (len(columns), 1))
        if self.factors is not None and self.shared is not None:
            out += self.shared[columns][:, None] * self.factors
        out += self._weights_of(columns)
        return out

    def _weights_of(self, columns: Longs) -> Floats:
        """Terms x labels, without what all labels share."""
        if self.is_sparse:
            return self.by_term.write_rows(columns, np.zeros((len(columns), self.shape[0])))
        return np.ascontiguousarray(self.weights[:, columns].T)

    def explain(self, document: TermVector, scores: Floats) -> Explanation:
        columns = document.columns
        out = self._weights_of(columns)
        if self.factors is not None and self.shared is not None:
            out = out + self.shared[columns][:, None] * self.factors
        return Explanation(columns, out * document.values[:, None], self.bias)

    def of(self, labels: slice) -> Linear:
        if labels == slice(0, len(self.bias)):
            return self
        factors = None if self.factors is None else self.factors[labels]
        return Linear(self.weights[labels], self.bias[labels], factors, self.shared)

    def dense(self) -> Floats:
        """The weights written out, labels x terms."""
        n_labels, n_terms = self.shape
        if n_labels * n_terms > LARGEST:
            raise InvalidSetting(
                f"{n_labels} labels x {n_terms} terms written out are {n_labels * n_terms * 8 / 1e9:.0f} GB: "
                "select terms first, or read the sparse weights in `linear_.weights`"
            )
        out: Floats = self.weights.toarray() if self.is_sparse else self.weights
        if self.factors is not None and self.shared is not None:
            out = out + np.outer(self.factors, self.shared)
        return out
