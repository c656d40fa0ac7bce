"""Folds: the number of each document's fold, from labels alone. Seeded."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from ..errors import InvalidSetting
from .arrays import Array, Longs


def fold_numbers(labels: Sequence[Sequence[str]], k: int, *, stratify: bool = True, seed: int = 0) -> Longs:
    """The fold, 0 to k-1, of each document."""
    if not 2 <= k <= max(len(labels), 2):
        raise InvalidSetting(f"{k} folds of {len(labels)} documents: choose from 2 to the number of documents")
    if stratify:
        return stratify_parts(labels, np.full(k, 1 / k), seed=seed)
    order = np.random.default_rng(seed).permutation(len(labels))
    numbers = np.empty(len(labels), dtype=np.int64)
    numbers[order] = np.arange(len(labels)) % k
    return numbers


def stratify_parts(labels: Sequence[Sequence[str]], shares: Array, *, seed: int, sizes: Array | None = None) -> Longs:
    """Iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): parts with each label in proportion.

    The rarest label whose documents are not all placed comes first; each of its documents goes to the part that wants the label
    most, then to the part that wants documents most. `sizes` are met exactly. Cost: documents x parts + label assignments.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(labels))
    n, parts = len(labels), len(shares)
    if sizes is None:
        sizes = np.floor(shares * n).astype(np.int64)
        sizes[: n - int(sizes.sum())] += 1
    room = sizes.astype(np.float64).tolist()
    names = {name: number for number, name in enumerate(sorted({label for row in labels for label in row}))}
    label_numbers = [[names[label] for label in row] for row in labels]
    members: list[list[int]] = [[] for _ in names]
    for position in order.tolist():
        for label in label_numbers[position]:
            members[label].append(position)
    wants = [[len(documents) * share for share in shares.tolist()] for documents in members]
    unplaced = [len(documents) for documents in members]
    part = [-1] * n

    def place(position: int, want: list[float]) -> None:
        """Into the part with room that wants the document most, then has most room, then comes first."""
        best = -1
        for p in range(parts):
            if room[p] >= 1 and (best < 0 or want[p] > want[best] or (want[p] == want[best] and room[p] > room[best])):
                best = p
        part[position] = best
        room[best] -= 1
        for label in label_numbers[position]:
            wants[label][best] -= 1
            unplaced[label] -= 1

    heap = [(count, label) for label, count in enumerate(unplaced)]
    heapq.heapify(heap)
    while heap:
        count, label = heapq.heappop(heap)
        if unplaced[label] == 0:
            continue
        if unplaced[label] != count:
            heapq.heappush(heap, (unplaced[label], label))
            continue
        for position in members[label]:
            if part[position] < 0:
                place(position, wants[label])
    for position in order.tolist():
        if part[position] < 0:
            place(position, room)
    return np.array(part, dtype=np.int64)
