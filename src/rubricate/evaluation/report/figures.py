"""The figures of the page with what is said under them: ranking, thresholds, probabilities, coverage, learning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import Evaluation, is_loss, would_more_help
from . import html, plots

FIRST = 12  # small figures that are seen without unfolding
FIRST_THRESHOLDS = 20
Rows = Sequence[Mapping[str, Any]]
GOALS = {"f": "highest F", "micro_f": "all labels together, highest F", "precision": "precision", "recall": "recall"}


def precision_recall(evaluation: Evaluation) -> html.Section | None:
    if not evaluation.curves:
        return None
    place = {row.label: n for n, row in enumerate(evaluation.shown())}
    curves = sorted(evaluation.curves, key=lambda curve: place[curve.label])
    cells = [html.figure(plots.precision_recall(curve), "", html.name(curve.label, 40)) for curve in curves]
    body = html.first_and_more(cells, FIRST, "labels", lambda some, _: html.grid(some, "smalls"))
    about = (
        "Across: how many of the label's documents are found (recall, %). Up: how many of those given the label have it "
        "(precision, %). Each label may be read along its line: finding more costs wrong ones. The broken line is what guessing "
        f"would get. {about_ring(evaluation)}"
    )
    return html.Section("ranking", "Finding more against being correct", body + html.note(about))


def about_ring(evaluation: Evaluation) -> str:
    """What the ring is: a place on the line where a threshold decides, otherwise not always."""
    by_threshold = [curve.by_threshold for curve in evaluation.curves]
    if all(by_threshold):
        return "The ring is where it decides now; moving the threshold moves the ring along the line."
    if not evaluation.several:
        return (
            "The line is what a threshold on the label's probability would get. It has none: each document is given the label "
            "that is best for it. The ring is the recall and precision of these answers, and need not lie on the line."
        )
    whose = "" if not any(by_threshold) else f" Of {html.count(by_threshold.count(False))} labels here that is so."
    return (
        "The line is what a threshold on the label's score would get. The ring is the recall and precision of the labels that "
        "were given. Where a label is not given by a threshold on its score alone, the ring need not lie on the line; where it "
        f"is, moving the threshold moves the ring along it.{whose}"
    )


def threshold_row(columns: Mapping[str, Any], n: int) -> dict[str, Any]:
    """columns: of `Thresholds.as_dict()`, in which null is nan, "inf" infinite."""
    row = {key: columns[key][n] for key in ("labels", "positives", "goals", "why")}
    for key in ("cuts", "cut_low", "cut_high", "expected", "low", "high"):
        row[key] = math.nan if columns[key][n] is None else float(columns[key][n])
    goal = row["goals"]
    beta = f"{goal['beta']:g}" if "beta" in goal else ""
    bound = f" of at least {html.percent(goal['at_least'])} %" if "at_least" in goal else ""
    return row | {"goal": f"{GOALS[goal['goal']]}{beta}{bound}"}


def thresholds(evaluation: Evaluation, columns: Mapping[str, Any]) -> html.Section:
    """Each label's threshold with its interval, and what it promises. columns: of `Thresholds.as_dict()`."""
    place = {row.label: n for n, row in enumerate(evaluation.shown())}
    order = [n for n, label in enumerate(columns["labels"]) if label in place]
    order.sort(key=lambda n: place[columns["labels"][n]])
    rows = [threshold_row(columns, n) for n in order]
    ends, goals = shared_axis(rows), {row["goal"] for row in rows}
    aim = f"; goal: {min(goals)}" if len(goals) == 1 else ""
    caption = f"Thresholds fitted on {html.count(columns['n_documents'])} documents ({html.text(columns['source'])} scores){aim}"

    def some_rows(some: Rows, heading: str) -> str:
        return threshold_table(heading or caption, some, ends, with_goals=len(goals) > 1)

    about = (
        "A document gets a label if its score is above the label's threshold, where yes and no are cut apart. The dot is the "
        "threshold, the bar the range in which it would have fallen on other documents of this kind: a long bar is a threshold "
        "that could as well be elsewhere. «Promises» is what it is expected to reach on new documents; «yours» are the "
        "documents of the label that it was fitted on."
    )
    body = html.first_and_more(rows, FIRST_THRESHOLDS, "thresholds", some_rows)
    return html.Section("thresholds", "The threshold of each label", body + html.note(about))


def threshold_table(caption: str, rows: Rows, ends: tuple[float, float], *, with_goals: bool) -> str:
    """Some of them; without a column of goals or remarks if there is nothing to tell."""
    with_remarks = any(row["why"] for row in rows)
    columns = [html.Column("Label", kind="labelcell"), *html.numeric("yours", "threshold")]
    columns += [html.Column(plots.whisker_axis(ends), kind="whiskercell"), html.Column("promises", "%", kind="iv")]
    columns += [html.Column("goal")] * with_goals + [html.Column("to know", kind="why")] * with_remarks
    cells = []
    for row in rows:
        value, expected = row["cuts"], row["expected"]
        whisker = plots.whisker(value, row["cut_low"], row["cut_high"], ends)
        whisker = whisker or f'<span class="soft">{"never" if value > 0 else "always"} given</span>'
        promise = f"<span>{html.percent(expected)}</span>{plots.interval_bar(expected, row['low'], row['high'])}"
        line = [html.name(row["labels"], 60), html.count(row["positives"]), html.number(value), whisker, promise]
        cells.append(line + [row["goal"]] * with_goals + [html.text(row["why"])] * with_remarks)
    return html.table(caption, columns, cells, "thresholds")


def shared_axis(rows: Rows) -> tuple[float, float]:
    """From the lowest to the highest finite threshold, and somewhat beyond if intervals reach there."""
    keys = ("cuts", "cut_low", "cut_high")
    middle, low, high = ([row[key] for row in rows if math.isfinite(row[key])] for key in keys)
    if not middle:
        return 0.0, 1.0
    first, last = min(middle), max(middle)
    room = 0.5 * (last - first) or 0.5
    return max(min([first, *low]), first - room), min(max([last, *high]), last + room)


def probabilities(evaluation: Evaluation) -> html.Section | None:
    calibration = evaluation.calibration
    if calibration is None:
        return None
    about = (
        "Of everything that was given a probability of, say, 80 %, about 80 % should be true: then the dots lie on the broken "
        "line. Dots below it: it is too sure. Dots above it: it is right more often than it says. Lines through the dots show "
        "how far chance could have moved them."
    )
    what = "each document and label is one question" if evaluation.several else "for each document, the label it chose"
    rows: list[tuple[str, str, float, float | None]] = [
        ("Log loss", "lower is better; heavy on sure errors", calibration.log_loss, calibration.log_loss_of_shares),
        ("Brier score", "lower is better; squared distance", calibration.brier, calibration.brier_of_shares),
        ("Calibration error", "mean distance from the broken line", calibration.error, None),
        ("… of labels given", "the same, of what it gave only", calibration.given_error, None),
    ]
    losses = html.table(
        f"Probabilities: {what}",
        [html.Column("Measure"), *html.numeric("here", "shares alone")],
        [
            [
                f"{heading}<small>{about_loss}</small>",
                html.number(loss),
                "" if of_shares is None else html.number(of_shares),
            ]
            for heading, about_loss, loss, of_shares in rows
        ],
    )
    bins = html.table(
        "The figure in numbers",
        [html.Column("it said, %"), *html.numeric("were true, %", "likely range", "answers")],
        [
            [
                html.percent(b.probability, 1),
                html.percent(b.share_true, 1),
                html.percent_range(b.low, b.high, 1),
                html.count(b.count),
            ]
            for b in calibration.bins
        ],
    )
    shares = "«Shares alone» would give every document the same probabilities: how common each label is."
    drawing = html.figure(plots.reliability(calibration.bins), about)
    body = drawing + losses + html.note(shares) + html.more("The figure in numbers", bins)
    return html.Section("probabilities", "What its probabilities are worth", body)


def coverage(evaluation: Evaluation) -> html.Section | None:
    """What is gained by leaving the uncertain documents to a person."""
    curve = evaluation.coverage
    if curve is None:
        return None
    points = [curve.at(share) for share in (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)]
    rows = dict.fromkeys((html.percent(1 - c, 1), html.percent(c, 1), html.percent(a, 1)) for c, a in points)
    columns = [html.Column("left to a person, %"), *html.numeric("answered, %", "of these correct, %")]
    correct = "all its labels are" if evaluation.several else "its label is"
    about = (
        "From the right to the left, ever more of the least certain documents are left to a person; the line shows how many of "
        f"the others are correct (a document is correct if {correct}). If the line rises to the left, asking a person pays."
    )
    body = html.figure(plots.coverage_accuracy(curve), about) + html.table(
        "If the least certain go to a person", columns, rows
    )
    return html.Section("person", "Leaving the doubtful to a person", body)


def learning(points: Rows, what: str) -> html.Section | None:
    points = [with_limits(point) for point in points if point["value"] is not None and math.isfinite(point["value"])]
    if not points:
        return None
    loss = is_loss(what)
    about = (
        "Each dot is the same method trained on so many of your labelled documents. A line that still "
        f"{'falls' if loss else 'rises'} at its right end says that more labelled documents would help; a flat one that they "
        f"would not.{' Of this measure less is better.' if loss else ''}"
    )
    answer = f'<p class="answer">{html.sentence_html(would_more_help(points, measure=what))}</p>'
    drawing = plots.learning_curve(points, what, as_number=(lambda value: html.number(value, 4)) if loss else None)
    return html.Section("learning", "Would more labels help?", answer + html.figure(drawing, about))


def with_limits(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point whose limits are its value where it has none."""
    limits = {key: point.get(key) for key in ("low", "high")}
    known = {key: value for key, value in limits.items() if value is not None and math.isfinite(value)}
    value = point["value"]
    return {"low": value, "high": value} | known | {"documents": point["documents"], "value": value}
