"""Trials: how good a candidate is on documents it has not seen, with all of the training documents or fewer.

A fold is decided as `predict` would decide it: by a rule and a calibration that come from the out-of-fold scores of the others
(`decider`). How good that is, is how good `predict` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..counts import indicator
from ..decisions.calibration.choice import outside_fold
from ..decisions.rules import (
    BY_THRESHOLD,
    FittedDecider,
    Rule,
    cross_calibrate,
    fit_decider,
    fit_threshold_decider,
    needs_calibration,
    rank_documents,
)
from ..decisions.thresholds.intervals import clopper_pearson
from ..foundation.arrays import Bools, Floats
from ..foundation.jsonable import jsonable
from ..measures.metrics.names import Measure
from ..measures.significance import bootstrap
from ..scoring.rules import bounded
from .candidates import Candidate
from .out_of_fold import OutOfFold, score_held_out
from .training_set import TrainingSet

DRAWS = 500  # of the bootstrap
LEVEL = 0.95
SHARES = (0.125, 0.25, 0.5)  # of the training documents, on a learning curve
CURVE_FOLDS = 2
FEWEST_FOR_CURVE = 40  # documents below which a curve says nothing

Difference = tuple[float, float, float]  # with its interval


@dataclass(frozen=True, slots=True)
class Rival:
    """Another candidate beside the chosen one. Where less is better, differences are turned round: ahead is always better."""

    chosen: str
    ahead: float  # the chosen one, of this one; below 0: behind
    low: float
    high: float
    p: float
    adjusted: float  # p allowing for the number of rivals, after Holm
    better: str | None  # "chosen" or "other", if one is by the adjusted p
    test: str
    swapped: str  # documents or labels
    shuffles: int
    exact: bool  # these are all there are
    documents: int
    apart: int  # documents (or labels) on which the two differ: what p rests on
    more_documents: float  # that it would take to tell them apart; nan: not known
    wins: int | None  # labels on which the chosen one is better; None: the measure has no value by label
    losses: int | None
    ties: int | None
    sign_p: float | None  # of the sign test over labels, adjusted too

    def as_dict(self) -> dict[str, Any]:
        """For JSON: what is undefined or infinite as None."""
        values: dict[str, Any] = jsonable(self)
        return values


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
    difference: Difference | None = None  # best less this one
    note: str = ""
    rival: Rival | None = None  # what a test against the chosen candidate says, of those that come next to it

    @property
    def worse(self) -> bool:
        return self.difference is not None and self.difference[1] > 0

    def as_dict(self) -> dict[str, Any]:
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
    settings, curves = decider_settings(training, out_of_fold), None
    parts: tuple[Any, ...] = out_of_fold.scores, training.truth, out_of_fold.unknown, training.folds
    scored_parts = parts if out_of_fold.scored.all() else tuple(part[out_of_fold.scored] for part in parts)
    if calibrated and needs_calibration(rule, training.calibrate):
        curves = cross_calibrate(*scored_parts, calibrate=training.calibrate, **settings)
    rankings = rank_documents(*scored_parts[:3]) if rule.name in BY_THRESHOLD else None
    for fold in np.unique(scored_parts[3]).tolist():
        inside = training.folds == fold
        others = outside_fold(scored_parts[3], fold)
        settings["calibrated"] = None if curves is None else curves.without(fold)
        if rankings is not None:
            yield inside, fit_threshold_decider(rule, rankings.at(others), by=by, draws=0, **settings)
            continue
        other_parts: list[Any] = [part[others] for part in scored_parts[:3]]
        yield inside, fit_decider(rule, *other_parts, by=by, draws=0, **settings)


def decider_settings(training: TrainingSet, out_of_fold: OutOfFold) -> dict[str, Any]:
    return {"multilabel": training.multilabel, "joint": out_of_fold.joint, "seed": training.seed}


def fit_final_decider(
    training: TrainingSet, out_of_fold: OutOfFold, by: Measure, rule: Rule, *, labels: list[str]
) -> tuple[FittedDecider, Floats | None]:
    """What decides on new documents, learned from the out-of-fold scores of all folds; and the training documents' probabilities
    by the curves of the other folds, None where nothing is calibrated. labels: the order of the columns; a 0/1 table may have
    labels that no document has, and that the training set does not know."""
    scores, truth = out_of_fold.scores, training.truth
    if labels != training.names:
        truth = indicator(training.labels, labels)
        scores = np.full(truth.shape, -np.inf)
        scores[:, [column for column, name in enumerate(labels) if name in training.label_columns]] = out_of_fold.scores
    parts, settings = (scores, truth, out_of_fold.unknown), decider_settings(training, out_of_fold)
    curves = None
    if needs_calibration(rule, training.calibrate):
        curves = cross_calibrate(*parts, training.folds, calibrate=training.calibrate, **settings)
    calibrated = None if curves is None else curves.whole
    decider = fit_decider(rule, *parts, calibrated=calibrated, by=by, labels=labels, **settings)
    if curves is None or calibrated is None:
        return decider, None
    probabilities = np.repeat(decider.prior[None], len(scores), axis=0)
    known = curves.probabilities
    probabilities[~out_of_fold.unknown] = known if calibrated.bounds is None else calibrated.bounds.within(known)
    return decider, probabilities


def held_out_answers(training: TrainingSet, out_of_fold: OutOfFold, by: Measure, rule: Rule) -> Any:
    """What the measure is about, of each fold as the others have it: decisions (0/1 documents x labels, sparse; or the column of
    the label where documents have one each), scores, or probabilities."""
    about = by.needs
    if about == "scores" and not training.multilabel:
        about = "probabilities"  # a score that is only good for comparing labels cannot rank documents
    by_probability = rule.name == "half" or (rule.name == "top" and not training.multilabel)
    out = np.zeros(out_of_fold.scores.shape, dtype=np.int8 if about == "decisions" else np.float64)
    calibrated = about == "probabilities" or (about == "decisions" and by_probability)
    for inside, fitted in fold_deciders(training, out_of_fold, by, rule, calibrated=calibrated):
        unknown, decider = out_of_fold.unknown[inside], fitted.applied
        scores = decider.scores(out_of_fold.scores[inside], unknown)
        if about == "scores":
            out[inside] = bounded(scores)
        elif about == "probabilities":
            out[inside] = decider.probabilities(scores, unknown)
        else:
            out[inside] = decider.decide(scores, unknown, out_of_fold.model_decisions[inside])
    if about != "decisions":
        return out
    return sparse.csr_array(out) if training.multilabel else out.argmax(axis=1)


def comparable(training: TrainingSet, by: Measure, documents: Bools, *answers: Any) -> tuple[Any, ...]:
    """What the measure takes: one or several systems' answers on these documents, and the truth in the same form. Where documents
    have one label each, a measure that has values by label takes decisions by name: a number could be a 0 or 1 of one label."""
    if training.multilabel or by.needs == "scores":
        return (*(system[documents] for system in answers), training.truth[documents])
    taken = [system[documents] for system in (*answers, training.single_labels)]
    if by.needs == "decisions" and by.each is not None:
        names = np.array(training.names, dtype=object)
        taken = [names[columns] for columns in taken]
    return tuple(taken)


def judge(training: TrainingSet, candidate: Candidate, out_of_fold: OutOfFold, by: Measure, rule: Rule) -> Trial:
    """One candidate with one rule, judged on documents it has not seen."""
    answers = held_out_answers(training, out_of_fold, by, rule)
    values, truth = comparable(training, by, out_of_fold.scored, answers)
    interval = bootstrap(by, values, truth, draws=DRAWS, level=LEVEL, random_state=training.seed)
    low, high = float(interval.low), float(interval.high)
    if by.name in ("accuracy", "subset"):  # the bootstrap of five documents, all correct, is sure of itself
        ends = clopper_pearson(float(interval.value), float(out_of_fold.scored.sum()), LEVEL)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Trial(candidate, rule, out_of_fold, answers, float(interval.value), low, high)


def learning_curve(
    training: TrainingSet, candidate: Candidate, whole: OutOfFold, by: Measure, rule: Rule
) -> dict[str, Any] | None:
    """Would more documents help? Sizes and values with their intervals; None for too few documents.

    The candidate is learned from an eighth, a quarter, half and all (whole: its scores) of the training documents. Two folds are
    judged, each by models of smaller and smaller parts of the others; the parts are nested and seeded. The rule to decide by is
    cross-fitted between the two, at each size anew.
    """
    if training.n_folds < CURVE_FOLDS or len(training.labels) < FEWEST_FOR_CURVE:
        return None
    table = training.table(candidate.recipe)
    place = np.random.default_rng(training.seed).permutation(len(training.labels))
    judged = training.folds < CURVE_FOLDS
    rule = rule if rule.name != "own" else Rule("scut" if training.multilabel else "top")
    points = []
    for share in (*SHARES, 1.0):
        scores, unknown, sizes = np.full(whole.scores.shape, -np.inf), np.zeros(len(judged), dtype=bool), []
        for fold in range(CURVE_FOLDS):
            inside = training.folds == fold
            others = np.flatnonzero(~inside)
            train = np.zeros(len(inside), dtype=bool)
            train[others[np.argsort(place[others])[: max(1, round(share * len(others)))]]] = True
            sizes.append(int(train.sum()))
            if share < 1:
                counts = table.at(train).counts.pruned()
                scores[inside], unknown[inside] = score_held_out(training, candidate, counts, train, inside)
        result = replace(whole, scored=judged)
        if share < 1:
            result = replace(result, scores=scores, unknown=unknown)
        trial = judge(training, candidate, result, by, rule)
        points.append((round(float(np.mean(sizes))), trial.value, trial.low, trial.high))
    names = ("sizes", "values", "low", "high")
    return {"measure": by.name} | {
        name: list(column) for name, column in zip(names, zip(*points, strict=True), strict=True)
    }
