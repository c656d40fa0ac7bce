"""Documents as the kernels of online learners take them, and what these must know of them first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..additive import csr_parts
from ..threads import available_threads, side_by_side

if TYPE_CHECKING:
    from .alike import Alike

__all__ = ["Documents", "aligned", "looked_at", "worth_numbering"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
PART = 4096  # documents looked over at a time
FAR = 2**25  # bytes of rows that no cache holds
FEW = 8  # one term in so many, or fewer, is worth numbering
ROWS = 2  # of labels, for which numbering costs more than it saves


class Documents:
    """The documents as kernels take them; alike: terms that share rows, the same for all labels."""

    def __init__(self, X: sparse.csr_array, alike: Alike | None = None) -> None:
        self.rows, self.n_terms, self.alike = csr_parts(X), X.shape[1], alike


def aligned(shape: tuple[int, ...]) -> Floats:
    """Zeros that begin with a cache line."""
    size = int(np.prod(shape))
    room = np.zeros(size + 8)
    first = -(room.ctypes.data // 8) % 8
    return room[first : first + size].reshape(shape)


def looked_at(X: sparse.csr_array) -> tuple[Floats, Any]:
    """The squared length of each document, and a mask of the terms that occur."""
    from ..kernels.online import looked_over

    documents, lengths, there = csr_parts(X), np.empty(X.shape[0]), np.zeros(X.shape[1], dtype=np.bool_)

    def part(first: int) -> None:
        looked_over(documents, first, min(first + PART, X.shape[0]), lengths, there)

    side_by_side(part, range(0, X.shape[0], PART), available_threads())
    return lengths, there


def worth_numbering(there: Any, n_labels: int, in_row: int) -> bool:
    """Whether the terms that occur, `there`, get rows of their own, in the order in which they come: where most terms would never
    be used; or where the rows of all terms are more than caches hold, and enough labels, so many to a row, go through them to
    make up for it."""
    much = 16 * in_row * len(there) > FAR and n_labels > ROWS * in_row
    return bool(much or FEW * there.sum() < len(there))
