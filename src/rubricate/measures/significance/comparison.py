"""Several systems on the same documents: which wins on how many labels, by how much overall, and what of it is not chance.

For every pair of systems: wins, losses and ties by label with the sign test (as 001 sec. 8), a randomisation test of the
measure over all labels (documents swapped), both corrected after Holm for the number of pairs, and about how many more documents
it would take where the difference is not significant. Each system has its value with a bootstrap interval.

Tables are rows of text, heading first. They mark with superscript letters the systems that are beaten, and wins as 001 does,
«16 > 4» and «14 >? 6». Sources: 001 table 4; Holm (1979).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.jsonable import jsonable
from ...foundation.two_samples import holm
from ..inputs import as_tables
from ..metrics.contingency import mean_of_defined
from .bootstrap import Interval, Measure, SystemAnswers, bootstrap, system_answers
from .contingency_tests import Needed, documents_needed_for
from .outcome import RandomisationOutcome, SignOutcome, check_alternative, check_share
from .paired_tests import sign_test
from .randomisation import randomisation, randomisation_of_pairs

LETTERS = "abcdefghijklmnoprstuvwxyz"  # those with a superscript form in Unicode (there is no q)
SUPERSCRIPTS = dict(zip(LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
MIRRORED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}  # of a measure of which less is better
UNKNOWN = Needed(math.nan, math.nan)


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
        letters = {system.name: system.letter for system in self.systems}
        rows = [["", "system", self.measure, f"{100 * self.systems[0].overall.level:g} % interval"]]
        for system in self.systems:
            value = f"{system.overall.value:.4f}{superscript(letters[name] for name in system.beats)}"
            limits = f"{system.overall.low:.4f} to {system.overall.high:.4f}"
            rows.append([system.letter, system.name, value, limits])
        return rows

    def wins_table(self) -> list[list[str]]:
        """One row a pair, as 001's: wins by label, with a ? unless the sign test finds a difference; mean over labels; the
        adjusted p of the measure over all labels; what it would take to tell.                            [001 sec. 8]"""
        by_name = {system.name: system for system in self.systems}
        rows = [["pair", "wins", "mean over labels", "p", "needed"]]
        for pair in self.pairs:
            wins = means = ""
            if pair.sign is not None:
                wins = wins_text(pair.sign.wins, pair.sign.losses, significant=pair.sign_adjusted < self.level)
                means = means_text(*(mean_of_defined(by_name[name].by_label) for name in (pair.a, pair.b)), digits=3)
            needed = "" if pair.adjusted < self.level else str(pair.needed)
            rows.append([f"{pair.a} vs. {pair.b}", wins, means, f"{pair.adjusted:.4f}", needed])
        return rows

    def label_table(self, against: str | None = None) -> list[list[str]]:
        """One row a label: the value of each system, with > = < for what it is to the system compared with (the first)."""
        if any(system.by_label is None for system in self.systems):
            raise InvalidSetting(f"{self.measure} has no value by label: compare by another measure, such as F1")
        names = [system.name for system in self.systems]
        if against is not None and against not in names:
            raise UnknownName("system", against, names)
        values = np.array([system.by_label for system in self.systems]).round(12)
        at = 0 if against is None else names.index(against)
        rows = [["label", *names]]
        for label, row in zip(self.labels, values.T.tolist(), strict=True):
            signs = ["" if n == at else sign_of(value, row[at]) for n, value in enumerate(row)]
            marks = [f"{value:.4f} {sign}".rstrip() for value, sign in zip(row, signs, strict=True)]
            rows.append([label, *marks])
        return rows

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("measure", "labels", "level", "documents", "systems", "pairs")
        return {name: jsonable(getattr(self, name)) for name in names}


def compare(
    systems: Mapping[str, Any],
    truth: Any,
    *,
    measure: str | Measure = "F1",
    labels: Sequence[str] | None = None,
    against: str | None = None,
    alternative: str = "two-sided",
    level: float = 0.05,
    draws: int = 10_000,
    interval_draws: int = 1000,
    random_state: int = 0,
) -> Comparison:
    """Compare the answers of two systems or more: decisions, scores or probabilities, as the measure needs.

    measure: a name ("F1" is the mean over labels, "microF1" all decisions together), or any function of (values, truth), with a
    method `per_label` if labels are to be counted. labels: their names, in the order of the columns. against: the one system
    that the others are compared with; all pairs if None. alternative: "greater" asks only whether the others are better than
    `against`, as 001 did. level: of significance, of all pairs together.

    A measure of rankings that is a mean over labels is tested by swapping labels rather than documents, since the scores of two
    systems do not belong in one ranking.
    """
    names = list(systems)
    couples = couples_of(names, against, alternative)
    check_share("level", level)
    answers = system_answers(measure, list(systems.values()), truth)
    by_label = values_by_label(answers)
    up = 1 if getattr(answers.function, "higher_is_better", True) else -1
    over_labels = swaps_labels(answers, by_label)
    settings: dict[str, Any] = {"draws": draws, "random_state": random_state}
    settings["alternative"] = alternative if up > 0 else MIRRORED[alternative]

    def test(a: int, b: int) -> RandomisationOutcome:
        if over_labels:
            return randomisation_of_pairs(by_label[a], by_label[b], **settings)
        return randomisation(answers.function, answers.answers[a], answers.answers[b], answers.truth, **settings)

    def test_signs(a: int, b: int) -> SignOutcome | None:
        return sign_test(up * by_label[a], up * by_label[b], alternative=alternative) if by_label else None

    tests, signs = [test(a, b) for a, b in couples], [test_signs(a, b) for a, b in couples]
    adjusted = holm([outcome.p for outcome in tests])
    sign_adjusted = holm([math.nan if outcome is None else outcome.p for outcome in signs])
    pairs = tuple(
        Pair(
            names[a],
            names[b],
            sign=signs[n],
            sign_adjusted=float(sign_adjusted[n]),
            test=tests[n],
            adjusted=float(adjusted[n]),
            better=None if not adjusted[n] < level else names[a if up * tests[n].statistic > 0 else b],
            needed=UNKNOWN if over_labels else needed(tests[n], answers.n_documents, level),
        )
        for n, (a, b) in enumerate(couples)
    )
    compared = tuple(
        System(
            name,
            LETTERS[n],
            bootstrap(answers.function, system, answers.truth, draws=interval_draws, random_state=random_state),
            by_label[n] if by_label else None,
            beats=tuple(pair.b if pair.better == pair.a else pair.a for pair in pairs if pair.better == name),
        )
        for n, (name, system) in enumerate(zip(names, answers.answers, strict=True))
    )
    label_names = named_labels(answers.names if labels is None else labels, by_label)
    measure_name = str(getattr(answers.function, "name", measure))
    return Comparison(measure_name, label_names, compared, pairs, level, answers.n_documents)


def couples_of(names: list[str], against: str | None, alternative: str) -> list[tuple[int, int]]:
    """The places of the systems in each pair: all pairs, or each with the one that is compared with."""
    if not 2 <= len(names) <= len(LETTERS):
        raise InvalidSetting(f"{len(names)} systems: give from 2 to {len(LETTERS)}")
    if check_alternative(alternative) != "two-sided" and against is None:
        raise InvalidSetting(f'alternative="{alternative}": name the system that is compared with by against=')
    if against is None:
        return list(combinations(range(len(names)), 2))
    if against not in names:
        raise UnknownName("system", against, names)
    return [(n, names.index(against)) for n, name in enumerate(names) if name != against]


def values_by_label(answers: SystemAnswers) -> list[Floats]:
    if getattr(answers.function, "each", answers.function) is None or not hasattr(answers.function, "per_label"):
        return []
    *tables, truth = as_tables(*answers.answers, answers.truth)[0]
    return [np.asarray(answers.function.per_label(table, truth), dtype=np.float64) for table in tables]


def swaps_labels(answers: SystemAnswers, by_label: list[Floats]) -> bool:
    """Whether this is a measure of rankings, and the mean over labels."""
    if getattr(answers.function, "needs", "") != "scores" or not by_label:
        return False
    means = [mean_of_defined(values) for values in by_label]
    return bool(np.allclose(means, answers.values(), rtol=0, atol=1e-12, equal_nan=True))


def needed(test: RandomisationOutcome, n_documents: int, level: float) -> Needed:
    return documents_needed_for(test.statistic, test.spread, n_documents, level=level)


def named_labels(labels: Sequence[Any] | None, by_label: list[Floats]) -> tuple[str, ...]:
    width = len(by_label[0]) if by_label else 0
    if labels is not None and by_label and len(labels) != width:
        raise InvalidSetting(f"{len(labels)} names for {width} labels: give one a column")
    return tuple(map(str, range(width) if labels is None else labels))


def superscript(letters: Iterable[str]) -> str:
    """ᵃᵇ for a and b."""
    return "".join(SUPERSCRIPTS[letter] for letter in sorted(letters))


def sign_of(a: float, b: float) -> str:
    """>, = or <; nothing where one is undefined."""
    return ">" if a > b else "<" if a < b else "=" if a == b else ""


def wins_text(wins: int, losses: int, *, significant: bool) -> str:
    """Wins against losses with a ? unless one is significantly more than the other: 16 > 4, 14 >? 6, 10 =? 10.  [001 sec. 8]"""
    return f"{wins} {sign_of(wins, losses)}{'' if significant else '?'} {losses}"


marked = wins_text  # its name before


def means_text(a: float, b: float, *, digits: int = 2) -> str:
    """Two means as 001 prints them: (.45 > .33).                                                            [001 sec. 8]"""
    text_a, text_b = (f"{value:.{digits}f}".removeprefix("0") for value in (a, b))
    return f"({text_a} {sign_of(a, b)} {text_b})"
