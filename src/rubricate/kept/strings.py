"""Strings as two arrays: all their bytes, one after the other, in UTF-8, and where each ends, a 0 in front. The way back is
`sound.strings_from`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ..errors import InvalidSetting
from ..foundation.arrays import Array

__all__ = ["bytes_and_ends", "large_strings"]


def large_strings(values: Sequence[str], where: str) -> pa.LargeStringArray:
    """Arrow's array of these strings."""
    try:
        return pa.array(list(values), pa.large_string())
    except (UnicodeEncodeError, pa.ArrowInvalid) as problem:
        raise InvalidSetting(
            f"{where}: a string cannot be written as UTF-8 ({problem}); it must not be kept so"
        ) from None


def bytes_and_ends(strings: pa.LargeStringArray) -> tuple[Array, Array]:
    """The two arrays."""
    if len(strings) == 0:
        return np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    text = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]] if data is not None else np.zeros(0, dtype=np.uint8)
    return text, ends - ends[0]
