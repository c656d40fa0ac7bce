"""Evaluation: how good the answers to labelled documents are, overall and label by label, in numbers and in plain words.

    evaluated           truth, decisions, probabilities and scores of the same documents, documents x labels -> Evaluation
    Evaluation          overall, labels, calibration, confusion, coverage, curves, mistakes; as_dict() for JSON, sentences()
    would_more_help     what a learning curve says, also one of losses, which fall (is_loss)
    against_runner_up   what a comparison says
    choice              of a training: the chosen candidate and the runner-up, with a test; said_of_choice() in words

Arrays in, numbers out; measures, intervals, cuts and calibration are those of `metrics`, `significance`, `thresholds` and
`calibration`. `rubricate.evaluation.report` makes a page of it.
"""

from __future__ import annotations

from .choice_sentences import choice, said_of_choice
from .evaluate import evaluated
from .results import SHOWN, Bin, Calibration, Confused, Coverage, Curve, Evaluation, LabelRow, Mistake
from .sentences import Name, against_runner_up, is_loss, sentence, would_more_help

__all__ = [
    "SHOWN",
    "Bin",
    "Calibration",
    "Confused",
    "Coverage",
    "Curve",
    "Evaluation",
    "LabelRow",
    "Mistake",
    "Name",
    "against_runner_up",
    "choice",
    "evaluated",
    "is_loss",
    "said_of_choice",
    "sentence",
    "would_more_help",
]
