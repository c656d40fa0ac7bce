"""The first part of the page: the summary in plain words, the measures of the whole, and the table of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import SHOWN, Evaluation, LabelRow
from ..sentences import learned_documents, remarks
from .html import Column, Section, count, grid, more, name, note, percent, percent_range, sentence_html, table
from .plots import interval_bar

if TYPE_CHECKING:
    from ...measures.significance import Interval

FIRST = 25  # labels that are seen without unfolding
SHORT = {
    "accuracy": "of 100 documents are filed as you did",
    "microP": "of 100 labels it gives are right",
    "microR": "of 100 labels you gave are found",
    "subset": "of 100 documents get exactly your labels",
    "macroR": "of 100 are found if every label counts alike, however rare",
}
ABOUT = {
    "accuracy": ("Accuracy", "documents that got the label you gave"),
    "subset": ("Exact match", "documents whose labels are all correct, none missing, none too many"),
    "microP": ("Precision", "of all labels given, those that are correct"),
    "microR": ("Recall", "of all labels you gave, those that were found"),
    "microF1": ("F1", "precision and recall in one number; every decision counts alike"),
    "macroP": ("Precision, mean of labels", "every label counts alike, however rare"),
    "macroR": ("Recall, mean of labels", "every label counts alike, however rare"),
    "macroF1": ("F1, mean of labels", "every label counts alike, however rare"),
    "error": ("Error", "wrong decisions among all, one for each document and label"),
}


def summary(evaluation: Evaluation) -> Section:
    """The numbers a person asks for first, and the sentences."""
    cards = [
        f'<div class="card"><p class="big">{percent(interval.value)}</p><p>{SHORT[key]}</p>'
        f"{interval_bar(interval.value, interval.low, interval.high)}"
        f'<p class="soft">{percent_range(interval.low, interval.high)} is likely</p></div>'
        for key, interval in evaluation.overall.items()
        if key in SHORT and (key != "macroR" or not evaluation.several) and interval.value == interval.value
    ]
    rows = "".join(f"<li>{sentence_html(parts)}</li>" for parts in remarks(evaluation))
    likely = (
        f"«Likely» means: in {percent(evaluation.level)} of 100 such tests the range drawn would hold the true value. It is "
        "about documents like the ones tested here, and promises nothing for documents of another kind."
    )
    no_test = "".join(f"<p><strong>{sentence_html(parts)}</strong></p>" for parts in learned_documents(evaluation))
    body = no_test + grid(cards, "cards") + f'<ul class="said">{rows}</ul>' + note(likely)
    return Section("summary", "In plain words", body)


def overall(evaluation: Evaluation) -> Section:
    """All measures of the whole."""
    columns = [
        Column("Measure"),
        Column("%", kind="n"),
        Column("likely range", kind="n range"),
        Column("", kind="barcell"),
    ]
    rows = [
        [
            f"{ABOUT[key][0]}<small>{ABOUT[key][1]}</small>",
            percent(interval.value, digits(interval)),
            percent_range(interval.low, interval.high, digits(interval)),
            interval_bar(interval.value, interval.low, interval.high),
        ]
        for key, interval in evaluation.overall.items()
    ]
    about = table(f"Measured on {count(evaluation.documents)} documents", columns, rows, "overall")
    unmet = (
        f" {count(evaluation.unmet)} labels that no document here has or was given are left out of means of labels."
        if evaluation.unmet
        else ""
    )
    under = (
        "The likely range is where the true value probably lies, and drawn as a bar around what was measured; a longer one "
        f"means fewer documents to judge by.{unmet}"
    )
    return Section("overall", "All labels together", about + note(under))


def digits(interval: Interval) -> int:
    """Decimals of a percentage: shares that are hardly there get one more."""
    return 1 if interval.value >= 0.01 else 2


def labels(evaluation: Evaluation) -> Section:
    """The table of labels: the largest at once, others to unfold, and how many are left out."""
    rows = [row for row in evaluation.shown() if row.met]
    omitted = sum(row.met for row in evaluation.labels) - len(rows)
    caption = f"The {count(FIRST)} labels with most documents" if rows[FIRST:] else "Each label"
    body = label_table(caption, rows[:FIRST])
    if rows[FIRST:]:
        heading = f"{count(len(rows) - FIRST)} more labels"
        body += more(heading, label_table(heading, rows[FIRST:]))
    about = (
        "Precision: of the documents that were given the label, how many have it. Recall: of the documents that have it, how "
        "many were found. F1 takes both together. A long bar says that there are too few documents to be sure."
    )
    if any(row.average_precision == row.average_precision for row in rows):
        about += (
            " Ranking: how well the label's documents stand above all others before any threshold is set (average precision); "
            "100 is a perfect order."
        )
    about += (
        f" The table shows the {SHOWN} labels that most documents have or were given; {count(omitted)} smaller ones are left out "
        "here and are in the JSON."
        if omitted
        else ""
    )
    return Section("labels", "Label by label", body + note(about))


def label_table(caption: str, rows: Sequence[LabelRow]) -> str:
    """A table of some labels."""
    ranked = any(row.average_precision == row.average_precision for row in rows)
    columns = [
        Column("Label", kind="labelcell"),
        Column("yours", kind="n"),
        Column("given", kind="n"),
        Column("correct", kind="n"),
        Column("Precision", "%", kind="iv"),
        Column("Recall", "%", kind="iv"),
        Column("F1", "%", kind="iv"),
    ]
    columns += [Column("Ranking", "%", kind="n")] if ranked else []
    cells = []
    for row in rows:
        line = [name(row.label, 60), count(row.documents), count(row.assigned), count(row.right)]
        line += [with_bar(interval) for interval in (row.precision, row.recall, row.f1)]
        cells.append([*line, percent(row.average_precision)] if ranked else line)
    return table(caption, columns, cells, "labels")


def with_bar(value: Interval) -> str:
    """A number and its bar."""
    return f"<span>{percent(value.value)}</span>{interval_bar(value.value, value.low, value.high)}"
