"""Whether two ways to choose words differ: over folds, over stories, over topics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import rubricate as rb

from ..arrays import Floats
from .newsgroups import FOLDS
from .reuters import Found

__all__ = ["against", "fold_tests"]


def against(one: Found, other: Found, average: str, at: int) -> tuple[float, float, float]:
    """The difference in recall, p of a randomisation test over stories, and p of the sign test over topics, two-sided.

    Swapping what two systems found, story by story, is a test of micro recall; of macro recall, where a story counts for more,
    the fewer its topic has.
    """
    sizes = [own.shape[1] for own in one.hits.values()]
    counts = np.repeat([1 / size for size in sizes], sizes) if average == "macro" else np.ones(sum(sizes))
    a, b = (run.pooled[at] * counts for run in (one, other))
    difference = getattr(one, average)[at] - getattr(other, average)[at]
    by_topic = rb.significance.sign_test(one.recall[:, at], other.recall[:, at]).p
    return float(difference), rb.significance.randomisation_of_pairs(a, b, random_state=0).p, by_topic


def fold_tests(folds: Mapping[str, Floats], n: int) -> tuple[float, float, float]:
    """dKL less MI, and p that it is higher: the paper's test, and the corrected one."""
    a, b = folds["dKL"][:, n], folds["MI"][:, n]
    corrected = rb.significance.corrected_resampled_t(a, b, n_train=FOLDS - 1, n_test=1, alternative="greater")
    return float((a - b).mean()), rb.significance.paired_t_test(a, b, alternative="greater").p, corrected.p
