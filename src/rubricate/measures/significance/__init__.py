"""Significance: whether a difference between systems is more than chance.

    sign_test, wilcoxon, paired_t_test, corrected_resampled_t    pairs of values: labels, topics, folds
    chi_square, mcnemar                                          counts of right and wrong
    randomisation, randomisation_of_pairs                        any measure, documents (or values) swapped
    bootstrap, bootstrap_difference                              intervals for any measure
    holm                                                         several tests at once
    cohens_h, odds_ratio                                         how large, apart from how sure
    documents_needed, documents_needed_for                       «about N more documents would be needed»
    compare                                                      several systems at once, as a table

A test gives an `Outcome`: `statistic`, `p`, `n`. n is what the test rests on: ties, and documents on which both systems say
the same, do not count. p is nan where the test is undefined. Alternatives are "two-sided", "greater" (the first is higher)
and "less". A measure is a name of `rubricate.metrics`, or any function of (values, truth).
"""

from __future__ import annotations

from ...foundation.two_samples import holm
from .bootstrap import Interval, bootstrap, bootstrap_difference
from .comparison import Comparison, Pair, System, compare, marked, means_text, superscript, wins_text
from .contingency_tests import (
    Needed,
    chi_square,
    cohens_h,
    documents_needed,
    documents_needed_for,
    mcnemar,
    odds_ratio,
)
from .outcome import ALTERNATIVES, Outcome, RandomisationOutcome, SignOutcome, TOutcome
from .paired_tests import (
    Wins,
    corrected_resampled_t,
    paired_t_test,
    sign_test,
    student_tail,
    wilcoxon,
    wins_losses_ties,
)
from .randomisation import randomisation, randomisation_of_pairs

__all__ = [
    "ALTERNATIVES",
    "Comparison",
    "Interval",
    "Needed",
    "Outcome",
    "Pair",
    "RandomisationOutcome",
    "SignOutcome",
    "System",
    "TOutcome",
    "Wins",
    "bootstrap",
    "bootstrap_difference",
    "chi_square",
    "cohens_h",
    "compare",
    "corrected_resampled_t",
    "documents_needed",
    "documents_needed_for",
    "holm",
    "marked",
    "mcnemar",
    "means_text",
    "odds_ratio",
    "paired_t_test",
    "randomisation",
    "randomisation_of_pairs",
    "sign_test",
    "student_tail",
    "superscript",
    "wilcoxon",
    "wins_losses_ties",
    "wins_text",
]
