"""mbox: mails one under the other, each after a `From ` line; fields subject and body.

A `From ` line begins a mail if it is the first line or follows a blank one, and looks like one (it has a time of day)
or is followed by a header; `>From ` in a body loses its quote. The id is the Message-ID. Labels come from X-Label or
X-Gmail-Labels, separated by commas, unless `labels=` names another header. `keep=` and `id=` take header names in any
case; a kept Date becomes an ISO date in UTC. `text=` chooses among subject and body.

The text of a mail comes from one forward scan over its lines: any depth of parts, linear time, no recursion. text/plain
parts that are not attachments are joined; without any, text/html parts lose their tags. A character set that is missing,
unknown or wrong falls back to UTF-8, then latin-1 (a noted repair). Mails with a base64 part that does not decode, or with
nothing but attachments, are rejected.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from functools import lru_cache
from itertools import chain, pairwise

from ...errors import InputError, InvalidSetting, RubricateError
from .. import Row, Tally
from .columns import ColumnChoice, ColumnRequest, UnusableRow
from .sources import LIMIT_CURE, Overlong, Source, lines, text_encoding

FIELDS = ("subject", "body")
LABELS = ("x-label", "x-gmail-labels")
FROM_LINE = re.compile(rb"From [^\r\n]{0,200}?\d:\d\d")
HEADER = re.compile(rb"[!-9;-~]{1,80}:")
QUOTED = re.compile(rb">+From ")
PART_HEADERS = frozenset(("content-type", "content-transfer-encoding", "content-disposition"))
HEADER_BYTES = 1 << 16  # more than any header we use; a list of 20,000 addresses is none of them
# RFC 2047 allows neither spaces nor question marks inside a word, which keeps these linear
ENCODED = re.compile(r"=\?([^?\s]{1,80})\?([QqBb])\?([^?\s]*)\?=")
BETWEEN = re.compile(r"\?=\s+(?==\?)")
PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))')


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    text = request.text or FIELDS
    if odd := [name for name in text if name not in FIELDS]:
        raise InvalidSetting(f"a mail has the fields subject and body, not {', '.join(odd)}")
    with source.declared_text() as encoded:
        head = encoded.stream.peek(4096).lstrip()
        if head and not head.startswith(b"From "):
            what = "does not begin with a From line, as mbox does"
            raise InputError(source.name, what, "say format= if it is no mbox")
    choice = ColumnChoice(text, request.labels, request.id, request.keep)
    choice.columns  # noqa: B018 -- two roles for one column are refused before reading starts
    return choice


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    label_names = (choice.labels.lower(),) if choice.labels else LABELS
    id_name = (choice.id or "message-id").lower()
    keep_names = [name.lower() for name in choice.keep]
    header_names = frozenset(("subject", id_name, *label_names, *keep_names))
    separator = request.label_delimiter or ","
    limit = source.limits.max_row_bytes
    with source.declared_text() as encoded:
        for note in encoded.notes:
            tally.repair(note)
        for number, mail_lines in _mails(lines(encoded.stream, limit), limit):
            where = f"{source.name} line {number}"
            try:
                if mail_lines is None:
                    raise UnusableRow(f"the mail has more than {limit:,} bytes", LIMIT_CURE)
                headers, body = read_mail(mail_lines, names=header_names, tally=tally)
            except UnusableRow as why:
                tally.reject(where, why.what, why.cure, raw=b"".join((mail_lines or [])[:100]))
                continue
            labels = [headers[name].split(separator) for name in label_names if headers.get(name)]
            yield Row(
                where,
                headers.get(id_name) or None,
                tuple([body if name == "body" else headers.get("subject", "") for name in choice.text]),
                tuple([label.strip() for parts in labels for label in parts]),
                tuple([_kept_value(name, headers.get(name) or None) for name in keep_names]),
            )


def _kept_value(name: str, value: str | None) -> str | None:
    if name == "date" and value is not None:
        from email.utils import parsedate_to_datetime

        try:
            moment = parsedate_to_datetime(value[:200])
            return (moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
        except (ValueError, OverflowError, TypeError):
            return value
    return value


def _mails(all_lines: Iterator[bytes], limit: int) -> Iterator[tuple[int, list[bytes] | None]]:
    """Line number and lines of each mail, without its From line; None for one that is too long to hold."""
    mail_lines: list[bytes] = []
    size = start = 0
    overlong, after_blank = False, True

    def finished_mail() -> tuple[int, list[bytes] | None]:
        if mail_lines and not mail_lines[-1].strip():
            mail_lines.pop()  # the blank line before the next From line is no part of the mail
        return start, None if overlong else mail_lines

    for number, (line, following) in enumerate(pairwise(chain(all_lines, [b""])), 1):
        begins = after_blank and line.startswith(b"From ")
        if begins and (not start or FROM_LINE.match(line) or HEADER.match(following)):
            if start:
                yield finished_mail()
            mail_lines, size, overlong, start, after_blank = [], 0, False, number, False
            continue
        after_blank = not line.strip()
        if not start:
            continue  # blank lines before the first mail
        if line.startswith(b">") and QUOTED.match(line):
            line = line[1:]
        size += len(line)
        if isinstance(line, Overlong) or size > limit:
            overlong, mail_lines = True, []
        elif not overlong:
            mail_lines.append(line)
    if start:
        yield finished_mail()


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


def read_mail(lines: Iterable[bytes], *, names: frozenset[str], tally: Tally) -> tuple[dict[str, str], str]:
    """The headers of these (lower-case) names, and the text of the body."""
    top, parts = _parts(lines, names)
    parts = [part for part in parts if not part.is_attachment]
    plain = [part for part in parts if part.kind == "text/plain"]
    pages = [part for part in parts if part.kind == "text/html"]
    if not plain and not pages:
        raise UnusableRow("no text part (attachments only)")
    body = "\n".join([_part_text(part, tally) for part in plain])
    if pages and not body.strip():
        from .html import html_text

        body = "\n".join([html_text(_part_text(part, tally)) for part in pages])
    return {name: header_text(value) for name, value in top.items() if name in names}, body


def _parts(lines: Iterable[bytes], names: frozenset[str]) -> tuple[dict[str, str], list[_Part]]:
    """The outermost headers and all parts that hold no parts. `depths` finds the boundary a line is in one step."""
    source = iter(lines)
    top = _headers(source, names.union(PART_HEADERS))
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
                if current is not None and current.lines:  # the line end belongs to the boundary
                    current.lines[-1] = current.lines[-1].removesuffix(b"\n").removesuffix(b"\r")
                for inner in boundaries[depth if closes else depth + 1 :]:
                    del depths[inner]
                del boundaries[depth if closes else depth + 1 :]
                current = None if closes else enter(_Part(_headers(source, PART_HEADERS)))
                continue
        if current is not None:
            current.lines.append(line)
    return top, leaves


def _headers(lines: Iterable[bytes], names: frozenset[str]) -> dict[str, str]:
    """The wanted headers up to the blank line, the first of each name, unfolded; raw bytes as surrogate escapes."""
    headers: dict[str, bytes] = {}
    name = ""
    for line in lines:
        if not line.strip():
            break
        if line[:1] in b" \t":
            if name and len(headers[name]) < HEADER_BYTES:
                headers[name] += line.rstrip(b"\r\n")[:HEADER_BYTES]
            continue
        key, colon, value = line.partition(b":")
        name = key.strip().lower().decode("ascii", "replace") if colon else ""
        if name not in names or name in headers:
            name = ""
        else:
            headers[name] = value.strip()[:HEADER_BYTES]
    return {name: value.decode("utf-8", "surrogateescape") for name, value in headers.items()}


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
    for encoding, declared in ((_known_encoding(charset or "us-ascii"), True), ("utf-8", charset is None)):
        if encoding is not None:
            try:
                return data.decode(encoding), declared
            except UnicodeError:
                continue
    return data.decode("latin-1"), False


@lru_cache(maxsize=64)
def _known_encoding(charset: str) -> str | None:
    try:
        return text_encoding(charset) if len(charset) <= 40 else None
    except RubricateError:
        return None


def _part_text(part: _Part, tally: Tally) -> str:
    data = b"".join(part.lines)
    transfer = part.headers.get("content-transfer-encoding", "").strip().lower()
    if transfer == "base64":
        try:
            data = binascii.a2b_base64(data.translate(None, b" \t\r\n"), strict_mode=True)
        except binascii.Error as error:
            raise UnusableRow(f"a base64 part is damaged ({error})") from None
    elif transfer == "quoted-printable":
        data = binascii.a2b_qp(data)
    charset = part.parameter("charset")
    text, as_declared = _decode(data, charset)
    if not as_declared:
        tally.repair("a mail's missing, unknown or wrong character set: read as UTF-8 or latin-1")
    return text
