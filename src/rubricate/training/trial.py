"""Trials: how good a candidate is on documents it has not seen.

A fold is decided as `predict` would decide it: by a rule and a calibration that come from the out-of-fold scores of the others
(`decider`). How good that is, is how good `predict` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..decisions.rules import FittedDecider, Rule, cross_calibrate, fit_decider, needs_calibration
from ..decisions.thresholds.intervals import clopper_pearson
from ..foundation.arrays import Bools, Floats
from ..measures.metrics.names import Measure
from ..measures.significance import bootstrap
from ..scoring.rules import bounded
from .candidates import Candidate
from .out_of_fold import OutOfFold
from .runner_up import Rival
from .training_set import TrainingSet

DRAWS = 500  # of the bootstrap
LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A candidate, what it scored out of fold, and how good its decisions were."""

    candidate: Candidate
    rule: Rule
    out_of_fold: OutOfFold
    decisions: Any
    value: float
    low: float
    high: float
    difference: tuple[float, float, float] | None = None  # best less this one, and its interval
    note: str = ""
    rival: Rival | None = None  # what a test against the chosen candidate says, of those that come next to it

    @property
    def scores(self) -> Floats:
        """Out-of-fold scores, documents x labels."""
        return self.out_of_fold.scores

    @property
    def worse(self) -> bool:
        """Whether the best is significantly better."""
        return self.difference is not None and self.difference[1] > 0

    def as_dict(self) -> dict[str, Any]:
        """A row of the table of what was tried."""
        row = {
            "candidate": str(self.candidate),
            "decide": str(self.rule),
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "behind": None if self.difference is None else list(self.difference),
            "significantly_worse": self.worse,
            "note": self.note,
        }
        return row if self.rival is None else row | {"against_chosen": self.rival.as_dict()}


def fold_deciders(
    training: TrainingSet, out_of_fold: OutOfFold, by: Measure, rule: Rule, *, calibrated: bool
) -> Iterator[tuple[Bools, FittedDecider]]:
    """Each fold that was scored, and what decides on it, learned from the others. calibrated: whether probabilities matter."""
    curves = None
    seen = np.flatnonzero(out_of_fold.scored)
    if calibrated and needs_calibration(rule, training.calibrate):
        curves = cross_calibrate(
            out_of_fold.scores[seen],
            training.truth[seen],
            out_of_fold.unknown[seen],
            training.folds[seen],
            calibrate=training.calibrate,
            multilabel=training.multilabel,
            joint=out_of_fold.joint,
            seed=training.seed,
        )
    for fold in np.unique(training.folds[seen]).tolist():
        inside = training.folds == fold
        others = out_of_fold.scored & ~inside
        others = others if others.any() else inside
        decider = fit_decider(
            rule,
            out_of_fold.scores[others],
            training.truth[others],
            out_of_fold.unknown[others],
            calibrated=None if curves is None else curves.without(fold),
            multilabel=training.multilabel,
            joint=out_of_fold.joint,
            by=by,
            draws=0,
            seed=training.seed,
        )
        yield inside, decider


def held_out_answers(training: TrainingSet, out_of_fold: OutOfFold, by: Measure, rule: Rule) -> Any:
    """What the measure is about, of each fold as the others have it: decisions (0/1 documents x labels, or names where documents
    have one label each), scores, or probabilities."""
    about = by.needs
    if about == "scores" and not training.multilabel:
        about = "probabilities"  # a score that is only good for comparing labels cannot rank documents
    by_probability = rule.name == "half" or (rule.name == "top" and not training.multilabel)
    out = np.zeros(out_of_fold.scores.shape, dtype=np.int64 if about == "decisions" else np.float64)
    calibrated = about == "probabilities" or (about == "decisions" and by_probability)
    for inside, fitted in fold_deciders(training, out_of_fold, by, rule, calibrated=calibrated):
        unknown, decider = out_of_fold.unknown[inside], fitted.applied
        scores = decider.scores(out_of_fold.scores[inside], unknown)
        if about == "scores":
            out[inside] = bounded(scores)
        elif about == "probabilities":
            out[inside] = decider.probabilities(scores, unknown)
        else:
            model_decisions = np.asarray(out_of_fold.model_decisions, dtype=np.int64)[inside]
            out[inside] = decider.decide(scores, unknown, model_decisions)
    if about != "decisions" or training.multilabel:
        return out
    return np.array(training.names, dtype=object)[out.argmax(axis=1)]


def comparable(training: TrainingSet, by: Measure, documents: Bools, *answers: Any) -> tuple[Any, ...]:
    """What the measure takes: one or several systems' answers on these documents, and the truth in the same form."""
    if training.multilabel or by.needs == "scores":
        truth: Any = training.truth[documents]
    elif by.needs == "probabilities":
        truth = np.asarray(training.truth[documents].argmax(axis=1)).ravel()
    else:
        truth = training.single_labels[documents]
    return (*(system[documents] for system in answers), truth)


def judge(
    training: TrainingSet, candidate: Candidate, out_of_fold: OutOfFold, by: Measure, rule: Rule, *, seed: int = 0
) -> Trial:
    """One candidate with one rule, judged on documents it has not seen."""
    answers = held_out_answers(training, out_of_fold, by, rule)
    values, truth = comparable(training, by, out_of_fold.scored, answers)
    interval = bootstrap(by, values, truth, draws=DRAWS, level=LEVEL, random_state=seed)
    low, high = float(interval.low), float(interval.high)
    if by.name in ("accuracy", "subset"):  # the bootstrap of five documents, all right, is sure of itself
        ends = clopper_pearson(float(interval.value), float(out_of_fold.scored.sum()), LEVEL)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Trial(candidate, rule, out_of_fold, answers, float(interval.value), low, high)
