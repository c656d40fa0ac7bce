"""An evaluation in plain words, for a person who knows the documents and no statistics.

A sentence is a row of parts; labels (and systems) in it are `Name`s, so that a page can set them apart. `sentence` joins them.
Rules of thumb, all stated here: labels with fewer than FEW documents are not judged one by one; probabilities are believed if
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

FEW = 10
NEAR = 0.03
WEAK_SHOWN = 3
LITTLE = "hardly more than chance: more of the same documents would help little, if at all."
ANSWERED = 0.9  # share of documents that is answered where a person takes the rest


class Name(str):
    """A label or a system inside a sentence."""

    __slots__ = ()


Parts = tuple[str, ...]


def sentence(parts: Parts) -> str:
    """The parts in one row, names in quotation marks."""
    return "".join(f"«{part}»" if isinstance(part, Name) else part for part in parts)


def summary(evaluation: Evaluation) -> list[Parts]:
    """All sentences that apply."""
    return learned_documents(evaluation) + correct_of_100(evaluation) + remarks(evaluation)


def learned_documents(evaluation: Evaluation) -> list[Parts]:
    """Documents that are no test, since the model was trained on them."""
    learned, documents = evaluation.learned, evaluation.documents
    if not learned:
        return []
    were = f"{learned:,} of the {number_of(documents, 'document')} {verb(learned, 'was', 'were')} learned by this model"
    what = "these figures say" if 2 * learned > documents else "the figures of these say"
    return [(f"{were}: {what} nothing about new documents.",)]


def remarks(evaluation: Evaluation) -> list[Parts]:
    """All but those that say how many of a hundred are right, and whether that is a test at all."""
    sentences = [
        *totals(evaluation),
        *undecided_documents(evaluation),
        *weak_labels(evaluation),
        *rare_labels(evaluation),
        *commonest_confusion(evaluation),
    ]
    if evaluation.calibration is not None:
        sentences += calibration_verdict(evaluation.calibration)
    return sentences + review_gain(evaluation)


def correct_of_100(evaluation: Evaluation) -> list[Parts]:
    """How many of a hundred documents, or labels, are right."""
    documents, hits = evaluation.documents, sum(row.right for row in evaluation.labels)
    if not evaluation.several:
        return [(f"Of 100 documents it files {likely_range(evaluation.overall['accuracy'], documents, 'as you did')}",)]
    precision, recall, exact = (evaluation.overall[name] for name in ("microP", "microR", "subset"))
    sentences: list[Parts] = []
    if not math.isnan(precision.value):
        assigned = round(hits / precision.value) if hits else 0
        sentences.append((f"Of 100 labels that it gives, {likely_range(precision, assigned, 'are right')}",))
    if not math.isnan(recall.value):
        true = round(hits / recall.value) if hits else 0
        sentences.append((f"Of 100 labels that you gave, it finds {likely_range(recall, true)}",))
    exactly = likely_range(exact, documents, "get exactly your labels, no more and no fewer")
    return [*sentences, (f"Of 100 documents, {exactly}",)]


def totals(evaluation: Evaluation) -> list[Parts]:
    """What to compare the shares with: the class-prior baseline, or errors in all."""
    if not evaluation.several:
        chance = of_100(evaluation.commonest)
        return [(f"Giving every document the commonest label would be right for {chance} of 100.",)]
    missed = sum(row.documents - row.right for row in evaluation.labels)
    wrong = sum(row.assigned - row.right for row in evaluation.labels)
    return [(f"In all it missed {number_of(missed, 'label')} and gave {wrong:,} wrongly.",)]


def likely_range(value: Interval, n: int, what: str = "") -> str:
    """88 as you did; between 86 and 90 is likely. n: how many there are; said where nearly all are right, or hardly any."""
    low, high = round(100 * value.low), round(100 * value.high)
    low = min(low, 99) if value.low < 1 else low  # no range says all where it is not all, nor none
    high = max(high, 1) if value.high > 0 else high
    between = f"between {low} and {high} is likely" if low < high else "the likely range is narrower than 1 in 100"
    hundredths = of_100(value.value)
    exactly = f" ({round(value.value * n):,} of {n:,})" if n and not hundredths.isdigit() else ""
    return f"{hundredths}{f' {what}' if what else ''}{exactly}; {between}."


def undecided_documents(evaluation: Evaluation) -> list[Parts]:
    """Documents without an answer."""
    n = evaluation.undecided
    return (
        [(f"{n:,} of {number_of(evaluation.documents, 'document')} {verb(n, 'was', 'were')} given no label at all.",)]
        if n
        else []
    )


def weak_labels(evaluation: Evaluation) -> list[Parts]:
    """Labels that do clearly worse than the whole."""
    whole = evaluation.overall["microF1" if evaluation.several else "accuracy"].value
    weak = [row for row in evaluation.labels if row.documents >= FEW and row.f1.high < whole]
    if not weak:
        return []
    parts: list[str] = ["Labels to watch: "]
    for place, row in enumerate(sorted(weak, key=lambda row: row.f1.value)[:WEAK_SHOWN]):
        parts += ["; " if place else "", Name(row.label), f" ({found_and_given(row)})"]
    rest = len(weak) - WEAK_SHOWN
    parts.append(f"; and {rest:,} more that do clearly worse than the whole." if rest > 0 else ".")
    return [tuple(parts)]


def found_and_given(row: LabelRow) -> str:
    """12 of 40 found, 12 of 30 given are right."""
    given = (
        f"{row.right:,} of {row.assigned:,} given {verb(row.right, 'is', 'are')} right"
        if row.assigned
        else "never given"
    )
    return f"{row.right:,} of {row.documents:,} found, {given}"


def rare_labels(evaluation: Evaluation) -> list[Parts]:
    """Labels of which little can be said."""
    few, unmet = sum(row.met and row.documents < FEW for row in evaluation.labels), evaluation.unmet
    labels = number_of(len(evaluation.labels), "label")
    sentences: list[Parts] = []
    if few:
        sentences.append(
            (f"{few:,} of {labels} {verb(few, 'has', 'have')} fewer than {FEW} documents here: too few to judge.",)
        )
    if unmet:
        do = verb(unmet, "does", "do")
        sentences.append((f"{number_of(unmet, 'label')} {do} not occur here at all: nothing is known of them.",))
    return sentences


def commonest_confusion(evaluation: Evaluation) -> list[Parts]:
    """The commonest confusion, if it is met more than once."""
    if not evaluation.confusion.instead or evaluation.confusion.instead[0][2] < 2:
        return []
    true, given, times = evaluation.confusion.instead[0]
    what = "The commonest confusion: ", Name(given), " is given instead of ", Name(true)
    return [(*what, f", in {number_of(times, 'document')}.")]


def calibration_verdict(calibration: Calibration) -> list[Parts]:
    """Whether probabilities can be believed."""
    p, correct = calibration.given_probability, calibration.given
    if math.isnan(p):
        return []
    start = f"The labels it gave had a probability of {per_cent(p)} % on average, and {per_cent(correct.value)} % were right: "
    if correct.low <= p <= correct.high or abs(p - correct.value) <= NEAR:
        error = calibration.given_error
        uneven = f", though single ones are off by {100 * error:.0f} points" if error > 0.05 else ""
        return [(f"{start}the probabilities can be taken at their word{uneven}.",)]
    if p > correct.value:
        return [(f"{start}it is surer of itself than it should be.",)]
    return [(f"{start}it is right more often than it says.",)]


def review_gain(evaluation: Evaluation) -> list[Parts]:
    """What is gained by leaving the least certain documents to a person."""
    if evaluation.coverage is None:
        return []
    (share, some), (_, everything) = evaluation.coverage.at(ANSWERED), evaluation.coverage.at(1.0)
    if share > 0.97 or round(100 * some) <= round(100 * everything):
        return []
    reviewed = round(100 * (1 - share))
    start = (
        f"If a person takes the {reviewed} of 100 documents of which it is least certain, {of_100(some)} of 100 of the"
    )
    right = "exactly right" if evaluation.several else "right"
    return [(f"{start} others are {right}, instead of {of_100(everything)}.",)]


def would_more_help(points: Sequence[Mapping[str, Any]], *, measure: str = "") -> Parts:
    """What a learning curve says: rows of documents, value, low, high, by rising number of documents. measure: what the value is;
    losses get better as they fall."""
    if len(points) < 2:
        return ("One point is no curve: whether more labelled documents would help cannot be told.",)
    last = points[-1]
    half = min(points[:-1], key=lambda point: abs(math.log(2 * point["documents"] / last["documents"])))
    if is_loss(measure):
        return loss_curve_sentence(half, last, measure)
    gain = last["value"] - half["value"]
    change = (
        f"From {half['documents']:,} to {last['documents']:,} labelled documents it went from {per_cent(half['value'], 1)} to "
        f"{per_cent(last['value'], 1)}"
    )
    if half["high"] < last["value"] and half["value"] < last["low"]:
        more = f"more labels would help: as many again may bring up to {100 * gain:.1f} points, usually less."
        return (f"{change}, still rising: {more}",)
    if gain > 0:
        return (f"{change}, {LITTLE}",)
    return (f"{change}: more of the same documents would not help.",)


def loss_curve_sentence(half: Mapping[str, Any], last: Mapping[str, Any], measure: str) -> Parts:
    """The same of a loss, which is no share of a hundred."""
    gain = half["value"] - last["value"]
    documents = f"From {half['documents']:,} to {last['documents']:,} labelled documents"
    change = f"{documents} {measure}, of which less is better, went from {half['value']:.4f} to {last['value']:.4f}"
    if half["low"] > last["value"] and half["value"] > last["high"]:
        more = f"more labels would help: as many again may take off up to {gain:.4f}, usually less."
        return (f"{change}, still falling: {more}",)
    if gain > 0:
        return (f"{change}, {LITTLE}",)
    return (f"{change}: more of the same documents would not help.",)


def is_loss(name: str) -> bool:
    """Whether less is better; of what is no measure of ours, such as a caller's function, more is."""
    try:
        return not measure_named(name).higher_is_better
    except (InvalidSetting, UnknownName):
        return False


def against_runner_up(found: Comparison) -> Parts:
    """The best system and the one after it: is the difference more than chance?"""
    sign = 1 if is_loss(found.measure) else -1
    best, second = sorted(found.systems, key=lambda system: sign * system.overall.value)[:2]
    pair = next((pair for pair in found.pairs if {pair.a, pair.b} == {best.name, second.name}), None)
    ahead = abs(best.overall.value - second.overall.value)
    start: Parts = (Name(best.name), " is ahead of ", Name(second.name), f" by {ahead:.4f} in {found.measure}")
    if pair is None:
        return (*start, "; the two were not tested against each other.")
    if pair.better == best.name:
        return (*start, f", and that is more than chance ({p_value(pair.adjusted)}).")
    return (*start, f", which may be chance ({p_value(pair.adjusted)}): {pair.needed}.")


# -- words that follow a number


def number_of(n: int, what: str) -> str:
    """1 document, 2 documents."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def verb(n: int, singular: str, plural: str) -> str:
    """1 was, 2 were."""
    return singular if n == 1 else plural
