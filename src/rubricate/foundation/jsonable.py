"""Values as strict JSON and back: what JSON has, and nothing else. Numbers it lacks are {"$float": "nan"}, "inf" or "-inf".

Keys are sorted, so that equal values are equal bytes. Tuples come back as lists, NumPy's numbers as Python's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import orjson

from ..errors import DamagedFile, InvalidSetting, RubricateError

DEEPEST = 100  # lists and dictionaries within each other
ODD = "$float"
ODD_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def to_json(values: dict[str, Any]) -> bytes:
    """The bytes of these values."""
    try:
        return orjson.dumps(encoded(values, "manifest"), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONEncodeError, TypeError) as problem:  # a lone surrogate, which UTF-8 has no bytes for
        raise InvalidSetting(f"manifest: {problem}") from None


def from_json(text: bytes | memoryview, where: str) -> Any:
    """The values of these bytes."""
    try:
        return decoded(orjson.loads(text), where)
    except orjson.JSONDecodeError as problem:
        raise DamagedFile(f"{where}: not JSON ({problem})") from None


def encoded(value: Any, where: str, depth: int = 0) -> Any:
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
        return value if math.isfinite(value) else {ODD: str(value)}
    refuse_deep(depth, where, InvalidSetting)
    if isinstance(value, list | tuple):
        return [encoded(part, f"{where}[{n}]", depth + 1) for n, part in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or key == ODD:
                raise InvalidSetting(f"{where}: {key!r} cannot be a key in JSON here; use another string")
        return {key: encoded(part, f"{where}.{key}", depth + 1) for key, part in value.items()}
    raise InvalidSetting(
        f"{where}: a {type(value).__name__} is not JSON; give numbers, strings, lists, dictionaries, or put it among the arrays"
    )


def decoded(value: Any, where: str, depth: int = 0) -> Any:
    """The value that `encoded` was given."""
    if not isinstance(value, list | dict):
        return value
    refuse_deep(depth, where, DamagedFile)
    if isinstance(value, list):
        return [decoded(part, where, depth + 1) for part in value]
    if ODD in value:
        if len(value) != 1 or not isinstance(value[ODD], str) or value[ODD] not in ODD_NUMBERS:
            raise DamagedFile(f"{where}: {value!r} is no number")
        return ODD_NUMBERS[value[ODD]]
    return {key: decoded(part, where, depth + 1) for key, part in value.items()}


def refuse_deep(depth: int, where: str, kind: type[RubricateError]) -> None:
    """Nesting that Python could not follow is told, not tried."""
    if depth > DEEPEST:
        raise kind(f"{where[:200]}: nested more than {DEEPEST} deep")
