"""TREC's files: documents `<DOC><DOCNO>..</DOCNO> .. <TEXT>..</TEXT></DOC>`, topics `<top>`, judgements (qrels).

    read_trec(path, qrels=None)   documents of a file or folder as a Corpus; labels: the topics each is relevant to
    read_topics(path)             a list of Topic: number, title, description, narrative, concepts
    read_qrels(path)              a list of Judgement: topic, iteration, document, relevance

The field title is HEAD, HEADLINE, HL, TITLE or TI; body is TEXT, LP, LEADPARA and ABSTRACT, or where a document has
none of these, all but its numbers. Kept columns: date (ISO, where the number of an AP, WSJ or LA document tells it) and
judged (all topics it was judged for, relevant or not, separated by spaces). Files stream: one record is held at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from .. import Columns, Corpus, Reject, Row, RowBatch, Tally
from ..batches import row_batches
from .decompression import BLOCK, Limits
from .sgml import TAG, Record, decode, plain, records
from .sources import Source, lines

COLUMNS = Columns(text=("title", "body"), keep=("date", "judged"))

_TITLES = frozenset({"HEAD", "HEADLINE", "HL", "TITLE", "TI"})
_BODIES = frozenset({"TEXT", "LP", "LEADPARA", "ABSTRACT"})
_NUMBERS = frozenset({"DOCNO", "DOCID", "DOCHDR", "FILEID", "PARENT"})
_SECTIONS = _TITLES | _BODIES | _NUMBERS
_RELEVANCE = re.compile(r"-?\d{1,9}", re.ASCII)
_YEAR_FIRST = re.compile(r"(?:AP|WSJ)(\d\d)(\d\d)(\d\d)-")
_MONTH_FIRST = re.compile(r"LA(\d\d)(\d\d)(\d\d)-")
_TOPIC_FIELDS = {"NUM": "Number", "TITLE": "Topic", "DESC": "Description", "NARR": "Narrative", "CON": "Concept(s)"}


@dataclass(frozen=True, slots=True)
class Topic:
    """What somebody wants to know."""

    number: str
    title: str
    description: str = ""
    narrative: str = ""
    concepts: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a document is relevant to a topic (above 0) or not (0 or below)."""

    topic: str
    iteration: str
    document: str
    relevance: int


def read_trec(
    path: str | Path,
    *,
    qrels: str | Path | None = None,
    strict: bool = False,
    sink: Callable[[Reject], None] | None = None,
) -> Corpus:
    """The documents of a file, or of all files of a folder in the order of their names, as a Corpus."""
    path = Path(path)
    relevant_topics: dict[str, list[str]] = {}
    judged_topics: dict[str, list[str]] = {}
    for judgement in read_qrels(qrels) if qrels is not None else ():
        judged_topics.setdefault(judgement.document, []).append(judgement.topic)
        if judgement.relevance > 0:
            relevant_topics.setdefault(judgement.document, []).append(judgement.topic)

    def rows(tally: Tally) -> Iterator[Row]:
        files = sorted(entry for entry in path.rglob("*") if entry.is_file() and not entry.is_symlink())
        for file in files if path.is_dir() else [path]:
            for row in trec_documents(file, tally=tally):
                topics = " ".join(judged_topics.get(row.id or "", ()))
                yield row._replace(labels=tuple(relevant_topics.get(row.id or "", ())), kept=(row.kept[0], topics))

    def source(tally: Tally) -> Iterator[RowBatch]:
        return row_batches(rows(tally), COLUMNS, tally)

    return Corpus(source, columns=COLUMNS, name=path.name, strict=strict, sink=sink)


def _records(path: Path, tag: str, tally: Tally) -> Iterator[Record]:
    file = Source(path, limits=Limits(), encoding="utf-8")
    with file.open() as stream:
        yield from records(iter(lambda: stream.read(BLOCK), b""), tag, where=file.name, tally=tally)


def trec_documents(path: Path, *, tally: Tally) -> Iterator[Row]:
    """The documents of one file as rows without labels."""
    for record in _records(path, "DOC", tally):
        parts: dict[str, list[str]] = {}
        text = decode(record.data)
        section, position = "", 0
        for tag in TAG.finditer(text):
            name = tag[2].upper()
            if name not in _SECTIONS or (section in _BODIES and name not in _BODIES) or (tag[1] and name != section):
                continue  # a TITLE inside TEXT is text
            parts.setdefault(section, []).append(text[position : tag.start()])
            section, position = "" if tag[1] else name, tag.end()
        parts.setdefault(section, []).append(text[position:])
        number = plain(" ".join(parts.get("DOCNO", []))).strip()
        if not number:
            tally.reject(record.where, "a DOC without DOCNO", "", record.data)
            continue
        bodies = _BODIES if parts.keys() & _BODIES else frozenset({""})
        fields = [[piece for name in parts if name in names for piece in parts[name]] for names in (_TITLES, bodies)]
        texts = tuple([plain("\n".join(pieces)).strip() for pieces in fields])
        yield Row(record.where, number, texts, (), (_date(number), None))


def _date(number: str) -> str | None:
    if match := _YEAR_FIRST.match(number):
        return f"19{match[1]}-{match[2]}-{match[3]}"
    if match := _MONTH_FIRST.match(number):
        return f"19{match[3]}-{match[1]}-{match[2]}"
    return None


def read_topics(path: str | Path) -> list[Topic]:
    """The topics of one file. TREC's tags are never closed: a field ends where the next begins."""
    topics = []
    for record in _records(Path(path), "top", Tally(strict=True)):
        text = decode(record.data)
        parts: dict[str, str] = {}
        tags = [tag for tag in TAG.finditer(text) if not tag[1]]
        ends = [tag.start() for tag in tags[1:]] + [len(text)]
        for tag, end in zip(tags, ends, strict=True):
            name = tag[2].upper()
            content = " ".join(plain(text[tag.end() : end]).split())
            lead = _TOPIC_FIELDS.get(name, "")
            parts[name] = content.removeprefix(f"{lead}:").removeprefix(lead if name == "CON" else "").strip(" :")
        if not parts.get("NUM"):
            raise InputError(record.where, "a topic without <num>", "each topic needs its number")
        topics.append(Topic(*(parts.get(name, "") for name in _TOPIC_FIELDS)))
    return topics


def read_qrels(path: str | Path) -> list[Judgement]:
    """The judgements of one file: topic, iteration, document and relevance, separated by white space, one a line."""
    file = Source(path, limits=Limits(), encoding="utf-8")
    judgements = []
    with file.open() as stream:
        for number, line in enumerate(lines(stream, 1 << 16), 1):
            words = decode(line).split()
            if not words:
                continue
            if len(words) != 4 or not _RELEVANCE.fullmatch(words[3]):
                content = repr(decode(line[:80]).strip())
                raise InputError(f"{file.name} line {number}", f"found {content}", "write: topic 0 document relevance")
            judgements.append(Judgement(words[0], words[1], words[2], int(words[3])))
    return judgements
