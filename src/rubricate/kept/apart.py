"""Taking things apart: a tree of plain values, and the arrays it names. The way back is in `together`.

None, true, 1, 1.5, "text", [...]                     themselves
{"tuple": [...]}   {"pairs": [[key, value], ...]}     tuples, dictionaries
{"scalar": "<f8", "value": 1.5}                       NumPy's numbers and strings
{"array": name}    {"array": name, "order": "F"}      arrays of numbers; with "F" the array is the transposed one
{"strings": name, "type": "<U5", "shape": [3]}        arrays and long lists of strings: bytes and ends
{"objects": [...], "shape": [3]}                      arrays of Python's values
{"csr": [data, indices, indptr], "shape": [3, 9]}     sparse tables
{"kind": name, "parts": {...}}                        what the table of kinds has
{"repeated": [...], "places": name, "type": "tuple"}  long sequences of a few things: these, and which stands in each place
{"same": path}                                        what has been met on this path: it is one thing, not two
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..errors import InvalidSetting
from ..foundation.arrays import Array
from ..terms.recipe import Recipe
from .kinds import kind_of
from .strings import bytes_and_ends, large_strings

__all__ = ["CODES", "WIDEST", "Apart"]

CODES = frozenset(("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"))
LONG = 50  # things in a list, from which on strings are kept as arrays, and what stands there again and again once
PLAIN = (type(None), bool, int, float, str)
WIDEST = 2**30  # bytes of an array of strings


class Apart:
    """The arrays met so far, and on which path each thing was met."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self.recipe: Recipe | None = None  # with a function, which is not kept
        self._met: dict[int, tuple[str, Any]] = {}  # by id; the thing is held so that nobody else gets its id
        self._places: dict[Any, str] = {}  # name of the array that is kept of a piece of memory

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
        """Arrays, tables and what is in the table of kinds."""
        if isinstance(thing, np.ndarray):
            return self._array(thing, path)
        if isinstance(thing, pa.LargeStringArray):
            return self._strings(thing, path, "arrow", (len(thing),))
        if sparse.issparse(thing):
            table = sparse.csr_array(thing)
            arrays = {"data": table.data, "indices": table.indices, "indptr": table.indptr}
            held = [self.tree(part, f"{path}/{name}") for name, part in arrays.items()]
            return {"csr": held, "shape": [int(size) for size in table.shape]}
        if isinstance(thing, Recipe) and thing.function is not None:
            self.recipe = thing
        kind = kind_of(thing, path)
        parts = sorted(kind.parts(thing).items())
        return {"kind": kind.name, "parts": {name: self.tree(part, f"{path}/{name}") for name, part in parts}}

    def _sequence(self, thing: list[Any] | tuple[Any, ...], path: str) -> Any:
        if len(thing) >= LONG and all(type(one) is str for one in thing):
            return self._strings(large_strings(thing, path), path, type(thing).__name__, (len(thing),))
        if len(thing) >= LONG and not any(type(one) in PLAIN for one in thing):
            names = [same_name(one) for one in thing]
            distinct = dict(zip(names, thing, strict=True))
            if 2 * len(distinct) <= len(thing):
                return self._repeated(thing, path, names, distinct)
        held = [self.tree(one, f"{path}/{n}") for n, one in enumerate(thing)]
        return held if type(thing) is list else {"tuple": held}

    def _repeated(
        self, thing: list[Any] | tuple[Any, ...], path: str, names: list[Any], distinct: dict[Any, Any]
    ) -> Any:
        numbers = {name: n for n, name in enumerate(distinct)}
        places = np.array([numbers[name] for name in names], dtype=np.int64)
        held = [self.tree(one, f"{path}/{n}") for n, one in enumerate(distinct.values())]
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
            if all(type(one) is str for one in flat):
                return self._strings(large_strings(flat, path), path, "object", thing.shape)
            held = [self.tree(one, f"{path}/{n}") for n, one in enumerate(flat)]
            return {"objects": held, "shape": list(thing.shape)}
        if thing.dtype.newbyteorder("<").str not in CODES:
            raise InvalidSetting(f"{path}: an array of type {thing.dtype} cannot be kept; give numbers or strings")
        turned = thing.ndim > 1 and thing.flags.f_contiguous and not thing.flags.c_contiguous
        name = self._name(thing.T if turned else thing, path)
        return {"array": name, "order": "F"} if turned else {"array": name}

    def _name(self, thing: Array, path: str) -> str:
        """The name of an array; one and the same memory is kept once."""
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
    if is_dataclass(thing):
        settings = [getattr(thing, field.name) for field in fields(thing)]
        if all(type(value) in PLAIN for value in settings):
            return type(thing), *((type(value), value) for value in settings)
    return id(thing)
