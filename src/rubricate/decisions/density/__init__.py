"""Density: probabilities from score vectors, by Sable's estimator. Source: 004.

DensityEstimation    fit(scores, Y), predict_proba(scores); k a number, or chosen inside the training set
training_scores      the score vectors of the training documents themselves: resubstitution, leave-one-out, or out-of-fold
Nearest              the exact k nearest vectors, in order
Combo, combo         density estimation for the labels it suits, another rule for the others
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .estimation import Combo, DensityEstimation, TriedK, combo, decisions, shares
from .nearest import Nearest, Neighbours

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
    """`training_scores` needs models, a layer above this one: it is imported when it is first used."""
    if name == "training_scores":
        return import_module("rubricate.training.training_scores").training_scores
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
