"""Density: probabilities from score vectors, by Sable's estimator. Source: 004.

DensityEstimation    fit(scores, Y), predict_proba(scores); k given or chosen inside the training set
training_scores      the score vectors of the training documents themselves: as fitted, left out one by one, or in folds
Nearest              the exact k nearest vectors, in order
Combo, combo         density estimation for the labels it suits, another rule for the others
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .choice import TriedK
from .combo import Combo, combo
from .estimation import DensityEstimation
from .nearest import Nearest, Neighbours
from .shares import decisions, shares

__all__ = [
    "Combo",
    "DensityEstimation",
    "Nearest",
    "Neighbours",
    "TriedK",
    "combo",
    "decisions",
    "shares",
    "training_scores",
]


def __getattr__(name: str) -> Any:
    """`training_scores` needs models, which stand above: it is imported when it is asked for."""
    if name == "training_scores":
        return import_module("rubricate.training.training_scores").training_scores
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
