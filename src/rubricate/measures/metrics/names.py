"""Measures by name: `measure("microF1")(y_true=truth, y_pred=decisions)`. The table below is the one list of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ..inputs import as_tables, sklearn_keywords
from . import sums
from .accuracy import accuracy, error, exact_match
from .break_even import interpolated_break_even, micro_break_even, pooled_break_even
from .contingency import contingency, f_beta, mean_of_defined, precision, recall
from .probabilities import brier, brier_scores, calibration_error, log_loss, log_losses
from .ranking import average_precision, precision_at, r_precision
from .sums import Parts, Value

Function = Callable[..., Any]  # of (values, truth), and of the number in the measure's name if it has one


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: what it is called, what it needs, and whether more is better.

    needs: "decisions" (0/1 documents x labels; or labels, or lists of labels, one a document), "scores" or "probabilities"
    (documents x labels). One label's problem may be one-dimensional, of 0 and 1.
    parts, value: where the measure depends on sums over documents alone, what a document adds and what the sums say (see
    `sums`); None elsewhere.
    """

    name: str
    needs: str
    higher_is_better: bool
    overall: Function = field(compare=False, repr=False)
    each: Function | None = field(default=None, compare=False, repr=False)
    parts: Parts | None = field(default=None, compare=False, repr=False)
    value: Value | None = field(default=None, compare=False, repr=False)

    @sklearn_keywords("y_pred", "y_score", "y_proba")
    def __call__(self, values: Any, truth: Any) -> float:
        return float(self.overall(values, truth))

    @sklearn_keywords("y_pred", "y_score", "y_proba")
    def per_label(self, values: Any, truth: Any) -> Floats:
        """The number of each label, where the measure has one (`each` is not None)."""
        if self.each is None:
            raise InvalidSetting(f"{self.name} is about all labels at once: it has no number for each")
        return np.atleast_1d(self.each(values, truth))

    def __str__(self) -> str:
        return self.name


def of_tables(function: Function) -> Function:
    """A function of 0/1 tables that takes labels by name as well: all that occur, sorted, are the columns."""

    def with_tables(values: Any, truth: Any, *number: float) -> Any:
        return function(*as_tables(values, truth)[0], *number)

    return with_tables


def mean_over_labels(function: Function) -> Function:
    return lambda values, truth, *number: mean_of_defined(function(values, truth, *number))


def of_counts(name: str, parts: Parts, value: Value, each: Function) -> Measure:
    """A measure of hits, assigned and true documents: the value of their sums."""

    def overall(values: Any, truth: Any, *number: float) -> Floats:
        return value(sums.total(parts(values, truth)), *number)

    return Measure(name, "decisions", True, of_tables(overall), of_tables(each), parts, value)


def f_by_label(values: Any, truth: Any, beta: float) -> Floats:
    return f_beta(values, truth, beta=beta)


def error_by_label(values: Any, truth: Any) -> Floats:
    return contingency(values, truth).error


# accuracy, subset, error and the losses have a function of their own beside parts and value: hits / n and 1 - wrong / n, or the
# mean over cells and that of documents' means, are equal but for the last bit
MICRO, MACRO = sums.pooled_counts, sums.label_counts
ROWS = (
    of_counts("F", MACRO, sums.over_labels(sums.f), f_by_label),
    of_counts("microF", MICRO, sums.f, f_by_label),
    of_counts("macroF", MACRO, sums.over_labels(sums.f), f_by_label),
    of_counts("microP", MICRO, sums.precision, precision),
    of_counts("macroP", MACRO, sums.over_labels(sums.precision), precision),
    of_counts("microR", MICRO, sums.recall, recall),
    of_counts("macroR", MACRO, sums.over_labels(sums.recall), recall),
    Measure("accuracy", "decisions", True, accuracy, None, sums.wrong_decisions, sums.rest),
    Measure("subset", "decisions", True, of_tables(exact_match), None, sums.wrong_documents, sums.rest),
    Measure("error", "decisions", False, error, of_tables(error_by_label), sums.wrong_decisions, sums.share),
    Measure("AP", "scores", True, mean_over_labels(average_precision), average_precision),
    Measure("RPrec", "scores", True, mean_over_labels(r_precision), r_precision),
    Measure("P@", "scores", True, mean_over_labels(precision_at), precision_at),
    Measure("BEP", "scores", True, mean_over_labels(r_precision), r_precision),  # at n = positives they are one
    Measure("macroBEP", "scores", True, mean_over_labels(r_precision), r_precision),
    Measure("microBEP", "scores", True, micro_break_even, r_precision),
    Measure("pooledBEP", "scores", True, pooled_break_even),
    Measure("interpolatedBEP", "scores", True, mean_over_labels(interpolated_break_even), interpolated_break_even),
    Measure("logloss", "probabilities", False, log_loss, None, sums.losses_of(log_losses), sums.share),
    Measure("brier", "probabilities", False, brier, None, sums.losses_of(brier_scores), sums.share),
    Measure("ECE", "probabilities", False, calibration_error),
)
NUMBERS = {"F": "beta", "microF": "beta", "macroF": "beta", "P@": "k"}  # families: what the number behind the name is
MEASURES = {f"{row.name}<{NUMBERS[row.name]}>" if row.name in NUMBERS else row.name: row for row in ROWS}
BY_HEAD = {row.name.lower(): row for row in ROWS}


def measure(name: str) -> Measure:
    """The measure of that name, in upper or lower case: F1, F0.5, microF1, accuracy, BEP, AP, RPrec, P@10, logloss …

    Without micro or macro it is the mean over labels. BEP takes as many documents as there are positives. `str` gives the
    name back.
    """
    match = re.fullmatch(r"(\D+?)(\d+(?:\.\d+)?)?", name.strip().lower())
    row = BY_HEAD.get(match[1]) if match else None
    number_name = "" if row is None else NUMBERS.get(row.name, "")
    if match is None or row is None or bool(number_name) != bool(match[2]) or (number_name == "k" and "." in match[2]):
        raise UnknownName("measure", name, MEASURES)
    if not number_name:
        return row
    number = int(match[2]) if number_name == "k" else float(match[2])
    if number_name == "k" and number < 1:
        raise InvalidSetting(f"{name}: k is a whole number from 1")

    def bound(function: Function | None) -> Any:
        return None if function is None else lambda *arguments: function(*arguments, number)

    functions = {key: bound(getattr(row, key)) for key in ("overall", "each", "value")}
    return replace(row, name=f"{row.name}{np.format_float_positional(number, trim='-')}", **functions)
