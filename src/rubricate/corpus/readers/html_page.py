"""A page as WebKB has it: the server's MIME header, an empty line, then HTML. Title and body stay apart, tags go.

Some pages have no header and a few have a broken one; it ends at an empty line or where the first tag begins a line.
A page sent as text/plain keeps all its characters. Bytes are UTF-8 where valid, else Windows-1252, as browsers do it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .html_text import text_of_html

__all__ = ["Page", "html_page"]

_HEADER_LINE = re.compile(rb"[A-Za-z: \t]")
_TITLE = re.compile(r"<title(?![A-Za-z0-9])[^<>]*+>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title(?![A-Za-z0-9])[^<>]*+>", re.IGNORECASE)


class Page(NamedTuple):
    """What a reader of the page sees, without its address."""

    title: str
    body: str


def html_page(data: bytes) -> Page:
    """Take a page apart. Without a closing </title> the title ends with its line."""
    header, content = _split(data)
    text = _decode(content)
    if b"content-type: text/plain" in header.lower():
        return Page("", text.strip())
    opening = _TITLE.search(text)
    if opening is None:
        return Page("", text_of_html(text).strip())
    closing = _TITLE_END.search(text, opening.end())
    line_end = text.find("\n", opening.end())
    end, rest = closing.span() if closing else (line_end, line_end) if line_end >= 0 else (len(text), len(text))
    title = " ".join(text_of_html(text[opening.end() : end]).split())
    return Page(title, text_of_html(f"{text[: opening.start()]} {text[rest:]}").strip())


def _split(data: bytes) -> tuple[bytes, bytes]:
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


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # The five bytes that Windows-1252 leaves undefined become spaces.
        return data.decode("cp1252", "replace").replace("�", " ")
