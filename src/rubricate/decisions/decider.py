"""What turns held-out scores into a rule with its calibration: `scoring.decider` applies it, in trials as in `predict`.

A text without a known word has no scores of its own and gets the prior: each label's share among the training documents.

    cross_calibrate    the calibration, fitted on all folds but one, for every fold
    fit_decider        the rest, from the held-out scores of some documents and a calibration
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..foundation.arrays import Bools, Floats
from ..measures.metrics.names import Measure
from ..scoring.decider import Decider
from ..scoring.functions import log_posteriors
from .calibration import Calibrated, CrossFit, cross_fit
from .rules import Decision, Rule, fit_rule, label_shares

FEWEST = 2  # documents: one to fit a calibration on, one to evaluate it


@dataclass(frozen=True, slots=True, eq=False)
class FittedDecider:
    """A fitted rule with its calibration, and the scores and probabilities of a text without a known word."""

    decision: Decision
    calibrated: Calibrated | None
    joint: bool  # whether the model's scores are joint log probabilities, made comparable before they are calibrated
    prior: Floats  # share of each label among the training documents
    unknown: Floats | None  # multi-label: scores of a text without a known word; None: those that the model gives

    @property
    def applied(self) -> Decider:
        """What turns scores into probabilities and decisions."""
        return Decider.of(
            self.decision, self.calibrated, joint=self.joint, prior=self.prior, unknown_scores=self.unknown
        )


def needs_calibration(rule: Rule, calibrate: str) -> bool:
    """Whether probabilities come from a calibration: not with "none", nor where density gives them and "auto" chooses."""
    return calibrate != "none" and not (rule.name == "density" and calibrate == "auto")


def cross_calibrate(
    scores: Floats,
    truth: Any,
    unknown: Bools,
    fold_of: Any,
    *,
    calibrate: str,
    multilabel: bool,
    joint: bool,
    seed: int = 0,
) -> CrossFit | None:
    """The calibration by this name, or the best ("auto"), fitted on all folds but one, for every fold; None for too few
    documents. Those without a known word take no part: their probabilities come from the prior."""
    known = ~unknown
    if np.count_nonzero(known) < FEWEST:
        return None
    members: Any = truth[known] if multilabel else np.asarray(truth[known].argmax(axis=1)).ravel()
    comparable = log_posteriors(scores[known]) if joint else scores[known]
    names = None if calibrate == "auto" else (calibrate,)
    return cross_fit(comparable, members, fold_of[known], candidates=names, random_state=seed)


def fit_decider(
    rule: Rule,
    scores: Floats,
    truth: Any,
    unknown: Bools,
    *,
    calibrated: Calibrated | None,
    multilabel: bool,
    joint: bool,
    by: Measure,
    labels: Any = None,
    draws: int = 200,
    seed: int = 0,
) -> FittedDecider:
    """From held-out scores, documents x labels, and the truth beside them.

    A document without a known word says nothing about scores and is not learned from; for a threshold it lies below all others,
    since it will not get the label.
    """
    known = ~unknown
    prior = label_shares(truth)
    if rule.name in ("scut", "precision", "recall", "pcut"):
        scores = np.where(known[:, None], scores, -np.inf)
    elif known.any():
        scores, truth = scores[known], truth[known]
    decision = fit_rule(rule, scores, truth, multilabel=multilabel, by=by, labels=labels, draws=draws, seed=seed)
    return FittedDecider(decision, calibrated, joint, prior, lowest_scores(scores) if multilabel else None)


def lowest_scores(scores: Floats) -> Floats:
    """The lowest score that documents have, a label each: it passes no threshold."""
    lowest: Floats = np.where(np.isfinite(scores), scores, np.inf).min(axis=0, initial=np.inf)
    return np.where(np.isfinite(lowest), lowest, 0.0)
