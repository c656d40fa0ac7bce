"""Things as trees of plain values, and the arrays these name: `encode` makes both, `decode` the thing, without fitting.

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
bytes as one that has not. What is not of its form is refused. Decoded arrays are used as they are; read-only ones, mapped from a
file, will do. Tables need scipy and strings pyarrow, which are imported when the first of them is met, as is the module of each
kind of thing (`registry`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DamagedFile, InvalidSetting, RubricateError
from ..foundation.arrays import Array
from .checks import check_csr, need, strings_from, within
from .registry import BY_CLASS, kind_named, kind_of

if TYPE_CHECKING:
    import pyarrow as pa

LONG = 50  # things in a list, from which on strings are stored as arrays, and what stands there again and again once
PLAIN = (type(None), bool, int, float, str)
CODES = frozenset(("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"))
DEEPEST = 200
WIDEST = 2**30  # bytes of an array of strings
WIDE_STRINGS = re.compile("<U[0-9]{1,9}")


# -- encoding


def encode(thing: Any, *, under: str) -> tuple[Any, dict[str, Array]]:
    """The tree of a thing, and the arrays it names, whose names begin with `under/`. It is decoded at once, so that what could
    not be is refused now, not when it is needed."""
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
        if isinstance(thing, np.ndarray):
            return self._array(thing, path)
        import pyarrow as pa
        from scipy import sparse

        if isinstance(thing, pa.LargeStringArray):
            return self._strings(thing, path, "arrow", (len(thing),))
        if sparse.issparse(thing):
            table = sparse.csr_array(thing)
            arrays = {"data": table.data, "indices": table.indices, "indptr": table.indptr}
            trees = [self.tree(array, f"{path}/{name}") for name, array in arrays.items()]
            return {"csr": trees, "shape": [int(size) for size in table.shape]}
        kind = kind_of(thing, path)
        if kind.code is not None and kind.code(thing):
            self.recipe = thing
        parts = sorted(kind.parts(thing).items())
        return {"kind": kind.name, "parts": {name: self.tree(part, f"{path}/{name}") for name, part in parts}}

    def _trees(self, things: Sequence[Any], path: str) -> list[Any]:
        return [self.tree(thing, f"{path}/{n}") for n, thing in enumerate(things)]

    def _sequence(self, thing: list[Any] | tuple[Any, ...], path: str) -> Any:
        kind = type(thing).__name__
        if len(thing) >= LONG and all(type(part) is str for part in thing):
            return self._strings(large_strings(thing, path), path, kind, (len(thing),))
        if len(thing) >= LONG and not any(type(part) in PLAIN for part in thing):
            names = [same_name(part) for part in thing]
            distinct = dict(zip(names, thing, strict=True))
            if 2 * len(distinct) <= len(thing):
                numbers = {name: n for n, name in enumerate(distinct)}
                places = np.array([numbers[name] for name in names], dtype=np.int64)
                trees = self._trees(list(distinct.values()), path)
                return {"repeated": trees, "places": self._name(places, f"{path}/places"), "type": kind}
        trees = self._trees(thing, path)
        return trees if kind == "list" else {"tuple": trees}

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
            return {"objects": self._trees(flat, path), "shape": list(thing.shape)}
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
        """Two arrays: the bytes of all strings in UTF-8, one after the other, and where each ends, a 0 in front. The way back is
        `checks.strings_from`."""
        if kind.startswith(("<U", ">U")):
            kind = f"<U{int(kind[2:])}"
            if int(kind[2:]) * 4 * len(strings) > WIDEST:
                raise InvalidSetting(
                    f"{path}: {len(strings):,} strings of type {kind} take too much; give them as objects"
                )
        text, ends = np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
        if len(strings):
            _, offsets, data = strings.buffers()
            ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
            if data is not None:
                text = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
        self.arrays[f"{path}/bytes"], self.arrays[f"{path}/ends"] = text, ends - ends[0]
        return {"strings": path, "type": kind, "shape": list(shape)}


def same_name(thing: Any) -> Any:
    """Equal for things of which one will do: the same thing, or plain settings that are equal, as goals of thresholds are."""
    if is_dataclass(thing) and type(thing) in BY_CLASS:
        settings = BY_CLASS[type(thing)].parts(thing).values()
        if all(type(value) in PLAIN for value in settings):
            return type(thing), *((type(value), value) for value in settings)
    return id(thing)


def large_strings(values: Sequence[str], where: str) -> pa.LargeStringArray:
    import pyarrow as pa

    try:
        return pa.array(list(values), pa.large_string())
    except (UnicodeEncodeError, pa.ArrowInvalid) as problem:
        raise InvalidSetting(
            f"{where}: a string cannot be written as UTF-8 ({problem}); it must not be kept so"
        ) from None


# -- decoding


def decode(tree: Any, arrays: Mapping[str, Array], *, under: str, recipe: Any = None) -> Any:
    """The thing that `encode` was given. Arrays under other names are left alone, those under this one are all used.

    recipe: the one in it, needed where that has a Python function: code is never loaded from files.
    """
    decoder = Decoder(arrays, recipe)
    thing = decoder.thing(tree, under)
    unused = {name for name in arrays if name.startswith(f"{under}/") or name == under} - decoder.used
    if unused:
        raise DamagedFile(f"{under}: array {min(unused)!r} belongs to nothing")
    return thing


class Decoder:
    """Things decoded so far, by their path."""

    def __init__(self, arrays: Mapping[str, Array], recipe: Any) -> None:
        self.arrays, self.recipe = arrays, recipe
        self.used: set[str] = set()
        self._decoded: dict[str, Any] = {}

    def thing(self, tree: Any, path: str) -> Any:
        if tree is None or type(tree) in (bool, int, float, str):
            return tree
        if path.count("/") > DEEPEST:
            raise DamagedFile(f"{path[:200]}: nested too deep")
        if type(tree) is list:
            return self._things(tree, path)
        need(isinstance(tree, dict), f"{path}: a {type(tree).__name__} is no part of a tree")
        for form, keys in FORMS.items():
            if form in tree and tree.keys() <= keys:
                thing = getattr(self, f"_{form}")(tree, path)
                if form in TRACKED:
                    self._decoded[path] = thing
                return thing
        raise DamagedFile(f"{path}: not of any known form")

    def _things(self, trees: Any, path: str) -> list[Any]:
        return [self.thing(tree, f"{path}/{n}") for n, tree in enumerate(listed(trees, path))]

    def _tuple(self, tree: dict[str, Any], path: str) -> tuple[Any, ...]:
        return tuple(self._things(tree["tuple"], path))

    def _pairs(self, tree: dict[str, Any], path: str) -> dict[Any, Any]:
        pairs = {}
        for n, pair in enumerate(listed(tree["pairs"], path)):
            need(len(listed(pair, path)) == 2, f"{path}: not pairs of keys and values")
            key = self.thing(pair[0], f"{path}/{n}/key")
            try:
                pairs[key] = self.thing(pair[1], f"{path}/{n}")
            except TypeError:
                raise DamagedFile(f"{path}: {type(key).__name__} cannot be a key") from None
        return pairs

    def _repeated(self, tree: dict[str, Any], path: str) -> list[Any] | tuple[Any, ...]:
        distinct = self._things(tree["repeated"], path)
        places, kind = self._named(tree.get("places"), path), tree.get("type")
        need(kind in ("list", "tuple") and places.ndim == 1, f"{path}: not what stands there again and again")
        refused_at(path, lambda: within(places, len(distinct), "places"))
        things = [distinct[n] for n in places.tolist()]
        return things if kind == "list" else tuple(things)

    def _same(self, tree: dict[str, Any], path: str) -> Any:
        earlier = tree["same"]
        need(
            isinstance(earlier, str) and earlier in self._decoded,
            f"{path}: the same as {earlier!r}, which has not been met",
        )
        return self._decoded[earlier]

    def _scalar(self, tree: dict[str, Any], path: str) -> Any:
        code, value = tree["scalar"], tree.get("value")
        if code == "str" and type(value) is str:
            return np.str_(value)
        if not isinstance(code, str) or code not in CODES or type(value) not in (bool, int, float):
            raise DamagedFile(f"{path}: {value!r} of type {code!r} is no number")
        try:
            return np.dtype(code).type(value)
        except OverflowError:
            raise DamagedFile(f"{path}: {value!r} does not fit in {code!r}") from None

    def _array(self, tree: dict[str, Any], path: str) -> Array:
        array, order = self._named(tree["array"], path), tree.get("order", "F")
        need(order == "F", f"{path}: an array in the order {order!r}")
        return array.T if "order" in tree else array.view()

    def _named(self, name: Any, path: str) -> Array:
        need(isinstance(name, str) and name in self.arrays, f"{path}: there is no array {name!r}")
        self.used.add(name)
        return self.arrays[name]

    def _strings(self, tree: dict[str, Any], path: str) -> Any:
        name, kind = tree["strings"], str(tree.get("type"))
        strings = strings_from(self._named(f"{name}/bytes", path), self._named(f"{name}/ends", path), path)
        shape = shaped(tree, path, len(strings))
        if kind == "arrow":
            return strings
        if kind in ("list", "tuple"):
            return strings.to_pylist() if kind == "list" else tuple(strings.to_pylist())
        wide = WIDE_STRINGS.fullmatch(kind)
        fits = kind == "object" or (wide and int(kind[2:]) * 4 * len(strings) <= WIDEST)
        need(fits, f"{path}: strings of type {kind!r}")
        return np.array(strings.to_pylist(), dtype=np.dtype(kind)).reshape(shape)

    def _objects(self, tree: dict[str, Any], path: str) -> Array:
        things = self._things(tree["objects"], path)
        array = np.empty(len(things), dtype=object)
        array[:] = things
        return array.reshape(shaped(tree, path, len(things)))

    def _csr(self, tree: dict[str, Any], path: str) -> Any:
        parts = listed(tree["csr"], path)
        need(len(parts) == 3, f"{path}: a sparse table of three arrays has {len(parts)}")
        names = ("data", "indices", "indptr")
        data, indices, indptr = (self.thing(part, f"{path}/{name}") for name, part in zip(names, parts, strict=True))
        shape = shaped(tree, path, None)
        return refused_at(path, lambda: self._table(data, indices, indptr, shape))

    @staticmethod
    def _table(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> Any:
        return check_csr(data, indices, indptr, shape)

    def _kind(self, tree: dict[str, Any], path: str) -> Any:
        kind, trees = kind_named(tree["kind"]), tree.get("parts")
        if kind is None or not isinstance(trees, dict):
            raise DamagedFile(f"{path}: {tree['kind']!r} is not among the kinds of things that are kept")
        parts = {name: self.thing(trees[name], f"{path}/{name}") for name in sorted(trees)}
        if kind.code is not None:
            return kind.make(parts, self.recipe, path)
        thing = refused_at(path, lambda: kind.make(parts))
        if (check := kind.check) is not None:
            refused_at(path, lambda: check(thing))
        return thing


FORMS = {  # each is decoded by the method of its name
    "tuple": {"tuple"},
    "pairs": {"pairs"},
    "repeated": {"repeated", "places", "type"},
    "same": {"same"},
    "scalar": {"scalar", "value"},
    "array": {"array", "order"},
    "strings": {"strings", "type", "shape"},
    "objects": {"objects", "shape"},
    "csr": {"csr", "shape"},
    "kind": {"kind", "parts"},
}
TRACKED = ("array", "strings", "objects", "csr", "kind")


def refused_at(path: str, make: Callable[[], Any]) -> Any:
    """What `make` returns; whatever it raises becomes an error that names the path."""
    try:
        return make()
    except (RubricateError, ValueError, TypeError, AttributeError, IndexError, KeyError) as problem:
        raise DamagedFile(f"{path}: cannot be put together: {problem}") from None


def listed(value: Any, path: str) -> list[Any]:
    need(isinstance(value, list), f"{path}: no list where one should be")
    return value  # type: ignore[no-any-return]


def shaped(tree: dict[str, Any], path: str, size: int | None) -> tuple[int, ...]:
    shape = listed(tree.get("shape"), path)
    if any(type(n) is not int or n < 0 for n in shape) or (size is not None and prod(shape) != size):
        raise DamagedFile(f"{path}: not a shape: {shape}")
    return tuple(shape)
