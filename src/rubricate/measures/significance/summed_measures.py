"""A measure and the answers to be measured, made ready for resampling.

A measure that depends on sums over documents alone (`metrics.sums`) is computed for thousands of draws or shuffles by one sparse
product. Any other is a function of (values, truth), to be called once a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from ..inputs import as_tables
from ..metrics.names import Measure as NamedMeasure
from ..metrics.names import measure as measure_named
from ..metrics.sums import Parts

ONE_A_DOCUMENT = ("accuracy", "error")  # these take labels in words as one decision a document
Measure = Callable[[Any, Any], float]  # (decisions or scores, truth) to one number


@dataclass(frozen=True, slots=True)
class SystemAnswers:
    """The answers of each system, the truth, the names of labels if these were in words, and the measure: `function` of (answers,
    truth), and what a document adds and what the sums say, if it is a measure of sums."""

    function: Measure
    answers: list[Any]
    truth: Any
    names: list[Any] | None = None
    parts_of: Parts | None = None
    value_of: Callable[[Floats], Floats] | None = None

    @property
    def n_documents(self) -> int:
        return length(self.truth)

    def values(self) -> list[float]:
        return [float(self.function(answers, self.truth)) for answers in self.answers]

    def parts(self) -> list[sparse.csr_array] | None:
        """What each document adds, for each system; None if the measure is not one of sums."""
        parts_of = self.parts_of
        return None if parts_of is None else [parts_of(answers, self.truth) for answers in self.answers]


def system_answers(measure: str | Measure, answers: Sequence[Any], truth: Any) -> SystemAnswers:
    """By the name of a measure, or by any function of (values, truth). Answers and truth have one row a document."""
    function = measure_named(measure) if isinstance(measure, str) else measure
    if not callable(function):
        raise InvalidSetting(f"measure={measure!r}: give a name, or a function of (values, truth)")
    lengths = [length(values) for values in answers]
    if {*lengths, length(truth)} != {length(truth)}:
        raise InvalidSetting(f"answers to {lengths} documents, the truth has {length(truth)}: they must match")
    if not isinstance(function, NamedMeasure) or function.parts is None:  # another's "F1" need not be ours
        return SystemAnswers(function, list(answers), truth)
    (*tables, table), names = as_tables(*answers, truth)
    if function.name in ONE_A_DOCUMENT:
        tables, table = list(answers), truth
    return SystemAnswers(function, tables, table, names, function.parts, function.value)


def rows_of(values: Any, rows: Any) -> Any:
    if sparse.issparse(values):
        return sparse.csr_array(values)[rows]
    return values[rows] if isinstance(values, np.ndarray) else [values[n] for n in np.asarray(rows).tolist()]


def length(values: Any) -> int:
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def exact_type(values: Any, bound: float) -> type[np.floating[Any]]:
    """Single precision where it is exact: whole numbers, sums of which stay below 2^24. It halves the time of the product."""
    return np.float32 if bound < 2**24 and bool((values == np.rint(values)).all()) else np.float64
