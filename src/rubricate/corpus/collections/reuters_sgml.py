"""Reuters-21578's SGML files: `<REUTERS ...> <DATE> <TOPICS><D>..</D> <TEXT> <TITLE> <BODY> ...`, 1,000 articles each.

Title and body stay apart. A BRIEF article has a title alone; an UNPROC one has neither tag, so its text is the body;
text that no tag claims goes to the body too: nothing is lost. Dateline and author are kept columns. Left out, since no
text of the article: UNKNOWN (codes of the newswire), MKNOTE (an editor's notes), and what the makers of the collection
put in place of a BRIEF article's body, `****** Blah blah blah.` (noted as a repair).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .. import Row, Tally
from ..readers.sgml import TAG, Record, attributes, decode, plain, records

__all__ = ["FIELDS", "KEPT", "reuters_articles"]

FIELDS = ("title", "body")
KEPT = (
    "date",
    "lewissplit",
    "cgisplit",
    "topics_attribute",
    "oldid",
    "text_type",
    "places",
    "people",
    "orgs",
    "exchanges",
    "dateline",
    "author",
)

_LISTS = frozenset({"TOPICS", "PLACES", "PEOPLE", "ORGS", "EXCHANGES", "COMPANIES"})
_SECTIONS = _LISTS | {"DATE", "MKNOTE", "UNKNOWN", "TEXT", "TITLE", "BODY", "DATELINE", "AUTHOR"}
_ITEM = re.compile(r"</?+D>", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(\d{1,2})-([A-Z]{3})-(\d{4})(?!\d)", re.IGNORECASE)
_TIME = re.compile(r"[ \t]{1,9}([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)")
_FILLER = re.compile(r"\**+\s*+(?:Blah blah blah\.)?")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def reuters_articles(chunks: Iterable[bytes], *, where: str, tally: Tally) -> Iterator[Row]:
    """The articles of one file, as rows (see FIELDS and KEPT): the id is NEWID, the labels are TOPICS."""
    for record in records(chunks, "REUTERS", where=where, tally=tally):
        row = _row(record, tally)
        if row is None:
            tally.reject(record.where, "a REUTERS tag without NEWID", "", record.data)
        else:
            yield row


def _row(record: Record, tally: Tally) -> Row | None:
    text = decode(record.data)
    opening = TAG.match(text)
    given = attributes(opening[3]) if opening else {}
    if opening is None or not given.get("NEWID", "").strip():
        return None
    parts, text_type = _parts(text, opening.end())

    def items(name: str) -> list[str]:
        return [tidy for item in _ITEM.split(parts.get(name, "")) if (tidy := plain(item).strip())]

    kept = (
        iso_date(parts.get("DATE", "")),
        given.get("LEWISSPLIT"),
        given.get("CGISPLIT"),
        given.get("TOPICS"),
        given.get("OLDID"),
        text_type,
        *(" ".join(items(name)) for name in ("PLACES", "PEOPLE", "ORGS", "EXCHANGES")),
        *(plain(parts.get(name, "")).strip() for name in ("DATELINE", "AUTHOR")),
    )
    title, body = (plain(parts.get(name, "")).strip() for name in ("TITLE", "BODY"))
    if text_type == "BRIEF" and body and _FILLER.fullmatch(body):
        tally.repair("filler in place of a BRIEF article's body left out")
        body = ""
    return Row(record.where, given["NEWID"].strip(), (title, body), tuple(items("TOPICS")), kept)


def _parts(text: str, position: int) -> tuple[dict[str, str], str]:
    """The text of each section, and the TYPE of TEXT. A section ends with any tag that opens or closes one."""
    found: dict[str, list[str]] = {}
    section, text_type = "BODY", "NORM"
    for tag in TAG.finditer(text, position):
        name = tag[2].upper()
        if name not in _SECTIONS:
            continue
        found.setdefault(section, []).append(text[position : tag.start()])
        position = tag.end()
        if name == "TEXT" and not tag[1]:
            text_type = attributes(tag[3]).get("TYPE", text_type)
        section = "BODY" if tag[1] or name == "TEXT" else name
    found.setdefault(section, []).append(text[position:])
    return {name: " ".join(pieces) for name, pieces in found.items()}, text_type


def iso_date(text: str) -> str | None:
    """`26-FEB-1987 15:01:01.79` as `1987-02-26T15:01:01`, whatever noise stands around it.

    The day alone where the time makes no sense (one article has `605:12:19`); None without a date.
    """
    match = _DATE.search(text)
    if match is None or match[2].upper() not in _MONTHS or not 1 <= int(match[1]) <= 31:
        return None
    day = f"{match[3]}-{_MONTHS.index(match[2].upper()) + 1:02d}-{int(match[1]):02d}"
    time = _TIME.match(text, match.end())
    return f"{day}T{int(time[1]):02d}:{time[2]}:{time[3]}" if time else day
