"""Validation without a second look at the text: whole curves over selected terms, and cross-validation by subtraction.

A score that is a sum over terms can be summed in the order of the ranking: the sum over 20 selected terms is a part of the
sum over 100. And a fold is trained on `total - fold`, selection of terms included.
"""

from __future__ import annotations

from ...corpus.splits import held_out
from ...foundation.folds import fold_numbers
from .fold_subtraction import CrossValidated, cross_validate, fold_counts
from .term_curves import SUMMED, Curve, selection_curve

__all__ = [
    "SUMMED",
    "CrossValidated",
    "Curve",
    "cross_validate",
    "fold_counts",
    "fold_numbers",
    "held_out",
    "selection_curve",
]
