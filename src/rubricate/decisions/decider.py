"""From scores to probabilities and labels: what `predict` does, and what every trial is evaluated by.

    scores -> probabilities    by a calibration that was fitted on held-out documents; scores of naive Bayes, which cannot be
                               compared between documents, as log posteriors
           -> labels           by a rule that was fitted on held-out documents

A text without a known word has no scores of its own. It gets the prior: each label's share among the training documents as its
probability, and the commonest label where documents have one each.

    cross_calibrate    the calibration, fitted on all folds but one, for every fold
    fit_decider        the rest, from the held-out scores of some documents and a calibration
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logsumexp, softmax

from ..foundation.arrays import Bools, Floats, Longs
from ..measures.metrics.names import Measure
from ..scoring.rules import best_only
from .calibration import Calibrated, CrossFit, cross_fit
from .rules import Decision, Rule, apply_rule, fit_rule, label_shares
from .thresholds import rcut

FEWEST = 2  # documents: one to fit a calibration on, one to evaluate it


def log_posteriors(joint: Floats) -> Floats:
    """log Pr(C|d) from log Pr(C, d), a row a document. Joint probabilities fall with every word, so that those of two documents
    cannot be compared; posteriors can.                                                                    [000 eq. 11]"""
    totals = logsumexp(joint, axis=1, keepdims=True)
    return joint - np.where(np.isfinite(totals), totals, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """A fitted rule with its calibration, and the scores and probabilities of a text without a known word."""

    decision: Decision
    calibrated: Calibrated | None
    joint: bool  # whether the model's scores are joint log probabilities, made comparable before they are calibrated
    prior: Floats | None  # share of each label among the training documents; None in files of earlier versions
    unknown: Floats | None  # multi-label: scores of a text without a known word; None: those that the model gives

    def scores(self, scores: Floats, unknown: Bools) -> Floats:
        """Scores of documents. Without a known word, and among labels that exclude each other, they are the logarithms of the
        prior, of which the commonest label's is highest."""
        if not unknown.any():
            return scores
        row = self.unknown
        if not self.decision.several and self.prior is not None:
            row = np.log(self.prior, out=np.full(len(self.prior), -np.inf), where=self.prior > 0)
        return scores if row is None else np.where(unknown[:, None], row, scores)

    def probabilities(self, scores: Floats, unknown: Bools | None = None) -> Floats:
        """Documents x labels. unknown: which documents have no known word."""
        if self.prior is None or unknown is None or not unknown.any():
            return self._calibrated(scores)
        p = np.empty(scores.shape)
        p[unknown], p[~unknown] = self.prior, self._calibrated(scores[~unknown])
        return p

    def _calibrated(self, scores: Floats) -> Floats:
        if self.calibrated is not None:
            return self.calibrated.predict_proba(log_posteriors(scores) if self.joint else scores)
        density = self.decision.probabilities(scores)
        if density is not None:
            return density
        p: Floats = expit(scores) if self.decision.several else softmax(scores, axis=1)
        return p

    def decide(self, scores: Floats, unknown: Bools, model_rule: Any) -> Longs:
        """0/1, documents x labels. model_rule: from scores to decisions by the model's own rule; where that is the rule, it gets
        the scores of documents that have a known word."""
        if self.prior is None or not unknown.any() or self.decision.of_batches:
            return apply_rule(self.decision, scores, self._calibrated, model_rule, ties_by_score=self.prior is not None)
        out = np.empty(scores.shape, dtype=np.int64)
        out[unknown] = self._decide_by_prior()
        out[~unknown] = apply_rule(self.decision, scores[~unknown], self._calibrated, model_rule)
        return out

    def _decide_by_prior(self) -> Longs:
        """The commonest label, or the k commonest; of labels that are decided one by one, those that most
        documents have by a rule of probabilities, and none by a threshold."""
        prior: Any = self.prior
        if not self.decision.several:
            labels: Longs = best_only(prior[None])[0]
        elif self.decision.rule == "top":
            labels = rcut(prior[None], self.decision.k)[0]
        else:
            labels = ((prior > 0.5) & (self.decision.rule in ("half", "density"))).astype(np.int64)
        return labels


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
) -> Decider:
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
    return Decider(decision, calibrated, joint, prior, lowest_scores(scores) if multilabel else None)


def lowest_scores(scores: Floats) -> Floats:
    """The lowest score that documents have, a label each: it passes no threshold."""
    lowest: Floats = np.where(np.isfinite(scores), scores, np.inf).min(axis=0, initial=np.inf)
    return np.where(np.isfinite(lowest), lowest, 0.0)
