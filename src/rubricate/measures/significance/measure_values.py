"""A measure and the answers to be measured, made ready for resampling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ..metrics.names import Measure as NamedMeasure
from ..metrics.names import measure as measure_named
from .summed_measures import Summed, as_tables, summed

__all__ = ["Measure", "Measured", "length", "measured", "rows_of"]

ONE_A_DOCUMENT = ("accuracy", "error")  # these take labels in words as one decision a document
Measure = Callable[[Any, Any], float]  # (decisions or scores, truth) to one number


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured by `call`: the answers of each system, the truth, and the names of labels if these were in words; `fast`
    if the measure is one of sums."""

    call: Measure
    fast: Summed | None
    answers: list[Any]
    truth: Any
    names: list[Any] | None = None

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return length(self.truth)

    def values(self) -> list[float]:
        """The measure of each system."""
        return [float(self.call(one, self.truth)) for one in self.answers]

    def parts(self, fast: Summed) -> list[sparse.csr_array]:
        """What each document adds, for each system."""
        return [fast.parts(one, self.truth) for one in self.answers]


def measured(measure: str | Measure, answers: Sequence[Any], truth: Any) -> Measured:
    """By name, or by any function of (values, truth). Answers and truth have one row a document."""
    call = measure_named(measure) if isinstance(measure, str) else measure
    if not callable(call):
        raise InvalidSetting(f"measure={measure!r}: give a name, or a function of (values, truth)")
    if len({length(one) for one in (*answers, truth)}) > 1:
        raise InvalidSetting(
            f"answers to {[length(one) for one in answers]} documents, the truth has {length(truth)}: they must match"
        )
    fast = summed(call.name) if isinstance(call, NamedMeasure) else None  # another's "F1" need not be ours
    if not isinstance(call, NamedMeasure) or fast is None:
        return Measured(call, None, list(answers), truth)
    (*tables, table), names = as_tables([*answers, truth])
    if call.name in ONE_A_DOCUMENT:
        return Measured(call, fast, list(answers), truth, names)
    return Measured(call, fast, tables, table, names)


def rows_of(values: Any, rows: Any) -> Any:
    """Some of the documents."""
    if sparse.issparse(values):
        return sparse.csr_array(values)[rows]
    return values[rows] if isinstance(values, np.ndarray) else [values[n] for n in np.asarray(rows).tolist()]


def length(values: Any) -> int:
    """How many documents there are."""
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)
