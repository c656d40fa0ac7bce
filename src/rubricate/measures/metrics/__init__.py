"""Metrics: how good decisions, rankings and probabilities are. Arrays in, numbers out.

By position the order is (decisions, truth), the other way round than scikit-learn's (y_true, y_pred): precision and recall would
change places. Keywords say which is which, and every metric takes them:

    precision(y_true=truth, y_pred=decisions)    average_precision(y_true=truth, y_score=scores)
    brier(y_true=truth, y_proba=probabilities)   measure("microF1")(y_true=truth, y_pred=decisions)

    contingency, precision, recall, f_beta          decisions on one label, or on each                       001 sec. 5
    micro_macro                                     the same over all labels                                 004 sec. 6
    accuracy, error, exact_match, confusion         one label a document, or all of a document's             000, 004
    average_precision, r_precision, precision_at    rankings                                                 001 sec. 5
    break_even, break_even_over                     precision where it equals recall                         002, 003 sec. 4
    shuffled                                        what chance would get                                    003 sec. 5.2
    log_loss, brier, calibration_error, reliability probabilities
    abstention                                      accuracy on the part that is answered
    measure                                         any of them by name: "microF1", "AP", "P@10"

Truth is a 0/1 table documents x labels, dense or sparse; or one label's, one-dimensional, and the answer is one number. What
is undefined (0/0) is nan. Scores equal to 12 decimals are tied.
"""

from __future__ import annotations

from ..inputs import indicator
from .accuracy import Confusion, accuracy, confusion, error, exact_match, subset_accuracy
from .break_even import BreakEven, Shuffled, break_even, break_even_over, pooled_break_even, shuffled
from .contingency import Contingency, MicroMacro, contingency, f_beta, micro_macro, precision, recall
from .names import MEASURES, Measure, measure
from .probabilities import AbstentionCurve, Reliability, abstention, brier, calibration_error, log_loss, reliability
from .ranking import average_precision, precision_at, r_precision

__all__ = [
    "MEASURES",
    "AbstentionCurve",
    "BreakEven",
    "Confusion",
    "Contingency",
    "Measure",
    "MicroMacro",
    "Reliability",
    "Shuffled",
    "abstention",
    "accuracy",
    "average_precision",
    "break_even",
    "break_even_over",
    "brier",
    "calibration_error",
    "confusion",
    "contingency",
    "error",
    "exact_match",
    "f_beta",
    "indicator",
    "log_loss",
    "measure",
    "micro_macro",
    "pooled_break_even",
    "precision",
    "precision_at",
    "r_precision",
    "recall",
    "reliability",
    "shuffled",
    "subset_accuracy",
]
