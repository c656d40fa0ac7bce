"""How often each key came, for more keys than fit in memory one by one: sorted runs, merged as they grow."""

from __future__ import annotations

import numpy as np

from ..foundation.arrays import Keys, Longs
from ..kernels.count_tables import add_runs, run_lengths

__all__ = ["Runs", "merged"]

Numbers = Longs
Run = tuple[Keys, Numbers]

BUFFER = 4 << 20  # keys


class Runs:
    """Counts keys. Memory: the distinct keys, twice at most, and a buffer."""

    def __init__(self, buffer: int = BUFFER) -> None:
        self._limit = buffer
        self._pending: list[Keys] = []
        self._size = 0
        self._runs: list[Run] = []

    def add(self, keys: Keys) -> None:
        """Count these keys, in any order."""
        self._pending.append(keys)
        self._size += len(keys)
        if self._size >= self._limit:
            self._squeeze()

    def _squeeze(self) -> None:
        if not self._size:
            return
        keys = np.concatenate(self._pending) if len(self._pending) > 1 else self._pending[0]
        self._pending, self._size = [], 0
        keys.sort()
        n = np.empty(len(keys), dtype=np.int64)
        m = run_lengths(keys, n)
        self._runs.append((keys[:m].copy(), n[:m].copy()))
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            last, before = self._runs.pop(), self._runs.pop()
            self._runs.append(merge(before, last))

    def finish(self) -> Run:
        """All keys once, sorted, with how often each came."""
        self._squeeze()
        runs, self._runs = self._runs, []
        return merged(runs)


def merge(left: Run, right: Run) -> Run:
    """Two sorted runs as one."""
    size = len(left[0]) + len(right[0])
    keys, n = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int64)
    m = add_runs(*left, *right, keys, n)
    return keys[:m].copy(), n[:m].copy()


def merged(runs: list[Run]) -> Run:
    """Many sorted runs as one, pair by pair, so that each key is moved a few times only."""
    if not runs:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    while len(runs) > 1:
        runs = [merge(*runs[n : n + 2]) if n + 1 < len(runs) else runs[n] for n in range(0, len(runs), 2)]
    return runs[0]
