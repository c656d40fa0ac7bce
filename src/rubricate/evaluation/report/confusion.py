"""Errors on the page: which labels are given instead of which, and the documents in which it was surest and wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import Evaluation
from . import html, plots

MAPPED = 20  # labels of the matrix
PAIRS = 10
FIRST = 8  # errors that are seen without unfolding
MOST = 50
EXCERPT = 600
WORDS = 8


def confusion(evaluation: Evaluation) -> html.Section | None:
    confused = evaluation.confusion
    if not (confused.instead or confused.beside or any(confused.alone) or any(confused.added)):
        return None
    names, cells, alone, added = confused.densest(MAPPED)
    columns, rows = names + ["nothing"] * any(alone), names + ["nothing missed"] * any(added)
    grid = [row + [missed] * any(alone) for row, missed in zip(cells, alone, strict=True)]
    grid += [added + [0] * any(alone)] * any(added)
    commonest = "; ".join(
        f"{html.plain_text(a)} given as {html.plain_text(b)}: {html.count(n)}" for a, b, n in confused.instead[:PAIRS]
    )
    desc = f"Commonest: {commonest}." if commonest else "Labels missed or added."
    drawing = plots.confusion_map(rows, columns, grid, len(names), desc)
    if evaluation.several:
        about = (
            "Down: a label that you gave. Across: what was given. Framed: correct. Shaded: documents in which the label of "
            "the row was missed and that of the column wrongly given; the stronger, the more often. «Nothing»: missed, and "
            "nothing wrong given instead. «Nothing missed»: given on top of what is correct."
        )
    else:
        about = (
            "Down: the label that you gave. Across: the label that it gave. Framed: correct. Shaded: another label was given; "
            "the stronger, the larger a part of its row."
        )
    if len(names) < len(evaluation.labels):
        about += (
            f" Shown are the {html.count(len(names))} labels with most errors, of {html.count(len(evaluation.labels))}."
        )
    body = html.scrolling(drawing, "Confusion matrix") + html.note(about)
    if confused.instead:
        body += pairs("Commonest confusions", "you gave", "it gave instead", confused.instead)
    if confused.beside:
        added_labels = pairs("Wrongly added", "correct", "wrongly added", confused.beside)
        body += html.more("Labels wrongly added to correct ones", added_labels)
    return html.Section("confusion", "Which labels are confused", body)


def pairs(caption: str, first: str, second: str, counts: Sequence[tuple[str, str, int]]) -> str:
    columns = [html.Column(first), html.Column(second), *html.numeric("documents")]
    return html.table(caption, columns, [[html.name(a), html.name(b), html.count(n)] for a, b, n in counts[:PAIRS]])


def worst_errors(documents: Sequence[Mapping[str, Any]], wrong: int) -> html.Section | None:
    """Documents that were answered wrongly, with the words that did it. wrong: how many there are in all."""
    if not documents:
        return None
    cards = [card(document) for document in documents[:MOST]]
    body = html.first_and_more(cards, FIRST, "errors", lambda some, _: "".join(some))
    about = (
        f"The errors of which it was surest: {html.count(len(cards))} of {html.count(max(wrong, len(cards)))} documents with an "
        "error. Look here first: some will be documents whose own labels are wrong. Words with a full bar speak for the label, "
        "those with a hollow bar against it; the longer, the more."
    )
    return html.Section("errors", "The worst errors, and the words behind them", html.note(about) + body)


def card(document: Mapping[str, Any]) -> str:
    """A document. Keys, all of which may be missing: id, text, true, given, probability, words, label (whom words are for)."""
    true, predicted = (label_list(document.get(key)) for key in ("true", "given"))
    facts = [("yours", true), ("given", predicted), *error_facts(document)]
    rows = "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in facts)
    excerpt = html.short(document.get("text") or "", EXCERPT)
    quoted = f'<blockquote dir="auto">{html.text(excerpt, EXCERPT)}</blockquote>' if excerpt else ""
    heading = f"<h3>{html.name(document.get('id', ''))}</h3>"
    return f'<article class="error">{heading}<dl>{rows}</dl>{quoted}{term_bars(document)}</article>'


def error_facts(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    p, label = document.get("probability"), document.get("label")
    sure = "" if p is None else f"{html.percent(p, 1)} % sure"
    if label is None:
        return [("error", sure)] if sure else []
    missed = label not in as_list(document.get("given"))
    what = f"«{html.name(label, 40)}» {'was missed' if missed else 'was given'}"
    return [("error", f"{what} ({sure}{' that it does not apply' if missed else ''})" if sure else what)]


def as_list(labels: Any) -> list[str]:
    return [labels] if isinstance(labels, str) else list(labels or [])


def label_list(labels: Any) -> str:
    return ", ".join(html.name(label, 40) for label in as_list(labels)) or "<em>nothing</em>"


def term_bars(document: Mapping[str, Any]) -> str:
    words = list(document.get("words") or [])[:WORDS]
    if not words:
        return ""
    largest = max(abs(float(weight)) for _, weight in words)
    rows = "".join(
        f"<li>{html.name(term, 40)} {plots.length_bar(float(weight), largest)}"
        f'<span class="n">{signed(float(weight))}</span></li>'
        for term, weight in words
    )
    label = document.get("label")
    about = "" if label is None else f'<p class="soft">Words for and against «{html.name(label, 40)}»</p>'
    return f'{about}<ul class="words">{rows}</ul>'


def signed(weight: float) -> str:
    """+1.25, −0.034: two digits that count."""
    return f"{weight:+.{2 if abs(weight) >= 0.1 or not weight else 3}f}".replace("-", "−")
