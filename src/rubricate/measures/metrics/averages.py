"""Averages over labels: micro (all decisions in one table) and macro (each label counts alike). Source: 004 sec. 6."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...foundation.arrays import Floats
from .contingency import Contingency, contingency

__all__ = ["MicroMacro", "mean_of_defined", "micro_macro"]


@dataclass(frozen=True, slots=True, eq=False)
class MicroMacro:
    """Precision, recall and F of each label, of all decisions together (micro), and their means over labels (macro)."""

    contingency: Contingency
    precision: Floats  # labels
    recall: Floats
    f: Floats
    micro_precision: float
    micro_recall: float
    micro_f: float
    macro_precision: float
    macro_recall: float
    macro_f: float
    error: float


def micro_macro(decisions: Any, truth: Any, *, beta: float = 1.0, empty: str = "one") -> MicroMacro:
    """Both averages of precision, recall and F_beta, and the error, of documents x labels of 0 and 1.       [004 sec. 6]

    micro: from the counts summed over labels. macro: the mean over labels; precision over those that were assigned, recall
    over those with members, since elsewhere they are undefined, but F over all, by the rule `empty` (see `f_beta`).
    error: wrong decisions over all decisions.
    """
    return of_table(contingency(decisions, truth), beta=beta, empty=empty)


def of_table(table: Contingency, *, beta: float = 1.0, empty: str = "one") -> MicroMacro:
    """The averages of a contingency table."""
    total = table.total
    precision, recall, f = (np.atleast_1d(part) for part in (table.precision, table.recall, table.f(beta, empty)))
    return MicroMacro(
        contingency=table,
        precision=precision,
        recall=recall,
        f=f,
        micro_precision=float(total.precision),
        micro_recall=float(total.recall),
        micro_f=float(total.f(beta, empty)),
        macro_precision=mean_of_defined(precision),
        macro_recall=mean_of_defined(recall),
        macro_f=mean_of_defined(f),
        error=float(total.error),
    )


def mean_of_defined(values: Any) -> float:
    """The mean of those that are not nan; nan if none is."""
    values = np.atleast_1d(values)
    kept = values[~np.isnan(values)]
    return float(kept.mean()) if len(kept) else float("nan")
