"""Building blocks of a page: the page around its sections, tables, figures, things to unfold. Everything handed in is safe
HTML already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import Name
from .html import escaped, name
from .style import STYLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading of its own."""

    key: str
    heading: str
    body: str

    def __str__(self) -> str:
        return f'<section id="{self.key}"><h2>{self.heading}</h2>{self.body}</section>'


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, a word of explanation under it, and how its cells are set."""

    heading: str
    about: str = ""
    kind: str = ""

    def __str__(self) -> str:
        about = f"<small>{self.about}</small>" if self.about else ""
        return f'<th scope="col"{self.set}>{self.heading}{about}</th>'

    @property
    def set(self) -> str:
        """The class, as an attribute."""
        return f' class="{self.kind}"' if self.kind else ""


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table in a box of its own, in which it scrolls if it is wide; the first cell of a row is its heading."""
    body = []
    for first, *cells in rows:
        inside = "".join(f"<td{column.set}>{cell}</td>" for column, cell in zip(columns[1:], cells, strict=True))
        body.append(f'<tr><th scope="row"{columns[0].set}>{first}</th>{inside}</tr>')
    head = "".join(map(str, columns))
    shown = f' class="{kind}"' if kind else ""
    inside = f"<caption><span>{caption}</span></caption><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    return f'<div class="box" tabindex="0" role="region" aria-label="{caption}"><table{shown}>{inside}</table></div>'


def figure(drawn: str, about: str, heading: str = "") -> str:
    """A drawing, and a sentence under it."""
    above = f'<p class="figurename">{heading}</p>' if heading else ""
    return f"<figure>{above}{drawn}<figcaption>{about}</figcaption></figure>"


def grid(cells: Iterable[str], kind: str) -> str:
    """Small things side by side."""
    return f'<div class="{kind}">{"".join(cells)}</div>'


def more(heading: str, body: str) -> str:
    """What is unfolded on demand."""
    return f"<details><summary>{heading}</summary>{body}</details>"


def note(about: str) -> str:
    """A remark in plain words."""
    return f'<p class="note">{about}</p>'


def said(parts: Iterable[str]) -> str:
    """A sentence of an evaluation."""
    return "".join(f"«{name(part)}»" if isinstance(part, Name) else escaped(part) for part in parts)


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
