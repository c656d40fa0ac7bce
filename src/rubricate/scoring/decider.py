"""From scores to probabilities and decisions: a rule with its calibration, and what is said of a document without a known word.

    scores -> probabilities    by calibration curves; scores of naive Bayes, which cannot be compared between documents, as log
                               posteriors; by density estimation; or, uncalibrated, by softmax or sigmoid
           -> decisions        by the rule

A document without a known word gets the prior: each label's share among the training documents as its probability, and the
commonest label where documents have one each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Bools, Floats, Longs
from .calibrated import Calibration
from .density import Density
from .functions import expit, log_posteriors, softmax
from .rules import Rule

__all__ = ["Decider"]


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """What turns scores, documents x labels, into probabilities and decisions. `unknown` tells documents without a known word."""

    rule: Rule
    calibration: Calibration | None = None
    density: Density | None = None
    joint: bool = (
        False  # whether the model's scores are joint log probabilities, made comparable before they are calibrated
    )
    prior: Floats | None = None  # labels: shares of the training documents; None in files of earlier versions
    unknown_scores: Floats | None = (
        None  # labels: scores without a known word, with several labels; None: the model's own
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
        """Documents x labels."""
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

    def decide(self, scores: Floats, unknown: Bools) -> Longs:
        """0/1, documents x labels."""
        if self.prior is None or not unknown.any() or self.rule.of_batches:
            return self._decide_known(scores)
        out = np.empty(scores.shape, dtype=np.int64)
        out[unknown] = self.rule.by_prior(self.prior)
        out[~unknown] = self._decide_known(scores[~unknown])
        return out

    def _decide_known(self, scores: Floats) -> Longs:
        """Probabilities are worked out only where the rule looks at them; density decides by its own, calibrated or not."""
        seen = scores
        if self.rule.by_probabilities:
            seen = self._of_known(scores) if self.density is None else self.density.probabilities(scores)
        return self.rule.decide(scores, seen, ties_by_score=self.prior is not None)
