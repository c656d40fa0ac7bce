"""Reading: `read(path)` makes a Corpus of any input. One module a format; nothing outside this package knows a format."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from ...errors import InputError, InvalidSetting, RejectedRow, RejectsWarning, UnknownName
from .decompression import Limits
from .sources import Source, text_encoding
from .western import AS_WESTERN

if TYPE_CHECKING:
    import pyarrow as pa

    from .. import Corpus, Reject, Row, RowBatch, Tally
    from ..batches import RowBlock
    from .columns import ColumnChoice, ColumnRequest

__all__ = ["FORMATS", "read"]

FORMATS = {
    "jsonl": "jsonl",
    "csv": "delimited",
    "tsv": "delimited",
    "parquet": "parquet",
    "folders": "folders",
    "fasttext": "fasttext",
    "mbox": "mbox",
}  # fmt: skip -- the module that reads each, imported when it is needed
ENDINGS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv",
    ".parquet": "parquet", ".pq": "parquet", ".ft": "fasttext", ".fasttext": "fasttext", ".mbox": "mbox",
}  # fmt: skip
PACKED_ENDINGS = {".gz", ".bz2", ".xz", ".zst"}
MBOX = rb"From [^\r\n]*(?:\d:\d\d[^\r\n]*|\r?\n[!-9;-~]+:)"


class Reader(Protocol):
    """What a format's module offers: columns by a first look; usable rows, while the tally is told about the others."""

    def choose_columns(self, source: Source, request: ColumnRequest) -> ColumnChoice: ...
    def rows(self, source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]: ...

    # rows_and_blocks: the same, by compiled code where it can; of the formats that have one


def read(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    format: str | None = None,  # noqa: A002 -- the word people look for
    text: str | Iterable[str] | None = None,
    labels: str | None = None,
    id: str | None = None,  # noqa: A002
    keep: str | Iterable[str] = (),
    encoding: str = "auto",
    delimiter: str | None = None,
    label_delimiter: str | None = None,
    strict: bool = False,
    keep_going: bool | None = None,
    rejects: str | os.PathLike[str] | Callable[[Reject], None] | None = None,
    max_row_bytes: int = 64 << 20,
    max_bytes: int = 4 << 30,
    max_ratio: float = 200,
) -> Corpus:
    """A corpus of the documents in a file, a folder, several files of one format, or standard input (`-`, read once).

    format            one of FORMATS; found out by content if not given
    text, labels, id  columns; found among the usual names if not given. Several text columns stay apart as fields
    keep              further columns carried along as strings, e.g. a date to split by
    encoding          of text formats; a byte order mark is believed first. auto: UTF-8; a table, JSON Lines or fastText that is
                      not, but cp1252, as Excel for Windows writes it, is read as that (`readers.western`), a repair of the tally
    delimiter         of CSV; found in the header if not given
    label_delimiter   splits a label cell into several labels
    strict            stop at the first row that cannot be used (RejectedRow) instead of setting it aside
    keep_going        what happens at the end if of 20 rows or more over a tenth cannot be used for one and the same reason:
                      False, an InputError (so do commands without --keep-going); None, a RejectsWarning; True, nothing
    rejects           where rows go that cannot be used: a file to write (JSON Lines), or a function
    max_row_bytes     a longer row is rejected; max_bytes and max_ratio limit what packed input may unpack to
    """
    from .. import Corpus
    from ..batches import row_batches
    from ..tally import RejectsFile, refuse_part_of_input
    from .columns import ColumnRequest

    limits = Limits(max_row_bytes, max_bytes, max_ratio)
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    if not paths:
        raise InvalidSetting("no paths were given to read")
    if format is not None and format not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    if label_delimiter == "":
        raise InvalidSetting("label_delimiter is empty: give the characters between two labels")
    auto = encoding == "auto"
    codec = text_encoding("utf-8" if auto else encoding)
    sources = [Source(path, limits=limits, encoding=codec, western=auto) for path in paths]
    if sum(source.standard for source in sources) > 1:
        raise InvalidSetting("standard input (-) was named twice")
    if rejects is not None and not callable(rejects):
        refuse_part_of_input(rejects, [source.path for source in sources])
    kind = format or detect_format(sources[0])
    for source in sources[1:]:
        if format is None and {kind, other_kind := detect_format(source)} not in ({kind}, {"csv", "tsv"}):
            what = f"looks like {other_kind} where {sources[0].name} is {kind}"
            raise InputError(source.name, what, "say format=, or read it apart")
    request = ColumnRequest(
        text=None if text is None else (text,) if isinstance(text, str) else tuple(text),
        labels=labels,
        id=id,
        keep=(keep,) if isinstance(keep, str) else tuple(keep),
        delimiter=delimiter or ("\t" if format == "tsv" else None),
        label_delimiter=label_delimiter,
    )
    reader = cast("Reader", import_module(f".{FORMATS[kind]}", __name__))
    choice = reader.choose_columns(sources[0], request)
    rows_of = getattr(reader, "rows_and_blocks", reader.rows)

    def batches(tally: Tally) -> Iterator[RowBatch | pa.RecordBatch]:
        failures: list[InputError] = []

        def rows() -> Iterator[Row | RowBlock]:
            # An error in mid-file must not cost the rows before it: they are handed on first, then it is raised.
            try:
                for source in sources:
                    source.begin_last_reading()
                    yield from rows_of(source, choice, request, tally)
                    if source.western_lines:
                        tally.repair(AS_WESTERN, source.western_lines, where=source.name)
            except RejectedRow:
                raise
            except InputError as error:
                failures.append(error)

        with ExitStack() as stack:
            if rejects is not None and not callable(rejects):
                tally.sink = stack.enter_context(RejectsFile(rejects))
            row_stream = rows()
            stack.callback(cast("Any", row_stream).close)
            yield from row_batches(row_stream, choice.columns, tally)
        for error in failures:
            rows_before = f" ({tally.kept:,} rows before it were kept)" if tally.kept else ""
            raise type(error)(error.where, error.what + rows_before, error.cure) from error
        if not keep_going and (failure := tally.common_failure()) is not None:
            if keep_going is False:
                raise InputError(name, *failure)
            warnings.warn(f"{name}: {'; '.join(failure)}", RejectsWarning, stacklevel=2)

    name = sources[0].name + (f" and {len(sources) - 1} more" if len(sources) > 1 else "")
    return Corpus(
        batches,
        columns=choice.columns,
        name=name,
        strict=strict,
        sink=rejects if callable(rejects) else None,
        once=any(source.standard for source in sources),
    )


def detect_format(source: Source) -> str:
    """The format, by the first bytes; where they could be several, by the name's ending."""
    if source.is_folder:
        return "folders"
    endings = [ending.lower() for ending in Path(source.name).suffixes if ending.lower() not in PACKED_ENDINGS]
    by_name = ENDINGS.get(endings[-1]) if endings else None
    with source.open() as stream:
        if stream.peek(4) == b"PAR1":
            return "parquet"
        if by_name == "parquet":
            return by_name  # and its reader says what is wrong with it
    with source.declared_text() as encoded:
        head = encoded.stream.peek(1 << 16).lstrip()
    if head.startswith(b"__label__"):
        return "fasttext"
    if head.startswith(b"From ") and re.match(MBOX, head):
        return "mbox"
    if head.startswith((b"{", b"[")) and by_name not in ("csv", "tsv"):
        return "jsonl"
    return by_name or "csv"
