"""Reuters-21578: its articles, and its splits as the collection's README defines them (section VIII).

    <REUTERS ...> <DATE> <TOPICS><D>..</D> <TEXT> <TITLE> <BODY> ...        22 files of 1,000 articles

Title and body stay apart. A BRIEF article has a title alone; an UNPROC one has neither tag, so its text is the body;
text that no tag claims goes to the body too: nothing is lost. Dateline and author are kept columns. Left out, since no
text of the article: UNKNOWN (codes of the newswire), MKNOTE (an editor's notes), and what the makers of the collection
put in place of a BRIEF article's body, `****** Blah blah blah.` (noted as a repair).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from .. import Columns, Corpus, Row, Tally
from ..readers.archives import members
from ..readers.sgml import TAG, Record, attributes, decode, plain, records
from .catalogue import TEN_TOPICS, CollectionReader, Split

LAST_TRAINING_DAY = "1987-04-07"
_FILE = re.compile(r"reut2-\d{3}\.sgm", re.IGNORECASE)
_KEPT = "date lewissplit cgisplit topics_attribute oldid text_type places people orgs exchanges dateline author"
COLUMNS = Columns(text=("title", "body"), keep=tuple(_KEPT.split()))
_LISTS = frozenset({"TOPICS", "PLACES", "PEOPLE", "ORGS", "EXCHANGES", "COMPANIES"})
_SECTIONS = _LISTS | {"DATE", "MKNOTE", "UNKNOWN", "TEXT", "TITLE", "BODY", "DATELINE", "AUTHOR"}
_ITEM = re.compile(r"</?+D>", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(\d{1,2})-([A-Z]{3})-(\d{4})(?!\d)", re.IGNORECASE)
_TIME = re.compile(r"[ \t]{1,9}([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)")
_FILLER = re.compile(r"\**+\s*+(?:Blah blah blah\.)?")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def _rows(path: Path, version: str, settings: dict[str, Any], tally: Tally) -> list[Row]:
    """All articles, by NEWID, which is the order of time."""
    articles = [
        row
        for member in members(path, select=lambda parts: bool(_FILE.fullmatch(parts[-1])), tally=tally)
        for row in reuters_articles([member.data], where=member.parts[-1], tally=tally)
    ]
    return sorted(articles, key=lambda row: (len(row.id or ""), row.id or ""))


def _split(whole: Corpus, version: str, settings: dict[str, Any]) -> Split:
    """Masks of the two parts, and for the 90 and ten topics the labels that stay."""
    if version == "joachims":
        days = [(date or "")[:10] for date in whole.column("date")]
        early = np.array(["" < day <= LAST_TRAINING_DAY for day in days], dtype=bool)
        return Split(early, np.array([day > LAST_TRAINING_DAY for day in days], dtype=bool))
    usable_values = {"YES", "NO"} if version == "modlewis" else {"YES"}
    usable = np.array([value in usable_values for value in whole.column("topics_attribute")], dtype=bool)
    lewis = np.array(whole.column("lewissplit"), dtype=object)
    train, test = usable & (lewis == "TRAIN"), usable & (lewis == "TEST")
    if version == "10":
        return Split(train, test, frozenset(TEN_TOPICS))
    if version == "90":
        labels = whole.labels
        shared = _topics(labels, train) & _topics(labels, test)
        labelled = np.array([not shared.isdisjoint(topics) for topics in labels], dtype=bool)
        return Split(train & labelled, test & labelled, shared)
    return Split(train, test)


def _topics(labels: list[list[str]], part: Array) -> frozenset[str]:
    return frozenset(label for position in np.flatnonzero(part) for label in labels[position])


def reuters_articles(chunks: Iterable[bytes], *, where: str, tally: Tally) -> Iterator[Row]:
    """The articles of one file, as rows (see COLUMNS): the id is NEWID, the labels are TOPICS."""
    for record in records(chunks, "REUTERS", where=where, tally=tally):
        row = _row(record, tally)
        if row is None:
            tally.reject(record.where, "a REUTERS tag without NEWID", "", record.data)
        else:
            yield row


def _row(record: Record, tally: Tally) -> Row | None:
    text = decode(record.data)
    opening = TAG.match(text)
    tag_attributes = attributes(opening[3]) if opening else {}
    if opening is None or not tag_attributes.get("NEWID", "").strip():
        return None
    parts, text_type = _parts(text, opening.end())

    def items(name: str) -> list[str]:
        return [tidy for item in _ITEM.split(parts.get(name, "")) if (tidy := plain(item).strip())]

    kept = (
        iso_date(parts.get("DATE", "")),
        tag_attributes.get("LEWISSPLIT"),
        tag_attributes.get("CGISPLIT"),
        tag_attributes.get("TOPICS"),
        tag_attributes.get("OLDID"),
        text_type,
        *(" ".join(items(name)) for name in ("PLACES", "PEOPLE", "ORGS", "EXCHANGES")),
        *(plain(parts.get(name, "")).strip() for name in ("DATELINE", "AUTHOR")),
    )
    title, body = (plain(parts.get(name, "")).strip() for name in ("TITLE", "BODY"))
    if text_type == "BRIEF" and body and _FILLER.fullmatch(body):
        tally.repair("filler in place of a BRIEF article's body left out")
        body = ""
    return Row(record.where, tag_attributes["NEWID"].strip(), (title, body), tuple(items("TOPICS")), kept)


def _parts(text: str, position: int) -> tuple[dict[str, str], str]:
    """The text of each section, and the TYPE of TEXT. A section ends with any tag that opens or closes one."""
    sections: dict[str, list[str]] = {}
    section, text_type = "BODY", "NORM"
    for tag in TAG.finditer(text, position):
        name = tag[2].upper()
        if name not in _SECTIONS:
            continue
        sections.setdefault(section, []).append(text[position : tag.start()])
        position = tag.end()
        if name == "TEXT" and not tag[1]:
            text_type = attributes(tag[3]).get("TYPE", text_type)
        section = "BODY" if tag[1] or name == "TEXT" else name
    sections.setdefault(section, []).append(text[position:])
    return {name: " ".join(pieces) for name, pieces in sections.items()}, text_type


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


reuters21578 = CollectionReader(lambda settings: COLUMNS, _rows, _split)
