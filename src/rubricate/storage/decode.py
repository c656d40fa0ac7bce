"""Decoding: the thing that a tree and its arrays are, made anew without fitting anything. What is not of its form is refused.

The arrays are used as they are; read-only ones, mapped from a file, will do. Tables need scipy and strings pyarrow, which are
imported when the first of them is met, as is the module of each kind of thing (`registry`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from ..errors import DamagedFile, RubricateError
from ..foundation.arrays import Array
from .checks import check_csr, strings_from, within
from .registry import kind_named

CODES = frozenset(("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8"))
DEEPEST = 200
WIDEST = 2**30  # bytes of an array of strings
WIDE_STRINGS = re.compile("<U[0-9]{1,9}")


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
        self._made: dict[str, Any] = {}

    def thing(self, tree: Any, path: str) -> Any:
        """What is on this path."""
        if tree is None or type(tree) in (bool, int, float, str):
            return tree
        if path.count("/") > DEEPEST:
            raise DamagedFile(f"{path[:200]}: nested too deep")
        if type(tree) is list:
            return [self.thing(part, f"{path}/{n}") for n, part in enumerate(tree)]
        if not isinstance(tree, dict):
            raise DamagedFile(f"{path}: a {type(tree).__name__} is no part of a tree")
        for form, keys in FORMS.items():
            if form in tree and tree.keys() <= keys:
                made = getattr(self, f"_{form}")(tree, path)
                if form in TRACKED:
                    self._made[path] = made
                return made
        raise DamagedFile(f"{path}: not of any known form")

    def _tuple(self, tree: dict[str, Any], path: str) -> tuple[Any, ...]:
        return tuple(self.thing(part, f"{path}/{n}") for n, part in enumerate(listed(tree["tuple"], path)))

    def _pairs(self, tree: dict[str, Any], path: str) -> dict[Any, Any]:
        out = {}
        for n, pair in enumerate(listed(tree["pairs"], path)):
            if len(listed(pair, path)) != 2:
                raise DamagedFile(f"{path}: not pairs of keys and values")
            key = self.thing(pair[0], f"{path}/{n}/key")
            try:
                out[key] = self.thing(pair[1], f"{path}/{n}")
            except TypeError:
                raise DamagedFile(f"{path}: {type(key).__name__} cannot be a key") from None
        return out

    def _repeated(self, tree: dict[str, Any], path: str) -> list[Any] | tuple[Any, ...]:
        distinct = [self.thing(part, f"{path}/{n}") for n, part in enumerate(listed(tree["repeated"], path))]
        places, kind = self._named(tree.get("places"), path), tree.get("type")
        if kind not in ("list", "tuple") or places.ndim != 1:
            raise DamagedFile(f"{path}: not what stands there again and again")
        self._made_or_refused(path, lambda: within(places, len(distinct), "places"))
        held = [distinct[n] for n in places.tolist()]
        return held if kind == "list" else tuple(held)

    def _same(self, tree: dict[str, Any], path: str) -> Any:
        if not isinstance(tree["same"], str) or tree["same"] not in self._made:
            raise DamagedFile(f"{path}: the same as {tree['same']!r}, which has not been met")
        return self._made[tree["same"]]

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
        array = self._named(tree["array"], path)
        if tree.get("order", "F") != "F":
            raise DamagedFile(f"{path}: an array in the order {tree['order']!r}")
        return array.T if "order" in tree else array.view()

    def _named(self, name: Any, path: str) -> Array:
        if not isinstance(name, str) or name not in self.arrays:
            raise DamagedFile(f"{path}: there is no array {name!r}")
        self.used.add(name)
        return self.arrays[name]

    def _strings(self, tree: dict[str, Any], path: str) -> Any:
        name, kind = tree["strings"], str(tree.get("type"))
        found = strings_from(self._named(f"{name}/bytes", path), self._named(f"{name}/ends", path), path)
        shape = shaped(tree, path, len(found))
        if kind == "arrow":
            return found
        if kind in ("list", "tuple"):
            return found.to_pylist() if kind == "list" else tuple(found.to_pylist())
        wide = WIDE_STRINGS.fullmatch(kind)
        if kind != "object" and not (wide and int(kind[2:]) * 4 * len(found) <= WIDEST):
            raise DamagedFile(f"{path}: strings of type {kind!r}")
        return np.array(found.to_pylist(), dtype=np.dtype(kind)).reshape(shape)

    def _objects(self, tree: dict[str, Any], path: str) -> Array:
        held = [self.thing(part, f"{path}/{n}") for n, part in enumerate(listed(tree["objects"], path))]
        out = np.empty(len(held), dtype=object)
        out[:] = held
        return out.reshape(shaped(tree, path, len(held)))

    def _csr(self, tree: dict[str, Any], path: str) -> Any:
        if len(listed(tree["csr"], path)) != 3:
            raise DamagedFile(f"{path}: a sparse table of three arrays has {len(tree['csr'])}")
        names = ("data", "indices", "indptr")
        data, indices, indptr = (
            self.thing(part, f"{path}/{name}") for name, part in zip(names, tree["csr"], strict=True)
        )
        shape = shaped(tree, path, None)
        return self._made_or_refused(path, lambda: self._table(data, indices, indptr, shape))

    @staticmethod
    def _table(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> Any:
        return check_csr(data, indices, indptr, shape)

    def _kind(self, tree: dict[str, Any], path: str) -> Any:
        kind, parts = kind_named(tree["kind"]), tree.get("parts")
        if kind is None or not isinstance(parts, dict):
            raise DamagedFile(f"{path}: {tree['kind']!r} is not among the kinds of things that are kept")
        made = {name: self.thing(parts[name], f"{path}/{name}") for name in sorted(parts)}
        if kind.code is not None:
            return kind.make(made, self.recipe, path)
        return self._made_or_refused(path, lambda: checked(kind.make(made), kind.check))

    @staticmethod
    def _made_or_refused(path: str, make: Callable[[], Any]) -> Any:
        """What is made, or where it could not be."""
        try:
            return make()
        except (RubricateError, ValueError, TypeError, AttributeError, IndexError, KeyError) as problem:
            raise DamagedFile(f"{path}: cannot be put together: {problem}") from None


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


def checked(thing: Any, check: Callable[[Any], None] | None) -> Any:
    """A thing that passes its check, if it has one."""
    if check is not None:
        check(thing)
    return thing


def listed(value: Any, path: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise DamagedFile(f"{path}: no list where one should be")
    return value


def shaped(tree: dict[str, Any], path: str, size: int | None) -> tuple[int, ...]:
    """A shape of so many values."""
    shape = listed(tree.get("shape"), path)
    if any(type(n) is not int or n < 0 for n in shape) or (size is not None and prod(shape) != size):
        raise DamagedFile(f"{path}: not a shape: {shape}")
    return tuple(shape)
