"""mbox: mails one under the other, each after a `From ` line; fields subject and body.

A `From ` line begins a mail if it is the first line or follows a blank one, and looks like one (it has a time of day)
or is followed by a header; `>From ` in a body loses its quote. The id is the Message-ID. Labels come from X-Label or
X-Gmail-Labels, separated by commas, unless `labels=` names another header. `keep=` and `id=` take header names in any
case; a kept Date becomes an ISO date in UTC. `text=` chooses among subject and body. Mails with nothing but
attachments are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime

from ...errors import InputError, InvalidSetting
from .. import Row, Tally
from .columns import Asked, Chosen, Unusable
from .lines import Overlong, lines
from .mime import Mail, read_mail
from .sources import Source

__all__ = ["look", "rows"]

FIELDS = ("subject", "body")
LABELS = ("x-label", "x-gmail-labels")
FROM_LINE = re.compile(rb"From [^\r\n]{0,200}?\d:\d\d")
HEADER = re.compile(rb"[!-9;-~]{1,80}:")
QUOTED = re.compile(rb">+From ")


def look(source: Source, asked: Asked) -> Chosen:
    """Fields are subject and body; labels, id and kept columns are headers."""
    text = asked.text or FIELDS
    if odd := [name for name in text if name not in FIELDS]:
        raise InvalidSetting(f"a mail has the fields subject and body, not {', '.join(odd)}")
    with source.marked_text() as opened:
        head = opened.stream.peek(4096).lstrip()
        if head and not head.startswith(b"From "):
            raise InputError(
                source.name, "does not begin with a From line, as mbox does", "say format= if it is no mbox"
            )
    chosen = Chosen(text, asked.labels, asked.id, asked.keep)
    chosen.columns  # noqa: B018 -- two roles for one column are refused before reading starts
    return chosen


def rows(source: Source, chosen: Chosen, asked: Asked, tally: Tally) -> Iterator[Row]:
    """The mails that have text."""
    label_names = (chosen.labels.lower(),) if chosen.labels else LABELS
    id_name = (chosen.id or "message-id").lower()
    kept = [name.lower() for name in chosen.keep]
    wanted = frozenset(("subject", id_name, *label_names, *kept))
    separator = asked.label_delimiter or ","
    with source.marked_text() as opened:
        for note in opened.notes:
            tally.repair(note)
        for number, mail_lines in _mails(
            lines(opened.stream, source.limits.max_row_bytes), source.limits.max_row_bytes
        ):
            where = f"{source.name} line {number}"
            try:
                if mail_lines is None:
                    limit = source.limits.max_row_bytes
                    raise Unusable(f"the mail has more than {limit:,} bytes", "raise max_row_bytes=")
                mail = read_mail(mail_lines, wanted=wanted, tally=tally)
            except Unusable as why:
                tally.reject(where, why.what, why.cure, raw=b"".join((mail_lines or [])[:100]))
                continue
            yield Row(
                where,
                mail.headers.get(id_name) or None,
                tuple([mail.body if name == "body" else mail.headers.get("subject", "") for name in chosen.text]),
                _labels(mail, label_names, separator),
                tuple([_kept(mail, name) for name in kept]),
            )


def _labels(mail: Mail, names: tuple[str, ...], separator: str) -> tuple[str, ...]:
    found = [mail.headers[name].split(separator) for name in names if mail.headers.get(name)]
    return tuple(label.strip() for several in found for label in several)


def _kept(mail: Mail, name: str) -> str | None:
    value = mail.headers.get(name) or None
    if name == "date" and value is not None:
        try:
            moment = parsedate_to_datetime(value[:200])
            return (moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
        except (ValueError, OverflowError, TypeError):
            return value
    return value


def _mails(source: Iterator[bytes], limit: int) -> Iterator[tuple[int, list[bytes] | None]]:
    """Line number and lines of each mail, without its From line; None for one that is too long to hold."""
    held: list[bytes] = []
    size = start = 0
    overlong = False
    after_blank = True
    doubtful: bytes | None = None  # a From line without a time: the next line decides

    def finished() -> tuple[int, list[bytes] | None]:
        if held and not held[-1].strip():
            held.pop()  # the blank line before the next From line is no part of the mail
        return start, None if overlong else held

    for number, line in enumerate(source, 1):
        begins = False
        if doubtful is not None:
            if HEADER.match(line):
                if start:
                    yield finished()
                held, size, overlong, start = [], 0, False, number - 1
            else:
                held.append(doubtful)
                size += len(doubtful)
            doubtful = None
        elif after_blank and line.startswith(b"From "):
            begins = not start or FROM_LINE.match(line) is not None
            if not begins:
                doubtful = line
                continue
        after_blank = not line.strip()
        if begins:
            if start:
                yield finished()
            held, size, overlong, start = [], 0, False, number
            after_blank = False
            continue
        if not start:
            continue  # blank lines before the first mail
        if line.startswith(b">") and QUOTED.match(line):
            line = line[1:]
        size += len(line)
        if isinstance(line, Overlong) or size > limit:
            overlong, held = True, []
        elif not overlong:
            held.append(line)
    if doubtful is not None:
        held.append(doubtful)
    if start:
        yield finished()
