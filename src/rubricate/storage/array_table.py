"""The table of arrays, in safetensors' form: 8 bytes of length, JSON of names, types, shapes and places, then the numbers.

Larger types come first, so that every array begins where its type may begin. The table is read strictly: places follow each
other without a gap, from the first byte to the last, and are as large as type and shape say. In a model file the numbers begin on
a multiple of 64 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import orjson

from ..errors import DamagedFile, InvalidSetting
from ..foundation.arrays import Array
from .checks import need

LINE = 64  # bytes to which parts are filled up
WORD = 8  # the same where a table has metadata
TYPES = {  # in the order in which safetensors puts them
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
    "F32": "<f4",
    "U32": "<u4",
    "I32": "<i4",
    "F16": "<f2",
    "U16": "<u2",
    "I16": "<i2",
    "I8": "i1",
    "U8": "u1",
    "BOOL": "?",
}
NAMES = {np.dtype(code): name for name, code in TYPES.items()}
MOST_DIMENSIONS = 16
METADATA = "__metadata__"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array is, counted from the first number, and what."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int
    end: int


def flat(name: str, array: Array) -> Array:
    if not isinstance(name, str) or name == METADATA:
        raise InvalidSetting(f"{name!r} cannot be the name of an array: give another string")
    if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("<") not in NAMES:
        kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise InvalidSetting(f"array {name!r} is of type {kind}: give plain numbers or booleans")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)


def table_for(arrays: Mapping[str, Array], metadata: dict[str, str] | None = None) -> tuple[list[str], bytes]:
    """The names in the order in which the arrays follow the table, and the table, its length in front.

    Arrays of one size are in the order of their names; with metadata, as safetensors itself writes them, in the order of their
    types first.
    """
    kinds = {name: NAMES[array.dtype.newbyteorder("<")] for name, array in arrays.items()}
    places = {kind: n for n, kind in enumerate(TYPES)}
    ranks = {name: -arrays[name].dtype.itemsize if metadata is None else places[kinds[name]] for name in arrays}
    order = sorted(arrays, key=lambda name: (ranks[name], name))
    table: dict[str, Any] = {} if metadata is None else {METADATA: metadata}
    start = 0
    for name in order:
        end = start + arrays[name].nbytes
        table[name] = {"dtype": kinds[name], "shape": list(arrays[name].shape), "data_offsets": [start, end]}
        start = end
    text = orjson.dumps(table)
    text += b" " * (-(8 + len(text)) % (LINE if metadata is None else WORD))
    return order, len(text).to_bytes(8, "little") + text


def parsed_table(text: bytes | memoryview, where: str) -> dict[str, Any]:
    try:
        table = orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        raise DamagedFile(f"{where}: the table of arrays is not JSON ({problem})") from None
    need(isinstance(table, dict), f"{where}: the table of arrays is no table")
    return table  # type: ignore[no-any-return]


def places_in(table: dict[str, Any], size: int, where: str) -> dict[str, Place]:
    """The places in a table of arrays that take `size` bytes together."""
    places = {name: place_of(name, entry, where) for name, entry in table.items()}
    end = 0
    for name, place in sorted(places.items(), key=lambda item: (item[1].start, item[1].end)):
        in_place = place.start == end and place.start % place.dtype.itemsize == 0
        need(in_place, f"{where}: array {name!r} begins at {place.start}, not at {end}")
        end = place.end
    need(end == size, f"{where}: the arrays end at {end}, the file at {size}")
    return places


def place_of(name: str, entry: Any, where: str) -> Place:
    where = f"{where}: array {name!r}"
    described = isinstance(entry, dict) and entry.keys() == {"dtype", "shape", "data_offsets"}
    need(described, f"{where} is not described by dtype, shape and data_offsets")
    shape, ends, kind = entry["shape"], entry["data_offsets"], entry["dtype"]
    sizes = whole(shape) and len(shape) <= MOST_DIMENSIONS and whole(ends) and len(ends) == 2
    need(sizes, f"{where} has shape {shape} and place {ends}")
    need(isinstance(kind, str) and kind in TYPES, f"{where} is of type {kind}, which no file of ours has")
    dtype, size = np.dtype(TYPES[kind]), ends[1] - ends[0]
    # Python's whole numbers do not overflow
    need(size == prod(shape) * dtype.itemsize, f"{where} takes {size} bytes, not those of {dtype} {shape}")
    return Place(dtype, tuple(shape), *ends)


def whole(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(number) is int and number >= 0 for number in numbers)


def view_of(buffer: Any, place: Place, first: int) -> Array:
    """The array at a place, read-only and not copied; first: where the numbers begin in the buffer."""
    if place.start == place.end:
        array = np.zeros(place.shape, dtype=place.dtype)
        array.flags.writeable = False
        return array
    return np.frombuffer(buffer, place.dtype, prod(place.shape), first + place.start).reshape(place.shape)
