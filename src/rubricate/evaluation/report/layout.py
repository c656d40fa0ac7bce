"""The page as a whole with the part it begins with (summary, measures, table of labels), and the same numbers for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import SHOWN, Evaluation, LabelRow
from ..results import for_json
from ..sentences import learned_documents, remarks
from . import background, confusion, figures, html
from .plots import interval_bar

if TYPE_CHECKING:
    from ...decisions.thresholds import Thresholds
    from ...measures.significance import Comparison, Interval

FIRST = 25  # labels that are seen without unfolding
ALIKE = "every label counts alike, however rare"
ABOUT = {  # heading, explanation, and the words under the number where it is among the first
    "accuracy": ("Accuracy", "documents that got the label you gave", "of 100 documents are filed as you did"),
    "subset": (
        "Exact match",
        "documents whose labels are all correct, none missing, none too many",
        "of 100 documents get exactly your labels",
    ),
    "microP": ("Precision", "of all labels given, those that are correct", "of 100 labels it gives are right"),
    "microR": ("Recall", "of all labels you gave, those that were found", "of 100 labels you gave are found"),
    "microF1": ("F1", "precision and recall in one number; every decision counts alike", ""),
    "macroP": ("Precision, mean of labels", ALIKE, ""),
    "macroR": ("Recall, mean of labels", ALIKE, f"of 100 are found if {ALIKE}"),
    "macroF1": ("F1, mean of labels", ALIKE, ""),
    "error": ("Error", "wrong decisions among all, one for each document and label", ""),
}
Rows = Sequence[Mapping[str, Any]]
Terms = Mapping[str, Sequence[tuple[str, float]]]


def page(
    evaluation: Evaluation,
    *,
    title: str,
    made: Mapping[str, Any] | None = None,
    cuts: Thresholds | None = None,
    top_terms: Terms | None = None,
    errors: Rows | None = None,
    learning_curve: Rows | None = None,
    choice: Mapping[str, Any] | None = None,
    comparison: Comparison | None = None,
    measure: str = "",
) -> str:
    """One HTML page; a part whose input is None leaves no trace. The same input gives the same bytes.

    made: how it was made, name to value; values may be texts, numbers, lists, dictionaries, and lists of rows (dictionaries),
    such as the choices that were tried. cuts: the model's thresholds. top_terms: of each label, the best first. errors:
    dictionaries with id, text, true, given, probability, label, words [(term, contribution to that label)], the worst first;
    see `Evaluation.mistakes`. learning_curve: dictionaries with documents, value, low, high, by rising number of documents;
    measure: what its value is. choice: the chosen candidate beside the runner-up, of `evaluation.choice`. comparison: of
    `significance.compare`.
    """
    sections: list[html.Section | None] = [
        summary(evaluation),
        overall(evaluation),
        labels(evaluation),
        figures.precision_recall(evaluation),
        None if cuts is None else figures.thresholds(evaluation, cuts.as_dict()),
        figures.probabilities(evaluation),
        confusion.confusion(evaluation),
        None if errors is None else confusion.worst_errors(errors, evaluation.wrong),
        figures.coverage(evaluation),
        None if learning_curve is None else figures.learning(learning_curve, measure),
        None if top_terms is None else background.terms(evaluation, top_terms),
        None if choice is None else background.runner_up(choice),
        None if comparison is None else background.other_systems(comparison),
        None if made is None else background.how_made(made),
    ]
    kind = "several labels a document" if evaluation.several else "one label a document"
    return html.html_page(
        [section for section in sections if section is not None],
        title=html.text(title, 200),
        heading=f"<bdi>{html.text(title, 200)}</bdi>",
        kicker="rubricate · report",
        under=f"{html.count(evaluation.documents)} documents, {html.count(len(evaluation.labels))} labels, {kind}",
    )


def numbers(
    evaluation: Evaluation,
    *,
    title: str,
    made: Mapping[str, Any] | None = None,
    cuts: Thresholds | None = None,
    top_terms: Terms | None = None,
    errors: Rows | None = None,
    learning_curve: Rows | None = None,
    choice: Mapping[str, Any] | None = None,
    comparison: Comparison | None = None,
    measure: str = "",
) -> dict[str, Any]:
    """What `page` shows, as strict JSON; parts that are None are left out."""
    parts = {
        "made": made,
        "cuts": None if cuts is None else cuts.as_dict(),
        "top_terms": top_terms,
        "errors": errors,
        "learning_curve": learning_curve,
        "measure": measure or None,
        "choice": choice,
        "comparison": None if comparison is None else comparison.as_dict(),
    }
    values = {key: for_json(value) for key, value in parts.items() if value is not None}
    return {"title": title, "evaluation": evaluation.as_dict(), **values}


def summary(evaluation: Evaluation) -> html.Section:
    """The numbers a person asks for first, and the sentences."""
    cards = [
        f'<div class="card"><p class="big">{html.percent(interval.value)}</p><p>{ABOUT[key][2]}</p>'
        f"{interval_bar(interval.value, interval.low, interval.high)}"
        f'<p class="soft">{html.percent_range(interval.low, interval.high)} is likely</p></div>'
        for key, interval in evaluation.overall.items()
        if ABOUT[key][2] and (key != "macroR" or not evaluation.several) and interval.value == interval.value
    ]
    rows = "".join(f"<li>{html.sentence_html(parts)}</li>" for parts in remarks(evaluation))
    likely = (
        f"«Likely» means: in {html.percent(evaluation.level)} of 100 such tests the range drawn would hold the true value. It is "
        "about documents like the ones tested here, and promises nothing for documents of another kind."
    )
    no_test = "".join(f"<p><strong>{html.sentence_html(parts)}</strong></p>" for parts in learned_documents(evaluation))
    body = no_test + html.grid(cards, "cards") + f'<ul class="said">{rows}</ul>' + html.note(likely)
    return html.Section("summary", "In plain words", body)


def overall(evaluation: Evaluation) -> html.Section:
    columns = [
        html.Column("Measure"),
        *html.numeric("%"),
        html.Column("likely range", kind="n range"),
        html.Column("", kind="barcell"),
    ]
    rows = []
    for key, interval in evaluation.overall.items():
        heading, about, _ = ABOUT[key]
        digits = 1 if interval.value >= 0.01 else 2  # shares that are hardly there get one more
        likely = html.percent_range(interval.low, interval.high, digits)
        bar = interval_bar(interval.value, interval.low, interval.high)
        rows.append([f"{heading}<small>{about}</small>", html.percent(interval.value, digits), likely, bar])
    unmet = f" {html.count(evaluation.unmet)} labels that no document here has or was given are left out of means of labels."
    under = (
        "The likely range is where the true value probably lies, and drawn as a bar around what was measured; a longer one "
        f"means fewer documents to judge by.{unmet if evaluation.unmet else ''}"
    )
    measured = html.table(f"Measured on {html.count(evaluation.documents)} documents", columns, rows, "overall")
    return html.Section("overall", "All labels together", measured + html.note(under))


def labels(evaluation: Evaluation) -> html.Section:
    """The table of labels: the largest at once, others to unfold, and how many are left out."""
    rows = [row for row in evaluation.shown() if row.met]
    omitted = sum(row.met for row in evaluation.labels) - len(rows)
    caption = f"The {html.count(FIRST)} labels with most documents" if rows[FIRST:] else "Each label"
    body = html.first_and_more(rows, FIRST, "labels", lambda some, heading: label_table(heading or caption, some))
    about = (
        "Precision: of the documents that were given the label, how many have it. Recall: of the documents that have it, how "
        "many were found. F1 takes both together. A long bar says that there are too few documents to be sure."
    )
    if is_ranked(rows):
        about += (
            " Ranking: how well the label's documents stand above all others before any threshold is set (average precision); "
            "100 is a perfect order."
        )
    if omitted:
        about += (
            f" The table shows the {SHOWN} labels that most documents have or were given; {html.count(omitted)} smaller ones are "
            "left out here and are in the JSON."
        )
    return html.Section("labels", "Label by label", body + html.note(about))


def is_ranked(rows: Sequence[LabelRow]) -> bool:
    return any(row.average_precision == row.average_precision for row in rows)


def label_table(caption: str, rows: Sequence[LabelRow]) -> str:
    ranked = is_ranked(rows)
    columns = [html.Column("Label", kind="labelcell"), *html.numeric("yours", "given", "correct")]
    columns += [html.Column(heading, "%", kind="iv") for heading in ("Precision", "Recall", "F1")]
    columns += [html.Column("Ranking", "%", kind="n")] * ranked
    cells = []
    for row in rows:
        line = [html.name(row.label, 60), html.count(row.documents), html.count(row.assigned), html.count(row.right)]
        line += [with_bar(interval) for interval in (row.precision, row.recall, row.f1)]
        cells.append(line + [html.percent(row.average_precision)] * ranked)
    return html.table(caption, columns, cells, "labels")


def with_bar(value: Interval) -> str:
    return f"<span>{html.percent(value.value)}</span>{interval_bar(value.value, value.low, value.high)}"
