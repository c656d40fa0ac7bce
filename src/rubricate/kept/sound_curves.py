"""Calibration and decisions, checked: curves and cuts of as many labels as there are; see `rubricate.sound`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ..decisions.calibration.finite import Range
from ..decisions.rules import Decision
from ..decisions.thresholds import Cuts
from ..sound import need, sized, within

__all__ = ["check_curves", "check_cuts", "check_decision"]


def check_curves(own: Any) -> None:
    """Every array has a number a label."""
    need(isinstance(own.pooled, np.ndarray) and own.pooled.ndim == 1, "curves of no labels")
    n = len(own.pooled)
    sized(own.pooled, n, kinds="b", what="pooled")
    need(isinstance(own.range, Range), "curves without a range of scores")
    sized(own.range.lowest, n, what="lowest scores")
    sized(own.range.highest, n, what="highest scores")
    for field in fields(own):
        part = getattr(own, field.name)
        if isinstance(part, np.ndarray) and field.name != "pooled":
            sized(part, n, what=field.name)
    if hasattr(own, "corners"):
        check_corners(own.corners, n)


def check_corners(corners: Any, n: int) -> None:
    """Curves of n labels, each with corners from left to right."""
    need(isinstance(corners, tuple) and len(corners) == n, f"curves are not those of {n} labels")
    for curve in {id(curve): curve for curve in corners}.values():
        need(isinstance(curve, tuple) and len(curve) == 2 and len(curve[0]) > 0, "a curve without corners")
        for part in curve:
            sized(part, len(curve[0]), what="corners")
            need(bool((part[1:] >= part[:-1]).all()) and not np.isnan(part[:1]).any(), "a curve that does not rise")


def check_cuts(own: Cuts) -> None:
    """A number a label in every array, a word a label in every list."""
    for field in fields(own):
        part = getattr(own, field.name)
        if isinstance(part, np.ndarray):
            sized(part, len(own.labels), kinds="fib", what=field.name)
        elif isinstance(part, tuple):
            need(len(part) == len(own.labels), f"{field.name} of other labels")
    need(isinstance(own.cuts, np.ndarray) and not np.isnan(own.cuts).any(), "cuts that are no numbers")


def check_decision(own: Decision) -> None:
    """Density estimation of labels that there are."""
    if own.density is not None:
        within(own.density.classes_, own.labels, "labels of density estimation")
