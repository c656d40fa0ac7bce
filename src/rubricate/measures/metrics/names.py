"""Measures by name: `measure("microF1")(decisions, truth)`. The table below is the one list of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ..inputs import indicator, is_lists, labels_in
from .accuracy import accuracy, error, subset_accuracy
from .averages import mean_of_defined, micro_macro
from .break_even import interpolated_break_even, micro_break_even, pooled_break_even
from .contingency import contingency, f_beta, precision, recall
from .probabilities import brier, log_loss
from .ranking import average_precision, precision_at, r_precision
from .reliability import calibration_error

__all__ = ["MEASURES", "Measure", "measure"]

Judge = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: what it is called, what it needs, and whether more is better.

    needs: "decisions" (0/1 documents x labels; or labels, or lists of labels, one a document), "scores" or "probabilities"
    (documents x labels). One label's problem may be one-dimensional, of 0 and 1.
    """

    name: str
    needs: str
    higher_is_better: bool
    overall: Judge = field(compare=False, repr=False)
    each: Judge | None = field(default=None, compare=False, repr=False)

    def __call__(self, values: Any, truth: Any) -> float:
        """The one number."""
        return float(self.overall(values, truth))

    def per_label(self, values: Any, truth: Any) -> Floats:
        """The number of each label, where the measure has one (`each` is not None)."""
        if self.each is None:
            raise InvalidSetting(f"{self.name} is about all labels at once: it has no number for each")
        return np.atleast_1d(self.each(values, truth))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a measure, or a family of them that a number tells apart."""

    name: str
    needs: str
    overall: Callable[..., float]
    each: Callable[..., Any] | None = None
    number: str = ""  # what the number is called; "" if the name has none
    higher_is_better: bool = True

    @property
    def shown(self) -> str:
        """The name as a person is told it."""
        return f"{self.name}<{self.number}>" if self.number else self.name


def of_decisions(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for labels by name as well: a 0/1 table of all that are met, sorted, is made first."""

    def judged(values: Any, truth: Any, *number: float) -> Any:
        if by_name(values) or by_name(truth):
            names = labels_in(values, truth)
            values, truth = indicator(values, names), indicator(truth, names)
        return function(values, truth, *number)

    return judged


def by_name(labels: Any) -> bool:
    """Whether these are labels in words, or lists of them, rather than 0 and 1."""
    if getattr(labels, "ndim", 1) != 1 or (isinstance(labels, np.ndarray) and labels.dtype.kind in "biuf"):
        return False
    if is_lists(labels):
        return any(isinstance(label, str) for own in labels for label in own)
    return any(isinstance(label, str) for label in labels)


def mean_over_labels(function: Callable[..., Any]) -> Callable[..., float]:
    """The mean over labels for which it is defined."""
    return lambda values, truth, *number: mean_of_defined(function(values, truth, *number))


def decided(name: str, part: str, each: Callable[..., Any], number: str = "") -> Row:
    """A measure of decisions that is a part of `micro_macro`."""

    def overall(values: Any, truth: Any, beta: float = 1.0) -> float:
        return float(getattr(micro_macro(values, truth, beta=beta), part))

    return Row(name, "decisions", of_decisions(overall), of_decisions(each), number)


def f_of(values: Any, truth: Any, beta: float) -> Floats:
    """F_beta of each label."""
    return f_beta(values, truth, beta=beta)


ROWS = (
    decided("F", "macro_f", f_of, "beta"),
    decided("microF", "micro_f", f_of, "beta"),
    decided("macroF", "macro_f", f_of, "beta"),
    decided("microP", "micro_precision", precision),
    decided("macroP", "macro_precision", precision),
    decided("microR", "micro_recall", recall),
    decided("macroR", "macro_recall", recall),
    Row("accuracy", "decisions", accuracy),
    Row("subset", "decisions", of_decisions(subset_accuracy)),
    Row(
        "error",
        "decisions",
        error,
        of_decisions(lambda values, truth: contingency(values, truth).error),
        higher_is_better=False,
    ),
    Row("AP", "scores", mean_over_labels(average_precision), average_precision),
    Row("RPrec", "scores", mean_over_labels(r_precision), r_precision),
    Row("P@", "scores", mean_over_labels(precision_at), precision_at, "k"),
    Row("BEP", "scores", mean_over_labels(r_precision), r_precision),  # at n = positives they are one
    Row("macroBEP", "scores", mean_over_labels(r_precision), r_precision),
    Row("microBEP", "scores", micro_break_even, r_precision),
    Row("pooledBEP", "scores", pooled_break_even),
    Row("interpolatedBEP", "scores", mean_over_labels(interpolated_break_even), interpolated_break_even),
    Row("logloss", "probabilities", log_loss, higher_is_better=False),
    Row("brier", "probabilities", brier, higher_is_better=False),
    Row("ECE", "probabilities", calibration_error, higher_is_better=False),
)
MEASURES = {row.shown: row for row in ROWS}
BY_HEAD = {row.name.lower(): row for row in ROWS}


def measure(name: str) -> Measure:
    """The measure of that name, in upper or lower case: F1, F0.5, microF1, accuracy, BEP, AP, RPrec, P@10, logloss …

    Without micro or macro it is the mean over labels. BEP takes as many documents as there are positives. `str` gives the
    name back.
    """
    parts = re.fullmatch(r"(\D+?)(\d+(?:\.\d+)?)?", name.strip().lower())
    row = BY_HEAD.get(parts[1]) if parts else None
    if parts is None or row is None or bool(row.number) != bool(parts[2]) or (row.number == "k" and "." in parts[2]):
        raise UnknownName("measure", name, MEASURES)
    if not row.number:
        return Measure(row.name, row.needs, row.higher_is_better, row.overall, row.each)
    number = int(parts[2]) if row.number == "k" else float(parts[2])
    if row.number == "k" and number < 1:
        raise InvalidSetting(f"{name}: k is a whole number from 1")
    each = None if row.each is None else with_number(row.each, number)
    shown = f"{row.name}{np.format_float_positional(number, trim='-')}"
    return Measure(shown, row.needs, row.higher_is_better, with_number(row.overall, number), each)


def with_number(function: Callable[..., Any], number: float) -> Judge:
    """The function of that number."""
    return lambda values, truth: function(values, truth, number)
