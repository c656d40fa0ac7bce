"""Thresholds: from scores to decisions. Arrays in, cuts or 0/1 out; scores are documents x labels, in if score > cut.

    scut                            a cut a label with the highest F_beta                                  [001 sec. 3.4]
    micro_cuts                      cuts with the highest micro F_beta of all labels together (scut: the highest macro)
    fit_cuts -> Cuts                the same with goals (FBeta, Precision, Recall), intervals, and a fallback for rare labels
    f_optimal_cut, f_optimal_set    from probabilities, with no truth at hand
    pcut, rcut, top_one             a share of a batch; the k best labels of a document; the best one      [004 sec. 7.3]
    complement                      yes where a label beats everything else                                [004 sec. 7.3]
    fit_bands -> Bands              two cuts a label, a person between them
    fit_person -> Person            documents whose answer is not certain (top, margin, certainty) go to a person

Cuts that are fitted want out-of-fold scores; the papers' own way, training scores, is `source="resubstitution"`.
"""

from __future__ import annotations

from .abstention import Person, certainty, fit_person, margin, top
from .bands import PERSON, Bands, fit_bands
from .expected_f import expected_f, f_optimal_cut, f_optimal_set
from .fitting import fit_cuts
from .goals import FBeta, MicroF, Precision, Recall, ToPerson
from .joint import micro_cuts
from .rcut_pcut import complement, pcut, pcut_counts, rcut, top_one
from .report import Cuts
from .scut_thresholds import scut

__all__ = [
    "PERSON",
    "Bands",
    "Cuts",
    "FBeta",
    "MicroF",
    "Person",
    "Precision",
    "Recall",
    "ToPerson",
    "certainty",
    "complement",
    "expected_f",
    "f_optimal_cut",
    "f_optimal_set",
    "fit_bands",
    "fit_cuts",
    "fit_person",
    "margin",
    "micro_cuts",
    "pcut",
    "pcut_counts",
    "rcut",
    "scut",
    "top",
    "top_one",
]
