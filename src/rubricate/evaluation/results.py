"""What an evaluation holds: frozen tables of plain numbers, and the same for JSON (nan as null). Field names are keys of JSON.

An `Interval` with draws = 0 is exact (Clopper & Pearson 1934), others come from the bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..foundation.jsonable import jsonable
from ..measures.metrics import Confusion
from ..measures.significance import Interval

SHOWN = 200  # labels that a person is shown, and for which curves are kept
LIMITS = ("value", "low", "high")
Points = tuple[float, ...]
Pairs = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label. Without documents and never assigned, nothing is known of it, and all its measures are nan."""

    label: str
    documents: int  # that have it
    assigned: int  # that were given it
    right: int  # both: the correct ones
    precision: Interval
    recall: Interval
    f1: Interval
    average_precision: float  # nan without scores
    break_even: float

    @property
    def met(self) -> bool:
        """Whether the label occurs at all."""
        return self.documents + self.assigned > 0


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about one probability: its mean, the share that was true, between which limits, of how many."""

    probability: float
    share_true: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the probabilities are worth. `..._of_shares`: what each label's share of the documents would get as probability."""

    log_loss: float
    log_loss_of_shares: float
    brier: float
    brier_of_shares: float
    error: float  # ECE, of all answers
    given: Interval  # the share that is correct of the labels that were given
    given_probability: float  # their mean probability
    given_error: float  # ECE of these alone
    bins: tuple[Bin, ...]  # of equal width


@dataclass(frozen=True, slots=True, eq=False)
class Confused:
    """Which labels are given instead of which (confusion). The diagonal of `table.counts` holds what is correct.

    One label a document: `table.counts[i, j]` documents of label i were given label j. Several: label i was missed and label j
    wrongly given; among the labels of `table.labels`, the largest.
    """

    table: Confusion
    alone: tuple[int, ...]  # documents in which the label was missed and nothing wrong was given
    added: tuple[int, ...]  # documents that were wrongly given the label and miss nothing
    instead: Pairs  # (label missed, label given instead, documents), the commonest first
    beside: Pairs  # (correct label, label wrongly added to it, documents)

    def densest(self, n: int) -> tuple[list[str], list[list[int]], list[int], list[int]]:
        """The n labels with most errors, in their order: names, truth x given, and their `alone` and `added`."""
        counts = self.table.counts
        wrong = counts.sum(axis=0) + counts.sum(axis=1) - 2 * counts.diagonal()
        total = [int(a) + alone + added for a, alone, added in zip(wrong.tolist(), self.alone, self.added, strict=True)]
        worst = sorted(sorted(range(len(total)), key=lambda i: (-total[i], i))[:n])
        part = counts[worst][:, worst].toarray().astype(int).tolist()
        names = [self.table.labels[i] for i in worst]
        return names, part, [self.alone[i] for i in worst], [self.added[i] for i in worst]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much is correct if only the surest documents are answered; a document is correct if all its labels are.

    of: what makes a document sure, "certainty" (see `thresholds.certainty`) or "margin".
    """

    of: str
    cut: Points
    coverage: Points
    accuracy: Points
    low: Points
    high: Points
    area: float

    def at(self, share: float) -> tuple[float, float]:
        """(coverage, accuracy) at the first point that answers at least this share."""
        place = next(n for n, covered in enumerate(self.coverage) if covered >= share - 1e-12 or covered == 1)
        return self.coverage[place], self.accuracy[place]


@dataclass(frozen=True, slots=True)
class Curve:
    """Precision at each recall of one label, as the threshold is lowered; (at_recall, at_precision): where the decisions lie.

    by_threshold: the decisions are those of some threshold, and so lie on the curve. They are not where the best label of a
    document decides, or its best k: then a document may be given a label at a score at which another is not.
    """

    label: str
    recall: Points
    precision: Points
    at_recall: float
    at_precision: float
    share: float  # of documents that have it: the precision of chance
    by_threshold: bool = True


@dataclass(frozen=True, slots=True)
class Mistake:
    """A document that was not answered as people did. `label` was wrongly given, or missed; `sure`: how sure that was, the
    probability put on the wrong side, or by how much the scores differ; nan if there is neither."""

    document: int  # row
    id: str
    true: tuple[str, ...]
    given: tuple[str, ...]
    label: str
    sure: float


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """All there is to say about a set of answers."""

    documents: int
    several: bool  # labels a document
    undecided: int  # documents that were given no label
    commonest: float  # share of documents that have the commonest label
    overall: dict[str, Interval]  # by the names of `metrics.MEASURES`; averages over labels are over those that occur
    labels: tuple[LabelRow, ...]  # all, as they were given
    calibration: Calibration | None
    confusion: Confused
    coverage: Coverage | None
    curves: tuple[Curve, ...]  # of `shown()` labels with documents
    mistakes: tuple[Mistake, ...]  # the surest first
    wrong: int  # documents with an error, all of them
    level: float
    draws: int
    random_state: int
    learned: int | None = None  # documents that the model has learned from; None where nobody knows

    def shown(self, n: int = SHOWN) -> tuple[LabelRow, ...]:
        """The n labels that most documents have or were given, those with most documents first."""
        by_size = sorted(self.labels, key=lambda row: -(row.documents + row.assigned - row.right))[:n]
        return tuple(sorted(by_size, key=lambda row: (-row.documents, -row.assigned)))

    @property
    def unmet(self) -> int:
        """Labels that no document has or was given."""
        return sum(not row.met for row in self.labels)

    def sentences(self) -> list[str]:
        """A summary in plain words."""
        from ..training.choice_sentences import sentence
        from .sentences import summary

        return [sentence(parts) for parts in summary(self)]

    def as_dict(self) -> dict[str, Any]:
        """Strict JSON: null for what is undefined."""
        cells = self.confusion.table.counts.tocoo()
        confusion = {
            "labels": list(self.confusion.table.labels),
            "cells": np.column_stack([cells.row, cells.col, cells.data]).tolist(),
            **{name: for_json(getattr(self.confusion, name)) for name in ("alone", "added", "instead", "beside")},
        }
        names = (field.name for field in fields(self) if field.name != "confusion")
        values = {name: for_json(getattr(self, name)) for name in names}
        return values | {"confusion": confusion, "sentences": self.sentences()}


def for_json(value: Any) -> Any:
    """Intervals are value, low, high."""
    return jsonable(value, forms={Interval: lambda limits: {name: getattr(limits, name) for name in LIMITS}})
