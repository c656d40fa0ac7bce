"""The outcome of a comparison of several systems, and its tables: rows of text, heading first. Computes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.jsonable import jsonable
from ..metrics.averages import mean_of_defined
from .bootstrap import Interval
from .marks import marked, mean_marked, sign_of, superscript
from .outcome import RandomisationOutcome, SignOutcome
from .sample_size import Needed

__all__ = ["Comparison", "Pair", "System"]


@dataclass(frozen=True, slots=True)
class System:
    """One system: its letter, its measure over all labels, of each label (None if the measure has none), and whom it beats."""

    name: str
    letter: str
    overall: Interval
    by_label: Floats | None
    beats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems. `sign` is over labels (None if the measure has no value by label), `test` over all labels at once; their
    adjusted p-values allow for the number of pairs. `better`: the one that is, by the adjusted p of `test`, if one is. `needed`:
    documents to tell them apart; unknown (nan) where labels were swapped."""

    a: str
    b: str
    sign: SignOutcome | None
    sign_adjusted: float
    test: RandomisationOutcome
    adjusted: float
    better: str | None
    needed: Needed


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems and all pairs; the tables are rows of text, heading first."""

    measure: str
    labels: tuple[str, ...]
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    level: float
    documents: int

    def table(self) -> list[list[str]]:
        """One row a system. The superscripts of a value are the letters of the systems it significantly beats."""
        of = {one.name: one.letter for one in self.systems}
        rows = [["", "system", self.measure, f"{100 * self.systems[0].overall.level:g} % interval"]]
        for one in self.systems:
            value = f"{one.overall.value:.4f}{superscript(of[name] for name in one.beats)}"
            rows.append([one.letter, one.name, value, f"{one.overall.low:.4f} to {one.overall.high:.4f}"])
        return rows

    def wins_table(self) -> list[list[str]]:
        """One row a pair, as 001's: wins by label, with a ? unless the sign test finds a difference; mean over labels; the
        adjusted p of the measure over all labels; what it would take to tell.                            [001 sec. 8]"""
        by_name = {one.name: one for one in self.systems}
        rows = [["pair", "wins", "mean over labels", "p", "needed"]]
        for pair in self.pairs:
            wins = means = ""
            if pair.sign is not None:
                wins = marked(pair.sign.wins, pair.sign.losses, significant=pair.sign_adjusted < self.level)
                means = mean_marked(*(mean_of_defined(by_name[name].by_label) for name in (pair.a, pair.b)), digits=3)
            needed = "" if pair.adjusted < self.level else str(pair.needed)
            rows.append([f"{pair.a} vs. {pair.b}", wins, means, f"{pair.adjusted:.4f}", needed])
        return rows

    def label_table(self, against: str | None = None) -> list[list[str]]:
        """One row a label: the value of each system, with > = < for what it is to the system compared with (the first)."""
        if any(one.by_label is None for one in self.systems):
            raise InvalidSetting(f"{self.measure} has no value by label: compare by another measure, such as F1")
        names = [one.name for one in self.systems]
        if against is not None and against not in names:
            raise UnknownName("system", against, names)
        values = np.array([one.by_label for one in self.systems]).round(12)
        at = 0 if against is None else names.index(against)
        rows = [["label", *names]]
        for label, row in zip(self.labels, values.T.tolist(), strict=True):
            signs = ["" if n == at else sign_of(value, row[at]) for n, value in enumerate(row)]
            marks = [f"{value:.4f} {sign}".rstrip() for value, sign in zip(row, signs, strict=True)]
            rows.append([label, *marks])
        return rows

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        systems = [
            {
                "name": one.name,
                "letter": one.letter,
                "overall": one.overall.as_dict(),
                "by_label": jsonable(one.by_label),
                "beats": list(one.beats),
            }
            for one in self.systems
        ]
        pairs = [
            {
                "a": one.a,
                "b": one.b,
                "sign": None if one.sign is None else one.sign.as_dict(),
                "sign_adjusted": jsonable(one.sign_adjusted),
                "test": one.test.as_dict(),
                "adjusted": jsonable(one.adjusted),
                "better": one.better,
                "needed": jsonable({"total": one.needed.total, "more": one.needed.more}),
            }
            for one in self.pairs
        ]
        told = {"measure": self.measure, "labels": list(self.labels), "level": self.level, "documents": self.documents}
        return told | {"systems": systems, "pairs": pairs}
