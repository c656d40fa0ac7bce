"""Test parts of a corpus: by share, by number, so many of each label. `parse_split` reads what people write for them. Seeded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidSetting
from ..foundation.arrays import Bools
from ..foundation.folds import stratify_parts

WHOLE = re.compile(r"[0-9]{1,18}")


def parse_split(text: str) -> dict[str, Any]:
    """What to give to `Corpus.split`, from one word: `0.3`, `200`, `10pc`, `field=value`, `field>=from`, or a file of ids."""
    for mark, name in ((">=", "since"), ("=", "value")):
        column, separator, value = text.partition(mark)
        if separator and column and value and not Path(text).exists():
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
        parts = stratify_parts(labels, np.array([1 - share, share]), seed=seed, sizes=np.array([n - number, number]))
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
    taken: Counter[str] = Counter()
    left = Counter({label: len(documents) for label, documents in members.items()})
    for label in sorted(members, key=lambda name: (len(members[name]), name)):
        for position in members[label]:
            if taken[label] >= number:
                break
            if not mask[position] and all(left[other] > 1 for other in labels[position]):
                mask[position] = True
                taken.update(labels[position])
                left.subtract(labels[position])
    return mask
