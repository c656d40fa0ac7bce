"""The text of one mail, by one forward scan over its lines: any depth of parts, linear time, no recursion.

text/plain parts that are not attachments are joined; without any, text/html parts lose their tags. A character set
that is missing, unknown or wrong falls back to UTF-8, then latin-1 (a noted repair). A base64 part that does not
decode, and a mail with no text part, are unusable. Only the headers asked for are kept.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from ...errors import RubricateError
from .. import Tally
from .columns import Unusable
from .decoding import text_encoding
from .html_text import text_of_html

__all__ = ["Mail", "header_text", "read_mail"]

OWN = frozenset(("content-type", "content-transfer-encoding", "content-disposition"))
HEADER_BYTES = 1 << 16  # more than any header we use; a list of 20,000 addresses is none of them
# RFC 2047 allows neither spaces nor question marks inside a word, which keeps these linear
ENCODED = re.compile(r"=\?([^?\s]{1,80})\?([QqBb])\?([^?\s]*)\?=")
BETWEEN = re.compile(r"\?=\s+(?==\?)")
PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))')


@dataclass(slots=True)
class Mail:
    """The headers that were wanted (lower-case names), and the text of the body."""

    headers: dict[str, str]
    body: str


@dataclass(slots=True)
class _Part:
    headers: dict[str, str]
    lines: list[bytes] = field(default_factory=list)
    kind: str = "text/plain"

    def __post_init__(self) -> None:
        declared = self.headers.get("content-type", "").split(";", 1)[0].strip().lower()
        if "/" in declared:
            self.kind = declared

    def parameter(self, name: str) -> str | None:
        for key, quoted, bare in PARAMETER.findall(self.headers.get("content-type", "")):
            if key.lower() == name:
                return str(quoted or bare)
        return None

    @property
    def is_attachment(self) -> bool:
        return self.headers.get("content-disposition", "").strip().lower().startswith("attachment")


def read_mail(lines: Iterable[bytes], *, wanted: frozenset[str], tally: Tally) -> Mail:
    """Read one mail given as lines."""
    top, parts = _parts(lines, wanted)
    plain = [part for part in parts if part.kind == "text/plain" and not part.is_attachment]
    pages = [part for part in parts if part.kind == "text/html" and not part.is_attachment]
    if not plain and not pages:
        raise Unusable("no text part (attachments only)")
    body = "\n".join([_text(part, tally) for part in plain])
    if pages and not body.strip():
        body = "\n".join([text_of_html(_text(part, tally)) for part in pages])
    return Mail({name: header_text(value) for name, value in top.items() if name in wanted}, body)


def _parts(lines: Iterable[bytes], wanted: frozenset[str]) -> tuple[dict[str, str], list[_Part]]:
    """The outermost headers and all parts that hold no parts. `depths` finds the boundary a line is in one step."""
    source = iter(lines)
    top = _headers(source, wanted.union(OWN))
    leaves: list[_Part] = []
    boundaries: list[bytes] = []
    depths: dict[bytes, int] = {}

    def enter(part: _Part) -> _Part | None:
        boundary = part.parameter("boundary") if part.kind.startswith("multipart/") else None
        if boundary:
            mark = b"--" + boundary.encode("latin-1", "replace")
            if mark not in depths:
                depths[mark] = len(boundaries)
                boundaries.append(mark)
            return None  # what comes before the first boundary is no text
        leaves.append(part)
        return part

    current = enter(_Part(top))
    for line in source:
        if line.startswith(b"--") and depths:
            mark = line.rstrip()
            closes = mark not in depths and mark.endswith(b"--") and mark[:-2] in depths
            if closes or mark in depths:
                depth = depths[mark[:-2] if closes else mark]
                if current is not None and current.lines:
                    current.lines[-1] = _without_end(current.lines[-1])  # the line end belongs to the boundary
                for inner in boundaries[depth if closes else depth + 1 :]:
                    del depths[inner]
                del boundaries[depth if closes else depth + 1 :]
                current = None if closes else enter(_Part(_headers(source, OWN)))
                continue
        if current is not None:
            current.lines.append(line)
    return top, leaves


def _without_end(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def _headers(lines: Iterable[bytes], wanted: frozenset[str]) -> dict[str, str]:
    """The wanted headers up to the blank line, the first of each name, unfolded; raw bytes as surrogate escapes."""
    found: dict[str, bytes] = {}
    name = ""
    for line in lines:
        if not line.strip():
            break
        if line[:1] in b" \t":
            if name and len(found[name]) < HEADER_BYTES:
                found[name] += line.rstrip(b"\r\n")[:HEADER_BYTES]
            continue
        key, colon, value = line.partition(b":")
        name = key.strip().lower().decode("ascii", "replace") if colon else ""
        if name not in wanted or name in found:
            name = ""
        else:
            found[name] = value.strip()[:HEADER_BYTES]
    return {name: value.decode("utf-8", "surrogateescape") for name, value in found.items()}


def header_text(value: str) -> str:
    """A header as text: encoded words decoded, raw bytes as UTF-8 or latin-1, white space made single."""
    text = _decode(value.encode("utf-8", "surrogateescape"), None)[0]
    if "=?" in text:
        text = ENCODED.sub(_encoded_word, BETWEEN.sub("?=", text))
    return " ".join(text.split())


def _encoded_word(word: re.Match[str]) -> str:
    """One encoded word of RFC 2047; as it stands if it is broken."""
    charset, how, content = word[1].split("*")[0], word[2].lower(), word[3].encode("utf-8")
    try:
        data = binascii.a2b_qp(content, header=True) if how == "q" else binascii.a2b_base64(content + b"==")
    except binascii.Error:
        return word[0]
    return _decode(data, charset)[0]


def _decode(data: bytes, charset: str | None) -> tuple[str, bool]:
    """Text, and whether its character set was as declared."""
    for encoding, declared in ((_usable(charset or "us-ascii"), True), ("utf-8", charset is None)):
        if encoding is not None:
            try:
                return data.decode(encoding), declared
            except UnicodeError:
                continue
    return data.decode("latin-1"), False


@lru_cache(maxsize=64)
def _usable(charset: str) -> str | None:
    try:
        return text_encoding(charset) if len(charset) <= 40 else None
    except RubricateError:
        return None


def _text(part: _Part, tally: Tally) -> str:
    data = b"".join(part.lines)
    transfer = part.headers.get("content-transfer-encoding", "").strip().lower()
    if transfer == "base64":
        try:
            data = binascii.a2b_base64(data.translate(None, b" \t\r\n"), strict_mode=True)
        except binascii.Error as error:
            raise Unusable(f"a base64 part is damaged ({error})") from None
    elif transfer == "quoted-printable":
        data = binascii.a2b_qp(data)
    charset = part.parameter("charset")
    text, as_declared = _decode(data, charset)
    if not as_declared:
        tally.repair("a mail's missing, unknown or wrong character set: read as UTF-8 or latin-1")
    return text
