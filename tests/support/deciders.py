"""Other calibrations and rules for a classifier of the frozen corpus, without fitting it again."""

from __future__ import annotations

import numpy as np
from scipy import sparse

import frozen
import rubricate as rb
from rubricate.decisions.rules import cross_calibrate, fit_decider, parse_rule
from rubricate.errors import InvalidSetting
from rubricate.measures.metrics import measure
from rubricate.models import MODELS
from rubricate.training.out_of_fold import without_words


def with_decider(fitted: rb.TextClassifier, multilabel: bool, calibrate: str, decide: str) -> rb.TextClassifier | None:
    """The classifier with another calibration and rule, fitted on its scores of the training documents; None where the
    calibration is not for scores such as these, or the model has no rule of its own."""
    model = str(fitted.candidate_.model)
    if decide == "own" and multilabel and MODELS[model].needs_weights:
        return None
    X, truth = fitted._tabulate(frozen.TEXTS), truth_of(fitted, multilabel)
    scores, unknown, joint = fitted.score_table(X), without_words(X), fitted.joint_scores_
    curves = None
    if calibrate != "none":
        folds = np.arange(len(scores)) % 2
        try:
            curves = cross_calibrate(
                scores, truth, unknown, folds, calibrate=calibrate, multilabel=multilabel, joint=joint
            )
        except InvalidSetting:
            return None
    given = parse_rule(decide, multilabel=multilabel)
    by = measure("microF1" if multilabel else "accuracy")
    calibrated = None if curves is None else curves.whole
    decider = fit_decider(
        given, scores, truth, unknown, calibrated=calibrated, multilabel=multilabel, joint=joint, by=by, draws=5
    )
    fitted.decision_, fitted.calibrated_, fitted.unknown_ = decider.decision, decider.calibrated, decider.unknown
    fitted._ids = [f"row-{n}" for n in range(len(scores))] if decide == "density" or "nearest" in model else None
    return fitted


def truth_of(fitted: rb.TextClassifier, multilabel: bool) -> sparse.csr_array:
    names, y = fitted.classes_.tolist(), frozen.labels_in("lists" if multilabel else "one")
    rows = [[int(name in (own if multilabel else [own])) for name in names] for own in y]
    return sparse.csr_array(np.array(rows))
