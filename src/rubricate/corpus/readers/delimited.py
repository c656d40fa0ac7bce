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
from collections import Counter, deque
from collections.abc import Iterator

from ...errors import InputError, InvalidSetting, TooLarge
from .. import Row, Tally
from .columns import ColumnChoice, ColumnRequest, labels_in_cell, match_columns, name_list
from .sources import EncodedText, Overlong, Source, lines

SEPARATORS = ",\t;|"
RECORD_LINES = 100_000
CURE = "the first line must be a header; name the columns with text= and labels=, or say format= if this is not CSV"


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    """Choose columns by the header."""
    if request.delimiter is not None and (len(request.delimiter) != 1 or request.delimiter in '\r\n"'):
        raise InvalidSetting(f"delimiter={request.delimiter!r}: give one character, not a quote or a line end")
    with source.text() as encoded:
        return _Table(source, encoded, request).match_columns(request)


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    """The usable rows; the others go to the tally."""
    with source.text() as encoded:
        table = _Table(source, encoded, request)
        current = table.match_columns(ColumnRequest(choice.text, choice.labels, choice.id, choice.keep))
        for note in encoded.notes:
            tally.repair(note)
        if table.cr_only:
            tally.repair("lines end in CR alone")
        if current.labels is None:
            tally.repair("no label column found: documents have no labels")
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


class _RecordLines:
    """Feeds csv and remembers the physical lines of the current record, so that a broken one can be reported and read again."""

    def __init__(self, encoded: EncodedText, limit: int) -> None:
        self._lines = lines(encoded.stream, limit)
        self._encoding, self._limit = encoded.encoding, limit
        self._returned: deque[bytes] = deque()
        self._size = 0
        self.read = 0  # lines handed out so far; taken-back lines are uncounted
        self.record: list[bytes] = []
        self.undecodable = False

    def begin(self) -> None:
        """A new record starts."""
        self.record.clear()
        self._size, self.undecodable = 0, False

    def take_back(self) -> int:
        """Give all lines of the record but the first back, to be read as rows of their own."""
        rest = self.record[1:]
        self._returned.extendleft(reversed(rest))
        self.read -= len(rest)
        return len(rest)

    def unread(self, line: bytes) -> None:
        """Give one line back."""
        self._returned.appendleft(line)
        self.read -= 1

    def physical(self) -> bytes:
        """The next line as it stands."""
        line = self._returned.popleft() if self._returned else next(self._lines)
        self.read += 1
        return line

    def __iter__(self) -> _RecordLines:
        return self

    def __next__(self) -> str:
        line = self.physical()
        self.record.append(line)
        self._size += len(line)
        if line.__class__ is Overlong or self._size > self._limit or len(self.record) > RECORD_LINES:
            raise _Overflow
        try:
            return line.decode(self._encoding)
        except UnicodeError:
            self.undecodable = True
            return line.decode("latin-1")  # so that csv finds the end of the record, which is then rejected


class _Table:
    """A delimited file after its header was read."""

    def __init__(self, source: Source, encoded: EncodedText, request: ColumnRequest) -> None:
        self._name, self._source = source.name, source
        limit = source.limits.max_row_bytes
        if csv.field_size_limit() < limit:  # process-wide, so only ever raised; the true limit is kept by _Lines
            csv.field_size_limit(limit)
        self._feed = _RecordLines(encoded, limit)
        first = self._first_line()
        self._where = f"{self._name} line {self._feed.read}"
        self.cr_only = first.endswith(b"\r")
        try:
            sample = first.decode(encoded.encoding)
        except UnicodeError:
            raise InputError(
                self._where,
                f"the header is not valid {source.encoding}",
                'name the encoding, e.g. encoding="latin-1"; or say format= if this is not CSV',
            ) from None
        self._feed.unread(first)
        self._reader = csv.reader(self._feed, delimiter=request.delimiter or _separator(sample), strict=True)
        try:
            self.header = next(self._reader)
        except (csv.Error, _Overflow) as error:
            raise InputError(self._where, f"the header cannot be read ({error or 'too long'})", CURE) from None
        if repeated := [name for name, times in Counter(self.header).items() if times > 1]:
            raise InputError(
                self._where, f"column names are given twice: {name_list(repeated)}", "rename them in the header"
            )

    def _first_line(self) -> bytes:
        """The first line that is not blank."""
        try:
            while not (line := self._feed.physical()).strip():
                pass
        except StopIteration:
            raise InputError(self._name, "is empty", "a header line and rows are needed") from None
        if isinstance(line, Overlong):
            raise TooLarge(
                f"{self._name} line {self._feed.read}",
                f"the header has more than {self._source.limits.max_row_bytes:,} bytes",
                "say format= if this is not CSV",
            )
        return line

    def match_columns(self, request: ColumnRequest) -> ColumnChoice:
        """The columns of this file."""
        return match_columns(self._where, self.header, request, cure=CURE)

    def records(self, tally: Tally) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each sound record."""
        feed, reader, width = self._feed, self._reader, len(self.header)
        taken_back = 0
        while True:
            feed.begin()
            number = feed.read + 1
            where = f"{self._name} line {number}"
            try:
                cells = next(reader)
            except StopIteration:
                return
            except _Overflow:
                self._overflow(where, tally)
                continue
            except csv.Error as error:
                raw = feed.record[0]
                taken_back += feed.take_back()
                if taken_back > 2 * (feed.read + RECORD_LINES):  # or broken quotes would cost quadratic time
                    raise InputError(
                        where, "too many quotes that are not closed", "check the quotes, or say format= or delimiter="
                    ) from None
                tally.reject(
                    where,
                    "a quote in this line is not closed properly"
                    if '"' in str(error) or "end of data" in str(error)
                    else f"not valid CSV ({error})",
                    'put cells with quotes inside into quotes and double the inner ones: "say ""hello"""',
                    raw=raw,
                )
                continue
            if not cells:
                continue
            if feed.undecodable:
                tally.reject(
                    where,
                    f"the row is not valid {self._source.encoding}",
                    'name the encoding, e.g. encoding="latin-1"',
                    raw=b"".join(feed.record),
                )
            elif len(cells) != width:
                tally.reject(
                    where,
                    f"{len(cells)} cells where the header has {width}",
                    "quote cells that contain the separator",
                    raw=b"".join(feed.record),
                )
            elif not any(cells):
                tally.reject(where, "all cells are empty", raw=b"".join(feed.record))
            else:
                yield number, cells

    def _overflow(self, where: str, tally: Tally) -> None:
        """A row of one overlong line is rejected and skipped; a quote open over very many lines ends the reading."""
        feed, limit = self._feed, self._source.limits.max_row_bytes
        line = feed.record[-1]
        if len(feed.record) > 1 or not isinstance(line, Overlong):
            raise TooLarge(
                where,
                f"a quoted cell that opens here is still open {len(feed.record):,} lines later",
                "close the quote; or raise max_row_bytes= if the cell is that long",
            )
        tally.reject(where, f"the row has more than {limit:,} bytes", "raise max_row_bytes=", raw=bytes(line))
        quotes, skipped = line.quotes, 0
        while quotes % 2:  # the line ended inside a quoted cell: the row goes on
            skipped += 1
            try:
                next_line = feed.physical()
            except StopIteration:
                return
            if skipped > RECORD_LINES:
                raise TooLarge(where, "a quoted cell that opens here is not closed", "close the quote")
            quotes += next_line.quotes if isinstance(next_line, Overlong) else next_line.count(b'"')


def _separator(line: str) -> str:
    """The separator that stands most often outside quotes in the header line; a comma if none does."""
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)
