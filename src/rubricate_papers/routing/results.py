"""What came out, topic by topic, and who wins on how many topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import rubricate as rb

from ..arrays import Floats, Longs
from ..frame import Plan
from .trials import BESIDE, COLLECTIONS, METHODS, Measures, Stream

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
    pooled: Mapping[tuple[int, int, str], Measures]
    whole: Mapping[tuple[int, int, str], Measures]
    alone: Mapping[int, Measures]

    @property
    def groups(self) -> list[Group]:
        """Reuters' topics with 15 training stories and more, with fewer, and OHSUMED's."""
        out = []
        for n, stream in enumerate(self.streams):
            often = stream.relevant >= FREQUENT
            title = COLLECTIONS[stream.collection]
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
        return [(group, size) for group in self.groups for size in self.plan["words"]]

    def values(self, group: Group, size: int, method: str, measure: str, *, whole: bool = False) -> Floats:
        table = self.whole if whole else self.pooled
        return table[group.stream, size, method].values[measure][group.topics]

    def against(
        self, group: Group, size: int, first: str, second: str, measure: str, *, whole: bool = False
    ) -> tuple[rb.significance.SignOutcome, float, float]:
        a, b = (self.values(group, size, method, measure, whole=whole) for method in (first, second))
        return rb.significance.sign_test(a, b, alternative="greater"), float(a.mean()), float(b.mean())


def significant(test: rb.significance.SignOutcome) -> bool:
    """Whether either wins significantly more, one-tailed."""
    return bool(min(test.p, rb.significance.sign_test(test.losses, test.wins, alternative="greater").p) < LEVEL)
