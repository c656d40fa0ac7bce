"""Isotonic: the rising step curve nearest to the truth, straight between its steps. Learns from: scores and truth.
Source: Zadrozny & Elkan 2002; the fit is scikit-learn's to the last bit (`kernels.calibration_curves`).

The truth is taken as Platt's targets, not as 0 and 1: a step that holds only documents with the label would otherwise promise
certainty, and one exception would cost infinitely much. It is the same curve, squeezed by what the documents allow.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundation.arrays import Floats
from ...scoring import calibrated as scoring
from ...storage.checks import ascending, need, sized, within
from ...storage.registry import stored
from ..inputs import Examples
from .curves import SHARED, Curves, check_curves, fit_by_label, label_targets

if TYPE_CHECKING:
    from typing import Self

JOINED = {"at", "value", "ends", "curve_of"}


def _join_corners(curves: Isotonic) -> dict[str, Any]:
    """What is stored of the corners, however many labels there are:

    at, value    the corners of all curves, one curve after the other
    ends         where each curve ends, a 0 in front
    curve_of     the curve of each label: labels too rare for one of their own share theirs, and it is stored once
    """
    distinct = {id(curve): curve for curve in curves.corners}  # by identity: labels that share a curve store it once
    numbers = {name: n for n, name in enumerate(distinct)}
    none = np.zeros(0)
    return {
        **{key: getattr(curves, key) for key in SHARED},
        "at": np.concatenate([none, *(np.asarray(at, dtype=np.float64) for at, _ in distinct.values())]),
        "value": np.concatenate([none, *(np.asarray(value, dtype=np.float64) for _, value in distinct.values())]),
        "ends": np.cumsum([0, *(len(at) for at, _ in distinct.values())], dtype=np.int64),
        "curve_of": np.array([numbers[id(curve)] for curve in curves.corners], dtype=np.int64),
    }


def _split_corners(parts: dict[str, Any]) -> dict[str, Any]:
    """The corners of each label; files of earlier versions have two arrays a label, under `corners`, and are read as ever."""
    if not parts.keys() >= JOINED:
        return parts
    at, value, ends, curve_of = (parts[name] for name in ("at", "value", "ends", "curve_of"))
    need(isinstance(ends, np.ndarray) and ends.ndim == 1 and len(ends) > 0, "curves without ends")
    sized(at, len(at), what="corners")
    sized(value, len(at), what="probabilities of corners")
    ascending(ends, len(at), len(ends) - 1, "ends of curves")
    sized(curve_of, len(curve_of), kinds="i", what="curves of labels")
    within(curve_of, len(ends) - 1, "curves of labels")
    curves = [(at[start:end], value[start:end]) for start, end in pairwise(ends.tolist())]
    rest = {name: part for name, part in parts.items() if name not in JOINED}
    return rest | {"corners": tuple(curves[number] for number in curve_of.tolist())}


def _check_corners(curves: Isotonic) -> None:
    """A curve a label, with corners from left to right."""
    check_curves(curves)
    corners, n = curves.corners, len(curves.pooled)
    need(isinstance(corners, tuple) and len(corners) == n, f"curves are not those of {n} labels")
    for curve in {id(curve): curve for curve in corners}.values():
        need(isinstance(curve, tuple) and len(curve) == 2 and len(curve[0]) > 0, "a curve without corners")
        for part in curve:
            sized(part, len(curve[0]), what="corners")
            need(bool((part[1:] >= part[:-1]).all()) and not np.isnan(part[:1]).any(), "a curve that does not rise")


@stored(
    "calibration.isotonic",
    keys=(*SHARED, "corners"),
    parts=_join_corners,
    unpack=_split_corners,
    check=_check_corners,
)
class Isotonic(Curves, scoring.Isotonic):
    """A rising curve a label, defined by its corners; level outside them."""

    __slots__ = ()

    @classmethod
    def of(cls, examples: Examples) -> Self:
        curves, pooled = fit_by_label(examples, fit_steps)
        return cls(examples.range, pooled, examples.exclusive, tuple(curves))

    def parameters(self) -> dict[str, Any]:
        return {"corners": [[at.tolist(), value.tolist()] for at, value in self.corners]}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        return super().from_dict(
            {**held, "corners": tuple((np.array(at), np.array(value)) for at, value in held["corners"])}
        )


def fit_steps(examples: Examples, label: int) -> tuple[Floats, Floats]:
    from ...kernels.calibration_curves import (
        rising_steps,  # here: who applies curves, or draws diagrams, need not wait for it
    )

    positive = examples.positive_of_labels[label]
    corners: tuple[Floats, Floats] = rising_steps(
        examples.scores_of_labels[label], positive, examples.order[label], *label_targets(positive)
    )
    return corners
