"""How many documents it would take: «about N more documents would be needed» to tell two systems apart.

The difference seen is taken to be the true one, which it is not: read N as an order of magnitude.
Sources: Connor (1987) for two systems right or wrong on the same documents; otherwise the normal law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

from ...errors import InvalidSetting
from .outcome import check_share
from .paired_tests import whole_number


@dataclass(frozen=True, slots=True)
class Needed:
    """Documents in all, and how many more than there are; inf where no number would do, nan where nothing is known."""

    total: float
    more: float

    def __str__(self) -> str:
        if math.isnan(self.more):
            return "how many more documents would be needed cannot be told: the difference is undefined"
        if math.isinf(self.more):
            return "no number of documents would tell them apart: there is no difference"
        if self.more <= 0:
            return "no more documents are needed"
        digits = 10 ** max(0, len(str(int(self.more))) - 2)
        return f"about {math.ceil(self.more / digits) * digits:,} more documents would be needed"


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
