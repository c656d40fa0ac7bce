"""Strings as two arrays: all their bytes, one after the other, in UTF-8, and where each ends, a 0 in front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import BadChoice, DamagedFile

__all__ = ["bytes_and_ends", "large_strings", "strings_from"]

Array = np.ndarray[Any, Any]


def large_strings(values: Sequence[str], where: str) -> pa.LargeStringArray:
    """Arrow's array of these strings."""
    try:
        return pa.array(list(values), pa.large_string())
    except (UnicodeEncodeError, pa.ArrowInvalid) as problem:
        raise BadChoice(f"{where}: a string cannot be written as UTF-8 ({problem}); it must not be kept so") from None


def bytes_and_ends(strings: pa.LargeStringArray) -> tuple[Array, Array]:
    """The two arrays."""
    if len(strings) == 0:
        return np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    text = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]] if data is not None else np.zeros(0, dtype=np.uint8)
    return text, ends - ends[0]


def strings_from(text: Array, ends: Array, where: str) -> pa.LargeStringArray:
    """The strings of two arrays, if these are what they should be."""
    if text.dtype != np.uint8 or ends.dtype != np.int64 or text.ndim != 1 or ends.ndim != 1 or not len(ends):
        raise DamagedFile(f"{where}: not the bytes and ends of strings")
    if ends[0] != 0 or ends[-1] != len(text) or (ends[1:] < ends[:-1]).any():
        raise DamagedFile(f"{where}: strings do not end where their bytes end")
    if len(ends) == 1:
        return pa.array([], pa.large_string())
    found = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
    try:
        found.validate(full=True)
    except pa.ArrowInvalid as problem:
        raise DamagedFile(f"{where}: {problem}") from None
    return found
