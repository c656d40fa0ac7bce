"""Test parts of a corpus, as masks: by share, by number, so many of each label (seeded); by ids, by the values of a column.

`parse_split` reads what people write for them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, InvalidSetting, UnknownName
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
    in_test: Counter[str] = Counter()
    in_training = Counter({label: len(documents) for label, documents in members.items()})
    for label in sorted(members, key=lambda name: (len(members[name]), name)):
        for position in members[label]:
            if in_test[label] >= number:
                break
            if not mask[position] and all(in_training[other] > 1 for other in labels[position]):
                mask[position] = True
                in_test.update(labels[position])
                in_training.subtract(labels[position])
    return mask


def with_ids(corpus: str, known: Sequence[str], ids: str | Path | Iterable[str]) -> Bools:
    """A mask of the documents with these ids, or with those of a file, one a line."""
    if isinstance(ids, str | Path):
        test_ids = {line.strip() for line in Path(ids).read_text("utf-8").splitlines()} - {""}
    else:
        test_ids = set(ids)
    absent = test_ids.difference(known)
    if absent:
        some = ", ".join(sorted(absent)[:5])
        raise InputError(corpus, f"{len(absent)} ids are not in the corpus ({some})", "check the list of ids")
    return np.array([name in test_ids for name in known], dtype=bool)


def with_value(
    corpus: str, column: Sequence[Any], field: str, *, value: str | Iterable[str] | None, since: str | None
) -> Bools:
    """A mask of the documents whose column has this value (or one of these), or one from `since` on."""
    if since is not None:
        missing = sum(entry is None for entry in column)
        if missing:
            raise InputError(corpus, f"{missing} documents have no {field!r}", "split by another column")
        return np.array([entry >= since for entry in column], dtype=bool)
    test_values = {value} if isinstance(value, str) else set(value or ())
    present = set(column)
    if absent := test_values - present:
        raise UnknownName(f"value of {field}", ", ".join(sorted(absent)), [v for v in present if v is not None][:30])
    return np.array([entry in test_values for entry in column], dtype=bool)
