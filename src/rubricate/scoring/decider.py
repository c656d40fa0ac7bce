"""From scores to probabilities and decisions: a rule with its calibration, and what is said of a document without a known word.

    scores -> probabilities    by calibration curves; scores of naive Bayes, which cannot be compared between documents, as log
                               posteriors; by density estimation; or, uncalibrated, by softmax or sigmoid
           -> decisions        by the rule

A document without a known word gets the prior: each label's share among the training documents as its probability, and the
commonest label where documents have one each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Bools, Floats, Longs
from .calibrated import Calibration
from .density import Density
from .functions import expit, log_posteriors, softmax
from .rules import Rule


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """What turns scores, documents x labels, into probabilities and decisions. `unknown` tells documents without a known word."""

    rule: Rule
    calibration: Calibration | None = None
    density: Density | None = None
    joint: bool = False  # the model's scores are joint log probabilities, made comparable before they are calibrated
    prior: Floats | None = None  # labels: shares of the training documents; None in files of earlier versions
    unknown_scores: Floats | None = None  # multi-label: scores without a known word; None: those that the model gives

    @classmethod
    def of(
        cls, decision: Any, calibrated: Any, *, joint: bool, prior: Any, unknown_scores: Any, **model_rule: Any
    ) -> Decider:
        """From a fitted `Decision` and `Calibrated` of `decisions`, or those of a file. model_rule: see `Rule.of`."""
        return cls(
            Rule.of(decision, **model_rule),
            None if calibrated is None else Calibration.of(calibrated),
            None if decision.density is None else Density.of(decision),
            joint,
            prior,
            unknown_scores,
        )

    def scores(self, scores: Floats, unknown: Bools) -> Floats:
        """Scores, with those of documents without a known word put in; among exclusive labels these are logs of the prior."""
        if not unknown.any():
            return scores
        row = self.unknown_scores
        if not self.rule.multilabel and self.prior is not None:
            row = np.log(self.prior, out=np.full(len(self.prior), -np.inf), where=self.prior > 0)
        return scores if row is None else np.where(unknown[:, None], row, scores)

    def probabilities(self, scores: Floats, unknown: Bools) -> Floats:
        if self.prior is None or not unknown.any():
            return self._of_known(scores)
        p = np.empty(scores.shape)
        p[unknown], p[~unknown] = self.prior, self._of_known(scores[~unknown])
        return p

    def _of_known(self, scores: Floats) -> Floats:
        if self.calibration is not None:
            return self.calibration.probabilities(log_posteriors(scores) if self.joint else scores)
        if self.density is not None:
            return self.density.probabilities(scores)
        return expit(scores) if self.rule.multilabel else softmax(scores)

    def decide(self, scores: Floats, unknown: Bools, model_decisions: Longs | None = None) -> Longs:
        """0/1, documents x labels. model_decisions: those of the model's own rule, where they were made with the scores."""
        if self.prior is None or not unknown.any() or self.rule.of_batches:
            return self._decide_known(scores, model_decisions)
        out = np.empty(scores.shape, dtype=np.int64)
        out[unknown] = self.rule.by_prior(self.prior)
        out[~unknown] = self._decide_known(
            scores[~unknown], None if model_decisions is None else model_decisions[~unknown]
        )
        return out

    def _decide_known(self, scores: Floats, model_decisions: Longs | None) -> Longs:
        """Probabilities are worked out only where the rule looks at them; density decides by its own, calibrated or not."""
        if self.rule.name == "own" and model_decisions is not None:
            return model_decisions
        p = scores
        if self.rule.by_probabilities:
            p = self._of_known(scores) if self.density is None else self.density.probabilities(scores)
        return self.rule.decide(scores, p, ties_by_score=self.prior is not None)
