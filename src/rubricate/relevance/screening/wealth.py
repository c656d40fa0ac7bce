"""How many relevant documents can be left: a bet against each possible number, and a statement that holds at every look.

Draw t is made at random from a pool of m_t documents, all that had neither been judged nor proposed; a_t relevant ones are
outside the pool. If the pile has R relevant documents in all, the draw is relevant with probability p = (R - a_t) / m_t,
whatever chose the documents outside. Before it is shown, a stake c_t from 0 to 1 is fixed and stored. The wealth of a bet
that R is too many:

    W_0(R) = 1,   W_t(R) = W_{t-1}(R) c_t                        if draw t is relevant
                  W_t(R) = W_{t-1}(R) (1 - c_t p) / (1 - p)      if it is not; without bound if p >= 1: R cannot be

If R is the truth, a factor has mean p c + (1 - p)(1 - c p) / (1 - p) = 1 given all that went before, so the wealth ever
reaches 1/alpha with probability alpha at most (Ville's inequality), however often one looks. And it grows with R: a wealth
that refutes the first total with which the recall would be below the target refutes all larger ones, so one wealth serves all
targets and all looks. Nothing is taken for granted about ranking, scores, batches, or when a person looks or stops.

What is not judged counts as relevant, as a draw and outside a pool: that only lowers the wealth, so nothing has to wait.
Learns from: draws and their stakes. Source: not in the papers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats

ROUNDING = 1e-12  # of a logarithm of the wealth


@dataclass(frozen=True, slots=True)
class StakedDraw:
    """A document drawn at random from `pool` documents; `outside` relevant ones are elsewhere in the pile. stake: fixed
    before."""

    relevant: bool
    pool: int
    outside: int
    stake: float

    def __post_init__(self) -> None:
        if self.pool < 1 or self.outside < 0 or not 0 <= self.stake <= 1:
            what = (
                f"a draw from {self.pool} documents with {self.outside} relevant elsewhere, at a stake of {self.stake}"
            )
            raise InvalidSetting(f"{what}: cannot be")


class Wealth:
    """The wealth of a bet against each total, after each draw."""

    def __init__(self, draws: Iterable[StakedDraw] = ()) -> None:
        rows = [(draw.relevant, draw.pool, draw.outside, draw.stake) for draw in draws]
        table = np.array(rows, dtype=np.float64).reshape(-1, 4)
        self._relevant, self._pool, self._outside, self._stake = table[:, 0] > 0, *table.T[1:]
        self.draws, self.hits = len(table), int(self._relevant.sum())

    def log_path(self, total: int) -> Floats:
        """log W_s(total) after each draw, the first being W_0 = 1."""
        p = np.maximum((total - self._outside) / self._pool, 0.0)
        impossible = ~self._relevant & (p >= 1)
        with np.errstate(divide="ignore"):
            lost = np.log(self._stake)  # -inf where all was staked
        p = np.where(self._relevant | impossible, 0.0, p)
        steps = np.where(self._relevant, lost, np.log1p(-self._stake * p) - np.log1p(-p))
        path = np.concatenate([[0.0], np.cumsum(steps)])
        if impossible.any():  # and stays so, whatever was lost before
            path[int(impossible.argmax()) + 1 :] = np.inf
        return path

    def highest(self, total: int) -> float:
        """The highest log W_s(total) so far."""
        return float(self.log_path(total).max())

    def refutes(self, total: int, *, level: float) -> bool:
        """Whether so many relevant documents can be ruled out."""
        return self.highest(total) >= -math.log1p(-level) - ROUNDING

    def most(self, *, found: int, judged: int, n_documents: int, level: float) -> int:
        """The most relevant documents that the pile can have, by bisection: larger totals are refuted."""
        low, high = found, found + n_documents - judged
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (low, middle - 1) if self.refutes(middle, level=level) else (middle, high)
        return low


def first_bad_total(found: int, target: float) -> int:
    """The smallest number of relevant documents with which `found` of them are a recall below the target."""
    return math.floor(found / target + 1e-9) + 1


def reaches_target(wealth: Wealth, *, found: int, judged: int, n_documents: int, target: float, level: float) -> bool:
    """Whether the recall is at least the target: a lower one is refuted, or more relevant documents than there can be."""
    bad = first_bad_total(found, target)
    return bad > n_documents - (judged - found) or wealth.refutes(bad, level=level)


def draws_to_go(log_wealth: float, *, hidden: int, unjudged: int, stake: float, level: float) -> int:
    """How many draws in a row, none of them relevant, refute that `hidden` relevant documents are left."""
    draws = 0
    while log_wealth < -math.log1p(-level) - ROUNDING and draws < unjudged:
        p = hidden / (unjudged - draws)
        draws += 1
        if p >= 1:
            break
        log_wealth += math.log1p(-stake * p) - math.log1p(-p)
    return draws
