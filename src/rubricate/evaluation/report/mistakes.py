"""Mistakes on the page: which labels are taken for which, and the documents in which it was surest and wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import Evaluation
from . import plots
from .blocks import Column, Section, more, note, table
from .html import count, name, percent, plain_text, short, text

__all__ = ["confusion", "errors"]

MAPPED = 20  # labels on the map
PAIRS = 10
FIRST = 8  # errors that are seen without unfolding
MOST = 50
EXCERPT = 600
WORDS = 8


def confusion(found: Evaluation) -> Section | None:
    """The map, and the commonest confusions in words."""
    own = found.confusion
    if not (own.instead or own.beside or any(own.alone) or any(own.added)):
        return None
    names, cells, alone, added = own.densest(MAPPED)
    columns, rows, grid = list(names), list(names), [list(row) for row in cells]
    if any(alone):
        columns.append("nothing")
        grid = [[*row, missed] for row, missed in zip(grid, alone, strict=True)]
    if any(added):
        rows.append("nothing missed")
        grid.append([*added, *([0] if any(alone) else [])])
    told = "; ".join(f"{plain_text(a)} taken for {plain_text(b)}: {count(n)}" for a, b, n in own.instead[:PAIRS])
    drawn = plots.confusion_map(
        rows, columns, grid, len(names), f"Commonest: {told}." if told else "Labels missed or added."
    )
    if found.several:
        about = (
            "Down: a label that you gave. Across: what was given. Framed: given rightly. Shaded: documents in which the label of "
            "the row was missed and that of the column wrongly given; the stronger, the more often. «Nothing»: missed, and "
            "nothing wrong given instead. «Nothing missed»: given on top of what was right."
        )
    else:
        about = (
            "Down: the label that you gave. Across: the label that it gave. Framed: right. Shaded: taken for another label; the "
            "stronger, the larger a part of its row."
        )
    if len(names) < len(found.labels):
        about += f" Shown are the {count(len(names))} labels with most mistakes, of {count(len(found.labels))}."
    body = f'<div class="box" tabindex="0" role="region" aria-label="Map of confusions">{drawn}</div>{note(about)}'
    if own.instead:
        body += pairs("Commonest confusions", "you gave", "it gave instead", own.instead)
    if own.beside:
        body += more(
            "Labels wrongly added to right ones", pairs("Wrongly added", "rightly given", "wrongly added", own.beside)
        )
    return Section("confusion", "What is taken for what", body)


def pairs(caption: str, first: str, second: str, found: Sequence[tuple[str, str, int]]) -> str:
    """Two labels and how often."""
    columns = [Column(first), Column(second), Column("documents", kind="n")]
    return table(caption, columns, [[name(a), name(b), count(n)] for a, b, n in found[:PAIRS]])


def errors(given: Sequence[Mapping[str, Any]], wrong: int) -> Section | None:
    """Documents that were answered wrongly, with the words that did it. wrong: how many there are in all."""
    if not given:
        return None
    cards = [card(one) for one in given[:MOST]]
    body = "".join(cards[:FIRST])
    if cards[FIRST:]:
        body += more(f"{count(len(cards) - FIRST)} more mistakes", "".join(cards[FIRST:]))
    about = (
        f"The mistakes of which it was surest, {count(len(cards))} of {count(max(wrong, len(cards)))} documents with a mistake. "
        "Look here first: some will be documents whose own labels are wrong. Words with a full bar speak for the label, those "
        "with a hollow bar against it; the longer, the more."
    )
    return Section("errors", "The worst mistakes, and the words behind them", note(about) + body)


def card(one: Mapping[str, Any]) -> str:
    """One document. Keys, all of which may be missing: id, text, true, given, probability, words, label (whom words are for)."""
    told = [("yours", labels_of(one.get("true"))), ("given", labels_of(one.get("given"))), *blamed(one)]
    rows = "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in told)
    excerpt = short(one.get("text") or "", EXCERPT)
    quoted = f'<blockquote dir="auto">{text(excerpt, EXCERPT)}</blockquote>' if excerpt else ""
    return f'<article class="error"><h3>{name(one.get("id", ""))}</h3><dl>{rows}</dl>{quoted}{spoken(one)}</article>'


def blamed(one: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was done wrong, and how surely."""
    p, label = one.get("probability"), one.get("label")
    sure = "" if p is None else f"{percent(p, 1)} % sure"
    if label is None:
        return [("mistake", sure)] if sure else []
    missed = label not in listed(one.get("given"))
    what = f"«{name(label, 40)}» {'was missed' if missed else 'was given'}"
    return [("mistake", f"{what} ({sure}{' that it does not apply' if missed else ''})" if sure else what)]


def listed(labels: Any) -> list[str]:
    """Labels, or one label, as a list."""
    return [labels] if isinstance(labels, str) else list(labels or [])


def labels_of(labels: Any) -> str:
    """Labels in a row."""
    return ", ".join(name(label, 40) for label in listed(labels)) or "<em>nothing</em>"


def spoken(one: Mapping[str, Any]) -> str:
    """The words with what each adds."""
    words = list(one.get("words") or [])[:WORDS]
    if not words:
        return ""
    largest = max(abs(float(weight)) for _, weight in words)
    rows = "".join(
        f"<li>{name(term, 40)} {plots.length_bar(float(weight), largest)}"
        f'<span class="n">{signed(float(weight))}</span></li>'
        for term, weight in words
    )
    about = (
        f'<p class="soft">Words for and against «{name(one["label"], 40)}»</p>' if one.get("label") is not None else ""
    )
    return f'{about}<ul class="words">{rows}</ul>'


def signed(weight: float) -> str:
    """+1.25, −0.034: two digits that count."""
    return f"{weight:+.{2 if abs(weight) >= 0.1 or not weight else 3}f}".replace("-", "−")
