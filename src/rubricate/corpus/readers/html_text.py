"""The text of an HTML page by one forward scan: tags go, scripts and styles go with their contents, entities are read.

It takes linear time whatever the input. A quoted attribute may hold `>`; once a quote turns out to be unclosed to the
end of the page, quotes are no longer believed. A `<` that begins no tag is text. No text between tags is ever
dropped.
"""

from __future__ import annotations

import html
import re

__all__ = ["text_of_html"]

_INLINE = """a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike
strong sub sup time tt u var wbr"""
INLINE = frozenset(_INLINE.split())
DROPPED = ("script", "style")
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)|<[!?/]")
STOP = re.compile(r"""[>"']""")
CLOSING = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in DROPPED}
# html.unescape turns digits into an int, and Python refuses very long ones; no character has so many digits
HUGE_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")


def text_of_html(page: str) -> str:
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
