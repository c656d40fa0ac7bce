"""Reports as plain values and back, for JSON: arrays are lists, infinities "inf" and "-inf", nan null, goals say their name."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from ...errors import InvalidSetting
from .goals import goal_from, goal_told

__all__ = ["from_plain", "plain"]

Report = TypeVar("Report")
ARRAYS = {"Floats": np.float64, "Longs": np.int64, "Bools": np.bool_}


def plain(report: Any) -> dict[str, Any]:
    """The fields of a report, by name."""
    return {field.name: told(field.name, getattr(report, field.name)) for field in fields(report)}


def from_plain(kind: type[Report], values: dict[str, Any]) -> Report:
    """The report that `plain` was given."""
    types = {field.name: str(field.type) for field in fields(kind)}  # type: ignore[arg-type]
    if set(values) != set(types):
        odd = ", ".join(sorted(set(types) ^ set(values)))
        raise InvalidSetting(f"{kind.__name__} from a dictionary: missing or unknown {odd}; give what as_dict() gave")
    return kind(**{name: untold(name, types[name], values[name]) for name in types})


def told(name: str, value: Any) -> Any:
    """One field as plain values."""
    if name == "goal":
        return goal_told(value)
    if isinstance(value, np.ndarray | list | tuple):
        return [told("goal" if name == "goals" else name, one) for one in np.asarray(value, dtype=object).tolist()]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def untold(name: str, kind: str, value: Any) -> Any:
    """One field from plain values."""
    if name == "goal":
        return goal_from(value)
    if kind in ARRAYS:
        return np.array([untold(name, "float", one) for one in value], dtype=ARRAYS[kind])
    if kind.startswith("tuple"):
        return tuple(untold("goal" if name == "goals" else name, "", one) for one in value)
    if kind == "float":
        return float("nan") if value is None else float(value)
    return value
