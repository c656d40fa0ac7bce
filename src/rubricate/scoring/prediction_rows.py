"""From predictions to the rows that are written: which labels a document gets, which probabilities are shown, what a person
decides.

The command `predict` and the HTTP service both go this way, so that their lines are the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .prediction_writer import LEAST, OutputRows
from .predictions import Predictions, certainty, top_labels

DIGITS = 6
WORDS = 10  # behind each label

WordsBehind = Callable[[Predictions, Any], list[dict[str, list[Any]]]]  # of the labels that a block's documents get


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """What is to be written of each document."""

    k: int | None = None
    threshold: float | None = None
    abstain: float | None = None
    every_label: bool = False
    words: bool = False


@dataclass(slots=True)
class Totals:
    """What has been written so far."""

    documents: int = 0
    labels: int = 0
    without: int = 0
    to_a_person: int = 0
    unknown: int = 0  # without a word that the model knows; they are left to a person


def output_rows(
    blocks: Iterable[Predictions],
    settings: OutputSettings,
    totals: Totals,
    *,
    multilabel: bool,
    words_behind: WordsBehind,
) -> Iterator[OutputRows]:
    """The rows of each block, in their order; the totals are added to."""
    for block in blocks:
        p, size = block.probabilities, np.arange(len(block.ids) + 1)
        decided = block.decisions if settings.threshold is None else top_labels(p, threshold=settings.threshold)
        decisions = decided if settings.k is None else top_labels(p, k=settings.k, threshold=settings.threshold)
        words = words_behind(block, decisions) if settings.words else None
        person = certainties = None
        if settings.abstain is not None:
            certain = certainty(p, decided, multilabel=multilabel)
            unsure = (certain < settings.abstain) | block.unknown
            person, certainties = unsure.tolist(), certain.round(DIGITS).tolist()
            decisions = decisions * ~unsure[:, None]
        rows, columns = np.nonzero((decisions > 0) | (p >= (0 if settings.every_label else LEAST)))
        values = p[rows, columns].round(DIGITS)
        order = np.lexsort((-values, rows))  # stable: of equals the first label comes first
        rows, columns, values = rows[order], columns[order], values[order]
        assigned = np.flatnonzero(decisions[rows, columns])
        ends, assigned_ends = np.searchsorted(rows, size), np.searchsorted(rows[assigned], size)
        to_review = 0 if person is None else sum(person)
        unknown = int(np.count_nonzero(block.unknown))
        totals.documents += len(p)
        totals.labels += len(assigned)
        totals.to_a_person += unknown if person is None else to_review
        totals.unknown += unknown
        totals.without += int((np.diff(assigned_ends) == 0).sum()) - to_review
        cells = columns.tolist(), values, ends.tolist(), assigned.tolist(), assigned_ends.tolist()
        yield OutputRows(block.ids, *cells, person, certainties, words)
