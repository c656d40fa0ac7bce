"""An evaluation in plain words, for a person who knows the documents and no statistics.

A sentence is a row of parts; labels (and systems) in it are `Name`s, so that a page can set them apart. `sentence` joins them.
Rules of thumb, all stated here: labels with fewer than FEW documents are not judged one by one; probabilities keep their word if
their mean lies within the interval of what was right, or no further than NEAR from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InvalidSetting, UnknownName
from ..foundation.share_text import of_100, p_value, per_cent
from ..measures.metrics import measure as measure_named
from .results import Calibration, Evaluation, LabelRow

if TYPE_CHECKING:
    from ..measures.significance import Comparison, Interval

__all__ = [
    "Name",
    "Parts",
    "against_runner_up",
    "is_loss",
    "learned_before",
    "remarks",
    "sentence",
    "summary",
    "would_more_help",
]

FEW = 10
NEAR = 0.03
WATCHED = 3
LITTLE = "hardly more than chance: more of the same documents would help little, if at all."
LEFT = 0.9  # share of documents that is answered where a person takes the rest


class Name(str):
    """A label or a system inside a sentence."""

    __slots__ = ()


Parts = tuple[str, ...]


def sentence(parts: Parts) -> str:
    """The parts in one row, names in quotation marks."""
    return "".join(f"«{part}»" if isinstance(part, Name) else part for part in parts)


def summary(found: Evaluation) -> list[Parts]:
    """All sentences that apply."""
    return learned_before(found) + right_of_100(found) + remarks(found)


def learned_before(found: Evaluation) -> list[Parts]:
    """Documents that are no test: the model has seen them with their labels."""
    if not found.learned:
        return []
    were = f"{found.learned:,} of the {counted(found.documents, 'document')} {was(found.learned)} learned by this model"
    what = "these figures say" if 2 * found.learned > found.documents else "the figures of these say"
    return [(f"{were}: {what} nothing about new documents.",)]


def remarks(found: Evaluation) -> list[Parts]:
    """All but those that say how many of a hundred are right, and whether that is a test at all."""
    said = [*in_all(found), *left_out(found), *to_watch(found), *too_few(found), *taken_for(found)]
    if found.calibration is not None:
        said += their_word(found.calibration)
    return said + person_helps(found)


def right_of_100(found: Evaluation) -> list[Parts]:
    """How many of a hundred."""
    documents, right = found.documents, sum(row.right for row in found.labels)
    if not found.several:
        return [(f"Of 100 documents it files {likely(found.overall['accuracy'], documents, 'as you did')}",)]
    given, yours, exactly = (found.overall[name] for name in ("microP", "microR", "subset"))
    said: list[Parts] = []
    if not math.isnan(given.value):
        said.append(
            (f"Of 100 labels that it gives, {likely(given, round(right / given.value) if right else 0, 'are right')}",)
        )
    if not math.isnan(yours.value):
        said.append(
            (f"Of 100 labels that you gave, it finds {likely(yours, round(right / yours.value) if right else 0)}",)
        )
    said.append((f"Of 100 documents, {likely(exactly, documents, 'get exactly your labels, no more and no fewer')}",))
    return said


def in_all(found: Evaluation) -> list[Parts]:
    """What the hundreds are to be seen beside."""
    if not found.several:
        chance = of_100(found.commonest)
        return [(f"Giving every document the commonest label would be right for {chance} of 100.",)]
    missed = sum(row.documents - row.right for row in found.labels)
    wrong = sum(row.assigned - row.right for row in found.labels)
    return [(f"In all it missed {counted(missed, 'label')} and gave {wrong:,} wrongly.",)]


def likely(value: Interval, n: int, what: str = "") -> str:
    """88 as you did; between 86 and 90 is likely. n: how many there are; told where nearly all are right, or hardly any."""
    low, high = round(100 * value.low), round(100 * value.high)
    low = min(low, 99) if value.low < 1 else low  # no range says all where it is not all, nor none
    high = max(high, 1) if value.high > 0 else high
    between = f"between {low} and {high} is likely" if low < high else "the likely range is narrower than 1 in 100"
    middle = of_100(value.value)
    exactly = f" ({round(value.value * n):,} of {n:,})" if n and not middle.isdigit() else ""
    return f"{middle}{f' {what}' if what else ''}{exactly}; {between}."


def left_out(found: Evaluation) -> list[Parts]:
    """Documents without an answer."""
    if not found.undecided:
        return []
    return [
        (
            f"{found.undecided:,} of {counted(found.documents, 'document')} {was(found.undecided)} given no label at all.",
        )
    ]


def to_watch(found: Evaluation) -> list[Parts]:
    """Labels that do clearly worse than the whole."""
    whole = found.overall["microF1" if found.several else "accuracy"].value
    weak = [row for row in found.labels if row.documents >= FEW and row.f1.high < whole]
    if not weak:
        return []
    parts: list[str] = ["Labels to watch: "]
    for place, row in enumerate(sorted(weak, key=lambda row: row.f1.value)[:WATCHED]):
        parts += ["; " if place else "", Name(row.label), f" ({finds(row)})"]
    rest = len(weak) - WATCHED
    parts.append(f"; and {rest:,} more that do clearly worse than the whole." if rest > 0 else ".")
    return [tuple(parts)]


def finds(row: LabelRow) -> str:
    """12 of 40 found, 12 of 30 given are right."""
    given = f"{row.right:,} of {row.assigned:,} given {is_or_are(row.right)} right" if row.assigned else "never given"
    return f"{row.right:,} of {row.documents:,} found, {given}"


def too_few(found: Evaluation) -> list[Parts]:
    """Labels of which little can be said."""
    few = sum(row.met and row.documents < FEW for row in found.labels)
    said: list[Parts] = []
    if few:
        said.append(
            (
                f"{few:,} of {counted(len(found.labels), 'label')} {has(few)} fewer than {FEW} documents here: too few to judge.",
            )
        )
    if found.unmet:
        said.append(
            (f"{counted(found.unmet, 'label')} {does(found.unmet)} not occur here at all: nothing is known of them.",)
        )
    return said


def taken_for(found: Evaluation) -> list[Parts]:
    """The commonest confusion, if it is met more than once."""
    if not found.confusion.instead or found.confusion.instead[0][2] < 2:
        return []
    true, given, times = found.confusion.instead[0]
    what = "The commonest confusion: ", Name(given), " is given instead of ", Name(true)
    return [(*what, f", in {counted(times, 'document')}.")]


def their_word(found: Calibration) -> list[Parts]:
    """Whether probabilities can be believed."""
    p, right = found.given_probability, found.given
    if math.isnan(p):
        return []
    start = f"The labels it gave had a probability of {per_cent(p)} % on average, and {per_cent(right.value)} % were right: "
    if right.low <= p <= right.high or abs(p - right.value) <= NEAR:
        uneven = (
            f", though single ones are off by {100 * found.given_error:.0f} points" if found.given_error > 0.05 else ""
        )
        return [(f"{start}the probabilities can be taken at their word{uneven}.",)]
    if p > right.value:
        return [(f"{start}it is surer of itself than it should be.",)]
    return [(f"{start}it is right more often than it says.",)]


def person_helps(found: Evaluation) -> list[Parts]:
    """What is gained by leaving the least certain documents to a person."""
    if found.coverage is None:
        return []
    (share, some), (_, everything) = found.coverage.at(LEFT), found.coverage.at(1.0)
    if share > 0.97 or round(100 * some) <= round(100 * everything):
        return []
    asked = round(100 * (1 - share))
    return [
        (
            f"If a person takes the {asked} of 100 documents of which it is least certain, {of_100(some)} of 100 of the others "
            f"are {'exactly ' if found.several else ''}right, instead of {of_100(everything)}.",
        )
    ]


def would_more_help(points: Sequence[Mapping[str, Any]], *, measure: str = "") -> Parts:
    """What a learning curve says: rows of documents, value, low, high, by rising number of documents. measure: what the value is;
    losses get better as they fall."""
    if len(points) < 2:
        return ("One point is no curve: whether more labelled documents would help cannot be told.",)
    last = points[-1]
    half = min(points[:-1], key=lambda one: abs(math.log(2 * one["documents"] / last["documents"])))
    if is_loss(measure):
        return as_it_falls(half, last, measure)
    gain = last["value"] - half["value"]
    seen = (
        f"From {half['documents']:,} to {last['documents']:,} labelled documents it went from {per_cent(half['value'], 1)} to "
        f"{per_cent(last['value'], 1)}"
    )
    if half["high"] < last["value"] and half["value"] < last["low"]:
        more = f"more labels would help: as many again may bring up to {100 * gain:.1f} points, usually less."
        return (f"{seen}, still rising: {more}",)
    if gain > 0:
        return (f"{seen}, {LITTLE}",)
    return (f"{seen}: more of the same documents would not help.",)


def as_it_falls(half: Mapping[str, Any], last: Mapping[str, Any], measure: str) -> Parts:
    """The same of a loss, which is no share of a hundred."""
    gain = half["value"] - last["value"]
    documents = f"From {half['documents']:,} to {last['documents']:,} labelled documents"
    seen = f"{documents} {measure}, of which less is better, went from {half['value']:.4f} to {last['value']:.4f}"
    if half["low"] > last["value"] and half["value"] > last["high"]:
        more = f"more labels would help: as many again may take off up to {gain:.4f}, usually less."
        return (f"{seen}, still falling: {more}",)
    if gain > 0:
        return (f"{seen}, {LITTLE}",)
    return (f"{seen}: more of the same documents would not help.",)


def is_loss(name: str) -> bool:
    """Whether less is better; of what is no measure of ours, such as a caller's function, more is."""
    try:
        return not measure_named(name).higher_is_better
    except (InvalidSetting, UnknownName):
        return False


def against_runner_up(found: Comparison) -> Parts:
    """The best system and the one after it: is the difference more than chance?"""
    sign = 1 if is_loss(found.measure) else -1
    ordered = sorted(found.systems, key=lambda one: sign * one.overall.value)
    best, second = ordered[0], ordered[1]
    pair = next((one for one in found.pairs if {one.a, one.b} == {best.name, second.name}), None)
    ahead = abs(best.overall.value - second.overall.value)
    start: Parts = (Name(best.name), " is ahead of ", Name(second.name), f" by {ahead:.4f} in {found.measure}")
    if pair is None:
        return (*start, "; the two were not tested against each other.")
    if pair.better == best.name:
        return (*start, f", and that is more than chance ({p_value(pair.adjusted)}).")
    return (*start, f", which may be chance ({p_value(pair.adjusted)}): {pair.needed}.")


# -- words that follow a number


def counted(n: int, what: str) -> str:
    """1 document, 2 documents."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def was(n: int) -> str:
    """Was, were."""
    return "was" if n == 1 else "were"


def is_or_are(n: int) -> str:
    """Is, are."""
    return "is" if n == 1 else "are"


def has(n: int) -> str:
    """Has, have."""
    return "has" if n == 1 else "have"


def does(n: int) -> str:
    """Does, do."""
    return "does" if n == 1 else "do"
