"""Tests of paired values: one value of each system a label, a topic or a fold.

    sign_test                how often one is higher                    labels; no assumption about sizes
    wilcoxon                 the same, larger differences count more    labels; symmetric differences
    paired_t_test            the mean difference                        folds; normal differences
    corrected_resampled_t    the same over overlapping training sets    repeated splits, cross-validation

Pairs in which one value is undefined (nan) are left out; values within 1e-12 are equal.
Sources: 001 sec. 8, 002 sec. 4, 003 sec. 5; Wilcoxon (1945); Nadeau & Bengio (2003).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.special import bdtrc, ndtr, stdtr

from ...errors import InvalidSetting
from ...foundation.arrays import Floats
from .outcome import TIE, Outcome, SignOutcome, TOutcome, by_alternative, check_alternative

EXACT_UP_TO = 50  # pairs; 2^50 sign patterns are still counted exactly in floats


class Wins(NamedTuple):
    """In how many pairs the first is higher, lower, equal; in how many one has no value."""

    wins: int
    losses: int
    ties: int
    undefined: int = 0


def wins_losses_ties(a: Any, b: Any) -> Wins:
    """How often a's value is higher than b's, pair by pair."""
    difference, undefined = differences(a, b)
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    return Wins(wins, losses, len(difference) - wins - losses, undefined)


def sign_test(a: Any, b: Any, ties: int = 0, *, alternative: str = "two-sided") -> SignOutcome:
    """The exact sign test: of counts, `sign_test(wins, losses, ties)`, or of two lists of paired values.

    greater:    p = P(B >= wins),  B binomial with n = wins + losses and 1/2                                [001 sec. 8]
    two-sided:  twice the smaller tail, at most 1                                                           [003 sec. 5]

    Ties are dropped (readings 001.16). statistic = wins; effect = Cohen's g, the share of wins - 1/2.
    """
    if np.ndim(a) == 0 and np.ndim(b) == 0:
        result = Wins(whole_number("wins", a), whole_number("losses", b), whole_number("ties", ties))
    else:
        result = wins_losses_ties(a, b)
    n = result.wins + result.losses
    return SignOutcome(
        test="sign test",
        statistic=float(result.wins),
        p=binomial_tail(result.wins, n, alternative),
        n=n,
        alternative=alternative,
        effect=result.wins / n - 0.5 if n else math.nan,
        effect_of="Cohen's g",
        **result._asdict(),
    )


def binomial_tail(k: int, n: int, alternative: str) -> float:
    """P(B >= k), P(B <= k) or twice the smaller of both, B binomial with n and 1/2."""
    check_alternative(alternative)
    above = float(bdtrc(k - 1, n, 0.5)) if k > 0 else 1.0
    below = float(bdtrc(n - k - 1, n, 0.5)) if k < n else 1.0  # with 1/2 both tails are mirror images
    return by_alternative(above, below, alternative)


def wilcoxon(a: Any, b: Any, *, alternative: str = "two-sided") -> Outcome:
    """Wilcoxon's signed-rank test of paired values, such as a measure over labels.

    Equal pairs are dropped (Wilcoxon's own rule); equal sizes of difference share their mean rank. statistic = sum of the ranks
    of pairs in which a is higher. Up to 50 pairs p is exact, shared ranks included: all sign patterns are counted; above, the
    normal approximation without correction for continuity. effect: the matched-pairs rank-biserial correlation,
    (ranks for - ranks against) / all ranks (Kerby 2014).
    """
    check_alternative(alternative)
    difference, _ = differences(a, b)
    difference = difference[difference != 0]
    ranks = shared_ranks(np.abs(difference))
    total, higher = float(ranks.sum()), float(ranks[difference > 0].sum())
    above, below = (exact_tails if len(ranks) <= EXACT_UP_TO else normal_tails)(ranks, higher)
    return Outcome(
        test="Wilcoxon signed-rank test",
        statistic=higher,
        p=by_alternative(above, below, alternative),
        n=len(ranks),
        alternative=alternative,
        effect=(2 * higher - total) / total if total else math.nan,
        effect_of="rank-biserial correlation",
    )


def shared_ranks(sizes: Floats) -> Floats:
    """Ranks from 1, smallest first; sizes equal to 12 decimals share the mean of their ranks."""
    _, which, count = np.unique(sizes.round(12), return_inverse=True, return_counts=True)
    mean: Floats = np.cumsum(count) - (count - 1) / 2
    return mean[which]


def exact_tails(ranks: Floats, higher: float) -> tuple[float, float]:
    """P(W >= higher), P(W <= higher) over all sign patterns, one rank after the other."""
    doubled = np.rint(2 * ranks).astype(np.intp)  # mean ranks are whole or half
    patterns = np.zeros(int(doubled.sum()) + 1)
    patterns[0] = 1.0
    for rank in doubled:
        patterns[rank:] += patterns[:-rank].copy()
    at = round(2 * higher)
    return float(patterns[at:].sum() / patterns.sum()), float(patterns[: at + 1].sum() / patterns.sum())


def normal_tails(ranks: Floats, higher: float) -> tuple[float, float]:
    """The same by the normal law with the mean and variance of W."""
    z = (higher - ranks.sum() / 2) / math.sqrt(float((ranks**2).sum()) / 4)
    return float(ndtr(-z)), float(ndtr(z))


def paired_t_test(a: Any, b: Any, *, alternative: str = "two-sided") -> TOutcome:
    """t = mean(a - b) / (s / sqrt(n)) with n - 1 degrees of freedom.                                        [002 sec. 4]

    All differences zero, or fewer than two pairs: undefined. A constant difference: t = +-inf (readings 002.9).
    effect = mean / s, Cohen's d of the differences. Folds of a cross-validation share training documents, so that this test
    finds too much there; `corrected_resampled_t` allows for it.
    """
    return t_test("paired t-test", a, b, share=0.0, alternative=alternative)


def corrected_resampled_t(a: Any, b: Any, *, n_train: float, n_test: float, alternative: str = "two-sided") -> TOutcome:
    """t = mean(a - b) / (s sqrt(1/n + n_test/n_train)) over n splits into training and test documents, n - 1 degrees of freedom.

    The training sets overlap, so the differences are not independent and s^2 / n is too small a variance (Nadeau & Bengio 2003,
    sec. 3). n_train, n_test: documents of a split, or their shares; for k folds k - 1 and 1.
    """
    if not (n_train > 0 and n_test > 0):
        raise InvalidSetting(f"n_train={n_train}, n_test={n_test}: give two numbers above 0")
    return t_test("corrected resampled t-test", a, b, share=n_test / n_train, alternative=alternative)


def t_test(name: str, a: Any, b: Any, *, share: float, alternative: str) -> TOutcome:
    """mean / (s sqrt(1/n + share)) of the differences."""
    check_alternative(alternative)
    difference, _ = differences(a, b)
    n = len(difference)
    t, effect = math.nan, math.nan
    if n > 1:
        mean = math.fsum(difference) / n
        if np.ptp(difference) <= TIE:
            t = effect = math.copysign(math.inf, mean) if abs(mean) > TIE else math.nan
        else:
            s = math.sqrt(math.fsum((difference - mean) ** 2) / (n - 1))
            t, effect = mean / (s * math.sqrt(1 / n + share)), mean / s
    return TOutcome(
        test=name,
        statistic=t,
        p=student_tail(t, n - 1, alternative),
        n=n,
        alternative=alternative,
        effect=effect,
        effect_of="Cohen's d of the differences",
        df=max(n - 1, 0),
    )


def student_tail(t: float, df: float, alternative: str = "greater") -> float:
    """P(T >= t), P(T <= t) or P(|T| >= |t|) of Student's t; nan where t is undefined."""
    check_alternative(alternative)
    if math.isnan(t):
        return math.nan
    if alternative == "two-sided":
        return 2 * float(stdtr(df, -abs(t)))
    return float(stdtr(df, -t if alternative == "greater" else t))


def differences(a: Any, b: Any) -> tuple[Floats, int]:
    """a - b where both are defined, 0 where they are equal; and in how many pairs one is undefined."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise InvalidSetting(
            f"values of shape {first.shape} and {second.shape}: give two lists of the same length, in pairs"
        )
    defined = ~(np.isnan(first) | np.isnan(second))
    first, second = first[defined], second[defined]
    difference = np.where(first == second, 0.0, first - np.where(first == second, first, second))
    return np.where(np.abs(difference) <= TIE, 0.0, difference), int((~defined).sum())


def whole_number(name: str, value: Any) -> int:
    number = float(value)
    if not (number >= 0 and number == int(number)):
        raise InvalidSetting(f"{name}={value}: give a whole number of at least 0")
    return int(number)
