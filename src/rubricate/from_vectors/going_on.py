"""Learners that keep the tables they learned in: fit and partial_fit cost what their documents cost, whatever the vocabulary.

Documents touch the rows of their terms. The weights of some terms can be read at any time, so that scoring does not write out
the whole vocabulary either: those of the terms that occurred, and one for all others, are enough. `written_out` does, when
somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from scipy import sparse

from ..linear import Linear
from ..threads import available_threads, side_by_side

if TYPE_CHECKING:
    from .alike import Alike
    from .documents import Documents

__all__ = ["FewTerms", "Going", "GoingOn", "marks_of"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
FEW = 2**16  # entries x labels not worth a thread


class Going(Protocol):
    """A block of labels that can go on with other documents."""

    losses: Floats

    def turn_to(self, documents: Documents, truth: Any, eta: Floats) -> None:
        """Go on with other documents; losses begin anew."""

    def let_go(self) -> None:
        """Keep no document."""

    def advance(self, sequence: Whole) -> None:
        """Learn these examples."""

    def follow(self, plan: Any, sequence: Whole) -> None:
        """Learn these examples, whose rows somebody has found; for learners whose terms share rows."""

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, mean or last, of some terms: terms x labels."""

    def write_rows(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """As `finish`, for rows of the table; for learners whose terms share rows."""

    def finish(self, last: Floats | None, mean: Floats | None, first: int, rows: Any) -> None:
        """Write the weights, or the mean of all vectors, or both, into columns from `first` on, in the order of `rows`."""


def marks_of(by_label: sparse.csc_array, labels: slice) -> tuple[Any, Any]:
    """Which of a block of labels each document has, as kernels take it: ends and labels."""
    own = by_label[:, labels].tocsr()
    return own.indptr.astype(np.int64), own.indices.astype(np.int32)


@dataclass(frozen=True, eq=False)
class FewTerms:
    """The weights of terms that occurred, and of any other, which are all alike. row_of: of each term."""

    linear: Linear
    row_of: Any

    def of(self, X: sparse.csr_array) -> tuple[Linear, sparse.csr_array]:
        """The weights, and documents in their columns."""
        columns = self.row_of[X.indices]
        return self.linear, sparse.csr_array(
            (X.data, columns, X.indptr), shape=(X.shape[0], self.linear.weights.shape[1])
        )


class GoingOn:
    """All labels, block by block."""

    further = False  # whether batches have come after the first documents

    def __init__(self, blocks: list[slice], begin: Callable[[slice], Going], alike: Alike | None) -> None:
        self._runs, self.alike = [(labels, begin(labels)) for labels in blocks], alike

    def learn(self, documents: Documents, truth: sparse.csr_array, eta: Floats, sequence: Whole) -> Floats:
        """Learn a batch; the losses met on the way."""
        by_label, work = truth.tocsc(), len(documents.rows[1]) * truth.shape[1]
        jobs = available_threads() if work > FEW else 1
        for labels, run in self._runs:
            run.turn_to(documents, marks_of(by_label, labels), eta)
        if self.alike is None:
            side_by_side(lambda n: self._runs[n][1].advance(sequence), range(len(self._runs)), jobs)
        else:  # what a document does to the rows is the same for all blocks
            for part in self.alike.parts(documents, sequence):
                plan = self.alike.plan(documents, part)
                side_by_side(partial(self._follow, plan, part), self._runs, jobs)
        for _, run in self._runs:
            run.let_go()
        return np.concatenate([run.losses for _, run in self._runs])

    def _follow(self, plan: Any, part: Whole, block: tuple[slice, Going]) -> None:
        block[1].follow(plan, part)

    def rows(self, terms: Any) -> Floats:
        """The vectors that score, of some terms: terms x labels."""
        return np.concatenate([run.rows(terms) for _, run in self._runs], axis=1)

    def table(self, terms: Any, *, mean: bool) -> Floats:
        """The means of many terms, or their last vectors: terms x labels; of all rows if `terms` is None."""
        rows = (
            np.arange(cast("Alike", self.alike).used + 1, dtype=np.int32) if terms is None else terms.astype(np.int32)
        )
        out: Floats = np.empty((len(rows), self._runs[-1][0].stop))

        def block(n: int) -> None:
            labels, run = self._runs[n]
            write = run.write_rows if terms is None else run.finish
            write(None if mean else out, out if mean else None, labels.start, rows)

        side_by_side(block, range(len(self._runs)), available_threads() if out.size > FEW else 1)
        return out

    def written_out(self, n_terms: int, *, mean: bool) -> tuple[Floats, Floats | None]:
        """The last vectors and their means: terms x labels."""
        shape = n_terms, self._runs[-1][0].stop
        last, means = np.empty(shape), np.empty(shape) if mean else None
        rows = np.arange(n_terms, dtype=np.int32)

        def block(n: int) -> None:
            labels, run = self._runs[n]
            run.finish(last, means, labels.start, rows)

        side_by_side(block, range(len(self._runs)), available_threads() if last.size > FEW else 1)
        return last, means
