"""The numbers of a page: a head of JSON and arrays behind it, compressed. `page/payload.js` reads them.

    0    8   RUBPAGE1
    8    4   size of the head, little-endian
    12   .   head: JSON, then zeros up to a multiple of 8
    .    .   arrays one after the other, each filled up to a multiple of 8; head["arrays"][name] = [coding, start, bytes]

Every coding gives back the same bits; of those that fit, an array gets the one that is smallest once compressed:

    u8 u16 u32   whole numbers
    f64          floats as they are
    shuffled     all first bytes, then all second bytes, ...: exponents stand together, and compress
    short        the same of float32, where no number loses anything by it
    dictionary   the different values, shuffled, then 16 bits of place for each number; a fourth entry says how many values
"""

from __future__ import annotations

import base64
import gzip
import zlib
from typing import Any

import numpy as np
import orjson

from ..foundation.arrays import Array, Floats

MAGIC = b"RUBPAGE1"
WHOLE: dict[str, Any] = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32}
MOST_DIFFERENT = 1 << 16
SAMPLE = 1 << 18  # numbers by which the codings are compared
STEP = 8


class Payload:
    """Arrays by name, put together once with the head."""

    def __init__(self) -> None:
        self._places: dict[str, list[Any]] = {}
        self._data: list[bytes] = []
        self._size = 0

    def whole(self, name: str, numbers: Array | None) -> None:
        """Whole numbers from 0 on; nothing for None."""
        if numbers is not None:
            highest = int(numbers.max(initial=0))
            coding = next(coding for coding, kind in WHOLE.items() if highest <= np.iinfo(kind).max)
            self._put(name, coding, little_endian(numbers.astype(WHOLE[coding])))

    def floats(self, name: str, numbers: Floats | None) -> None:
        """Numbers of any shape, row after row; nothing for None."""
        if numbers is None:
            return
        flat = np.ascontiguousarray(numbers, dtype=np.float64).ravel()
        coding = min(codings(flat), key=lambda coding: len(zlib.compress(coded(flat[:SAMPLE], coding)[0], 6)))
        data, *different = coded(flat, coding)
        self._put(name, coding, data, *different)

    def _put(self, name: str, coding: str, data: bytes, *more: int) -> None:
        self._places[name] = [coding, self._size, len(data), *more]
        self._data.append(padded(data))
        self._size += len(self._data[-1])

    def base64(self, head: dict[str, Any]) -> str:
        """Everything, compressed, as text; the same numbers give the same text."""
        text = orjson.dumps({**head, "arrays": self._places})
        start = MAGIC + len(text).to_bytes(4, "little") + text
        return base64.b64encode(gzip.compress(padded(start) + b"".join(self._data), 9, mtime=0)).decode("ascii")


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % STEP)


def little_endian(numbers: Array) -> bytes:
    return numbers.astype(numbers.dtype.newbyteorder("<"), copy=False).tobytes()


def shuffled(numbers: Array) -> bytes:
    rows = np.frombuffer(little_endian(numbers), dtype=np.uint8).reshape(-1, numbers.itemsize)
    return np.ascontiguousarray(rows.T).tobytes()


def codings(numbers: Floats) -> list[str]:
    """The codings that lose nothing of these numbers."""
    out = ["f64", "shuffled"]
    with np.errstate(over="ignore"):
        if np.array_equal(numbers.astype(np.float32).astype(np.float64), numbers, equal_nan=True):
            out.append("short")
    if len(np.unique(numbers.view(np.int64))) <= min(MOST_DIFFERENT, len(numbers) // 2):
        out.append("dictionary")
    return out


def coded(numbers: Floats, coding: str) -> tuple[bytes, *tuple[int, ...]]:
    """Bytes; of a dictionary also how many different values there are."""
    if coding == "f64":
        return (little_endian(numbers),)
    if coding == "shuffled":
        return (shuffled(numbers),)
    if coding == "short":
        return (shuffled(numbers.astype(np.float32)),)
    bits, places = np.unique(numbers.view(np.int64), return_inverse=True)  # by their bits: 0 and -0 are two
    return shuffled(bits.view(np.float64)) + little_endian(places.astype(np.uint16)), len(bits)
