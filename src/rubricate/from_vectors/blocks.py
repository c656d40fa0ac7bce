"""Blocks of labels on their way through the documents, and where they write what they learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from .documents import Documents

__all__ = ["Block", "Learned", "Run"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Block:
    """Some labels, the documents they learn from, and the weights they start from: terms x labels, or one number for all; with
    the mean of so many earlier vectors. truth: which of the labels each document has; eta: the rate of each document."""

    documents: Documents
    truth: Any
    eta: Floats
    start: Floats | float
    mean: Floats | None
    vectors: int
    n_labels: int


class Run(Protocol):
    """A block of labels on its way through the documents."""

    losses: Floats  # the sum of (w.x - y)^2 before each step, a label

    def advance(self, sequence: Whole) -> None:
        """Learn these examples."""

    def current(self) -> Floats:
        """The weights now, terms x labels."""

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, the first and the last included, into columns from `first` on. rows:
        which of the learner's terms stands in each row, -1 for none.                                      [001 eq. 4]"""


@dataclass(eq=False)
class Learned:
    """Where the blocks write: terms x labels of the last vector, of the mean, of the pocket; losses and the pocket's history."""

    last: Floats
    mean: Floats | None
    pocket: Floats | None
    losses: Floats
    history: dict[int, Any]

    @staticmethod
    def empty(row_of: Any, n_terms: int, n_labels: int, *, mean: bool, pocket: bool) -> Learned:
        """Room for so many."""
        shape = (len(row_of), n_labels)
        return Learned(
            np.empty(shape),
            np.empty(shape) if mean else None,
            np.empty((n_terms, n_labels)) if pocket else None,
            np.zeros(n_labels),
            {},
        )
