"""The curves of isotonic calibration in four arrays, however many labels there are, and back.

    at, value    the corners of all curves, one curve after the other
    ends         where each curve ends, a 0 in front
    curve_of     the curve of each label: labels too rare for one of their own share theirs, and it is kept once

Files written before had two arrays a label, under `corners`; they are read as ever.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..sound import ascending, need, sized, within

__all__ = ["joined_corners", "parted_corners"]

Parts = dict[str, Any]
JOINED = {"at", "value", "ends", "curve_of"}


def joined_corners(parts: Parts) -> Parts:
    """The parts of isotonic curves with `corners` in four arrays."""
    corners = parts["corners"]
    numbers: dict[int, int] = {}  # by identity: what is shared stays shared
    curves: list[Any] = []
    for curve in corners:
        if id(curve) not in numbers:
            numbers[id(curve)] = len(curves)
            curves.append(curve)
    none = np.zeros(0)
    joined = {
        "at": np.concatenate([none, *(np.asarray(at, dtype=np.float64) for at, _ in curves)]),
        "value": np.concatenate([none, *(np.asarray(value, dtype=np.float64) for _, value in curves)]),
        "ends": np.cumsum([0, *(len(at) for at, _ in curves)], dtype=np.int64),
        "curve_of": np.array([numbers[id(curve)] for curve in corners], dtype=np.int64),
    }
    return {name: part for name, part in parts.items() if name != "corners"} | joined


def parted_corners(parts: Parts) -> Parts:
    """The parts that `joined_corners` was given; those of older files as they are."""
    if not parts.keys() >= JOINED:
        return parts
    at, value, ends, curve_of = (parts[name] for name in ("at", "value", "ends", "curve_of"))
    need(isinstance(ends, np.ndarray) and ends.ndim == 1 and len(ends) > 0, "curves without ends")
    sized(at, len(at), what="corners")
    sized(value, len(at), what="probabilities of corners")
    ascending(ends, len(at), len(ends) - 1, "ends of curves")
    sized(curve_of, len(curve_of), kinds="i", what="curves of labels")
    within(curve_of, len(ends) - 1, "curves of labels")
    places = ends.tolist()
    curves = [(at[a:b], value[a:b]) for a, b in pairwise(places)]
    rest = {name: part for name, part in parts.items() if name not in JOINED}
    return rest | {"corners": tuple(curves[number] for number in curve_of.tolist())}
