"""Contingency tables of yes/no decisions, and what is said in them: precision, recall, F, error. Source: 001 sec. 5.

                in the class    not in it
put in class         a              b
not put in it        c              d
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ..inputs import paired

__all__ = ["EMPTY", "Contingency", "contingency", "f_beta", "precision", "ratio", "recall"]

EMPTY = {"one": 1.0, "zero": 0.0}  # F of a label that nobody has and nobody was given


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """The four counts, each one number a label (or one number). Tables of two sets of documents add."""

    a: Longs
    b: Longs
    c: Longs
    d: Longs

    @property
    def precision(self) -> Floats:
        """P = a / (a + b); nan where nothing was put in the class.                                          [001 sec. 5]"""
        return ratio(self.a, np.add(self.a, self.b))

    @property
    def recall(self) -> Floats:
        """R = a / (a + c); nan where the class has no members.                                              [001 sec. 5]"""
        return ratio(self.a, np.add(self.a, self.c))

    def f(self, beta: float = 1.0, empty: str = "one") -> Floats:
        """F_beta of these counts; see `f_beta`."""
        return f_of_counts(self.a, self.b, self.c, beta, empty)

    @property
    def error(self) -> Floats:
        """(b + c) / (a + b + c + d): the share of wrong decisions.                                          [004 sec. 6]"""
        wrong = np.add(self.b, self.c)
        return ratio(wrong, wrong + self.a + self.d)

    @property
    def total(self) -> Contingency:
        """Summed over labels: the table of all decisions.                                                   [004 sec. 6]"""
        return Contingency(*(np.asarray(np.sum(count)) for count in (self.a, self.b, self.c, self.d)))

    def __add__(self, other: Contingency) -> Contingency:
        return Contingency(self.a + other.a, self.b + other.b, self.c + other.c, self.d + other.d)


def contingency(decisions: Any, truth: Any) -> Contingency:
    """The table of each label. Both are documents x labels of 0 and 1, dense or sparse; or one label's, one-dimensional."""
    decided, true = paired(decisions, truth)
    if sparse.issparse(decided):
        width = decided.shape[1]
        a, put, members = (
            np.bincount(table.indices, minlength=width) for table in (decided.multiply(true).tocsr(), decided, true)
        )
    else:
        a, put, members = (table.sum(axis=0) for table in (decided & true, decided, true))
    return Contingency(a, put - a, members - a, decided.shape[0] - put - members + a)


def precision(decisions: Any, truth: Any) -> Floats:
    """P = a / (a + b) of each label; nan where nothing was put in it.                                       [001 sec. 5]"""
    return contingency(decisions, truth).precision


def recall(decisions: Any, truth: Any) -> Floats:
    """R = a / (a + c) of each label; nan where it has no members.                                           [001 sec. 5]"""
    return contingency(decisions, truth).recall


@overload
def f_beta(decisions: Any, truth: Any, /, *, beta: float = 1.0, empty: str = "one") -> Floats: ...
@overload
def f_beta(a: Any, b: Any, c: Any, /, beta: float = 1.0, empty: str = "one") -> Floats: ...
def f_beta(first: Any, second: Any, third: Any = None, /, beta: float = 1.0, empty: str = "one") -> Floats:
    """F_beta = (beta^2 + 1) P R / (beta^2 P + R) = (beta^2 + 1) a / [(beta^2 + 1) a + b + beta^2 c]         [001 sec. 5]

    f_beta(decisions, truth): of each label. f_beta(a, b, c): of counts, numbers or arrays of them.
    beta below 1 leans to precision, above 1 to recall. empty: what F is where a = b = c = 0, "one" (001's rule) or "zero";
    a = 0 otherwise gives 0.
    """
    if third is None:
        return contingency(first, second).f(beta, empty)
    return f_of_counts(first, second, third, beta, empty)


def f_of_counts(a: Any, b: Any, c: Any, beta: float, empty: str) -> Floats:
    """F_beta from the counts of decisions that matter to it."""
    if not (np.isfinite(beta) and beta >= 0):
        raise InvalidSetting(f"beta={beta}: give a number that is not negative")
    if empty not in EMPTY:
        raise UnknownName("rule for empty labels", empty, EMPTY)
    a, b, c = (np.asarray(count, dtype=np.float64) for count in (a, b, c))
    if not all((count >= 0).all() for count in (a, b, c)):
        raise InvalidSetting("a count is negative or nan: a, b and c count documents")
    weighted = (beta**2 + 1) * a
    values = np.nan_to_num(ratio(weighted, weighted + b + beta**2 * c))
    return np.where((a == 0) & (b == 0) & (c == 0), EMPTY[empty], values)[()]


def ratio(part: Any, whole: Any) -> Floats:
    """part / whole; nan where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    shares: Floats = np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0)
    return shares[()]
