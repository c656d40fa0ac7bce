"""The last part of the page: top terms, the comparison with other systems, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import Evaluation, against_runner_up
from . import plots
from .blocks import Column, Section, grid, more, note, said, table
from .html import count, name, number, text

if TYPE_CHECKING:
    from ...measures.significance import Comparison

__all__ = ["compared", "made", "terms"]

FIRST = 12  # labels whose terms are seen without unfolding
MOST = 60
TERMS = 10


def terms(found: Evaluation, given: Mapping[str, Sequence[tuple[str, float]]]) -> Section | None:
    """A list a label, the labels in the order of the table."""
    place = {row.label: n for n, row in enumerate(found.shown())}
    order = sorted((label for label in given if given[label]), key=lambda label: place.get(label, len(place)))
    if not order:
        return None
    cells = [term_list(label, given[label][:TERMS]) for label in order[:MOST]]
    body = grid(cells[:FIRST], "lists")
    if cells[FIRST:]:
        body += more(f"{count(len(cells) - FIRST)} more labels", grid(cells[FIRST:], "lists"))
    left = f" {count(len(order) - MOST)} more labels are in the JSON." if len(order) > MOST else ""
    about = "The words that speak most for each label; the longer the bar, the more. Odd words here are worth a second look."
    return Section("terms", "The words it goes by", body + note(about + left))


def term_list(label: str, own: Sequence[tuple[str, float]]) -> str:
    """One label's."""
    largest = max(abs(float(weight)) for _, weight in own)
    rows = "".join(f"<li>{name(term, 40)} {plots.length_bar(float(weight), largest)}</li>" for term, weight in own)
    return f'<div class="list"><h3>{name(label, 40)}</h3><ul class="words">{rows}</ul></div>'


def compared(given: Comparison) -> Section:
    """Systems on the same documents."""
    rows, wins = given.table(), given.wins_table()
    columns = [
        Column("System"),
        Column("", kind="n"),
        Column(text(given.measure), kind="n"),
        Column(text(rows[0][3]), kind="n"),
    ]
    systems = table(
        f"Systems on the same {count(given.documents)} documents",
        columns,
        [[name(row[1]), text(row[0]), text(row[2]), text(row[3])] for row in rows[1:]],
    )
    pairs = table(
        "Pair by pair",
        [
            Column("Pair"),
            *(Column(one, kind="n") for one in ("labels won", "mean of labels", "p")),
            Column("", kind="why"),
        ],
        [[name(row[0]), *(text(cell) for cell in row[1:])] for row in wins[1:]],
    )
    about = (
        "p is the chance that two systems that are equally good would differ as much as these; below "
        f"{given.level:g} the difference is taken as real. Small letters behind a value name the systems that it beats in this "
        "sense. «14 &gt;? 6»: better on 14 labels, worse on 6, with a ? if that may be chance."
    )
    answer = f'<p class="answer">{said(against_runner_up(given))}</p>'
    return Section("comparison", "Against other systems", answer + systems + note(about) + more("Pair by pair", pairs))


def made(given: Mapping[str, Any]) -> Section | None:
    """Whatever is told: values, lists, tables of choices that were tried (lists of rows), groups of these."""
    if not given:
        return None
    simple = {key: value for key, value in given.items() if not is_rows(value)}
    tables = "".join(rows_of(key, value) for key, value in given.items() if is_rows(value))
    return Section("made", "How it was made", described(simple) + tables)


def is_rows(value: Any) -> bool:
    """Whether this is a list of dictionaries."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and bool(value)
        and all(isinstance(v, Mapping) for v in value)
    )


def described(values: Mapping[str, Any]) -> str:
    """Names and values."""
    rows = "".join(f"<div><dt>{name(key)}</dt><dd>{shown(value)}</dd></div>" for key, value in values.items())
    return f'<dl class="made">{rows}</dl>' if rows else ""


def shown(value: Any) -> str:
    """A value of any kind."""
    if isinstance(value, Mapping):
        return described(value)
    if isinstance(value, list | tuple | set | frozenset):
        own = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return ", ".join(shown(one) for one in own) or "–"
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    return number(value) if isinstance(value, float) else f"<bdi>{text(value)}</bdi>"


def rows_of(key: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """A table of choices; columns in the order in which they are first met."""
    keys = list(dict.fromkeys(column for row in rows for column in row))
    numeric = {column: all(isinstance(row.get(column), int | float | None) for row in rows) for column in keys}
    columns = [Column(text(column), kind="n" if numeric[column] else "") for column in keys]
    return table(text(key), columns, [[shown(row.get(column)) for column in keys] for row in rows])
