"""The first part of the page: the summary in plain words, the measures of the whole, and the table of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import SHOWN, Evaluation, LabelRow
from ..sentences import learned_before, remarks
from .blocks import Column, Section, grid, more, note, said, table
from .html import count, name, percent, percent_range
from .plots import interval_bar

if TYPE_CHECKING:
    from ...measures.significance import Interval

__all__ = ["labels", "overall", "summary"]

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
    "subset": ("Exactly right", "documents whose labels are all right, none missing, none too many"),
    "microP": ("Precision", "of all labels given, those that are right"),
    "microR": ("Recall", "of all labels you gave, those that were found"),
    "microF1": ("F1", "precision and recall in one number; every decision counts alike"),
    "macroP": ("Precision, mean of labels", "every label counts alike, however rare"),
    "macroR": ("Recall, mean of labels", "every label counts alike, however rare"),
    "macroF1": ("F1, mean of labels", "every label counts alike, however rare"),
    "error": ("Error", "wrong decisions among all, one for each document and label"),
}


def summary(found: Evaluation) -> Section:
    """The numbers a person asks for first, and the sentences."""
    cards = [
        f'<div class="card"><p class="big">{percent(own.value)}</p><p>{SHORT[key]}</p>'
        f'{interval_bar(own.value, own.low, own.high)}<p class="soft">{percent_range(own.low, own.high)} is likely</p></div>'
        for key, own in found.overall.items()
        if key in SHORT and (key != "macroR" or not found.several) and own.value == own.value
    ]
    rows = "".join(f"<li>{said(parts)}</li>" for parts in remarks(found))
    likely = (
        f"«Likely» means: in {percent(found.level)} of 100 such tests the range drawn would hold the true value. It is about "
        "documents like the ones tested here, and promises nothing for documents of another kind."
    )
    no_test = "".join(f"<p><strong>{said(parts)}</strong></p>" for parts in learned_before(found))
    body = no_test + grid(cards, "cards") + f'<ul class="said">{rows}</ul>' + note(likely)
    return Section("summary", "In plain words", body)


def overall(found: Evaluation) -> Section:
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
            percent(own.value, digits(own)),
            percent_range(own.low, own.high, digits(own)),
            interval_bar(own.value, own.low, own.high),
        ]
        for key, own in found.overall.items()
    ]
    about = table(f"Measured on {count(found.documents)} documents", columns, rows, "overall")
    unmet = (
        f" {count(found.unmet)} labels that no document here has or was given are left out of means of labels."
        if found.unmet
        else ""
    )
    under = (
        "The dot is what was measured; the bar around it is the range in which the true value probably lies. A longer bar means "
        f"fewer documents to judge by.{unmet}"
    )
    return Section("overall", "All labels together", about + note(under))


def digits(value: Interval) -> int:
    """Decimals of a percentage: shares that are hardly there get one more."""
    return 1 if value.value >= 0.01 else 2


def labels(found: Evaluation) -> Section:
    """The table of labels: the largest at once, others to unfold, and how many are left out."""
    rows = [row for row in found.shown() if row.met]
    left = sum(row.met for row in found.labels) - len(rows)
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
            " Ranking: how well the label's documents stand above all others before any cut is made (average precision); 100 is "
            "a perfect order."
        )
    about += (
        f" The table shows the {SHOWN} labels that most documents have or were given; {count(left)} smaller ones are left out "
        "here and are in the JSON."
        if left
        else ""
    )
    return Section("labels", "Label by label", body + note(about))


def label_table(caption: str, rows: Sequence[LabelRow]) -> str:
    """Some rows of it."""
    ranked = any(row.average_precision == row.average_precision for row in rows)
    columns = [
        Column("Label", kind="labelcell"),
        Column("yours", kind="n"),
        Column("given", kind="n"),
        Column("right", kind="n"),
        Column("Precision", "%", kind="iv"),
        Column("Recall", "%", kind="iv"),
        Column("F1", "%", kind="iv"),
    ]
    columns += [Column("Ranking", "%", kind="n")] if ranked else []
    cells = []
    for row in rows:
        own = [name(row.label, 60), count(row.documents), count(row.assigned), count(row.right)]
        own += [with_bar(value) for value in (row.precision, row.recall, row.f1)]
        cells.append([*own, percent(row.average_precision)] if ranked else own)
    return table(caption, columns, cells, "labels")


def with_bar(value: Interval) -> str:
    """A number and its bar."""
    return f"<span>{percent(value.value)}</span>{interval_bar(value.value, value.low, value.high)}"
