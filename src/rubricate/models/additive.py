"""Additive: a score that is a sum over the terms of a document, kept sparse against what all labels have in common.

    score(d, c) = bias[c] + sum over terms v of d:  gain(v, d) * (default[c] + common[v] + table[group[v], c] + weights[c, v])

`gain` is the term's frequency, or 1. `weights` holds only terms that the label has; the others have the three dense
parts alone. Ten thousand labels and half a million terms therefore never meet in a dense table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from ..foundation.arrays import Array, Floats, Longs
from ..foundation.csr import csr_parts, with_data
from ..foundation.threads import side_by_side
from ..storage.checks import need, sized, table_size, within
from ..storage.registry import stored

BLOCK = 1024  # documents a thread takes at a time


def _check_additive(score: Additive) -> None:
    """Of one size, with groups that are in their table."""
    n_labels, n_terms = table_size(score.weights, "weights")
    sized(score.bias, n_labels, what="bias")
    if score.default is not None:
        sized(score.default, n_labels, what="default")
    if score.common is not None:
        sized(score.common, n_terms, what="common")
    need((score.groups is None) == (score.table is None), "groups without a table, or a table without groups")
    if score.groups is not None and score.table is not None:
        sized(score.groups, n_terms, kinds="i", what="groups")
        sized(score.table, len(score.table), n_labels, what="table")
        within(score.groups, len(score.table), "groups")
    if score.absence is not None:
        need(isinstance(score.absence, Additive) and score.absence.shape == score.shape, "another absence")


@stored("additive", keys=("bias", "weights", "default", "common", "groups", "table", "absence"), check=_check_additive)
@dataclass(frozen=True, eq=False)
class Additive:
    """The parameters of an additive score; see the module. Only `bias` and `weights` are always there."""

    bias: Floats  # labels
    weights: sparse.csr_array  # labels x terms
    default: Floats | None = None  # labels
    common: Floats | None = None  # terms
    groups: Longs | None = None  # terms -> row of `table`
    table: Floats | None = None  # groups x labels
    absence: Additive | None = None  # what the absence of each term adds; part of `bias` already

    @property
    def shape(self) -> tuple[int, int]:
        """(labels, terms)."""
        return self.weights.shape  # type: ignore[no-any-return]

    @cached_property
    def by_term(self) -> sparse.csr_array:
        """The weights, terms x labels."""
        return self.weights.T.tocsr()

    def transpose(self, places: Transposition) -> None:
        """Make `by_term` now, in the places that other tables share."""
        if "by_term" not in vars(self):
            vars(self)["by_term"] = places.transposed(self.weights)

    def scores(self, gains: sparse.csr_array, jobs: int = 1) -> Floats:
        """Scores of documents given by the gain of each of their terms."""
        out = np.repeat(self.bias[None, :], gains.shape[0], axis=0)
        if self.default is not None:
            out += np.asarray(gains.sum(axis=1)).reshape(-1, 1) * self.default
        if self.common is not None:
            out += (gains @ self.common)[:, None]
        if self.groups is not None and self.table is not None:
            grouping = sparse.csr_array(
                (np.ones(len(self.groups)), self.groups, np.arange(len(self.groups) + 1)),
                shape=(len(self.groups), len(self.table)),
            )
            out += (gains @ grouping) @ self.table
        product(gains, self.by_term, out, jobs)
        return out

    def contributions(self, terms: Array, gains: Floats) -> Floats:
        """What each of these terms adds: terms x labels."""
        out: Floats = self.by_term[terms].toarray()
        if self.default is not None:
            out += self.default
        if self.common is not None:
            out += self.common[terms][:, None]
        if self.groups is not None and self.table is not None:
            out += self.table[self.groups[terms]]
        return out * gains[:, None]

    def minus(self, other: Additive) -> Additive:
        """The difference of two scores, as one. Only the second may have groups."""
        table = None if other.table is None else -other.table
        return replace(
            self,
            bias=self.bias - other.bias,
            weights=subtract_tables(self.weights, other.weights),
            default=subtract_arrays(self.default, other.default),
            common=subtract_arrays(self.common, other.common),
            groups=other.groups,
            table=table,
            absence=None if self.absence is None or other.absence is None else self.absence.minus(other.absence),
        )

    def between(self, start: int, end: int) -> Floats:
        """What terms start..end-1 add, each once: terms x labels."""
        out: Floats = self.by_term[start:end].toarray()
        if self.default is not None:
            out += self.default
        if self.common is not None:
            out += self.common[start:end, None]
        if self.groups is not None and self.table is not None:
            out += self.table[self.groups[start:end]]
        return out


@dataclass(frozen=True, eq=False)
class Transposition:
    """Where the entries of a table go when it is transposed: the same for all tables with entries in its places."""

    row_ends: Array  # of the table: the same object in all tables made with its places
    order: Longs  # of the entries, when columns come first
    rows: Array  # of the entries in that order
    column_ends: Array  # a 0 in front

    @classmethod
    def of(cls, table: sparse.csr_array) -> Transposition:
        """From a table with these places."""
        numbers = sparse.csr_array((np.arange(table.nnz), table.indices, table.indptr), shape=table.shape).tocsc()
        return cls(table.indptr, numbers.data, numbers.indices, numbers.indptr)

    def transposed(self, table: sparse.csr_array) -> sparse.csr_array:
        """Columns x rows of a table; without sorting if it has these places."""
        if table.indptr is not self.row_ends:
            return table.T.tocsr()
        return sparse.csr_array((table.data[self.order], self.rows, self.column_ends), shape=table.shape[::-1])


def subtract_tables(left: sparse.csr_array, right: sparse.csr_array) -> sparse.csr_array:
    """left - right; entry by entry where both have entries in the same places."""
    same = left.indptr is right.indptr or (
        left.nnz == right.nnz and (left.indptr == right.indptr).all() and (left.indices == right.indices).all()
    )
    return with_data(left, left.data - right.data) if same else sparse.csr_array(left - right)


def subtract_arrays(left: Floats | None, right: Floats | None) -> Floats | None:
    """left - right, where None is 0."""
    if right is None:
        return left
    return -right if left is None else left - right


def product(X: sparse.csr_array, by_term: sparse.csr_array, out: Floats, jobs: int = 1) -> None:
    """out += X @ by_term, in blocks of documents, one thread each."""
    from ..kernels.products import add_products

    left, right = csr_parts(X), csr_parts(by_term)

    def block(start: int) -> None:
        add_products(left, right, start, min(start + BLOCK, X.shape[0]), out)

    side_by_side(block, range(0, X.shape[0], BLOCK), jobs)
