"""Terms that are alike so far have one row: which rows a learner needs, and what each document does to them.

See `kernels.alike`. All labels that learn from the same documents in the same order have the same rows, so they share this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .documents import Documents

__all__ = ["Alike", "Plan"]

Plan = tuple[Any, ...]
PART = 2**17  # entries whose plan is made before labels learn from them


class Alike:
    """The row of each term. apart: all have rows of their own from the beginning, since they start with weights of their own."""

    def __init__(self, n_terms: int, *, apart: bool) -> None:
        from ..kernels.alike import told_apart

        self._tell = told_apart
        self._places = np.arange(1, n_terms + 1, dtype=np.int32) if apart else np.zeros(n_terms, dtype=np.int32)
        self._state = np.array([n_terms if apart else 0, 0])
        self._about = np.zeros((n_terms + 1 if apart else 1, 3), dtype=np.int32)
        self._about[:, 0] = 1
        self._about[0, 0] = 0 if apart else n_terms
        self._whole, self._real = np.empty((2, 0), dtype=np.uint32), np.empty((3, 0))

    @property
    def n_terms(self) -> int:
        """How many there are."""
        return len(self._places)

    @property
    def used(self) -> int:
        """The last row in use."""
        return int(self._state[0])

    def rows_of(self, terms: Any) -> Any:
        """The rows of some terms."""
        return np.abs(self._places[terms])

    def room(self, entries: int) -> int:
        """Rows that so many further entries may need."""
        return min(self.used + entries, self.n_terms) + 2

    def parts(self, documents: Documents, sequence: Any) -> list[Any]:
        """The sequence in parts of about as many entries."""
        ends = documents.rows[0]
        entries = np.cumsum(ends[sequence + 1] - ends[sequence])
        cuts = np.searchsorted(entries, np.arange(PART, entries[-1] if len(entries) else 0, PART))
        return [part for part in np.split(sequence, np.unique(cuts + 1)) if len(part)]

    def plan(self, documents: Documents, sequence: Any) -> Plan:
        """What the rows of these documents are; and from here on they have been met."""
        ends = documents.rows[0]
        entries, n = int((ends[sequence + 1] - ends[sequence]).sum()), len(sequence)
        needed = self.room(entries)
        if len(self._about) < needed:
            about = np.zeros((min(max(needed, 2 * len(self._about)), self.n_terms + 2), 3), dtype=np.int32)
            about[: len(self._about)] = self._about
            self._about = about
        if len(self._whole[0]) < entries + 1:
            self._whole, self._real = np.empty((2, entries + 1), dtype=np.uint32), np.empty((3, entries + 1))
        plan = np.empty(n + 1, dtype=np.uint64), np.empty(n, dtype=np.uint64), np.empty(n), *self._whole, *self._real
        ends, terms, values = documents.rows
        rows = ends.view(np.uint64), terms.view(np.uint32), values
        self._tell(rows, sequence, self._places, self._about, self._state, *plan)
        return plan
