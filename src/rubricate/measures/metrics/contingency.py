"""Contingency tables of yes/no decisions, and what follows from them: precision, recall, F, error, of each label and averaged.

                in the class    not in it
put in class         a              b
not put in it        c              d

Averages over labels are micro (all decisions in one table) or macro (each label counts alike). Sources: 001 sec. 5, 004 sec. 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats, Longs
from ..inputs import paired, sklearn_keywords

EMPTY = {"one": 1.0, "zero": 0.0}  # F of a label that no document has or was given


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
        return checked_f(self.a, self.b, self.c, beta, empty)

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


@dataclass(frozen=True, slots=True, eq=False)
class MicroMacro:
    """Precision, recall and F of each label, of all decisions together (micro), and their means over labels (macro)."""

    contingency: Contingency
    precision: Floats  # labels
    recall: Floats
    f: Floats
    micro_precision: float
    micro_recall: float
    micro_f: float
    macro_precision: float
    macro_recall: float
    macro_f: float
    error: float


@sklearn_keywords("y_pred")
def contingency(decisions: Any, truth: Any) -> Contingency:
    """The table of each label. Both are documents x labels of 0 and 1, dense or sparse; or one label's, one-dimensional."""
    decided, true = paired(decisions, truth)
    if sparse.issparse(decided):
        width = decided.shape[1]
        a, assigned, members = (
            np.bincount(table.indices, minlength=width) for table in (decided.multiply(true).tocsr(), decided, true)
        )
    else:
        a, assigned, members = (table.sum(axis=0) for table in (decided & true, decided, true))
    return Contingency(a, assigned - a, members - a, decided.shape[0] - assigned - members + a)


@sklearn_keywords("y_pred")
def precision(decisions: Any, truth: Any) -> Floats:
    """P = a / (a + b) of each label; nan where nothing was put in it.                                       [001 sec. 5]"""
    return contingency(decisions, truth).precision


@sklearn_keywords("y_pred")
def recall(decisions: Any, truth: Any) -> Floats:
    """R = a / (a + c) of each label; nan where it has no members.                                           [001 sec. 5]"""
    return contingency(decisions, truth).recall


@overload
def f_beta(decisions: Any, truth: Any, /, *, beta: float = 1.0, empty: str = "one") -> Floats: ...
@overload
def f_beta(a: Any, b: Any, c: Any, /, beta: float = 1.0, empty: str = "one") -> Floats: ...
@overload
def f_beta(*, y_pred: Any, y_true: Any, beta: float = 1.0, empty: str = "one") -> Floats: ...
@sklearn_keywords("y_pred")
def f_beta(first: Any, second: Any, third: Any = None, /, beta: float = 1.0, empty: str = "one") -> Floats:
    """F_beta = (beta^2 + 1) P R / (beta^2 P + R) = (beta^2 + 1) a / [(beta^2 + 1) a + b + beta^2 c]         [001 sec. 5]

    f_beta(decisions, truth): of each label. f_beta(a, b, c): of counts, numbers or arrays of them.
    beta below 1 leans to precision, above 1 to recall. empty: what F is where a = b = c = 0, "one" (001's rule) or "zero";
    a = 0 otherwise gives 0.
    """
    if third is None:
        return contingency(first, second).f(beta, empty)
    return checked_f(first, second, third, beta, empty)


@sklearn_keywords("y_pred")
def micro_macro(decisions: Any, truth: Any, *, beta: float = 1.0, empty: str = "one") -> MicroMacro:
    """Both averages of precision, recall and F_beta, and the error, of documents x labels of 0 and 1.       [004 sec. 6]

    micro: from the counts summed over labels. macro: the mean over labels; precision over those that were assigned, recall
    over those with members, since elsewhere they are undefined, but F over all, by the rule `empty` (see `f_beta`).
    error: wrong decisions over all decisions.
    """
    table = contingency(decisions, truth)
    total = table.total
    precision, recall, f = (np.atleast_1d(part) for part in (table.precision, table.recall, table.f(beta, empty)))
    return MicroMacro(
        contingency=table,
        precision=precision,
        recall=recall,
        f=f,
        micro_precision=float(total.precision),
        micro_recall=float(total.recall),
        micro_f=float(total.f(beta, empty)),
        macro_precision=float(mean_of_defined(precision)),
        macro_recall=float(mean_of_defined(recall)),
        macro_f=float(mean_of_defined(f)),
        error=float(total.error),
    )


def checked_f(a: Any, b: Any, c: Any, beta: float, empty: str) -> Floats:
    if not (np.isfinite(beta) and beta >= 0):
        raise InvalidSetting(f"beta={beta}: give a number that is not negative")
    if empty not in EMPTY:
        raise UnknownName("rule for empty labels", empty, EMPTY)
    a, b, c = (np.asarray(count, dtype=np.float64) for count in (a, b, c))
    if not all((count >= 0).all() for count in (a, b, c)):
        raise InvalidSetting("a count is negative or nan: a, b and c count documents")
    return f_of_counts(a, b, c, beta, EMPTY[empty])


def f_of_counts(a: Floats, b: Floats, c: Floats, beta: float, if_empty: float = EMPTY["one"]) -> Floats:
    """The one place where F_beta is computed; see `f_beta`."""
    hits = (beta**2 + 1) * a
    whole = hits + b + beta**2 * c
    values = np.zeros(np.shape(whole))
    np.divide(hits, whole, out=values, where=whole > 0)
    empty = np.equal(whole, 0)
    if empty.any():
        values[empty & np.equal(c, 0)] = if_empty
    return values[()]


def ratio(part: Any, whole: Any) -> Floats:
    """part / whole; nan where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    shares: Floats = np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0)
    return shares[()]


def mean_of_defined(values: Any) -> Any:
    """The mean over the first axis (labels) of those that are not nan; nan if none is. Of several columns (bootstrap draws),
    each column's."""
    values = np.atleast_1d(values)
    defined = ~np.isnan(values)
    if values.ndim == 1:  # numpy sums a row pairwise and columns one after the other: last bits may differ
        return float(values[defined].mean()) if defined.any() else float("nan")
    return ratio(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))
