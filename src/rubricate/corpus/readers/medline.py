"""OHSUMED's MEDLINE-format files: a record starts with `.I number`; each field is a tag line and the line(s) after it.

    .I 1                      running number            .T      title
    .U      MEDLINE number    (the id)                  .P      publication type
    .S      source            (gives the date)          .W      abstract
    .M      MeSH terms        (the labels)              .A      authors

`read_medline(path)` makes a Corpus with the fields title and body (the abstract). Labels are MeSH main headings
(`Electric Countershock/*MT` is `Electric Countershock`); with subheadings=True one more label a subheading
(`Electric Countershock/MT`). The star that marks a central topic is dropped. Records stream: one is held at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .. import Columns, Corpus, Reject, Row, RowBatch, Tally
from ..batches import row_batches
from .decompression import Limits
from .sgml import decode
from .sources import Overlong, Source, lines

COLUMNS = Columns(text=("title", "body"), keep=("date", "source", "publication_type", "authors", "number"))
RECORD_BYTES = 64 << 20

_TAGS = frozenset(b".U .S .M .T .P .W .A".split())
_ISSUE = re.compile(r"\s(\d{2})(\d{2})\s?;")
_YEAR = re.compile(r"\b((?:19|20)\d{2})\b(?=[^:]*;)")


def read_medline(
    path: str | Path, *, subheadings: bool = False, strict: bool = False, sink: Callable[[Reject], None] | None = None
) -> Corpus:
    """The records of one file (plain, gz, bz2, xz or zst) as a Corpus."""
    file = Source(path, limits=Limits(), encoding="utf-8")

    def source(tally: Tally) -> Iterator[RowBatch]:
        with file.open() as stream:
            text = lines(stream, file.limits.max_row_bytes)
            rows = medline_records(text, where=file.name, tally=tally, subheadings=subheadings)
            yield from row_batches(rows, COLUMNS, tally)

    return Corpus(source, columns=COLUMNS, name=file.name, strict=strict, sink=sink)


def medline_records(text: Iterable[bytes], *, where: str, tally: Tally, subheadings: bool = False) -> Iterator[Row]:
    """The records of a stream of lines. A record without `.U` is named by its running number."""
    fields: dict[bytes, list[bytes]] = {}
    field, start, size = b"", 0, 0
    for number, line in enumerate(text, 1):
        mark = line.rstrip()
        if mark == b".I" or mark.startswith(b".I "):
            if fields:
                yield from _row(fields, f"{where} line {start}", tally, subheadings, size)
            fields, field, start, size = {b".I": [mark[2:]]}, b".I", number, 0
        elif mark in _TAGS and fields:
            field = mark
            fields.setdefault(field, [])
        elif fields:
            size += len(line) if not isinstance(line, Overlong) else RECORD_BYTES + 1
            if size <= RECORD_BYTES:
                fields[field].append(mark)
        elif mark:
            tally.reject(f"{where} line {number}", "a line before the first record", "records begin with .I", line)
    if fields:
        yield from _row(fields, f"{where} line {start}", tally, subheadings, size)


def _row(fields: dict[bytes, list[bytes]], where: str, tally: Tally, subheadings: bool, size: int) -> Iterator[Row]:
    def text(tag: bytes) -> str:
        return decode(b"\n".join(fields.get(tag, []))).strip()

    name = text(b".U") or text(b".I")
    if size > RECORD_BYTES:
        tally.reject(where, f"a record of more than {RECORD_BYTES >> 20} MB")
    elif not name:
        tally.reject(where, "a record without .U and without a number after .I", "give it one")
    else:
        kept = (source_date(text(b".S")), text(b".S"), text(b".P"), text(b".A"), text(b".I"))
        yield Row(where, name, (text(b".T"), text(b".W")), mesh_labels(text(b".M"), subheadings=subheadings), kept)


def mesh_labels(terms: str, *, subheadings: bool = False) -> tuple[str, ...]:
    """`Child; Electric Countershock/*MT/IS; Human.` as labels, in their order, each once."""
    labels: dict[str, None] = {}
    for term in terms.removesuffix(".").split(";"):
        heading, *qualifiers = (part.strip().removeprefix("*") for part in " ".join(term.split()).split("/"))
        if heading:
            labels[heading] = None
            if subheadings:
                labels.update((f"{heading}/{qualifier}", None) for qualifier in qualifiers if qualifier)
    return tuple(labels)


def source_date(source: str) -> str | None:
    """The date in a source: `Am J Emerg Med 8703; 4(6):491-5` is of 1987-03; the year alone where 03 is no month."""
    source = source[:500]
    year = _YEAR.search(source)
    if year:
        return year[1]
    issue = _ISSUE.search(source)
    if issue is None:
        return None
    return f"19{issue[1]}-{issue[2]}" if 1 <= int(issue[2]) <= 12 else f"19{issue[1]}"
