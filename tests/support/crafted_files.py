"""Files as a forger makes them: any numbers, valid checksums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray[Any, Any]]
LARGEST = {"i": 2**62, "u": 255, "f": 1e300}


def changed_arrays(arrays: Arrays) -> Iterator[tuple[str, Arrays]]:
    """The arrays with one of them made wrong in ways that do not depend on what it means: a name for each way, all arrays."""
    for name, array in sorted(arrays.items()):
        others = {key: value for key, value in arrays.items() if key != name}
        yield f"{name}: missing", others
        for how, other in changed_array(array):
            yield f"{name}: {how}", others | {name: other}


def changed_array(array: np.ndarray[Any, Any]) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """One array made wrong."""
    yield "one too few", array[:-1]
    yield "empty", array[:0]
    yield "one too many", np.append(array, array[-1:])
    yield "twice as many", np.concatenate([array, array])
    yield "a column", array.reshape(-1, 1)
    yield "of another type", array.astype(np.int16 if array.dtype.kind == "f" else np.float32)
    yield "of narrow numbers", array.astype(np.int8)
    for where, place in (("first", 0), ("middle", len(array) // 2), ("last", -1)):
        for how, value in wrong_numbers(array.dtype):
            other = array.copy()
            other[place] = value
            yield f"{where} {how}", other


def wrong_numbers(dtype: np.dtype[Any]) -> Iterator[tuple[str, Any]]:
    """Numbers that no array of this type should hold."""
    yield "too large", min(LARGEST[dtype.kind], np.iinfo(dtype).max) if dtype.kind in "iu" else LARGEST["f"]
    if dtype.kind in "if":
        yield "negative", -3
        yield "far below", np.iinfo(dtype).min if dtype.kind == "i" else -1e300
    if dtype.kind == "f":
        yield "nan", np.nan
        yield "infinite", np.inf
