"""Which documents go where: test parts and folds, as masks and numbers worked out from labels alone. Seeded."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from ..foundation.arrays import Array, Bools, Longs

__all__ = ["fold_numbers", "held_out", "parsed_split", "per_label_part", "spread"]

WHOLE = re.compile(r"[0-9]{1,18}")


def parsed_split(text: str) -> dict[str, Any]:
    """What to give to `Corpus.split`, from one word: `0.3`, `200`, `10pc`, `field=value`, `field>=from`, or a file of ids."""
    for mark, name in ((">=", "since"), ("=", "value")):
        column, found, value = text.partition(mark)
        if found and column and value and not Path(text).exists():
            return {"field": column, name: value}
    if WHOLE.fullmatch(text.removesuffix("pc")) and text.endswith("pc"):
        return {"per_label": int(text[:-2])}
    if WHOLE.fullmatch(text):
        return {"test": int(text)}
    try:
        share = float(text)
    except ValueError:
        if Path(text).is_file():
            return {"ids": text}
        raise InvalidSetting(
            f"{text!r}: a test part is a fraction (0.3), a number (200), a number a label (10pc), field=value, field>=date, "
            "or a file of ids"
        ) from None
    if not 0 < share < 1:
        raise InvalidSetting(f"{text!r}: a fraction lies between 0 and 1; a number of documents is whole")
    return {"test": share}


def fold_numbers(labels: Sequence[Sequence[str]], k: int, *, stratify: bool = True, seed: int = 0) -> Longs:
    """The fold, 0 to k-1, of each document."""
    if not 2 <= k <= max(len(labels), 2):
        raise InvalidSetting(f"{k} folds of {len(labels)} documents: choose from 2 to the number of documents")
    if stratify:
        return spread(labels, np.full(k, 1 / k), seed=seed)
    order = np.random.default_rng(seed).permutation(len(labels))
    numbers = np.empty(len(labels), dtype=np.int64)
    numbers[order] = np.arange(len(labels)) % k
    return numbers


def held_out(labels: Sequence[Sequence[str]], size: float | int, *, stratify: bool = True, seed: int = 0) -> Bools:
    """A mask of the test part: a fraction (0 < size < 1) or a number of documents."""
    n = len(labels)
    if isinstance(size, float) and size >= 1 and not size.is_integer():
        raise InvalidSetting(f"a test part of {size}: give a fraction below 1, or a whole number of documents")
    number = round(size * n) if isinstance(size, float) and size < 1 else int(size)
    if not 0 < number < n:
        raise InvalidSetting(
            f"a test part of {size} leaves {n - number} of {n} documents for training; both parts need some"
        )
    if stratify:
        share = number / n
        parts = spread(labels, np.array([1 - share, share]), seed=seed, sizes=np.array([n - number, number]))
        mask: Bools = parts == 1
        return mask
    mask = np.zeros(n, dtype=bool)
    mask[np.random.default_rng(seed).permutation(n)[:number]] = True
    return mask


def per_label_part(labels: Sequence[Sequence[str]], number: int, *, seed: int = 0) -> Bools:
    """A mask with `number` documents of each label, rarest label first; every label keeps at least one for training."""
    if number < 1:
        raise InvalidSetting(f"per_label={number}: give at least 1")
    mask = np.zeros(len(labels), dtype=bool)
    order = np.random.default_rng(seed).permutation(len(labels))
    members: dict[str, list[int]] = {}
    for position in order:
        for label in labels[position]:
            members.setdefault(label, []).append(int(position))
    chosen: Counter[str] = Counter()
    left = Counter({label: len(own) for label, own in members.items()})
    for label in sorted(members, key=lambda name: (len(members[name]), name)):
        for position in members[label]:
            if chosen[label] >= number:
                break
            if not mask[position] and all(left[other] > 1 for other in labels[position]):
                mask[position] = True
                chosen.update(labels[position])
                left.subtract(labels[position])
    return mask


def spread(
    labels: Sequence[Sequence[str]],
    shares: Array,
    *,
    seed: int,
    sizes: Array | None = None,
) -> Longs:
    """Iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): parts with each label in proportion.

    The rarest label left is dealt out first; each of its documents goes to the part that wants the label most, then to the
    part that wants documents most. `sizes` are met exactly. Cost: documents x parts + label assignments.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(labels))
    n, parts = len(labels), len(shares)
    if sizes is None:
        sizes = np.floor(shares * n).astype(np.int64)
        sizes[: n - int(sizes.sum())] += 1
    room = sizes.astype(np.float64).tolist()
    names = {name: number for number, name in enumerate(sorted({label for own in labels for label in own}))}
    members: list[list[int]] = [[] for _ in names]
    for position in order:
        for label in labels[position]:
            members[names[label]].append(int(position))
    wants = [[len(own) * share for share in shares.tolist()] for own in members]
    left = [len(own) for own in members]
    part = np.full(n, -1, dtype=np.int64)

    def place(position: int, label: int | None) -> None:
        want = wants[label] if label is not None else room
        best = max((p for p in range(parts) if room[p] >= 1), key=lambda p: (want[p], room[p], -p))
        part[position] = best
        room[best] -= 1
        for name in labels[position]:
            wants[names[name]][best] -= 1
            left[names[name]] -= 1

    heap = [(count, label) for label, count in enumerate(left)]
    heapq.heapify(heap)
    while heap:
        count, label = heapq.heappop(heap)
        if left[label] == 0:
            continue
        if left[label] != count:
            heapq.heappush(heap, (left[label], label))
            continue
        for position in members[label]:
            if part[position] < 0:
                place(position, label)
    for position in order:
        if part[position] < 0:
            place(int(position), None)
    return part
