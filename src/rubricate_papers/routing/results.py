"""What came out, topic by topic, and who wins on how many topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import rubricate as rb

from ..arrays import Floats, Longs
from ..frame import Plan
from .trials import BESIDE, COLLECTIONS, METHODS, Measured, Stream

__all__ = ["ALL", "LEVEL", "Group", "Results", "sure"]

LEVEL = 0.05
FREQUENT = 15  # relevant training documents, below which a topic is looked at apart
ALL = (*METHODS, *BESIDE)


@dataclass(frozen=True, eq=False)
class Group:
    """Topics of a stream that are looked at together."""

    title: str
    stream: int
    topics: Longs


@dataclass(frozen=True, eq=False)
class Results:
    """Measures of each topic by stream, number of added words, and method. whole: the same where all training documents were
    judged; alone: the topics' texts with nothing judged."""

    plan: Plan
    streams: list[Stream]
    found: Mapping[tuple[int, int, str], Measured]
    whole: Mapping[tuple[int, int, str], Measured]
    alone: Mapping[int, Measured]

    @property
    def groups(self) -> list[Group]:
        """Reuters' topics with 15 training stories and more, with fewer, and OHSUMED's."""
        out = []
        for n, own in enumerate(self.streams):
            often = own.relevant >= FREQUENT
            title = COLLECTIONS[own.collection]
            if often.all():
                out.append(Group(title, n, np.flatnonzero(often)))
                continue
            out.append(Group(f"{title}, {FREQUENT} training stories and more", n, np.flatnonzero(often)))
            out.append(Group(f"{title}, fewer", n, np.flatnonzero(~often)))
        return [group for group in out if len(group.topics)]

    @property
    def main(self) -> list[Group]:
        """The groups that are like the paper's topics: with many relevant documents."""
        return [group for group in self.groups if not group.title.endswith("fewer")]

    @property
    def conditions(self) -> list[tuple[Group, int]]:
        """Groups and numbers of words, as in the paper's tables."""
        return [(group, size) for group in self.groups for size in self.plan["words"]]

    def values(self, group: Group, size: int, method: str, measure: str, *, whole: bool = False) -> Floats:
        """A measure of each topic of a group."""
        table = self.whole if whole else self.found
        return table[group.stream, size, method].values[measure][group.topics]

    def against(
        self, group: Group, size: int, one: str, other: str, measure: str, *, whole: bool = False
    ) -> tuple[rb.significance.SignOutcome, float, float]:
        """The paper's comparison: one-tailed sign test over topics, and both means."""
        a, b = (self.values(group, size, method, measure, whole=whole) for method in (one, other))
        return rb.significance.sign_test(a, b, alternative="greater"), float(a.mean()), float(b.mean())


def sure(test: rb.significance.SignOutcome) -> bool:
    """Whether either wins significantly more, one-tailed."""
    return bool(min(test.p, rb.significance.sign_test(test.losses, test.wins, alternative="greater").p) < LEVEL)
