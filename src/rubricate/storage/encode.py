"""Encoding: a thing as a tree of plain values, and the arrays it names. The way back is `decode`.

None, true, 1, 1.5, "text", [...]                     themselves
{"tuple": [...]}   {"pairs": [[key, value], ...]}     tuples, dictionaries
{"scalar": "<f8", "value": 1.5}                       NumPy's numbers and strings
{"array": name}    {"array": name, "order": "F"}      arrays of numbers; with "F" the array is the transposed one
{"strings": name, "type": "<U5", "shape": [3]}        arrays and long lists of strings: bytes and ends
{"objects": [...], "shape": [3]}                      arrays of Python's values
{"csr": [data, indices, indptr], "shape": [3, 9]}     sparse tables
{"kind": name, "parts": {...}}                        what is registered
{"repeated": [...], "places": name, "type": "tuple"}  long sequences of a few things: these, and which stands in each place
{"same": path}                                        what has been met on this path: it is one thing, not two

What can be worked out again, such as a transposed table, is not encoded, so that a model that has been used gives the same
bytes as one that has not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidSetting
from ..foundation.arrays import Array
from .decode import CODES, WIDEST, decode
from .registry import BY_CLASS, kind_of

if TYPE_CHECKING:
    import pyarrow as pa

LONG = 50  # things in a list, from which on strings are stored as arrays, and what stands there again and again once
PLAIN = (type(None), bool, int, float, str)


def encode(thing: Any, *, under: str) -> tuple[Any, dict[str, Array]]:
    """The tree of a thing, and the arrays it names, whose names begin with `under/`. What could not be decoded again is told now,
    not when it is needed."""
    encoder = Encoder()
    tree = encoder.tree(thing, under)
    decode(tree, encoder.arrays, under=under, recipe=encoder.recipe)
    return tree, encoder.arrays


class Encoder:
    """The arrays met so far, and on which path each thing was met."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self.recipe: Any = None  # one with a function, which is not stored
        self._met: dict[int, tuple[str, Any]] = {}  # by id; the thing is held so that nobody else gets its id
        self._places: dict[Any, str] = {}  # name of the array that is stored of a piece of memory

    def tree(self, thing: Any, path: str) -> Any:
        """The tree of a thing that is on this path."""
        if isinstance(thing, np.generic):
            return self._scalar(thing, path)
        if type(thing) in PLAIN:
            return thing
        if type(thing) is list or type(thing) is tuple:
            return self._sequence(thing, path)
        if type(thing) is dict:
            pairs = [
                [self.tree(key, f"{path}/{n}/key"), self.tree(value, f"{path}/{n}")]
                for n, (key, value) in enumerate(thing.items())
            ]
            return {"pairs": pairs}
        if id(thing) in self._met:
            return {"same": self._met[id(thing)][0]}
        self._met[id(thing)] = path, thing
        return self._met_first(thing, path)

    def _met_first(self, thing: Any, path: str) -> Any:
        """Arrays, tables and what is registered."""
        if isinstance(thing, np.ndarray):
            return self._array(thing, path)
        import pyarrow as pa
        from scipy import sparse

        if isinstance(thing, pa.LargeStringArray):
            return self._strings(thing, path, "arrow", (len(thing),))
        if sparse.issparse(thing):
            table = sparse.csr_array(thing)
            arrays = {"data": table.data, "indices": table.indices, "indptr": table.indptr}
            held = [self.tree(part, f"{path}/{name}") for name, part in arrays.items()]
            return {"csr": held, "shape": [int(size) for size in table.shape]}
        kind = kind_of(thing, path)
        if kind.code is not None and kind.code(thing):
            self.recipe = thing
        parts = sorted(kind.parts(thing).items())
        return {"kind": kind.name, "parts": {name: self.tree(part, f"{path}/{name}") for name, part in parts}}

    def _sequence(self, thing: list[Any] | tuple[Any, ...], path: str) -> Any:
        if len(thing) >= LONG and all(type(part) is str for part in thing):
            return self._strings(large_strings(thing, path), path, type(thing).__name__, (len(thing),))
        if len(thing) >= LONG and not any(type(part) in PLAIN for part in thing):
            names = [same_name(part) for part in thing]
            distinct = dict(zip(names, thing, strict=True))
            if 2 * len(distinct) <= len(thing):
                return self._repeated(thing, path, names, distinct)
        held = [self.tree(part, f"{path}/{n}") for n, part in enumerate(thing)]
        return held if type(thing) is list else {"tuple": held}

    def _repeated(
        self, thing: list[Any] | tuple[Any, ...], path: str, names: list[Any], distinct: dict[Any, Any]
    ) -> Any:
        numbers = {name: n for n, name in enumerate(distinct)}
        places = np.array([numbers[name] for name in names], dtype=np.int64)
        held = [self.tree(part, f"{path}/{n}") for n, part in enumerate(distinct.values())]
        return {"repeated": held, "places": self._name(places, f"{path}/places"), "type": type(thing).__name__}

    def _scalar(self, thing: np.generic[Any], path: str) -> Any:
        if isinstance(thing, np.str_):
            return {"scalar": "str", "value": str(thing)}
        if thing.dtype.newbyteorder("<").str not in CODES:
            raise InvalidSetting(f"{path}: a number of type {thing.dtype} cannot be kept; give plain numbers")
        return {"scalar": thing.dtype.newbyteorder("<").str, "value": thing.item()}

    def _array(self, thing: Array, path: str) -> Any:
        if thing.dtype.kind == "U":
            return self._strings(large_strings(thing.ravel().tolist(), path), path, thing.dtype.str, thing.shape)
        if thing.dtype == object:
            flat = thing.ravel().tolist()
            if all(type(part) is str for part in flat):
                return self._strings(large_strings(flat, path), path, "object", thing.shape)
            held = [self.tree(part, f"{path}/{n}") for n, part in enumerate(flat)]
            return {"objects": held, "shape": list(thing.shape)}
        if thing.dtype.newbyteorder("<").str not in CODES:
            raise InvalidSetting(f"{path}: an array of type {thing.dtype} cannot be kept; give numbers or strings")
        turned = thing.ndim > 1 and thing.flags.f_contiguous and not thing.flags.c_contiguous
        name = self._name(thing.T if turned else thing, path)
        return {"array": name, "order": "F"} if turned else {"array": name}

    def _name(self, thing: Array, path: str) -> str:
        """The name of an array; one and the same memory is stored once."""
        array = np.ascontiguousarray(thing, dtype=thing.dtype.newbyteorder("<")).reshape(thing.shape)
        place = (array.ctypes.data, array.dtype.str, array.shape) if array.size else path
        name: str = self._places.setdefault(place, path)
        self.arrays.setdefault(name, array)
        return name

    def _strings(self, strings: pa.LargeStringArray, path: str, kind: str, shape: tuple[int, ...]) -> Any:
        if kind.startswith(("<U", ">U")):
            kind = f"<U{int(kind[2:])}"
            if int(kind[2:]) * 4 * len(strings) > WIDEST:
                raise InvalidSetting(
                    f"{path}: {len(strings):,} strings of type {kind} take too much; give them as objects"
                )
        self.arrays[f"{path}/bytes"], self.arrays[f"{path}/ends"] = bytes_and_ends(strings)
        return {"strings": path, "type": kind, "shape": list(shape)}


def same_name(thing: Any) -> Any:
    """Equal for things of which one will do: one and the same, or of plain settings that are equal, as goals of cuts are."""
    if is_dataclass(thing) and type(thing) in BY_CLASS:
        settings = BY_CLASS[type(thing)].parts(thing).values()
        if all(type(value) in PLAIN for value in settings):
            return type(thing), *((type(value), value) for value in settings)
    return id(thing)


def large_strings(values: Sequence[str], where: str) -> pa.LargeStringArray:
    """Arrow's array of these strings."""
    import pyarrow as pa

    try:
        return pa.array(list(values), pa.large_string())
    except (UnicodeEncodeError, pa.ArrowInvalid) as problem:
        raise InvalidSetting(
            f"{where}: a string cannot be written as UTF-8 ({problem}); it must not be kept so"
        ) from None


def bytes_and_ends(strings: pa.LargeStringArray) -> tuple[Array, Array]:
    """Strings as two arrays: all their bytes, one after the other, in UTF-8, and where each ends, a 0 in front. The way back is
    `checks.strings_from`."""
    if len(strings) == 0:
        return np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    text = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]] if data is not None else np.zeros(0, dtype=np.uint8)
    return text, ends - ends[0]
