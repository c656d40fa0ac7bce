"""The pocket: the vector that ranked the training documents best on the way. Source: 001 sec. 7.2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..metrics.ranking import average_precision

if TYPE_CHECKING:
    from .blocks import Run

__all__ = ["joined", "pocketed"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
POCKET = 100  # examples between two looks at the pocket


def pocketed(run: Run, sequence: Whole, X: sparse.csr_array, truth: Floats, absent: float) -> tuple[Floats, Any]:
    """The vectors with the highest average precision on the training documents, looked at every 100 examples; the first
    without condition, later ones if strictly better; fewer than 100 examples: the last.             [001 sec. 7.2]"""
    kept, best, history = None, np.full(truth.shape[1], -np.inf), []
    for start in range(0, len(sequence), POCKET):
        chunk = sequence[start : start + POCKET]
        run.advance(chunk)
        if len(chunk) < POCKET:
            break
        now = run.current()
        found = np.asarray(average_precision(X @ now + absent * now.sum(axis=0), truth), dtype=np.float64)
        found = np.nan_to_num(found, nan=-np.inf)  # a label without documents: nothing to rank
        better = np.ones(len(found), dtype=bool) if kept is None else found > best
        kept = now.copy() if kept is None else np.where(better, now, kept)
        best = np.where(better, found, best)
        history.append((start + POCKET, found, better))
    return (run.current() if kept is None else kept), history


def joined(histories: dict[int, list[Any]]) -> list[list[Any]]:
    """The pocket's histories of all blocks as one: (examples so far, average precision, whether it was the best), of all
    labels. Blocks look at the same moments."""
    blocks = [histories[first] for first in sorted(histories)]
    looks = (
        [np.concatenate(column) for column in list(zip(*look, strict=True))[1:]] for look in zip(*blocks, strict=True)
    )
    return [[(moment, *look) for (moment, _, _), look in zip(blocks[0], looks, strict=True)]] if blocks else []
