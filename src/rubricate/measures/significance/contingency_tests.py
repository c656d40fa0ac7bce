"""Tests of counts: how often two systems are right.

    chi_square    two systems judged on different documents, or as 004 did, each on its own    right and wrong of each
    mcnemar       two systems judged on the same documents                                      only the documents they split on

    cohens_h, odds_ratio    how large a difference is, apart from how sure it is
    documents_needed        «about N more documents would be needed»: the difference seen is taken to be the true one, which it
                            is not; read N as an order of magnitude

Sources: 004 sec. 7; Cohen (1988); McNemar (1947); mid-p after Fagerland, Lydersen & Laake (2013), who find it neither as timid
as the exact test nor as bold as the asymptotic one; Connor (1987) for documents needed, otherwise the normal law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtrc, chdtrc, ndtri

from ...errors import InvalidSetting, UnknownName
from ...foundation.share_text import more_documents
from .outcome import Outcome, by_alternative, check_alternative, check_share
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
        difference = abs(float(cells[0, 0] * cells[1, 1] - cells[0, 1] * cells[1, 0]))
        statistic = n * max(0.0, difference - n / 2 if yates else difference) ** 2 / margins
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

    return by_alternative(beyond_or_half(k), beyond_or_half(n - k), alternative)


def split_on(a_right: Any, b_right: Any) -> tuple[int, int]:
    first, second = np.asarray(a_right), np.asarray(b_right)
    if first.ndim != 1 or first.shape != second.shape:
        raise InvalidSetting(
            f"lists of shape {first.shape} and {second.shape}: give two 0/1 lists over the same documents"
        )
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise InvalidSetting("right or wrong is told by 1 and 0 (or True and False): other values were found")
    return int((first > second).sum()), int((first < second).sum())


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


# -- how many documents it would take


@dataclass(frozen=True, slots=True)
class Needed:
    """Documents in all, and how many more than there are; inf where no number would do, nan where nothing is known."""

    total: float
    more: float

    def __str__(self) -> str:
        return more_documents(self.more)


def documents_needed(only_a: int, only_b: int, n_documents: int, *, level: float = 0.05, power: float = 0.8) -> Needed:
    """For McNemar's two-sided test at `level` to find, with the chance `power`, the difference seen on n documents:

    N = [z(1 - level/2) sqrt(psi) + z(power) sqrt(psi - delta^2)]^2 / delta^2           (Connor 1987, Biometrics 43, 207-211)

    psi = (only_a + only_b) / n, delta = (only_a - only_b) / n: the documents that only a, and only b, got right.
    """
    only_a, only_b = whole_number("only_a", only_a), whole_number("only_b", only_b)
    if n_documents < max(1, only_a + only_b):
        raise InvalidSetting(f"n_documents={n_documents}, of which {only_a} + {only_b} are split: give all documents")
    z, z_power = quantiles(level, power)
    psi, delta = (only_a + only_b) / n_documents, abs(only_a - only_b) / n_documents
    if delta == 0:
        return Needed(math.inf, math.inf)
    total = ((z * math.sqrt(psi) + z_power * math.sqrt(psi - delta**2)) / delta) ** 2
    return Needed(total, max(0.0, total - n_documents))


def documents_needed_for(
    difference: float, standard_error: float, n_documents: int, *, level: float = 0.05, power: float = 0.8
) -> Needed:
    """The same for any measure, from the standard error that its difference has on n documents:

    N = n [(z(1 - level/2) + z(power)) standard_error / difference]^2

    since a standard error falls with the root of n. `randomisation(...).spread` is such a standard error.
    """
    if not (standard_error >= 0 and n_documents >= 1):
        raise InvalidSetting(
            f"standard_error={standard_error}, n_documents={n_documents}: give at least 0 and at least 1"
        )
    z, z_power = quantiles(level, power)
    if math.isnan(difference):
        return Needed(math.nan, math.nan)
    if difference == 0:
        return Needed(math.inf, math.inf)
    total = n_documents * ((z + z_power) * standard_error / difference) ** 2
    return Needed(total, max(0.0, total - n_documents))


def quantiles(level: float, power: float) -> tuple[float, float]:
    """Of the normal law, for a two-sided level and a power of at least a half."""
    if not 0.5 <= power < 1:
        raise InvalidSetting(f"power={power}: give a chance of at least 0.5 and below 1")
    return float(ndtri(1 - check_share("level", level) / 2)), float(ndtri(power))
