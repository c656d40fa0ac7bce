"""CSV and TSV, read strictly: the standard library's csv over lines of bounded length, with checks of our own.

The first record is the header. The separator (comma, tab, semicolon, bar) is found in the header line alone. A row
with another number of cells than the header is rejected, as is one that is not valid in its encoding, or whose quotes
are broken; reading goes on with the line after the one where the broken quote opened, so no row is swallowed by it. A
quoted cell still open after `max_row_bytes` or 100,000 lines ends the reading with an error, since nothing after it
can be trusted. Empty lines are skipped. Lines may end in LF, CR LF or CR alone (noted). NUL characters and cells that
start with = + - @ are data and kept. A label cell is one label, or a JSON list of strings, or split at
`label_delimiter`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, deque
from collections.abc import Iterator
from functools import partial

from ...errors import InputError, InvalidSetting, TooLarge
from .. import Row, Tally
from ..batches import RowBlock
from .blocks import SIZE, has_distinct_columns, pays, read_blocks, table_parser
from .columns import NO_LABELS, ColumnChoice, ColumnRequest, labels_in_cell, match_columns, name_list
from .decompression import Readable, Stream
from .sources import ENCODING_CURE, LIMIT_CURE, EncodedText, Overlong, Source, lines

SEPARATORS = ",\t;|"
RECORD_LINES = 100_000
LONGEST_HEADER = 1 << 16  # bytes; a longer one is read strictly, and so is the table
CELLS_CURE = "quote cells that contain the separator"
QUOTES_CURE = 'put cells with quotes inside into quotes and double the inner ones: "say ""hello"""'
CURE = "the first line must be a header; name the columns with text= and labels=, or say format= if this is not CSV"


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    if request.delimiter is not None and (len(request.delimiter) != 1 or request.delimiter in '\r\n"'):
        raise InvalidSetting(f"delimiter={request.delimiter!r}: give one character, not a quote or a line end")
    with source.text() as encoded:
        return _Table(source, encoded, request).match_columns(request)


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    with source.text() as encoded:
        table = open_table(source, encoded, choice, request, tally)
        yield from strict_rows(table, source, choice, request, tally)


def rows_and_blocks(
    source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally
) -> Iterator[Row | RowBlock]:
    """The same, with blocks of rows where records are plain: see `blocks`."""
    with source.text() as encoded:
        try:
            head = encoded.stream.peek(SIZE + 1)
        except InputError:
            head = b""  # the strict reader meets the damage again, after the rows before it
        size = header_size(head[:LONGEST_HEADER])
        plain = encoded.encoding == "utf-8" and request.label_delimiter is None and has_distinct_columns(choice)
        if not size or not plain or not pays(len(head)):
            table = open_table(source, encoded, choice, request, tally)
            yield from strict_rows(table, source, choice, request, tally)
            return
        header = EncodedText(Stream(io.BytesIO(encoded.stream.read(size))), encoded.encoding, encoded.notes)
        table = open_table(source, header, choice, request, tally)

        def read_strictly(stream: Readable, lines_before: int) -> Iterator[Row]:
            table.go_on(stream, lines_before + header_lines)
            return strict_rows(table, source, choice, request, tally)

        header_lines = table.lines_read
        if ord(table.separator) >= 128:
            yield from read_strictly(encoded.stream, 0)
            return
        make_parser = partial(table_parser, choice, table.header, table.separator)
        yield from read_blocks(encoded.stream, source.limits.max_row_bytes, make_parser, read_strictly)


def header_size(head: bytes) -> int:
    """The bytes of the header with blank lines before it, given the first bytes of a table; 0 where it is not plain."""
    end = 0
    for line in head.splitlines(keepends=True):
        end += len(line)
        if line.strip():
            return end if line.endswith(b"\n") and line.count(b'"') % 2 == 0 else 0
        if not line.endswith(b"\n"):
            return 0
    return 0


def open_table(
    source: Source, encoded: EncodedText, choice: ColumnChoice, request: ColumnRequest, tally: Tally
) -> _Table:
    """The table after its header, of which the tally is told what there is to tell."""
    table = _Table(source, encoded, request)
    current = table.match_columns(ColumnRequest(choice.text, choice.labels, choice.id, choice.keep))
    for note in encoded.notes:
        tally.repair(note)
    if table.cr_only:
        tally.repair("lines end in CR alone")
    if current.labels is None:
        tally.repair(NO_LABELS)
    return table


def strict_rows(
    table: _Table, source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally
) -> Iterator[Row]:
    position_of = {name: position for position, name in enumerate(table.header)}
    text_at = [position_of[name] for name in choice.text]
    single = text_at[0] if len(text_at) == 1 else None
    label_at = None if choice.labels is None else position_of[choice.labels]
    id_at = None if choice.id is None else position_of[choice.id]
    keep_at = [position_of[name] for name in choice.keep]
    for number, cells in table.records(tally):
        texts = (cells[single],) if single is not None else tuple([cells[position] for position in text_at])
        yield Row(
            f"{source.name} line {number}",
            (cells[id_at] or None) if id_at is not None else None,
            texts,
            labels_in_cell(cells[label_at], request.label_delimiter) if label_at is not None else (),
            tuple([cells[position] or None for position in keep_at]),
        )


class _Overflow(Exception):  # noqa: N818 -- a turn of reading, not a failure
    """A record grew beyond the limits."""


class _Table:
    """A delimited file after its header was read. It feeds csv with lines, and remembers those of the current record, so that a
    broken one can be reported and read again."""

    def __init__(self, source: Source, encoded: EncodedText, request: ColumnRequest) -> None:
        self._source, self._encoding, self._limit = source, encoded.encoding, source.limits.max_row_bytes
        if (
            csv.field_size_limit() < self._limit
        ):  # process-wide, so only ever raised; the true limit is kept by __next__
            csv.field_size_limit(self._limit)
        self._lines = lines(encoded.stream, self._limit)
        self._returned: deque[bytes] = deque()
        self._read = 0  # lines handed out so far; returned lines are uncounted
        self._begin()
        first = self._first_line()
        self._where = f"{source.name} line {self._read}"
        self.cr_only = first.endswith(b"\r")
        try:
            sample = first.decode(encoded.encoding)
        except UnicodeError:
            cure = f"{ENCODING_CURE}; or say format= if this is not CSV"
            raise InputError(self._where, f"the header is not valid {source.encoding}", cure) from None
        self._return([first])
        self.separator = request.delimiter or _separator(sample)
        self._reader = csv.reader(self, delimiter=self.separator, strict=True)
        try:
            self.header = next(self._reader)
        except (csv.Error, _Overflow) as error:
            raise InputError(self._where, f"the header cannot be read ({error or 'too long'})", CURE) from None
        if repeated := [name for name, times in Counter(self.header).items() if times > 1]:
            what = f"column names are given twice: {name_list(repeated)}"
            raise InputError(self._where, what, "rename them in the header")

    @property
    def lines_read(self) -> int:
        return self._read

    def go_on(self, stream: Readable, lines_before: int) -> None:
        """Read records of this stream next, before which the table has so many lines."""
        self._lines, self._read = lines(stream, self._limit), lines_before
        self._returned.clear()
        self._reader = csv.reader(self, delimiter=self.separator, strict=True)

    def _begin(self) -> None:
        self._record: list[bytes] = []
        self._size, self._undecodable = 0, False

    def _return(self, line_list: list[bytes]) -> None:
        self._returned.extendleft(reversed(line_list))
        self._read -= len(line_list)

    def _next_line(self) -> bytes:
        line = self._returned.popleft() if self._returned else next(self._lines)
        self._read += 1
        return line

    def _first_line(self) -> bytes:
        """The first line that is not blank."""
        try:
            while not (line := self._next_line()).strip():
                pass
        except StopIteration:
            raise InputError(self._source.name, "is empty", "a header line and rows are needed") from None
        if isinstance(line, Overlong):
            what = f"the header has more than {self._limit:,} bytes"
            raise TooLarge(f"{self._source.name} line {self._read}", what, "say format= if this is not CSV")
        return line

    def __iter__(self) -> _Table:
        return self

    def __next__(self) -> str:
        line = self._next_line()
        self._record.append(line)
        self._size += len(line)
        if line.__class__ is Overlong or self._size > self._limit or len(self._record) > RECORD_LINES:
            raise _Overflow
        try:
            return line.decode(self._encoding)
        except UnicodeError:
            self._undecodable = True
            return line.decode("latin-1")  # so that csv finds the end of the record, which is then rejected

    def match_columns(self, request: ColumnRequest) -> ColumnChoice:
        return match_columns(self._where, self.header, request, cure=CURE)

    def records(self, tally: Tally) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each sound record."""
        width = len(self.header)
        returned = 0
        while True:
            self._begin()
            number = self._read + 1
            where = f"{self._source.name} line {number}"
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except _Overflow:
                self._overflow(where, tally)
                continue
            except csv.Error as error:
                first, *rest = self._record  # the other lines are read again as rows of their own
                self._return(rest)
                returned += len(rest)
                if returned > 2 * (self._read + RECORD_LINES):  # or broken quotes would cost quadratic time
                    cure = "check the quotes, or say format= or delimiter="
                    raise InputError(where, "too many quotes that are not closed", cure) from None
                unclosed = '"' in str(error) or "end of data" in str(error)
                what = "a quote in this line is not closed properly" if unclosed else f"not valid CSV ({error})"
                tally.reject(where, what, QUOTES_CURE, raw=first)
                continue
            if not cells:
                continue
            if self._undecodable:
                what, cure = f"the row is not valid {self._source.encoding}", ENCODING_CURE
            elif len(cells) != width:
                what, cure = f"{len(cells)} cells where the header has {width}", CELLS_CURE
            elif not any(cells):
                what, cure = "all cells are empty", ""
            else:
                yield number, cells
                continue
            tally.reject(where, what, cure, raw=b"".join(self._record))

    def _overflow(self, where: str, tally: Tally) -> None:
        """A row of one overlong line is rejected and skipped; a quote open over very many lines ends the reading."""
        line = self._record[-1]
        if len(self._record) > 1 or not isinstance(line, Overlong):
            what = f"a quoted cell that opens here is still open {len(self._record):,} lines later"
            raise TooLarge(where, what, "close the quote; or raise max_row_bytes= if the cell is that long")
        tally.reject(where, f"the row has more than {self._limit:,} bytes", LIMIT_CURE, raw=bytes(line))
        quotes, skipped = line.quotes, 0
        while quotes % 2:  # the line ended inside a quoted cell: the row goes on
            skipped += 1
            try:
                following = self._next_line()
            except StopIteration:
                return
            if skipped > RECORD_LINES:
                raise TooLarge(where, "a quoted cell that opens here is not closed", "close the quote")
            quotes += following.quotes if isinstance(following, Overlong) else following.count(b'"')


def _separator(line: str) -> str:
    """The separator that stands most often outside quotes in the header line; a comma if none does."""
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)
