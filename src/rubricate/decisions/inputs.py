"""Inputs of everything that is fitted on scores: scores (documents x labels) and truth, checked once.

A score may be infinite but not nan. Two scores are the same score if they agree to 12 significant digits: about 1 that is the
project's rule of 12 decimals, while posteriors of 1e-30, which a naive Bayes gives every day, stay apart. A threshold between
scores nearer than that would decide by the order in which a sum was taken.

Truth is a 0/1 table in the shape of the scores, dense or sparse. A calibration (`Examples`) also takes one label a document, the
number of a column or a name in `labels`: labels then exclude each other, and probabilities sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..errors import InvalidSetting
from ..foundation.arrays import Bools, Bytes, Floats, Longs
from ..measures.inputs import yes_no
from ..measures.metrics.probabilities import columns_of
from ..scoring.calibrated import ROUNDING, Range, refuse_nan

if TYPE_CHECKING:
    from typing import Self


def check_scores(scores: Any, name: str = "scores") -> Floats:
    """Scores as floats, 1-d (one label) or 2-d (documents x labels); nan is refused, with its place."""
    values = np.asarray(scores.toarray() if sparse.issparse(scores) else scores, dtype=np.float64)
    if values.ndim not in (1, 2):
        raise InvalidSetting(
            f"{name} of shape {values.shape}: give documents x labels, or one label's scores in one row"
        )
    refuse_nan(values, name)
    return values


def check_truth(truth: Any, scores: Floats) -> Bools:
    """Truth in the shape of the scores, as booleans; only 0 and 1 are truth."""
    table = yes_no(truth, "truth")
    positive: Bools = table.toarray() != 0 if sparse.issparse(table) else table
    if sparse.issparse(table) and scores.ndim == 1 and positive.shape[1] == 1:
        positive = positive.ravel()
    if positive.shape != scores.shape:
        raise InvalidSetting(
            f"truth of shape {positive.shape} for scores of shape {scores.shape}: give 0/1 in the same shape"
        )
    return positive


def as_table(values: Any) -> Any:
    """Documents x labels, where one label may have come as a row."""
    return values[:, None] if values.ndim == 1 else values


def per_label(value: Any, n_labels: int, name: str) -> Floats:
    """One number a label, from a number or a row of them."""
    values = np.asarray(value, dtype=np.float64)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != n_labels):
        raise InvalidSetting(
            f"{name} of shape {values.shape}: give one number, or one for each of the {n_labels} labels"
        )
    return np.broadcast_to(values, (n_labels,)).astype(np.float64)


def check_share(value: float, name: str) -> float:
    if not 0 <= value <= 1:
        raise InvalidSetting(f"{name}={value}: give a share from 0 to 1")
    return float(value)


# -- of calibrations and density estimation


def check_score_table(scores: Any, n_labels: int | None = None) -> Floats:
    """Scores as a dense table documents x labels; infinite ones may be there, nan may not."""
    if sparse.issparse(scores):
        raise InvalidSetting("scores are sparse: give a dense table documents x labels")
    table = np.ascontiguousarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise InvalidSetting(f"scores of shape {table.shape}: give documents x labels, one column for one label")
    if n_labels is not None and table.shape[1] != n_labels:
        raise InvalidSetting(
            f"scores of {table.shape[1]} labels, fitted on {n_labels}: give the same labels in the same order"
        )
    refuse_nan(table)
    return table


@dataclass(frozen=True, eq=False)
class Examples:
    """What a calibration learns from: finite scores and what is true of them."""

    scores: Floats  # documents x labels
    positive: Bools  # documents x labels
    exclusive: bool
    range: Range
    part_of: tuple[Examples, Bools] | None = None  # others, and which of their documents these are

    @classmethod
    def of(cls, scores: Any, Y: Any, labels: Sequence[Any] | None = None) -> Self:
        table = check_score_table(scores)
        if not table.size:
            raise InvalidSetting(f"scores of shape {table.shape}: there is nothing to learn from")
        exclusive = not sparse.issparse(Y) and np.ndim(Y) == 1
        if exclusive:
            positive = np.zeros(table.shape, dtype=bool)
            positive[np.arange(len(table)), columns_of(Y, table, labels)] = True
        else:
            truth = yes_no(Y, "Y")
            positive = truth.toarray() == 1 if sparse.issparse(truth) else truth
        if positive.shape != table.shape:
            raise InvalidSetting(
                f"Y of shape {positive.shape} for scores of shape {table.shape}: give 0/1 in the same shape"
            )
        score_range = Range.of(table)
        return cls(score_range.clip_infinite(table), positive, exclusive, score_range)

    def at(self, documents: Bools) -> Examples:
        part_of = (self, documents)
        return Examples(self.scores[documents], self.positive[documents], self.exclusive, self.range, part_of)

    @cached_property
    def scores_of_labels(self) -> Floats:
        """labels x documents."""
        return np.ascontiguousarray(self.scores.T)

    @cached_property
    def positive_of_labels(self) -> Bytes:
        """labels x documents, 0 and 1."""
        return np.ascontiguousarray(self.positive.T).view(np.uint8)

    @cached_property
    def order(self) -> Longs:
        """labels x documents: by rising score. Scores are sorted once: a part is in the order of the whole."""
        if self.part_of is None:
            return np.argsort(self.scores_of_labels, axis=1)
        whole, documents = self.part_of
        inside = documents[whole.order]
        place = np.cumsum(documents) - 1
        return place[whole.order[inside]].reshape(len(whole.order), -1)

    @property
    def truth(self) -> Any:
        """As the metrics take it: columns for labels that exclude each other, otherwise the 0/1 table."""
        return self.positive.argmax(axis=1) if self.exclusive else self.positive


def are_probabilities(scores: Floats, *, exclusive: bool) -> bool:
    """Whether scores lie between 0 and 1, and sum to 1 if labels exclude each other."""
    inside = bool(((scores >= -ROUNDING) & (scores <= 1 + ROUNDING)).all())
    return inside and (not exclusive or bool((np.abs(scores.sum(axis=1) - 1) <= ROUNDING).all()))
