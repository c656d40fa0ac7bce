"""HTML: how text from outside and numbers are written into a page, and the blocks of a page.

Everything that was not written in this package goes through `text` or `name`; blocks take what is safe HTML already.

Labels, terms and excerpts may hold anything: markup, quotes, control characters, half characters, text that runs from right to
left. Markup is escaped, what is no text is shown as U+FFFD, and <bdi> keeps a name's direction to itself.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...foundation.share_text import per_cent
from .. import Name
from .style import STYLE

NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
NOTHING = "–"
LONG = 80
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def short(value: Any, limit: int = LONG) -> str:
    line = " ".join(NO_TEXT.sub("\ufffd", str(value)).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def escape(value: str) -> str:
    """For content and attributes alike, all of it, spaces as they are."""
    return html.escape(NO_TEXT.sub("\ufffd", value), quote=True)


def text(value: Any, limit: int = 2000) -> str:
    return escape(short(value, limit))


def name(value: Any, limit: int = LONG) -> str:
    """A label, a term, a system: escaped, and with a direction of its own."""
    escaped_name = text(value, limit)
    return f"<bdi>{escaped_name}</bdi>" if escaped_name else "<bdi><em>empty</em></bdi>"


def plain_text(value: Any, limit: int = LONG) -> str:
    """A name inside a drawing, where there is no <bdi>: without marks that would turn the direction of what follows."""
    return text(DIRECTIONS.sub("", str(value)), limit) or "empty"


def count(value: int) -> str:
    return f"{value:,}"


def compact(value: float) -> str:
    """1234567 as 1.2M: for where there is little room."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 10 * unit or (value >= unit and letter != "k"):
            return f"{value / unit:.{0 if value >= 10 * unit else 1}f}{letter}"
    return f"{value:,.0f}"


def percent(value: float | None, digits: int = 0) -> str:
    """0.914 as 91, with decimals where that would be 100 or 0 and is not; a dash where there is none."""
    return NOTHING if value is None or math.isnan(value) else per_cent(value, digits)


def number(value: Any, digits: int = 3) -> str:
    """A number of any size; a dash where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, str):  # "inf", as JSON has it
        value = float(value)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if isinstance(value, int):
        return count(value)
    digits_shown = f"{value:.2g}" if 0 < abs(value) < 10**-digits else f"{value:,.{digits}f}"
    return digits_shown.replace("-", "−")


def percent_range(low: float, high: float, digits: int = 0) -> str:
    return f"{percent(low, digits)} to {percent(high, digits)}"


# -- blocks of a page


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    heading: str
    body: str

    def __str__(self) -> str:
        return f'<section id="{self.key}"><h2>{self.heading}</h2>{self.body}</section>'


@dataclass(frozen=True, slots=True)
class Column:
    heading: str
    about: str = ""  # a word of explanation
    kind: str = ""  # class of its cells

    def __str__(self) -> str:
        about = f"<small>{self.about}</small>" if self.about else ""
        return f'<th scope="col"{self.class_attribute}>{self.heading}{about}</th>'

    @property
    def class_attribute(self) -> str:
        return f' class="{self.kind}"' if self.kind else ""


def numeric(*headings: str) -> list[Column]:
    """Columns of numbers."""
    return [Column(heading, kind="n") for heading in headings]


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table in a box of its own, in which it scrolls if it is wide; the first cell of a row is its heading."""
    body = []
    for first, *cells in rows:
        pairs = zip(columns[1:], cells, strict=True)
        inside = "".join(f"<td{column.class_attribute}>{cell}</td>" for column, cell in pairs)
        body.append(f'<tr><th scope="row"{columns[0].class_attribute}>{first}</th>{inside}</tr>')
    head = "".join(map(str, columns))
    class_name = f' class="{kind}"' if kind else ""
    inside = f"<caption><span>{caption}</span></caption><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    return scrolling(f"<table{class_name}>{inside}</table>", caption)


def scrolling(wide: str, label: str) -> str:
    return f'<div class="box" tabindex="0" role="region" aria-label="{label}">{wide}</div>'


def figure(drawing: str, about: str, heading: str = "") -> str:
    above = f'<p class="figurename">{heading}</p>' if heading else ""
    return f"<figure>{above}{drawing}<figcaption>{about}</figcaption></figure>"


def grid(cells: Iterable[str], kind: str) -> str:
    return f'<div class="{kind}">{"".join(cells)}</div>'


def more(heading: str, body: str) -> str:
    """What is unfolded on demand."""
    return f"<details><summary>{heading}</summary>{body}</details>"


def first_and_more(items: Sequence[Any], first: int, what: str, render: Callable[[Any, str], str]) -> str:
    """The first items, and the others to unfold. render: from items and the heading that they are unfolded by."""
    rest = items[first:]
    heading = f"{count(len(rest))} more {what}"
    return render(items[:first], "") + (more(heading, render(rest, heading)) if rest else "")


def note(about: str) -> str:
    return f'<p class="note">{about}</p>'


def sentence_html(parts: Iterable[str]) -> str:
    return "".join(f"«{name(part)}»" if isinstance(part, Name) else escape(part) for part in parts)


def html_page(
    sections: Sequence[Section], *, title: str, heading: str, kicker: str, under: str, style: str = ""
) -> str:
    """A page that needs nothing else: no script, no network, light and dark. style: rules besides those of every page."""
    links = "".join(f'<li><a href="#{section.key}">{section.heading}</a></li>' for section in sections)
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
            f"<title>{title}</title><style>{STYLE}{style}</style></head>\n<body>",
            f'<header><p class="kicker">{kicker}</p><h1>{heading}</h1>',
            f'<p class="under">{under}</p></header>',
            f'<nav aria-label="Contents"><ol>{links}</ol></nav>\n<main>',
            "\n".join(map(str, sections)),
            "</main>\n<footer><p>Made by rubricate. This page is complete in itself: it loads nothing and runs nothing.</p>",
            "</footer></body></html>\n",
        ]
    )
