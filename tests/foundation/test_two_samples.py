"""Two samples: tests that hold their level and agree with other people's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubricate.foundation.two_samples import detectable, mean_p, share_p, shares_p


@pytest.mark.parametrize(
    ("hits", "n", "other_hits", "m"),
    [
        (0, 5, 0, 3),
        (0, 10, 10, 10),
        (3, 10, 1, 7),
        (120, 1000, 19, 100),
        (1, 1, 0, 1),
        (5000, 20000, 61, 300),
        (7, 9, 2, 40),
    ],
)
def test_the_test_of_a_share_is_fishers(hits: int, n: int, other_hits: int, m: int) -> None:
    expected = stats.fisher_exact([[hits, n - hits], [other_hits, m - other_hits]]).pvalue
    assert share_p(hits, n, other_hits, m) == pytest.approx(expected, rel=1e-6)


def test_a_share_of_millions_is_tested_without_overflow() -> None:
    assert share_p(1_000_000, 4_000_000, 250_000, 1_000_000) == pytest.approx(1.0)
    assert 0 <= share_p(1_000_000, 4_000_000, 260_000, 1_000_000) < 1e-50


def test_permuted_tests_are_near_those_of_large_samples() -> None:
    rng = np.random.default_rng(0)
    values = (np.arange(40) + 0.5) / 40
    first, second = rng.beta(2, 3, 800), rng.beta(2, 3, 500) + 0.02
    bins = [np.bincount(np.minimum((40 * sample).astype(int), 39), minlength=40) for sample in (first, second)]
    difference = float(bins[1] @ values / 500 - bins[0] @ values / 800)
    p = mean_p(bins[0], bins[1], values, difference=difference)
    welch = stats.ttest_ind(np.repeat(values, bins[0]), np.repeat(values, bins[1]), equal_var=False).pvalue
    assert p == pytest.approx(welch, abs=0.03)
    counts, others = np.array([300, 200, 100, 0]), np.array([80, 70, 50, 0])
    assert shares_p(counts, others) == pytest.approx(stats.chi2_contingency([counts[:3], others[:3]])[1], abs=0.03)


def test_the_level_is_held_with_three_documents_and_rare_values() -> None:
    """Where the normal approximation would call one document in a rare bin a change one time in seven."""
    rng = np.random.default_rng(1)
    values = np.array([0.0, 1.0])
    alarms = 0
    for _ in range(200):
        reference, new = rng.multinomial(200, [0.95, 0.05]), rng.multinomial(3, [0.95, 0.05])
        difference = float(new @ values / 3 - reference @ values / 200)
        alarms += mean_p(reference, new, values, difference=difference) <= 0.05
    assert alarms <= 20  # 10 expected at most, if the level is 5 %


def test_wider_draws_are_less_often_exceeded() -> None:
    counts, others = np.array([300, 200]), np.array([50, 55])
    assert shares_p(counts, others, widen=1.5) > shares_p(counts, others)


def test_a_detectable_difference_is_shown_four_times_out_of_five() -> None:
    rng, n, m, share = np.random.default_rng(2), 2000, 500, 0.2
    higher = share + detectable(share * (1 - share), n, m, level=0.05)
    shown = [share_p(rng.binomial(n, share), n, rng.binomial(m, higher), m) <= 0.05 for _ in range(400)]
    assert 0.7 < np.mean(shown) < 0.87
