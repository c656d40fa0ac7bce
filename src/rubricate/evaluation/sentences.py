"""An evaluation and a comparison in plain words, for a person who knows no statistics; `training.choice_sentences` has those of
a training's choice, and says what a sentence is.

Rules of thumb, all stated here: labels with fewer than FEW documents are not judged one by one; probabilities are believed if
their mean lies within the interval of what is correct, or no further than NEAR from it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..foundation.share_text import of_100, per_cent
from ..training.choice_sentences import Name, Parts, is_loss, lead, verdict
from .results import Evaluation, LabelRow

if TYPE_CHECKING:
    from ..measures.significance import Comparison, Interval

FEW = 10
NEAR = 0.03
WEAK_SHOWN = 3
ANSWERED = 0.9  # share of documents that is answered where a person takes the rest


def number_of(n: int, what: str) -> str:
    """1 document, 2 documents."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


# -- an evaluation


def summary(evaluation: Evaluation) -> list[Parts]:
    return learned_documents(evaluation) + correct_of_100(evaluation) + remarks(evaluation)


def learned_documents(evaluation: Evaluation) -> list[Parts]:
    """Documents that are no test, since the model was trained on them."""
    learned, documents = evaluation.learned, evaluation.documents
    if not learned:
        return []
    were = f"{learned:,} of the {number_of(documents, 'document')} {'was' if learned == 1 else 'were'} learned by this model"
    what = "these figures say" if 2 * learned > documents else "the figures of these say"
    return [(f"{were}: {what} nothing about new documents.",)]


def correct_of_100(evaluation: Evaluation) -> list[Parts]:
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


def likely_range(value: Interval, n: int, what: str = "") -> str:
    """88 as you did; between 86 and 90 is likely. n: how many there are; stated where nearly all are correct, or hardly any."""
    low, high = round(100 * value.low), round(100 * value.high)
    low = min(low, 99) if value.low < 1 else low  # no range says all where it is not all, nor none
    high = max(high, 1) if value.high > 0 else high
    between = f"between {low} and {high} is likely" if low < high else "the likely range is narrower than 1 in 100"
    hundredths = of_100(value.value)
    exactly = f" ({round(value.value * n):,} of {n:,})" if n and not hundredths.isdigit() else ""
    return f"{hundredths}{f' {what}' if what else ''}{exactly}; {between}."


def remarks(evaluation: Evaluation) -> list[Parts]:
    """All but those that say how many of a hundred are correct, and whether that is a test at all."""
    sentences = [totals(evaluation)]
    if n := evaluation.undecided:
        documents = number_of(evaluation.documents, "document")
        sentences.append((f"{n:,} of {documents} {'was' if n == 1 else 'were'} given no label at all.",))
    return [
        *sentences,
        *weak_labels(evaluation),
        *rare_labels(evaluation),
        *commonest_confusion(evaluation),
        *calibration_verdict(evaluation),
        *review_gain(evaluation),
    ]


def totals(evaluation: Evaluation) -> Parts:
    """What to compare the shares with: the class-prior baseline, or errors in all."""
    if not evaluation.several:
        chance = of_100(evaluation.commonest)
        return (f"Giving every document the commonest label would be right for {chance} of 100.",)
    missed = sum(row.documents - row.right for row in evaluation.labels)
    wrong = sum(row.assigned - row.right for row in evaluation.labels)
    return (f"In all it missed {number_of(missed, 'label')} and gave {wrong:,} wrongly.",)


def weak_labels(evaluation: Evaluation) -> list[Parts]:
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
    correct = f"{row.right:,} of {row.assigned:,} given {'is' if row.right == 1 else 'are'} right"
    return f"{row.right:,} of {row.documents:,} found, {correct if row.assigned else 'never given'}"


def rare_labels(evaluation: Evaluation) -> list[Parts]:
    few, unmet = sum(row.met and row.documents < FEW for row in evaluation.labels), evaluation.unmet
    labels = number_of(len(evaluation.labels), "label")
    has, does = "has" if few == 1 else "have", "does" if unmet == 1 else "do"
    rare: Parts = (f"{few:,} of {labels} {has} fewer than {FEW} documents here: too few to judge.",)
    absent: Parts = (f"{number_of(unmet, 'label')} {does} not occur here at all: nothing is known of them.",)
    return [rare] * (few > 0) + [absent] * (unmet > 0)


def commonest_confusion(evaluation: Evaluation) -> list[Parts]:
    if not evaluation.confusion.instead or evaluation.confusion.instead[0][2] < 2:
        return []
    true, predicted, times = evaluation.confusion.instead[0]
    what = "The commonest confusion: ", Name(predicted), " is given instead of ", Name(true)
    return [(*what, f", in {number_of(times, 'document')}.")]


def calibration_verdict(evaluation: Evaluation) -> list[Parts]:
    calibration = evaluation.calibration
    if calibration is None or math.isnan(calibration.given_probability):
        return []
    p, correct = calibration.given_probability, calibration.given
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
    least_certain = f"the {round(100 * (1 - share))} of 100 documents of which it is least certain"
    correct = "exactly right" if evaluation.several else "right"
    gain = f"{of_100(some)} of 100 of the others are {correct}, instead of {of_100(everything)}"
    return [(f"If a person takes {least_certain}, {gain}.",)]


# -- a comparison


def against_runner_up(found: Comparison) -> Parts:
    """The best system and the one after it: is the difference more than chance?"""
    sign = 1 if is_loss(found.measure) else -1
    best, second = sorted(found.systems, key=lambda system: sign * system.overall.value)[:2]
    pair = next((pair for pair in found.pairs if {pair.a, pair.b} == {best.name, second.name}), None)
    start = lead(best.name, second.name, abs(best.overall.value - second.overall.value), found.measure)
    if pair is None:
        return (*start, "; the two were not tested against each other.")
    return (*start, verdict(pair.adjusted, real=pair.better == best.name, needed=f": {pair.needed}"))
