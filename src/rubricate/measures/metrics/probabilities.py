"""Measures of probabilities: log loss and Brier score. Three kinds of problem, told by their shapes:

    probabilities of documents,           truth 0/1 of documents            one label: does the document have it?
    probabilities of documents x labels,  truth one label a document        exclusive labels; rows sum to 1
    probabilities of documents x labels,  truth 0/1 of documents x labels   several labels a document: each cell is a question

With exclusive labels the truth is the number of a column, or a name in `labels`, which names the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ..inputs import checked_probabilities, checked_scores, sklearn_keywords, yes_no

Questions = tuple[Floats, Bools]


@sklearn_keywords("y_proba")
def log_loss(probabilities: Any, truth: Any, *, labels: Sequence[Any] | None = None, clip: float = 1e-15) -> float:
    """The mean of -log(probability given to what is true), over documents (exclusive labels) or over cells.

    Probabilities below `clip`, or above 1 - clip, are taken as that: one certain and wrong answer would otherwise cost
    infinitely much. Natural logarithm.
    """
    return mean(log_losses(probabilities, truth, labels=labels, clip=clip))


def log_losses(probabilities: Any, truth: Any, *, labels: Sequence[Any] | None = None, clip: float = 1e-15) -> Floats:
    """What `log_loss` is the mean of: a number a document, or a cell."""
    if not 0 <= clip < 0.5:
        raise InvalidSetting(f"clip={clip}: give a number from 0, below 0.5")
    p = checked_probabilities(probabilities)
    if exclusive(p, truth):
        check_rows(p)
        of_true = p[np.arange(len(p)), columns_of(truth, p, labels)]
    else:
        p, yes = questions(p, truth)
        of_true = np.where(yes, p, 1 - p)
    with np.errstate(divide="ignore"):
        losses: Floats = -np.log(np.clip(of_true, clip, 1 - clip))
    return losses


@sklearn_keywords("y_proba")
def brier(probabilities: Any, truth: Any, *, labels: Sequence[Any] | None = None) -> float:
    """The mean of (probability - truth)^2, over cells; for exclusive labels summed over a document's labels (Brier 1950):
    then 0 to 2."""
    return mean(brier_scores(probabilities, truth, labels=labels))


def brier_scores(probabilities: Any, truth: Any, *, labels: Sequence[Any] | None = None) -> Floats:
    """What `brier` is the mean of: a number a document, or a cell."""
    p = checked_probabilities(probabilities)
    if exclusive(p, truth):
        check_rows(p)
        at = np.arange(len(p)), columns_of(truth, p, labels)
        summed: Floats = (p**2).sum(axis=1) - p[at] ** 2 + (1 - p[at]) ** 2
        return summed
    p, yes = questions(p, truth)
    cells: Floats = (p - yes) ** 2
    return cells


def questions(probabilities: Any, truth: Any) -> Questions:
    p, yes = checked_probabilities(probabilities), yes_no(truth, "truth")
    if p.shape != yes.shape:
        raise InvalidSetting(f"probabilities of shape {p.shape} for truth of shape {yes.shape}: give one for each")
    return p, (yes.toarray() == 1) if sparse.issparse(yes) else yes


def top_choice(probabilities: Any, truth: Any, labels: Sequence[Any] | None = None) -> Questions:
    """The highest of each document's probabilities (or scores), and whether its label is correct; of equals
    the first."""
    p = checked_scores(probabilities, "probabilities")
    if p.ndim != 2 or not p.shape[1]:
        raise InvalidSetting(f"probabilities of shape {p.shape}: give documents x labels, at least one label")
    highest = p.max(axis=1)
    with np.errstate(invalid="ignore"):
        first = ((p == highest[:, None]) | (highest[:, None] - p <= 1e-12)).argmax(axis=1)
    if exclusive(p, truth):
        return highest, first == columns_of(truth, p, labels)
    yes = yes_no(truth, "truth")
    if yes.shape != p.shape:
        raise InvalidSetting(f"probabilities of shape {p.shape} for truth of shape {yes.shape}: give one for each")
    return highest, np.asarray(yes[np.arange(len(p)), first]).astype(bool)


def exclusive(p: Floats, truth: Any) -> bool:
    """Whether this is one of several exclusive labels a document."""
    return p.ndim == 2 and not sparse.issparse(truth) and np.ndim(truth) == 1


def columns_of(truth: Any, p: Floats, labels: Sequence[Any] | None) -> Longs:
    true = truth.tolist() if isinstance(truth, np.ndarray) else list(truth)
    if len(true) != len(p):
        raise InvalidSetting(f"{len(p)} rows of probabilities for {len(true)} documents: give one for each")
    if labels is not None and len(labels) != p.shape[1]:
        raise InvalidSetting(f"{len(labels)} labels for {p.shape[1]} columns of probabilities: name each column")
    number = {label: n for n, label in enumerate(range(p.shape[1]) if labels is None else labels)}
    for row, label in enumerate(true):
        if label not in number:
            raise InvalidSetting(
                f"row {row} has the label {label!r}: give the number of a column, or name columns by labels="
            )
    return np.array([number[label] for label in true], dtype=np.int64)


def check_rows(p: Floats) -> None:
    """Probabilities of exclusive labels sum to 1, printed ones nearly."""
    sums = p.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > 1e-3)
    if len(wrong):
        raise InvalidSetting(
            f"probabilities, row {wrong[0]} sums to {sums[wrong[0]]:g}: of exclusive labels they sum to 1"
        )


def mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")
