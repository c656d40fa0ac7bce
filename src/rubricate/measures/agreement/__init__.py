"""Agreement of people who judged the same documents, and gold labels from what they agree on.

    percent, cohen_kappa, fleiss_kappa, krippendorff_alpha     one number
    interval, report, report_indicators                        with bootstrap intervals over items, overall and by label
    adjudicate                                                 the labels all agree on, and what became of the rest

Judgements are annotators x items, None or nan where somebody did not judge. For several labels a document,
`report_indicators` takes annotators x items x labels of 0 and 1.
"""

from __future__ import annotations

from .adjudication import REASONS, Dropped, Gold, adjudicate
from .coefficients import cohen_kappa, fleiss_kappa, kappa_of_table, krippendorff_alpha, percent
from .summary import Coefficients, Report, interval, report, report_indicators

__all__ = [
    "REASONS",
    "Coefficients",
    "Dropped",
    "Gold",
    "Report",
    "adjudicate",
    "cohen_kappa",
    "fleiss_kappa",
    "interval",
    "kappa_of_table",
    "krippendorff_alpha",
    "percent",
    "report",
    "report_indicators",
]
