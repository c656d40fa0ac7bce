"""Thresholds: from scores to decisions. Arrays in, thresholds or 0/1 out; scores are documents x labels, in if score > threshold.

    scut                            a threshold a label with the highest F_beta                            [001 sec. 3.4]
    micro_thresholds                those with the highest micro F_beta of all labels together (scut: the highest macro)
    fit_thresholds -> Thresholds    the same with goals (FBeta, Precision, Recall), intervals, and a fallback for rare labels
    f_optimal_threshold             from probabilities, with no truth at hand; f_optimal_set: the best set of few documents
    pcut, rcut, top_one             a share of a batch; the k best labels of a document; the best one      [004 sec. 7.3]
    complement                      yes where a label beats everything else                                [004 sec. 7.3]
    fit_bands -> Bands              two thresholds a label, human review between them
    fit_abstention -> Abstention    documents whose prediction is not certain (top, margin, certainty) are left to human review

Fit thresholds on out-of-fold scores; the papers' own way, training scores, is `source="resubstitution"`.
Earlier names: Cuts, fit_cuts, micro_cuts, f_optimal_cut, Person, fit_person, ToPerson, PERSON.
"""

from __future__ import annotations

from .abstention import ABSTAIN, Abstention, Bands, certainty, fit_abstention, fit_bands, margin, top
from .fitting import Thresholds, fit_thresholds
from .goals import Abstain, FBeta, MicroF, Precision, Recall
from .scut_thresholds import micro_thresholds, scut
from .without_truth import (
    complement,
    expected_f,
    f_optimal_set,
    f_optimal_threshold,
    pcut,
    pcut_counts,
    rcut,
    top_one,
)

__all__ = [
    "ABSTAIN",
    "PERSON",
    "Abstain",
    "Abstention",
    "Bands",
    "Cuts",
    "FBeta",
    "MicroF",
    "Person",
    "Precision",
    "Recall",
    "Thresholds",
    "ToPerson",
    "certainty",
    "complement",
    "expected_f",
    "f_optimal_cut",
    "f_optimal_set",
    "f_optimal_threshold",
    "fit_abstention",
    "fit_bands",
    "fit_cuts",
    "fit_person",
    "fit_thresholds",
    "margin",
    "micro_cuts",
    "micro_thresholds",
    "pcut",
    "pcut_counts",
    "rcut",
    "scut",
    "top",
    "top_one",
]

PERSON = ABSTAIN
Cuts = Thresholds
Person = Abstention
ToPerson = Abstain
f_optimal_cut = f_optimal_threshold
fit_cuts = fit_thresholds
fit_person = fit_abstention
micro_cuts = micro_thresholds
