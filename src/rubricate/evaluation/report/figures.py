"""The figures of the page with what is said under them: ranking, cuts, probabilities, coverage, learning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import Evaluation, is_loss, would_more_help
from . import plots
from .blocks import Column, Section, figure, grid, more, note, said, table
from .html import band, count, name, number, percent, text

__all__ = ["coverage", "cuts", "learning", "precision_recall", "probabilities"]

FIRST = 12  # small figures that are seen without unfolding
FIRST_CUTS = 20
GOALS = {"f": "highest F", "micro_f": "all labels together, highest F", "precision": "precision", "recall": "recall"}


def precision_recall(found: Evaluation) -> Section | None:
    """One small figure a label."""
    if not found.curves:
        return None
    place = {row.label: n for n, row in enumerate(found.shown())}
    curves = sorted(found.curves, key=lambda curve: place[curve.label])
    cells = [figure(plots.precision_recall(curve), "", name(curve.label, 40)) for curve in curves]
    body = grid(cells[:FIRST], "smalls")
    if cells[FIRST:]:
        body += more(f"{count(len(cells) - FIRST)} more labels", grid(cells[FIRST:], "smalls"))
    about = (
        "Across: how many of the label's documents are found (recall, %). Up: how many of those given the label have it "
        "(precision, %). Each label may be read along its line: finding more costs wrong ones. The broken line is what guessing "
        f"would get. {about_ring(found)}"
    )
    return Section("ranking", "Finding more against being right", body + note(about))


def about_ring(found: Evaluation) -> str:
    """What the ring is: a place on the line where a threshold decides, otherwise not always."""
    by_threshold = [curve.by_threshold for curve in found.curves]
    if all(by_threshold):
        return "The ring is where it decides now; moving the threshold moves the ring along the line."
    if not found.several:
        return (
            "The line is what a threshold on the label's probability would get. It has none: each document is given the label "
            "that is best for it. The ring is the recall and precision of these answers, and need not lie on the line."
        )
    whose = "" if not any(by_threshold) else f" Of {count(by_threshold.count(False))} labels here that is so."
    return (
        "The line is what a threshold on the label's score would get. The ring is the recall and precision of the labels that "
        "were given. Where a label is not given by a threshold on its score alone, the ring need not lie on the line; where it "
        f"is, moving the threshold moves the ring along it.{whose}"
    )


def cuts(found: Evaluation, given: Mapping[str, Any]) -> Section:
    """Each label's cut with its interval, and what it promises. given: `Thresholds.as_dict()`."""
    place = {row.label: n for n, row in enumerate(found.shown())}
    order = [n for n, label in enumerate(given["labels"]) if label in place]
    order.sort(key=lambda n: place[given["labels"][n]])
    rows = [Cut.of(given, n) for n in order]
    ends, goals = shared_axis(rows), {row.goal for row in rows}
    aim = f"; goal: {min(goals)}" if len(goals) == 1 else ""
    caption = f"Cuts fitted on {count(given['n_documents'])} documents ({text(given['source'])} scores){aim}"
    body = cut_table(caption, rows[:FIRST_CUTS], ends, len(goals) > 1)
    if rows[FIRST_CUTS:]:
        heading = f"{count(len(rows) - FIRST_CUTS)} more cuts"
        body += more(heading, cut_table(heading, rows[FIRST_CUTS:], ends, len(goals) > 1))
    about = (
        "A document gets a label if its score is above the label's cut. The dot is the cut, the bar the range in which it would "
        "have fallen on other documents of this kind: a long bar is a cut that could as well be elsewhere. «Promises» is what "
        "the cut is expected to reach on new documents; «yours» are the documents it was fitted on."
    )
    return Section("cuts", "Where each label is cut", body + note(about))


def cut_table(caption: str, rows: Sequence[Cut], ends: tuple[float, float], goals: bool) -> str:
    """Some of them; without a column of goals or remarks if there is nothing to tell."""
    remarks = any(row.why for row in rows)
    columns = [
        Column("Label", kind="labelcell"),
        Column("yours", kind="n"),
        Column("cut", kind="n"),
        Column(plots.cut_axis(ends), kind="whiskercell"),
        Column("promises", "%", kind="iv"),
        *([Column("goal")] if goals else []),
        *([Column("to know", kind="why")] if remarks else []),
    ]
    cells = [row.cells(ends) + [row.goal] * goals + [text(row.why)] * remarks for row in rows]
    return table(caption, columns, cells, "cuts")


@dataclass(frozen=True, slots=True)
class Cut:
    """One label's cut, as it is shown."""

    label: str
    positives: int
    value: float
    low: float
    high: float
    promise: tuple[float, float, float]
    goal: str
    why: str

    @classmethod
    def of(cls, given: Mapping[str, Any], n: int) -> Cut:
        """From what `Thresholds.as_dict` gave: null is nan, "inf" infinite."""

        def at(key: str) -> float:
            return float("nan") if given[key][n] is None else float(given[key][n])

        goal = given["goals"][n]
        beta = f"{goal['beta']:g}" if "beta" in goal else ""
        asked = f" of at least {percent(goal['at_least'])} %" if "at_least" in goal else ""
        aim = f"{GOALS[goal['goal']]}{beta}{asked}"
        promise = at("expected"), at("low"), at("high")
        own = given["labels"][n], given["positives"][n]
        return cls(*own, at("cuts"), at("cut_low"), at("cut_high"), promise, aim, given["why"][n])

    def cells(self, ends: tuple[float, float]) -> list[str]:
        """The first five cells of its row."""
        drawn = plots.cut_whisker(self.value, self.low, self.high, ends)
        return [
            name(self.label, 60),
            count(self.positives),
            number(self.value),
            drawn
            or (
                '<span class="soft">never given</span>' if self.value > 0 else '<span class="soft">always given</span>'
            ),
            f"<span>{percent(self.promise[0])}</span>{plots.interval_bar(*self.promise)}",
        ]


def shared_axis(rows: Sequence[Cut]) -> tuple[float, float]:
    """From the lowest to the highest finite cut, and somewhat beyond if intervals reach there."""
    middle, low, high = (
        [value for row in rows if math.isfinite(value := getattr(row, key))] for key in ("value", "low", "high")
    )
    if not middle:
        return 0.0, 1.0
    first, last = min(middle), max(middle)
    room = 0.5 * (last - first) or 0.5
    return max(min([first, *low]), first - room), min(max([last, *high]), last + room)


def probabilities(found: Evaluation) -> Section | None:
    """The reliability diagram and the losses."""
    own = found.calibration
    if own is None:
        return None
    about = (
        "Of everything that was given a probability of, say, 80 %, about 80 % should be true: then the dots lie on the broken "
        "line. Dots below it: it is too sure. Dots above it: it is right more often than it says. Lines through the dots show "
        "how far chance could have moved them."
    )
    what = "each document and label is one question" if found.several else "for each document, the label it chose"
    columns = [Column("Measure"), Column("here", kind="n"), Column("shares alone", kind="n")]
    rows = [
        [
            "Log loss<small>lower is better; heavy on sure mistakes</small>",
            number(own.log_loss),
            number(own.log_loss_of_shares),
        ],
        ["Brier score<small>lower is better; squared distance</small>", number(own.brier), number(own.brier_of_shares)],
        ["Calibration error<small>mean distance from the broken line</small>", number(own.error), ""],
        ["… of labels given<small>the same, of what it gave only</small>", number(own.given_error), ""],
    ]
    losses = table(f"Probabilities: {what}", columns, rows)
    bins = table(
        "The figure in numbers",
        [
            Column("it said, %"),
            Column("were true, %", kind="n"),
            Column("likely range", kind="n"),
            Column("answers", kind="n"),
        ],
        [
            [percent(b.probability, 1), percent(b.share_true, 1), band(b.low, b.high, 1), count(b.count)]
            for b in own.bins
        ],
    )
    shares = "«Shares alone» would give every document the same probabilities: how common each label is."
    body = figure(plots.reliability(own.bins), about) + losses + note(shares) + more("The figure in numbers", bins)
    return Section("probabilities", "What its probabilities are worth", body)


def coverage(found: Evaluation) -> Section | None:
    """What is gained by leaving the uncertain documents to a person."""
    own = found.coverage
    if own is None:
        return None
    columns = [Column("left to a person, %"), Column("answered, %", kind="n"), Column("of these right, %", kind="n")]
    rows = [
        [percent(1 - c, 1), percent(c, 1), percent(a, 1)]
        for c, a in (own.at(s) for s in (1.0, 0.95, 0.9, 0.8, 0.7, 0.5))
    ]
    unlike = [row for n, row in enumerate(rows) if row not in rows[:n]]
    right = "all its labels are right" if found.several else "its label is right"
    about = (
        "From the right to the left, ever more of the least certain documents are left to a person; the line shows how many of "
        f"the others are right (a document is right if {right}). If the line rises to the left, asking a person pays."
    )
    body = figure(plots.coverage_accuracy(own), about) + table("If the least certain go to a person", columns, unlike)
    return Section("person", "Leaving the doubtful to a person", body)


def learning(points: Sequence[Mapping[str, Any]], what: str) -> Section | None:
    """Would more labels help?"""
    points = [with_limits(one) for one in points if one["value"] is not None and math.isfinite(one["value"])]
    if not points:
        return None
    loss = is_loss(what)
    about = (
        "Each dot is the same method trained on so many of your labelled documents. A line that still "
        f"{'falls' if loss else 'rises'} at its right end says that more labelled documents would help; a flat one that they "
        f"would not.{' Of this measure less is better.' if loss else ''}"
    )
    answer = f'<p class="answer">{said(would_more_help(points, measure=what))}</p>'
    drawn = plots.learning_curve(points, what, as_number=plain_number if loss else None)
    return Section("learning", "Would more labels help?", answer + figure(drawn, about))


def plain_number(value: float) -> str:
    """Of a loss, which is no share."""
    return number(value, 4)


def with_limits(one: Mapping[str, Any]) -> dict[str, Any]:
    """A point whose limits are its value where it has none."""
    limits = {key: one.get(key) for key in ("low", "high")}
    known = {key: value for key, value in limits.items() if value is not None and math.isfinite(value)}
    return {"low": one["value"], "high": one["value"]} | known | {"documents": one["documents"], "value": one["value"]}
