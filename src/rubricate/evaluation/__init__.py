"""Evaluation: how good the answers to labelled documents are, overall and label by label, in numbers and in plain words.

    evaluate            truth, decisions, probabilities and scores of the same documents, documents x labels -> Evaluation
    Evaluation          overall, labels, calibration, confusion, coverage, curves, mistakes; as_dict() for JSON, sentences()
    would_more_help     what a learning curve says, also one of losses, which fall (is_loss)
    against_runner_up   what a comparison says
    choice              of a training: the chosen candidate and the runner-up, with a test; choice_sentences() in words

Arrays in, numbers out; measures, intervals, thresholds and calibration are those of `metrics`, `significance`, `thresholds` and
`calibration`. `rubricate.report` makes a page of it.
"""

from __future__ import annotations

from ..training.choice_sentences import (
    Name,
    choice,
    choice_sentences,
    is_loss,
    said_of_choice,
    sentence,
    would_more_help,
)
from .evaluate import evaluate, evaluated
from .results import SHOWN, Bin, Calibration, Confused, Coverage, Curve, Evaluation, LabelRow, Mistake
from .sentences import against_runner_up

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
    "choice_sentences",
    "evaluate",
    "evaluated",
    "is_loss",
    "said_of_choice",
    "sentence",
    "would_more_help",
]
