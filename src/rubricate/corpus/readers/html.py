"""HTML pages: their text by one forward scan, and pages as WebKB has them, title and body apart.

The scan takes linear time whatever the input: tags go, scripts and styles go with their contents, entities are read. A quoted
attribute may hold `>`; once a quote turns out to be unclosed to the end of the page, quotes are no longer believed. A `<` that
begins no tag is text. No text between tags is ever dropped.

A page of WebKB is the server's MIME header, an empty line, then HTML. Some pages have no header and a few have a broken one; it
ends at an empty line or where the first tag begins a line. A page sent as text/plain keeps all its characters. Bytes are UTF-8
where valid, else Windows-1252, as browsers do it.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

_INLINE = """a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike
strong sub sup time tt u var wbr"""
INLINE = frozenset(_INLINE.split())
DROPPED = ("script", "style")
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)|<[!?/]")
STOP = re.compile(r"""[>"']""")
CLOSING = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in DROPPED}
# html.unescape turns digits into an int, and Python refuses very long ones; no character has so many digits
HUGE_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
_HEADER_LINE = re.compile(rb"[A-Za-z: \t]")
_TITLE = re.compile(r"<title(?![A-Za-z0-9])[^<>]*+>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title(?![A-Za-z0-9])[^<>]*+>", re.IGNORECASE)


def html_text(page: str) -> str:
    """The text of a page. Block tags become line breaks, inline tags nothing."""
    pieces: list[str] = []
    believe_quotes = True
    unclosed: set[str] = set()  # elements and comments known not to be closed any more
    at, end = 0, len(page)
    while at < end:
        opening = page.find("<", at)
        if opening < 0:
            break
        pieces.append(page[at:opening])
        tag = TAG.match(page, opening)
        if tag is None:
            pieces.append("<")
            at = opening + 1
            continue
        if page.startswith("<!--", opening) and "comment" not in unclosed:
            close = page.find("-->", opening + 4)
            if close >= 0:
                pieces.append(" ")
                at = close + 3
                continue
            unclosed.add("comment")
        close, believe_quotes = _tag_end(page, tag.end(), believe_quotes)
        if close < 0:  # no > any more: all the rest is text
            at = opening
            break
        name = (tag[1] or "").lower()
        pieces.append("" if name in INLINE else "\n")
        at = close + 1
        if name in CLOSING and tag[0][1] != "/" and name not in unclosed:
            closing = CLOSING[name].search(page, at)
            if closing is None:
                unclosed.add(name)
            else:
                at = closing.start()
    pieces.append(page[at:])
    return html.unescape(HUGE_NUMBER.sub("\ufffd", "".join(pieces)))


def _tag_end(page: str, start: int, believe_quotes: bool) -> tuple[int, bool]:
    """Where the tag's > stands, -1 if nowhere, and whether quotes can still be believed."""
    at = start
    while believe_quotes:
        stop = STOP.search(page, at)
        if stop is None:
            break
        if stop[0] == ">":
            return stop.start(), True
        at = page.find(stop[0], stop.end()) + 1
        if at == 0:
            break
    return page.find(">", start), False


class Page(NamedTuple):
    """What a reader of the page sees, without its address."""

    title: str
    body: str


def html_page(data: bytes) -> Page:
    """Title and body. Without a closing </title> the title ends with its line."""
    header, content = _split_header(data)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:  # the five bytes that Windows-1252 leaves undefined become spaces
        text = content.decode("cp1252", "replace").replace("\ufffd", " ")
    if b"content-type: text/plain" in header.lower():
        return Page("", text.strip())
    opening = _TITLE.search(text)
    if opening is None:
        return Page("", html_text(text).strip())
    closing = _TITLE_END.search(text, opening.end())
    line_end = text.find("\n", opening.end())
    end, rest = closing.span() if closing else (line_end, line_end) if line_end >= 0 else (len(text), len(text))
    title = " ".join(html_text(text[opening.end() : end]).split())
    return Page(title, html_text(f"{text[: opening.start()]} {text[rest:]}").strip())


def _split_header(data: bytes) -> tuple[bytes, bytes]:
    """Header and content. Only a first line with a colon begins a header."""
    first = data[: data.find(b"\n") + 1]
    if b":" not in first or not _HEADER_LINE.match(first):
        return b"", data
    position = 0
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[position:end].strip()
        if line.startswith(b"<"):
            return data[:position], data[position:]
        position = end + 1
        if not line:
            break
    return data[:position], data[position:]
