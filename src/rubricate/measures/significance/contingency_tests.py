"""Tests of counts: how often two systems are right.

    chi_square    two systems judged on different documents, or as 004 did, each on its own    right and wrong of each
    mcnemar       two systems judged on the same documents                                      only the documents they split on

    cohens_h, odds_ratio    how large a difference is, apart from how sure it is

Sources: 004 sec. 7; Cohen (1988); McNemar (1947); mid-p after Fagerland, Lydersen & Laake (2013), who find it neither as timid
as the exact test nor as bold as the asymptotic one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import bdtrc, chdtrc

from ...errors import InvalidSetting, UnknownName
from .outcome import Outcome, check_alternative
from .paired_tests import binomial_tail, whole_number

METHODS = ("mid-p", "exact", "asymptotic")


def chi_square(table: Any, *, yates: bool = True) -> Outcome:
    """Chi-square of a 2x2 table [[right_1, wrong_1], [right_2, wrong_2]], one degree of freedom:             [004 sec. 7.1]

    n (|ad - bc| - n/2)^2 / [(a+b)(c+d)(a+c)(b+d)],  the bracket at least 0; without Yates' correction n (ad - bc)^2 / ...

    Undefined (nan) where a margin is 0. 004's 3.8 % is with the correction (readings 004.9). effect: Cohen's h of the shares.
    """
    cells = np.asarray(table, dtype=np.float64)
    if cells.shape != (2, 2):
        raise InvalidSetting(f"a table of shape {cells.shape}: give two rows (systems) of two counts (right, wrong)")
    if not (cells >= 0).all():
        raise InvalidSetting(f"the table {cells.tolist()}: counts are at least 0")
    rows, columns, n = cells.sum(axis=1), cells.sum(axis=0), float(cells.sum())
    margins = float(np.prod(rows) * np.prod(columns))
    statistic = p = math.nan
    if margins > 0:
        apart = abs(float(cells[0, 0] * cells[1, 1] - cells[0, 1] * cells[1, 0]))
        statistic = n * max(0.0, apart - n / 2 if yates else apart) ** 2 / margins
        p = float(chdtrc(1, statistic))
    return Outcome(
        test="chi-square with Yates' correction" if yates else "chi-square",
        statistic=statistic,
        p=p,
        n=round(n),
        effect=cohens_h(cells[0, 0] / rows[0], cells[1, 0] / rows[1]) if rows.all() else math.nan,
        effect_of="Cohen's h",
    )


def mcnemar(a_right: Any, b_right: Any, *, method: str = "mid-p", alternative: str = "two-sided") -> Outcome:
    """McNemar's test: of two 0/1 lists (which documents each system got right), or of two counts (only a right, only b right).

    exact:       sign test of the documents on which exactly one is right
    mid-p:       the same with half the probability of the count found
    asymptotic:  (b - c)^2 / (b + c) as chi-square with one degree of freedom, no correction for continuity; two-sided only

    n = the number of these documents; statistic = those only a got right (asymptotic: the chi-square). effect: the odds ratio
    b / c.
    """
    check_alternative(alternative)
    if method not in METHODS:
        raise UnknownName("method", str(method), METHODS)
    if np.ndim(a_right) == 0 and np.ndim(b_right) == 0:
        only_a, only_b = whole_number("only a right", a_right), whole_number("only b right", b_right)
    else:
        only_a, only_b = split_on(a_right, b_right)
    n = only_a + only_b
    statistic = float(only_a)
    if method == "asymptotic":
        if alternative != "two-sided":
            raise InvalidSetting(
                f'alternative="{alternative}": the asymptotic test is two-sided; take "mid-p" or "exact"'
            )
        statistic = (only_a - only_b) ** 2 / n if n else 0.0
        p = float(chdtrc(1, statistic))
    else:
        p = binomial_tail(only_a, n, alternative) if method == "exact" else mid_p(only_a, n, alternative)
    return Outcome(
        test=f"McNemar ({method})",
        statistic=statistic,
        p=p,
        n=n,
        alternative=alternative,
        effect=only_a / only_b if only_b else (math.inf if only_a else math.nan),
        effect_of="odds ratio",
    )


def mid_p(k: int, n: int, alternative: str) -> float:
    """Tails with half of P(B = k), B binomial with n and 1/2; two-sided is twice the smaller tail."""

    def beyond_or_half(k: int) -> float:
        at_least = float(bdtrc(k - 1, n, 0.5)) if k > 0 else 1.0
        beyond = float(bdtrc(k, n, 0.5)) if k < n else 0.0
        return (at_least + beyond) / 2

    greater, less = beyond_or_half(k), beyond_or_half(n - k)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


def split_on(a_right: Any, b_right: Any) -> tuple[int, int]:
    first, second = np.asarray(a_right), np.asarray(b_right)
    if first.ndim != 1 or first.shape != second.shape:
        raise InvalidSetting(
            f"lists of shape {first.shape} and {second.shape}: give two 0/1 lists over the same documents"
        )
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise InvalidSetting("right or wrong is told by 1 and 0 (or True and False): other values were found")
    first, second = first.astype(bool), second.astype(bool)
    return int((first & ~second).sum()), int((~first & second).sum())


def cohens_h(share_a: float, share_b: float) -> float:
    """2 asin sqrt(share_a) - 2 asin sqrt(share_b): 0.2 is small, 0.5 medium, 0.8 large (Cohen 1988, ch. 6)."""
    for share in (share_a, share_b):
        if not 0 <= share <= 1:
            raise InvalidSetting(f"a share of {share}: give numbers from 0 to 1")
    return 2 * math.asin(math.sqrt(share_a)) - 2 * math.asin(math.sqrt(share_b))


def odds_ratio(table: Any) -> float:
    """ad / bc of a 2x2 table [[a, b], [c, d]]; inf where bc is 0, undefined where both products are."""
    cells = np.asarray(table, dtype=np.float64)
    if cells.shape != (2, 2) or not (cells >= 0).all():
        raise InvalidSetting(f"a table of shape {cells.shape}: give two rows of two counts")
    product, other = float(cells[0, 0] * cells[1, 1]), float(cells[0, 1] * cells[1, 0])
    if other == 0:
        return math.inf if product > 0 else math.nan
    return product / other
