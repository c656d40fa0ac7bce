"""A linear scanner for the little SGML that old collections need: records, tags, entities. No DTD is ever looked at.

Every regular expression here is anchored at a `<` or `&` and possessive, so no input makes it look at a character more
than a few times. What is no tag stays in the text; an entity nobody knows stays as written; declared entities
(`<!ENTITY ...>`) are never expanded and no address is ever opened.
"""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import Tally

TAG = re.compile(r"<(/?+)([A-Za-z][A-Za-z0-9]*+)([^<>]*+)>")
RECORD_BYTES = 64 << 20
TAG_BYTES = 4096

_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));")
_TREC_ENTITIES = {"blank": " ", "hyph": "-"}
_CONTROLS = {code: " " for code in (*range(32), *range(127, 160)) if code not in b"\t\n\r"}


class Record(NamedTuple):
    """One record with its opening tag, without its closing one. `where` names file and line."""

    where: str
    data: bytes


def records(chunks: Iterable[bytes], tag: str, *, where: str, tally: Tally) -> Iterator[Record]:
    """The records `<tag ...> ... </tag>` of a stream of bytes; what lies between records is passed over.

    A record that is never closed ends where the next begins, or with the stream (a noted repair). One longer than
    64 MB is rejected, since it would have to be held in memory.
    """
    boundary = re.compile(rb"<(/?+)" + tag.encode() + rb"(?![A-Za-z0-9])[^<>]*+>", re.IGNORECASE)
    buffer, scanned, line = b"", 0, 1
    start: int | None = None
    start_line = 1

    def close_record(end: int, closed: bool) -> Iterator[Record]:
        if start is None:
            return
        if end - start > RECORD_BYTES:
            tally.reject(f"{where} line {start_line}", f"a {tag} record of more than {RECORD_BYTES >> 20} MB")
            return
        if not closed:
            tally.repair(f"{tag} record without </{tag}> ended where the next began")
        yield Record(f"{where} line {start_line}", buffer[start:end])

    for chunk in chunks:
        buffer += chunk
        line_counted_at = scanned
        for match in boundary.finditer(buffer, scanned):
            line += buffer.count(b"\n", line_counted_at, match.start())
            line_counted_at = match.start()
            if match[1]:
                yield from close_record(match.start(), True)
                start = None
            else:
                yield from close_record(match.start(), False)
                start, start_line = match.start(), line
            scanned = match.end()
        # A tag may be cut in two by the end of the chunk: look at it again with the next one.
        open_tag = buffer.rfind(b"<", max(scanned, len(buffer) - TAG_BYTES))
        scanned = open_tag if open_tag >= 0 and buffer.find(b">", open_tag) < 0 else len(buffer)
        line += buffer.count(b"\n", line_counted_at, scanned)
        if start is not None and scanned - start > RECORD_BYTES:
            yield from close_record(scanned, False)
            start = None
        drop = scanned if start is None else start
        buffer, scanned = buffer[drop:], scanned - drop
        start = None if start is None else 0
    yield from close_record(len(buffer), False)


def attributes(inside: str) -> dict[str, str]:
    """The quoted attributes of a tag, names in capitals: ` TOPICS="YES" NEWID="1"`."""
    parts = inside.split('"')
    return {
        name.rstrip("= \t\r\n").strip().upper(): value for name, value in zip(parts[0::2], parts[1::2], strict=False)
    }


def decode(data: bytes) -> str:
    """UTF-8 where it is valid, else Latin-1, which never fails: decided for each document on its own."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _entity(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return html.entities.html5.get(f"{name};") or _TREC_ENTITIES.get(name.lower(), match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return match[0] if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)


def _without_comments(text: str) -> str:
    pieces, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces.append(text[position:start])
        position = end + 3
    pieces.append(text[position:])
    return " ".join(pieces)


def _tag(match: re.Match[str]) -> str:
    # `a <b and c> d` is text: a tag has nothing after its name, or attributes.
    rest = match[3]
    return " " if not rest.strip() or rest.strip() == "/" or (rest[0].isspace() and "=" in rest) else match[0]


def plain(text: str) -> str:
    """Running text: comments and tags become a space, entities what they stand for, control characters a space."""
    if "<" in text:
        text = TAG.sub(_tag, _without_comments(text))
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    return text.translate(_CONTROLS)
