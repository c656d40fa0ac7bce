"""Values as JSON, in two forms.

    jsonable, from_jsonable    for people's programs: dataclasses are dictionaries, arrays and tuples lists, nan is null
    to_json, from_json         for our files, exactly: only what JSON has; other numbers are {"$float": "nan"}, "inf" or "-inf"

Keys in files are sorted, so that equal values are equal bytes. Tuples come back as lists, NumPy's numbers as Python's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
import orjson

from ..errors import DamagedFile, InvalidSetting, RubricateError

DEEPEST = 100  # lists and dictionaries within each other
FLOAT = "$float"
SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
ARRAYS = {"Floats": np.float64, "Longs": np.int64, "Bools": np.bool_}
NO_FORMS: Mapping[Any, Callable[[Any], Any]] = {}
Report = TypeVar("Report")


# -- for people's programs


def jsonable(value: Any, *, forms: Mapping[type, Callable[[Any], Any]] = NO_FORMS, infinities: bool = False) -> Any:
    """The value with only what JSON has. Infinite numbers are null, as nan is; with `infinities` they are "inf" and "-inf".

    forms: for things of some classes, what stands in their place; it is converted in turn.
    """
    if type(value) in forms:
        value = forms[type(value)](value)
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): jsonable(part, forms=forms, infinities=infinities) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(part, forms=forms, infinities=infinities) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value) if infinities and not math.isnan(value) else None
    return value


def from_jsonable(
    cls: type[Report], values: dict[str, Any], *, parse: Mapping[str, Callable[[Any], Any]] = NO_FORMS
) -> Report:
    """The dataclass whose fields `jsonable` with `infinities` gave. parse: how fields of some names are read."""
    types = {field.name: str(field.type) for field in fields(cls)}  # type: ignore[arg-type]
    if set(values) != set(types):
        odd = ", ".join(sorted(set(types) ^ set(values)))
        raise InvalidSetting(f"{cls.__name__} from a dictionary: missing or unknown {odd}; give what as_dict() gave")
    return cls(
        **{name: parse[name](values[name]) if name in parse else _field(types[name], values[name]) for name in types}
    )


def _field(type_name: str, value: Any) -> Any:
    if type_name in ARRAYS:
        return np.array([_float(number) for number in value], dtype=ARRAYS[type_name])
    if type_name.startswith("tuple"):
        return tuple(value)
    return _float(value) if type_name == "float" else value


def _float(value: Any) -> float:
    return math.nan if value is None else float(value)


# -- for our files


def to_json(values: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(_encode(values, "manifest"), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONEncodeError, TypeError) as problem:  # a lone surrogate, which UTF-8 has no bytes for
        raise InvalidSetting(f"manifest: {problem}") from None


def from_json(text: bytes | memoryview, where: str) -> Any:
    try:
        return _decode(orjson.loads(text), where)
    except orjson.JSONDecodeError as problem:
        raise DamagedFile(f"{where}: not JSON ({problem})") from None


def _encode(value: Any, where: str, depth: int = 0) -> Any:
    """A value with only what JSON has; where: its place, for the error."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InvalidSetting(f"{where}: {value} does not fit in 64 bits; give it as a string")
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {FLOAT: str(value)}
    _refuse_deep(depth, where, InvalidSetting)
    if isinstance(value, list | tuple):
        return [_encode(part, f"{where}[{n}]", depth + 1) for n, part in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or key == FLOAT:
                raise InvalidSetting(f"{where}: {key!r} cannot be a key in JSON here; use another string")
        return {key: _encode(part, f"{where}.{key}", depth + 1) for key, part in value.items()}
    raise InvalidSetting(
        f"{where}: a {type(value).__name__} is not JSON; give numbers, strings, lists, dictionaries, or put it among the arrays"
    )


def _decode(value: Any, where: str, depth: int = 0) -> Any:
    if not isinstance(value, list | dict):
        return value
    _refuse_deep(depth, where, DamagedFile)
    if isinstance(value, list):
        return [_decode(part, where, depth + 1) for part in value]
    if FLOAT in value:
        if len(value) != 1 or not isinstance(value[FLOAT], str) or value[FLOAT] not in SPECIAL_FLOATS:
            raise DamagedFile(f"{where}: {value!r} is no number")
        return SPECIAL_FLOATS[value[FLOAT]]
    return {key: _decode(part, where, depth + 1) for key, part in value.items()}


def _refuse_deep(depth: int, where: str, error: type[RubricateError]) -> None:
    """An error before Python's own limit of recursion is met."""
    if depth > DEEPEST:
        raise error(f"{where[:200]}: nested more than {DEEPEST} deep")
