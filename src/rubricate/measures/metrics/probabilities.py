"""Measures of probabilities. Three kinds of problem, told by their shapes:

    probabilities of documents,           truth 0/1 of documents            one label: does the document have it?
    probabilities of documents x labels,  truth one label a document        exclusive labels; rows sum to 1
    probabilities of documents x labels,  truth 0/1 of documents x labels   several labels a document: each cell is a question

With exclusive labels the truth is the number of a column, or a name in `labels`, which names the columns.

    log_loss, brier                   how far from the truth
    reliability, calibration_error    of what is given a probability of 0.8, is 80 % true?
    abstention                        the accuracy on the documents that are answered, the most confident first
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats, Longs
from ...storage.registry import stored
from ..inputs import at_least_one, checked_probabilities, checked_scores, same_shape, sklearn_keywords, yes_no
from .ranking import rounded

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
    same_shape(p, yes, "probabilities")
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
    same_shape(p, yes, "probabilities")
    return highest, np.asarray(yes[np.arange(len(p)), first]).astype(bool)


def exclusive(p: Floats, truth: Any) -> bool:
    """Whether this is one of several exclusive labels a document."""
    return p.ndim == 2 and not sparse.issparse(truth) and np.ndim(truth) == 1


def columns_of(truth: Any, p: Floats, labels: Sequence[Any] | None) -> Longs:
    if len(truth) != len(p):
        raise InvalidSetting(f"{len(p)} rows of probabilities for {len(truth)} documents: give one for each")
    if labels is not None and len(labels) != p.shape[1]:
        raise InvalidSetting(f"{len(labels)} labels for {p.shape[1]} columns of probabilities: name each column")
    columns = np.asarray(truth)
    if labels is None and columns.dtype.kind in "iu" and bool(((columns >= 0) & (columns < p.shape[1])).all()):
        return columns.astype(np.int64)
    number = {label: n for n, label in enumerate(range(p.shape[1]) if labels is None else labels)}
    true = truth.tolist() if isinstance(truth, np.ndarray) else list(truth)
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


# -- calibration


@stored("calibrated.reliability", keys=("probability", "share_true", "count"))
@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Bins by rising probability: the mean probability in each, the share that was true, and how many answers it has."""

    probability: Floats
    share_true: Floats
    count: Longs

    @property
    def error(self) -> float:
        """The mean of |probability - share true| over answers: the expected calibration error."""
        n = self.count.sum()
        return float((self.count * np.abs(self.probability - self.share_true)).sum() / n) if n else float("nan")

    @property
    def largest_gap(self) -> float:
        """The largest |probability - share true| of a bin."""
        return float(np.abs(self.probability - self.share_true).max()) if len(self.count) else float("nan")


@sklearn_keywords("y_proba")
def reliability(probabilities: Any, truth: Any, *, bins: int = 10, labels: Sequence[Any] | None = None) -> Reliability:
    """Answers in bins of equal mass. Shapes as in `log_loss`; of exclusive labels the most probable one is the answer.

    The answers, by rising probability, are dealt into `bins` bins as equal as can be. Equal probabilities (to 12 decimals)
    stay together, in the bin where their middle falls: bins are then unequal, and there may be fewer.
    """
    bins = at_least_one("bins", bins)
    p = checked_probabilities(probabilities)
    p, true = top_choice(p, truth, labels) if exclusive(p, truth) else questions(p, truth)
    p, true = p.ravel(), true.ravel()
    order = np.argsort(rounded(p), kind="stable")
    p, true = p[order], true[order]
    first = np.flatnonzero(np.diff(rounded(p), prepend=-1.0) != 0)
    size = np.diff(first, append=len(p))
    middle = (2 * first + size - 1) * bins // (2 * max(len(p), 1))
    _, first_of_bin = np.unique(middle, return_index=True)
    begin = first[first_of_bin] if len(p) else first
    count = np.diff(begin, append=len(p))
    if not len(p):
        return Reliability(np.zeros(0), np.zeros(0), count)
    return Reliability(np.add.reduceat(p, begin) / count, np.add.reduceat(true, begin, dtype=np.float64) / count, count)


@sklearn_keywords("y_proba")
def calibration_error(probabilities: Any, truth: Any, *, bins: int = 10, labels: Sequence[Any] | None = None) -> float:
    """The expected calibration error, in bins of equal mass: the mean over answers of their bin's
    |mean probability - share true|. Shapes and bins as in `reliability`."""
    return reliability(probabilities, truth, bins=bins, labels=labels).error


# -- abstention


@dataclass(frozen=True, slots=True, eq=False)
class AbstentionCurve:
    """One point a distinct confidence, highest first: answer where confidence >= threshold (`cut`), so much, so well."""

    cut: Floats
    coverage: Floats  # documents answered / all
    accuracy: Floats  # correct answers / answers
    area: float

    def for_accuracy(self, wanted: float) -> tuple[float, float]:
        """The threshold with the largest coverage whose accuracy is at least that, and that coverage; (inf, 0) if none is."""
        enough = np.flatnonzero(self.accuracy >= wanted - 1e-12)
        return (float(self.cut[enough[-1]]), float(self.coverage[enough[-1]])) if len(enough) else (float("inf"), 0.0)

    def for_coverage(self, wanted: float) -> tuple[float, float]:
        """The highest threshold that answers at least this share of documents, and the accuracy there."""
        enough = np.flatnonzero(self.coverage >= wanted - 1e-12)
        if not len(enough):
            raise InvalidSetting(f"coverage {wanted}: give a share from 0 to 1 of at least one document")
        return float(self.cut[enough[0]]), float(self.accuracy[enough[0]])


@sklearn_keywords("y_score", "y_proba")
def abstention(confidence: Any, right: Any, *, labels: Sequence[Any] | None = None) -> AbstentionCurve:
    """Coverage and accuracy at every threshold.

    confidence, right: a number and 0/1 for each document; or probabilities (scores) documents x labels and the truth, one
    label a document or a 0/1 table: then the highest is the confidence, and any of the document's labels is right.
    Equal confidences (to 12 decimals) are answered together. area: the mean over n = 1 ... all of the accuracy of the n most
    confident answers, expected over the orders of equals.
    """
    sureness = checked_scores(confidence, "confidence")
    if sureness.ndim == 2:
        sureness, correct = top_choice(sureness, right, labels)
    else:
        correct = yes_no(right, "right")
        if correct.shape != sureness.shape:
            raise InvalidSetting(
                f"confidence of shape {sureness.shape} for answers of shape {correct.shape}: give one for each"
            )
    sureness = rounded(sureness)
    order = np.argsort(-sureness, kind="stable")
    sureness, correct = sureness[order], correct[order]
    last = np.flatnonzero(np.append(sureness[1:] != sureness[:-1], True)[: len(sureness)])
    answered, hits = last + 1, np.cumsum(correct)[last]
    size, gained = np.diff(answered, prepend=0), np.diff(hits, prepend=0)
    each = np.repeat(gained / size, size)  # in a run of equals every place has the run's share of correct answers
    running = np.cumsum(each) / np.arange(1, len(each) + 1)
    area = float(running.mean()) if len(running) else float("nan")
    return AbstentionCurve(sureness[last], answered / max(len(sureness), 1), hits / answered, area)
