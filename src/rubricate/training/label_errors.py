"""Label errors: labelled documents whose labels contradict what is said of them by models that have not seen them.

    probabilities    out of fold, calibrated on the other folds, and kept 1/(2 n) away from 0 and 1: n documents tell no more
    times            how many times more probable the most probable labels are than those that were given: with one label a
                     document p(best) / p(given), with several the product of p(other) / p(given) over labels given or withheld
                     that are more probably wrong than right

Either people were wrong or the model is: a person looks. Labels with fewer than FEW documents are never doubted, since nothing
was learned of them. Learns from: a labelled corpus, by the candidates of `candidates`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..decisions.rules import cross_calibrate, label_shares, parse_rule
from ..errors import InputError, InvalidSetting
from ..foundation.arrays import Floats
from ..measures.metrics import measure as measure_named
from .candidates import Candidate
from .choice import choose
from .out_of_fold import OutOfFold
from .training_set import TrainingSet
from .trial import Trial, decider_settings

if TYPE_CHECKING:
    from ..corpus import Corpus

FEW = 5


@dataclass(frozen=True, slots=True)
class Doubt:
    """A document. improbable: labels that it has, missing: labels that it has not, each with its probability."""

    row: int
    id: str
    labels: tuple[str, ...]
    improbable: tuple[tuple[str, float], ...]
    missing: tuple[tuple[str, float], ...]
    times: float


@dataclass(frozen=True, slots=True)
class Doubted:
    """The documents that are contradicted, worst first; of how many, by what, and labels that were too rare to be doubted."""

    doubts: tuple[Doubt, ...]
    documents: int
    trial: Trial
    calibration: str
    rare: tuple[str, ...]


def doubts(
    corpus: Corpus,
    candidates: Sequence[Candidate],
    *,
    measure: str = "auto",
    folds: int = 5,
    budget: float = 60.0,
    jobs: int | None = None,
    random_state: int = 0,
    progress: Callable[[Trial], None] | None = None,
) -> Doubted:
    """Documents whose labels are contradicted, worst first."""
    ids, labels = corpus.ids, [list(names) for names in corpus.labels]
    several = not all(len(names) == 1 for names in labels)
    training = TrainingSet.of(corpus, labels, multilabel=several, folds=folds, seed=random_state, jobs=jobs)
    if not training.names:
        raise InputError(corpus.name, "no document has a label", "name the column of labels with --labels")
    if training.folds is None or len(labels) < 2 * folds:
        raise InvalidSetting(
            f"{len(labels)} documents are too few for {folds} folds: nothing can be said of their labels"
        )
    usual = "microF1" if several else "accuracy"
    by, rule = measure_named(usual if measure == "auto" else measure), parse_rule("auto", multilabel=several)
    trial, _, _ = choose(training, candidates, by=by, rule=rule, budget=budget, progress=progress)
    probabilities, name = out_of_fold_probabilities(training, trial.out_of_fold)
    truth = np.asarray(training.truth.toarray() == 1)
    rare = truth.sum(axis=0) < FEW
    doubted = [
        Doubt(row, ids[row], tuple(labels[row]), *named(probabilities[row], truth[row], rare, training), times)
        for row, times in contradicted(probabilities, truth, rare, several=several)
    ]
    return Doubted(tuple(doubted), len(labels), trial, name, tuple(np.array(training.names)[rare].tolist()))


def out_of_fold_probabilities(training: TrainingSet, result: OutOfFold) -> tuple[Floats, str]:
    """Each fold's scores calibrated by the others', and the calibration's name. A text without a known word has the prior."""
    p = np.repeat(label_shares(training.truth)[None], len(training.labels), axis=0)
    parts = result.scores, training.truth, result.unknown, training.folds
    curves = cross_calibrate(*parts, calibrate="auto", **decider_settings(training, result))
    if curves is None:
        return p, "none"
    p[~result.unknown] = curves.probabilities
    return p, curves.name


def contradicted(probabilities: Floats, truth: Any, rare: Any, *, several: bool) -> list[tuple[int, float]]:
    """Rows, and how many times more probable other labels are, worst first."""
    least = 1 / (2 * len(probabilities))  # so many documents cannot tell a probability from 0 or 1
    p = np.clip(probabilities, least, 1 - least)
    if several:
        wrong = np.where(truth, 1 - p, p)
        times = np.maximum(np.log(wrong / (1 - wrong)), 0.0)[:, ~rare].sum(axis=1)
    else:
        times = np.log(p.max(axis=1) / np.where(truth, p, 0.0).max(axis=1))
        times[truth[:, rare].any(axis=1)] = 0.0
    times = times.round(12)
    order = np.lexsort((np.arange(len(p)), -times))
    return [(int(row), float(np.exp(times[row]))) for row in order if times[row] > 0]


def named(p: Floats, truth: Any, rare: Any, training: TrainingSet) -> tuple[Any, Any]:
    """The labels behind a contradiction, with probabilities: those it has and should not, those it has not and should."""
    wrong = np.where(truth, 1 - p, p) > 0.5 if training.multilabel else truth | (np.arange(len(p)) == int(np.argmax(p)))
    wrong &= ~(rare & truth)
    has, has_not = (np.flatnonzero(wrong & part) for part in (truth, ~truth))
    improbable = tuple((training.names[n], float(p[n])) for n in has[np.argsort(p[has], kind="stable")].tolist())
    missing = tuple((training.names[n], float(p[n])) for n in has_not[np.argsort(-p[has_not], kind="stable")].tolist())
    return improbable, missing
