"""Learners between two batches of documents: partial_fit that costs what its documents cost, whatever the vocabulary.

The tables that were learned in are kept. A batch touches the rows of its terms; the weights of some terms can be read at any
time, so that scoring a few documents does not write out the whole vocabulary either. `written_out` does, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy import sparse

from ..threads import available_threads, side_by_side

if TYPE_CHECKING:
    from .documents import Documents

__all__ = ["Going", "GoingOn", "marks_of"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
FEW = 2**16  # entries x labels not worth a thread


class Going(Protocol):
    """A block of labels that can go on with other documents."""

    losses: Floats

    def turn_to(self, documents: Documents, truth: Any, eta: Floats) -> None:
        """Go on with other documents; losses begin anew."""

    def advance(self, sequence: Whole) -> None:
        """Learn these examples."""

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, mean or last, of some terms: terms x labels."""

    def finish(self, last: Floats, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, and the mean of all vectors, into columns from `first` on, in the order of `rows`."""


def marks_of(by_label: sparse.csc_array, labels: slice) -> tuple[Any, Any]:
    """Which of a block of labels each document has, as kernels take it: ends and labels."""
    own = by_label[:, labels].tocsr()
    return own.indptr.astype(np.int64), own.indices.astype(np.int32)


class GoingOn:
    """All labels, block by block."""

    def __init__(self, blocks: list[slice], begin: Callable[[slice], Going]) -> None:
        self._runs = [(labels, begin(labels)) for labels in blocks]

    def learn(self, documents: Documents, truth: sparse.csr_array, eta: Floats, sequence: Whole) -> Floats:
        """Learn a batch; the losses met on the way."""
        by_label = truth.tocsc()

        def block(n: int) -> None:
            labels, run = self._runs[n]
            run.turn_to(documents, marks_of(by_label, labels), eta)
            run.advance(sequence)

        work = len(documents.rows[1]) * truth.shape[1]
        side_by_side(block, range(len(self._runs)), available_threads() if work > FEW else 1)
        return np.concatenate([run.losses for _, run in self._runs])

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, of some terms: terms x labels."""
        return np.concatenate([run.rows(terms) for _, run in self._runs], axis=1)

    def written_out(self, n_terms: int, *, mean: bool) -> tuple[Floats, Floats | None]:
        """The last vectors and their means: terms x labels."""
        shape = n_terms, self._runs[-1][0].stop
        last, means = np.empty(shape), np.empty(shape) if mean else None
        rows = np.arange(n_terms, dtype=np.int32)
        for labels, run in self._runs:
            run.finish(last, means, labels.start, rows)
        return last, means
