"""Several systems on the same documents: who wins on how many labels, by how much overall, and what of it is not chance.

For every pair of systems: wins, losses and ties by label with the sign test (as 001 sec. 8), a randomisation test of the
measure over all labels (documents swapped), both corrected after Holm for the number of pairs, and about how many more documents
it would take where the difference is not significant. Each system has its value with a bootstrap interval. Source: 001 table 4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ..metrics.averages import mean_of_defined
from .bootstrap import bootstrap
from .comparison import Comparison, Pair, System
from .marks import LETTERS
from .measure_values import Measure, Measured, measured
from .multiple_tests import holm
from .outcome import RandomisationOutcome, SignOutcome, check_alternative, check_share
from .paired_tests import sign_test
from .randomisation import randomisation, randomisation_of_pairs
from .sample_size import Needed, documents_needed_for
from .summed_measures import as_tables

__all__ = ["compare"]

MIRRORED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}  # of a measure of which less is better
UNKNOWN = Needed(math.nan, math.nan)


def compare(
    systems: Mapping[str, Any],
    truth: Any,
    *,
    measure: str | Measure = "F1",
    labels: Sequence[str] | None = None,
    against: str | None = None,
    alternative: str = "two-sided",
    level: float = 0.05,
    draws: int = 10_000,
    interval_draws: int = 1000,
    random_state: int = 0,
) -> Comparison:
    """Compare the answers of two systems or more: decisions, scores or probabilities, as the measure needs.

    measure: a name ("F1" is the mean over labels, "microF1" all decisions together), or any function of (values, truth), with a
    method `per_label` if labels are to be counted. labels: their names, in the order of the columns. against: the one system
    that the others are compared with; all pairs if None. alternative: "greater" asks only whether the others are better than
    `against`, as 001 did. level: of significance, of all pairs together.

    A measure of rankings that is a mean over labels is tested by swapping labels rather than documents, since the scores of two
    systems do not belong in one ranking.
    """
    names = list(systems)
    couples = couples_of(names, against, alternative)
    check_share("level", level)
    given = measured(measure, list(systems.values()), truth)
    by_label = values_by_label(given)
    up = 1 if getattr(given.call, "higher_is_better", True) else -1
    over_labels = swaps_labels(given, by_label)
    setting: dict[str, Any] = {"draws": draws, "random_state": random_state}
    setting["alternative"] = alternative if up > 0 else MIRRORED[alternative]

    def tested(a: int, b: int) -> RandomisationOutcome:
        if over_labels:
            return randomisation_of_pairs(by_label[a], by_label[b], **setting)
        return randomisation(given.call, given.answers[a], given.answers[b], given.truth, **setting)

    def signed(a: int, b: int) -> SignOutcome | None:
        return sign_test(up * by_label[a], up * by_label[b], alternative=alternative) if by_label else None

    tests, signs = [tested(a, b) for a, b in couples], [signed(a, b) for a, b in couples]
    adjusted, sign_adjusted = (
        holm([one.p for one in tests]),
        holm([math.nan if one is None else one.p for one in signs]),
    )
    pairs = tuple(
        Pair(
            names[a],
            names[b],
            sign=signs[n],
            sign_adjusted=float(sign_adjusted[n]),
            test=tests[n],
            adjusted=float(adjusted[n]),
            better=None if not adjusted[n] < level else names[a if up * tests[n].statistic > 0 else b],
            needed=UNKNOWN if over_labels else needed(tests[n], given.n_documents, level),
        )
        for n, (a, b) in enumerate(couples)
    )
    compared = tuple(
        System(
            name,
            LETTERS[n],
            bootstrap(given.call, given.answers[n], given.truth, draws=interval_draws, random_state=random_state),
            by_label[n] if by_label else None,
            beats=tuple(pair.b if pair.better == pair.a else pair.a for pair in pairs if pair.better == name),
        )
        for n, name in enumerate(names)
    )
    shown = shown_labels(given.names if labels is None else labels, by_label)
    return Comparison(str(getattr(given.call, "name", measure)), shown, compared, pairs, level, given.n_documents)


def couples_of(names: list[str], against: str | None, alternative: str) -> list[tuple[int, int]]:
    """The places of the systems in each pair: all pairs, or each with the one that is compared with."""
    if not 2 <= len(names) <= len(LETTERS):
        raise InvalidSetting(f"{len(names)} systems: give from 2 to {len(LETTERS)}")
    if check_alternative(alternative) != "two-sided" and against is None:
        raise InvalidSetting(f'alternative="{alternative}": name the system that is compared with by against=')
    if against is None:
        return list(combinations(range(len(names)), 2))
    if against not in names:
        raise UnknownName("system", against, names)
    return [(n, names.index(against)) for n, name in enumerate(names) if name != against]


def values_by_label(given: Measured) -> list[Floats]:
    """The measure of each label, for each system; nothing if it has none."""
    if getattr(given.call, "each", given.call) is None or not hasattr(given.call, "per_label"):
        return []
    *tables, truth = as_tables([*given.answers, given.truth])[0]
    return [np.asarray(given.call.per_label(one, truth), dtype=np.float64) for one in tables]


def swaps_labels(given: Measured, by_label: list[Floats]) -> bool:
    """Whether this is a measure of rankings, and the mean over labels."""
    if getattr(given.call, "needs", "") != "scores" or not by_label:
        return False
    means = [mean_of_defined(values) for values in by_label]
    return bool(np.allclose(means, given.values(), rtol=0, atol=1e-12, equal_nan=True))


def needed(test: RandomisationOutcome, n_documents: int, level: float) -> Needed:
    """How many documents it would take, the spread over shuffles being the standard error."""
    return documents_needed_for(test.statistic, test.spread, n_documents, level=level)


def shown_labels(labels: Sequence[Any] | None, by_label: list[Floats]) -> tuple[str, ...]:
    """Names of labels: their numbers if none are known."""
    width = len(by_label[0]) if by_label else 0
    if labels is not None and by_label and len(labels) != width:
        raise InvalidSetting(f"{len(labels)} names for {width} labels: give one a column")
    return tuple(map(str, range(width) if labels is None else labels))
