"""Tables of weights with rows for the terms that have occurred, so that a learner costs what its documents cost.

A vocabulary of a million hashed terms, or a small batch that comes later, touches few of them. Terms that no document has had
are all alike, if they began with the same weight: row 0 stands for each of them, and a term that comes for the first time gets a
row of its own that begins as a copy of it. What is in a row is said in `kernels.online`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats


@dataclass(eq=False)
class Block:
    """Weights of some labels. table: rows x (weights, then sums), the part of `room` that is in use. clocks: Z, T and the
    largest Z of exponentiated gradient. losses: the sum of (w.x - y)^2 before each step. pocket: rows x labels."""

    labels: slice
    room: Floats
    table: Floats
    clocks: Floats
    losses: Floats
    pocket: Floats | None = None

    @staticmethod
    def empty(labels: slice, n_rows: int) -> Block:
        width = labels.stop - labels.start
        room, clocks = np.zeros((n_rows, 2 * width)), np.zeros((3, width))
        clocks[[0, 2]] = 1.0
        return Block(labels, room, room, clocks, np.zeros(width))

    @property
    def weights(self) -> Floats:
        return self.table[:, : len(self.losses)]

    @property
    def sums(self) -> Floats:
        return self.table[:, len(self.losses) :]


@dataclass(eq=False)
class Tables:
    """All blocks, the row of each term, and how many terms row 0 stands for. settings: those that the rows depend on. scoring:
    which vectors score, "mean", "last" or "pocket"."""

    row_of: Any
    n_rows: int
    n_unmet: int
    settings: Any
    scoring: str = "last"
    blocks: list[Block] = field(default_factory=list)

    @staticmethod
    def begin(weights: Any, sums: Any, n_terms: int, first_row: int, labels: Iterable[slice], settings: Any) -> Tables:
        """weights, sums: terms x labels, and then each term has its row; or one number for all. Rows before `first_row`, other
        than row 0, belong to the learner."""
        by_term, row_of = np.ndim(weights) > 0, np.zeros(n_terms, dtype=np.int32)
        if by_term:
            row_of += np.arange(first_row, first_row + n_terms, dtype=np.int32)
        tables = Tables(row_of, first_row + (n_terms if by_term else 0), 0 if by_term else n_terms, settings)
        for part in labels:
            block = Block.empty(part, tables.n_rows)
            if by_term:
                block.weights[first_row:], block.sums[first_row:] = weights[:, part], sums[:, part]
            else:
                block.weights[0], block.sums[0] = weights, sums
            tables.blocks.append(block)
        return tables

    def rows_of(self, X: sparse.csr_array) -> Any:
        """The row of each entry of the documents. Terms that come for the first time get rows, in all blocks."""
        occurs = np.zeros(X.shape[1], dtype=bool)
        occurs[X.indices] = True
        new = np.flatnonzero(occurs & (self.row_of == 0))
        if len(new):
            first, self.n_rows, self.n_unmet = self.n_rows, self.n_rows + len(new), self.n_unmet - len(new)
            self.row_of[new] = np.arange(first, self.n_rows, dtype=np.int32)
            for block in self.blocks:
                if len(block.room) < self.n_rows:
                    block.room = np.empty((max(self.n_rows, 3 * first // 2), block.table.shape[1]))
                    block.room[:first] = block.table
                block.table = block.room[: self.n_rows]
                block.table[first:] = block.table[0]
                if self.n_unmet == 0:  # row 0 stands for no term, and would overflow where the others shrink
                    block.table[0] = 0.0
        return self.row_of[X.indices]
