"""Rules: from scores to labels, fitted on held-out scores.

    scut            a threshold a label: the highest F of each, or of all together, as the measure wants it  [001 sec. 3.4]
    precision:0.95  a threshold a label: the most documents with a precision of at least 0.95; recall:0.9 likewise
    half            every label that is more probable than not
    top, top:K      the most probable label; the K with the best scores                                    [004 footnote 4]
    pcut            of a batch, each label's share in training                                             [004 sec. 7.3]
    density         shares of labels among the training documents with the most similar scores             [004 sec. 3]
    own             the model's own rule

Where documents have one label each, exactly one is decided for: by top, density or own. A rule goes with a calibration:

    cross_calibrate    the calibration, fitted on all folds but one, for every fold
    fit_decider        the rest, from the held-out scores of some documents and a calibration

`scoring.decider` applies both, in trials as in `predict`. A text without a known word has no scores of its own and gets the
prior: each label's share among the training documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidSetting, UnknownName
from ..foundation.arrays import Bools, Floats, Longs
from ..foundation.csr import columns_of_rows
from ..measures.metrics.names import Measure
from ..scoring import rules as scoring
from ..scoring.decider import Decider
from ..scoring.functions import log_posteriors
from ..scoring.rules import RULES
from ..storage.checks import within
from ..storage.registry import stored
from .calibration import Bounds, Calibrated, CrossFit, cross_fit
from .density import DensityEstimation
from .thresholds import Precision, Recall, Thresholds, fit_thresholds
from .thresholds.fitting import fit_ranked
from .thresholds.ranking import Rankings

FEWEST = 2  # documents: one to fit a calibration on, one to evaluate it
BY_THRESHOLD = ("scut", "precision", "recall")
SINGLE_LABEL = ("top", "density", "own")  # rules that decide for one label of each document


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    number: float | None = None

    def __str__(self) -> str:
        return self.name if self.number is None else f"{self.name}:{self.number:g}"


def parse_rule(text: str, *, multilabel: bool) -> Rule:
    """The rule of this text; "auto" is scut where documents may have several labels, otherwise top."""
    if text == "auto":
        return Rule("scut" if multilabel else "top")
    name, colon, number = str(text).partition(":")
    if name not in RULES:
        raise UnknownName("way to decide", str(text), ("auto", *RULES))
    if not multilabel and (name not in SINGLE_LABEL or colon):
        raise InvalidSetting(
            f"decide={text!r} gives a document none or several labels, and these have one each: choose "
            f"{', '.join(SINGLE_LABEL)}, or give lists of labels"
        )
    if name in ("precision", "recall"):
        if not _is_share(number):
            raise InvalidSetting(f"decide={text!r}: say at least how much, as in {name}:0.95")
        return Rule(name, float(number))
    if name == "top":
        if colon and not (number.isascii() and number.isdigit() and 0 < float(number) < 1e9):
            raise InvalidSetting(f"decide={text!r}: give a number of labels, as in top:3")
        return Rule(name, float(number) if colon else None)
    if colon:
        raise InvalidSetting(f"decide={text!r}: {name} takes no number")
    return Rule(name)


def _is_share(text: str) -> bool:
    try:
        return 0 < float(text) <= 1
    except ValueError:
        return False


def _check_decision(decision: Decision) -> None:
    if decision.density is not None:
        within(decision.density.classes_, decision.labels, "labels of density estimation")


@stored(
    "decision",
    keys=("rule", "several", "cuts", "k", "proportions", "density", "labels", "bounds"),
    check=_check_decision,
)
@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A fitted rule. What it does not need is None."""

    rule: str
    several: bool  # multi-label
    cuts: Thresholds | None = None
    k: int = 1
    proportions: Floats | None = None  # of training documents, a label each
    density: DensityEstimation | None = None
    labels: int = 0
    bounds: Bounds | None = None  # of density's probabilities; None in files of earlier versions

    @property
    def of_batches(self) -> bool:
        """Whether what one document gets depends on the others."""
        return scoring.Rule.of(self).of_batches

    def decide(self, scores: Floats, probabilities: Floats, *, ties_by_score: bool = True) -> Longs:
        """0/1, documents x labels, by any rule but the model's own: see `scoring.rules.Rule`."""
        return scoring.Rule.of(self).decide(scores, probabilities, ties_by_score=ties_by_score)


def fit_rule(
    rule: Rule,
    scores: Floats,
    truth: Any,
    *,
    multilabel: bool,
    by: Measure,
    labels: Any = None,
    draws: int = 200,
    seed: int = 0,
) -> Decision:
    """The rule, fitted on out-of-fold scores: documents x labels, and the truth beside them."""
    if rule.name in BY_THRESHOLD:
        thresholds = fit_thresholds(scores, truth, **goal_of(rule, by), labels=labels, draws=draws, random_state=seed)
        return Decision(rule.name, multilabel, cuts=thresholds)
    if rule.name == "pcut":
        return Decision("pcut", multilabel, proportions=label_shares(truth))
    if rule.name == "density":
        members = truth if multilabel else columns_of_rows(truth)
        density = DensityEstimation(random_state=seed).fit(scores, members)
        bounds = Bounds.of_neighbours(density.k_, exclusive=not multilabel)
        return Decision("density", multilabel, density=density, labels=scores.shape[1], bounds=bounds)
    return Decision(rule.name, multilabel, k=int(rule.number or 1))


def label_shares(truth: Any) -> Floats:
    """The share of documents that have each label. truth: documents x labels, sparse, of 0 and 1."""
    shares: Floats = np.asarray(truth.sum(axis=0), dtype=np.float64).ravel() / max(truth.shape[0], 1)
    return shares


def goal_of(rule: Rule, by: Measure) -> dict[str, Any]:
    """What a rule of thresholds asks of each label, as `fit_thresholds` takes it."""
    bounds = {"precision": Precision, "recall": Recall}
    goal: Any = scut_goal(by) if rule.name == "scut" else bounds[rule.name](float(rule.number or 0))
    return {"by": goal, "beta": beta_of(by)}


def scut_goal(by: Measure) -> str:
    """Which thresholds serve a measure: those of the best micro average, or of each label's best F."""
    return "micro_f" if by.name.startswith("micro") else "f"


def beta_of(by: Measure) -> float:
    """The beta of an F measure; 1 for others."""
    number = by.name.rsplit("F", 1)[-1] if "F" in by.name else ""
    return float(number) if number.replace(".", "", 1).isdigit() else 1.0


# -- a rule with its calibration


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
    members: Any = truth[known] if multilabel else columns_of_rows(truth[known])
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
    if rule.name in BY_THRESHOLD:
        rankings = rank_documents(scores, truth, unknown)
        settings: dict[str, Any] = {"by": by, "labels": labels, "draws": draws, "seed": seed}
        return fit_threshold_decider(
            rule, rankings, calibrated=calibrated, multilabel=multilabel, joint=joint, **settings
        )
    known, prior = ~unknown, label_shares(truth)
    if rule.name == "pcut":
        scores = np.where(known[:, None], scores, -np.inf)
    elif known.any():
        scores, truth = scores[known], truth[known]
    decision = fit_rule(rule, scores, truth, multilabel=multilabel, by=by, labels=labels, draws=draws, seed=seed)
    return FittedDecider(decision, calibrated, joint, prior, lowest_scores(scores) if multilabel else None)


def rank_documents(scores: Floats, truth: Any, unknown: Bools) -> Rankings:
    """The documents of every label by score; those without a known word last."""
    return Rankings.of(np.where(unknown[:, None], -np.inf, scores), truth)


def fit_threshold_decider(
    rule: Rule,
    rankings: Rankings,
    *,
    calibrated: Calibrated | None,
    multilabel: bool,
    joint: bool,
    by: Measure,
    labels: Any = None,
    draws: int = 200,
    seed: int = 0,
) -> FittedDecider:
    """The same for a rule of thresholds, of documents in order (`rank_documents`)."""
    thresholds = fit_ranked(rankings, **goal_of(rule, by), labels=labels, draws=draws, random_state=seed)
    prior = rankings.positives / max(rankings.n_documents, 1)
    unknown = rankings.candidates.lowest if multilabel else None
    return FittedDecider(Decision(rule.name, multilabel, cuts=thresholds), calibrated, joint, prior, unknown)


def lowest_scores(scores: Floats) -> Floats:
    """The lowest score that documents have, a label each: it passes no threshold."""
    lowest: Floats = np.where(np.isfinite(scores), scores, np.inf).min(axis=0, initial=np.inf)
    return np.where(np.isfinite(lowest), lowest, 0.0)
