"""What to propose next: ranked documents while ranking finds, then draws at random, at a stake that the past suggests.

That a statement holds is a matter of `wealth` alone; the plan decides what it costs. Its constants lie on a flat optimum over
126 piles of Reuters and OHSUMED. Draws made early prove next to nothing, since each has to tell R from R / target while many
are left; so none are made while ranking finds more than a draw would if the recall were just below the target, or more seem
left than may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from .wealth import Wealth, draws_to_go, first_bad_total

WINDOW = 50  # the last ranked documents that tell how well ranking finds; more where none of more was relevant
SHARE, WEIGHT = (
    0.25,
    200,
)  # before a draw, the rest is guessed to be relevant at this share of the recent precision, worth so many draws
LOWEST, HIGHEST = 0.02, 0.5  # stakes
NEARLY = 0.9


@dataclass(frozen=True, slots=True)
class State:
    """How a screening stands. ranked: whether each ranked document was relevant, in their order; wealth: of the draws so far."""

    ranked: Sequence[bool]
    wealth: Wealth
    found: int
    judged: int
    n_documents: int

    @property
    def unjudged(self) -> int:
        """How many documents of the pile are not judged."""
        return self.n_documents - self.judged

    @property
    def dry_run(self) -> int:
        """How many ranked documents have come since the last relevant one."""
        return sum(1 for _ in takewhile(lambda relevant: not relevant, reversed(self.ranked)))

    @property
    def precision(self) -> float:
        """Of the last ranked documents."""
        window = min(max(WINDOW, self.dry_run), len(self.ranked))
        return (sum(self.ranked[len(self.ranked) - window :]) + 0.5) / (window + 1)

    @property
    def left(self) -> float:
        """A guess of how many relevant documents are left; its error costs work, not truth."""
        wealth = self.wealth
        return self.unjudged * (wealth.hits + SHARE * self.precision * WEIGHT) / (wealth.draws + WEIGHT)

    def hidden(self, target: float) -> int:
        """How many would have to be left for a recall below the target."""
        return first_bad_total(self.found, target) - self.found

    def stake(self, target: float) -> float:
        """The stake of the next draws: the smaller, the fewer seem left beside those that would have to be."""
        return min(max(self.left / self.hidden(target), LOWEST), HIGHEST)

    def ranking_finds(self, target: float) -> bool:
        """Whether ranked documents are worth more than draws."""
        hidden = self.hidden(target)
        if len(self.ranked) < WINDOW or not self.unjudged:
            return True
        return self.precision > hidden / self.unjudged or self.left >= NEARLY * hidden

    def to_go(self, target: float, level: float) -> int:
        """How many draws would settle the target if none of them is relevant."""
        log_wealth = float(self.wealth.log_path(first_bad_total(self.found, target))[-1])
        settings = {"hidden": self.hidden(target), "unjudged": self.unjudged, "stake": self.stake(target)}
        return draws_to_go(log_wealth, level=level, **settings)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Plan:
    """The next batch: so many ranked documents, or so many drawn at random, at this stake."""

    ranked: int
    drawn: int
    stake: float


def plan_batch(state: State, *, batch: int, target: float, level: float) -> Plan:
    """What to propose next; never more draws than may settle the target."""
    if state.ranking_finds(target):
        return Plan(batch, 0, state.stake(target))
    return Plan(0, min(batch, max(state.to_go(target, level), 1)), state.stake(target))
