"""Parquet, row group by row group in small batches, guarded against files that are small on disk and huge in memory.

Text columns may be strings, dictionaries of strings, or bytes that are valid UTF-8; labels a string or a list of
strings; an id a string or a whole number; kept columns anything that Arrow can write as a string. Null text, null
labels inside a list and bytes that are not UTF-8 reject the row.

A dictionary-coded column can hold one long string and a run length: five hundred bytes that become gigabytes. So each
row group is first probed with its dictionaries left folded; the longest entry sets how many rows are unfolded at a
time, and what was unfolded so far is held against `max_bytes` and `max_ratio`.

Arrow's own view of a column's metadata ends the whole process on some damaged footers (an exception that nothing
catches), and its reader believes the footer. So the few numbers that guard memory are read here first, in Thrift's
compact protocol, with every length held against what is left of the footer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import IO, Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...errors import InputError, TooLarge
from .. import Row, Tally
from .columns import LABELS_CURE, NO_LABELS, ColumnChoice, ColumnRequest, UnusableRow, labels_in_cell, match_columns
from .decompression import RATIO_FROM_BYTES
from .sources import Source

BATCH_ROWS = 1024
BATCH_BYTES = 32 << 20
VALUES_PER_ROW = 1000  # labels a row, on average; more is no label list
DELTAS = {5, 6, 7, 9}  # the encodings that Arrow cannot read as dictionaries
CURE = "write the file again, or get it again"
# What Arrow raises on broken files; OSError and MemoryError cover its own subclasses.
BROKEN = (pa.ArrowException, OSError, MemoryError, ValueError, OverflowError, TypeError, KeyError, IndexError)

# Thrift's types, and the fields that are read of its structs FileMetaData, RowGroup, ColumnChunk and ColumnMetaData
BOOLEANS, BYTE, WHOLE, DOUBLE, BINARY, LISTS, MAP, STRUCT, UUID = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 11, 12, 13
ROWS, GROUPS, CHUNKS, GROUP_ROWS, METADATA, ENCODINGS, PATH, VALUES, UNPACKED = 3, 4, 1, 3, 3, 2, 3, 5, 6
Fields = dict[int, Any]  # number of a field: the fields read of its structs
COLUMN_FIELDS: Fields = {ENCODINGS: {}, PATH: {}, VALUES: {}, UNPACKED: {}}
FOOTER_FIELDS: Fields = {ROWS: {}, GROUPS: {CHUNKS: {METADATA: COLUMN_FIELDS}, GROUP_ROWS: {}}}
DEPTH = 32

T = TypeVar("T")


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    with closing(_ParquetFile(source)) as file:
        choice = match_columns(source.name, file.schema.names, request)
        file.check_types(choice)
        return choice


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    with closing(_ParquetFile(source)) as file:
        match_columns(source.name, file.schema.names, ColumnRequest(choice.text, choice.labels, choice.id, choice.keep))
        file.check_types(choice)
        if choice.labels is None:
            tally.repair(NO_LABELS)
        number = 0
        for batch in file.batches(choice):
            texts = [_column_values(batch.column(name)) for name in choice.text]
            labels = None if choice.labels is None else _label_values(batch.column(choice.labels))
            ids = None if choice.id is None else _column_values(batch.column(choice.id))
            kept = [_column_values(batch.column(name)) for name in choice.keep]
            for n in range(batch.num_rows):
                number += 1
                where = f"{source.name} row {number}"
                try:
                    yield Row(
                        where,
                        None if ids is None else _string(ids[n], choice.id or ""),
                        _texts([column[n] for column in texts], choice.text),
                        () if labels is None else _labels(labels[n], choice.labels or "", request.label_delimiter),
                        tuple([_string(column[n], name) for column, name in zip(kept, choice.keep, strict=True)]),
                    )
                except UnusableRow as why:
                    raw = next((value for column in texts if (value := column[n]) is not None), "")
                    tally.reject(where, why.what, why.cure, raw=raw)
        if number != file.rows:
            raise InputError(source.name, f"has {number:,} rows where its footer promises {file.rows:,}", CURE)


def _string(value: str | bytes | None, name: str) -> str | None:
    if isinstance(value, bytes):
        raise UnusableRow(f"{name} is not valid UTF-8", "write the column as strings")
    return value


def _texts(values: list[str | bytes | None], names: tuple[str, ...]) -> tuple[str, ...]:
    if all(value is None for value in values):
        raise UnusableRow(f"no text: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} null")
    return tuple([_string(value, name) or "" for value, name in zip(values, names, strict=True)])


def _labels(value: Any, name: str, delimiter: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        return labels_in_cell(_string(value, name) or "", delimiter)
    if None in value:
        raise UnusableRow(f"{name} holds null", LABELS_CURE)
    return tuple([_string(label, name) or "" for label in value])


def _is_text(kind: Any) -> bool:
    t = pa.types
    kind = kind.value_type if t.is_dictionary(kind) else kind
    strings = t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind)
    bytes_ = t.is_binary(kind) or t.is_large_binary(kind) or t.is_binary_view(kind) or t.is_fixed_size_binary(kind)
    return bool(strings or bytes_ or t.is_null(kind))


def _is_list(kind: Any) -> bool:
    t = pa.types
    return bool(t.is_list(kind) or t.is_large_list(kind) or t.is_fixed_size_list(kind))


class _ParquetFile:
    """A Parquet file that was looked over before anything of it is unfolded."""

    def __init__(self, source: Source) -> None:
        self._source, self.name = source, source.name
        self._handle = source.seekable()
        try:
            self.size = self._handle.seek(0, 2)
            if self.size == 0:
                raise InputError(self.name, "is empty", "write the file again; or say format= if this is not Parquet")
            self.rows, self._groups = read_footer(self._handle)
            self._check_footer()
            self._reader = self._open(None)
            self.schema = self._reader.schema_arrow
        except InputError:
            self.close()
            raise
        except BROKEN as error:
            self.close()
            what = f"is not Parquet, or damaged ({_first_line(error)})"
            raise InputError(self.name, what, "get the file again, or say format=") from error

    def close(self) -> None:
        self._source.release(self._handle)

    def _open(self, folded: list[str] | None) -> Any:
        self._handle.seek(0)
        # buffer_size: without it Arrow reads a whole column chunk at once
        return pq.ParquetFile(
            self._handle, read_dictionary=folded, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True
        )

    def _check_footer(self) -> None:
        """The footer's own claims must be sane before any of them decides how much memory is taken."""
        claimed = [group.rows for group in self._groups]
        if any(rows < 0 for rows in claimed) or sum(claimed) != self.rows:
            what = f"its footer contradicts itself ({self.rows:,} rows, {sum(claimed):,} in groups)"
            raise InputError(self.name, what, CURE)
        if self.rows > self._source.limits.max_bytes:
            raise TooLarge(self.name, f"its footer claims {self.rows:,} rows", "if you trust it, raise max_bytes=")

    def check_types(self, choice: ColumnChoice) -> None:
        for name in choice.text:
            kind = self.schema.field(name).type
            if not _is_text(kind):
                raise InputError(self.name, f"text column {name} is {_first_line(kind)}", "text must be strings")
        if choice.labels is not None:
            kind = self.schema.field(choice.labels).type
            if not _is_text(kind.value_type if _is_list(kind) else kind):
                raise InputError(self.name, f"label column {choice.labels} is {_first_line(kind)}", LABELS_CURE)
        if choice.id is not None:
            kind = self.schema.field(choice.id).type
            if not _is_text(kind) and not pa.types.is_integer(kind):
                what = f"id column {choice.id} is {_first_line(kind)}"
                raise InputError(self.name, what, "an id is a string or a whole number")
        for name in choice.keep:
            if pa.types.is_nested(self.schema.field(name).type):
                raise InputError(self.name, f"column {name} is nested", "keep= takes plain columns")

    def batches(self, choice: ColumnChoice) -> Iterator[Any]:
        names = list(dict.fromkeys([*choice.text, *filter(None, (choice.labels, choice.id)), *choice.keep]))
        limits = self._source.limits
        unfolded = 0
        try:
            for number, group in enumerate(self._groups):
                if group.rows == 0:
                    continue
                rows = self._rows_at_a_time(number, group, names)
                for batch in self._reader.iter_batches(rows, row_groups=[number], columns=names, use_threads=False):
                    unfolded += batch.nbytes
                    limits.check(self.name, unfolded, self.size)
                    batch.validate()
                    yield batch
        except InputError:
            raise
        except BROKEN as error:
            raise InputError(self.name, f"is damaged ({_first_line(error)})", CURE) from error

    def _rows_at_a_time(self, number: int, group: Group, names: list[str]) -> int:
        """How many rows of a group can be unfolded together without taking much memory."""
        limits = self._source.limits
        beginnings = tuple(f"{name}." for name in names)
        columns = [column for column in group.columns if f"{column.path}.".startswith(beginnings)]
        for column in columns:
            limits.check(self.name, column.unpacked, self.size)
            if column.values > VALUES_PER_ROW * group.rows + (1 << 20):
                what = f"{column.path} claims {column.values:,} values in {group.rows:,} rows"
                raise TooLarge(self.name, what, CURE)
        unprobed = [column for column in columns if not DELTAS.isdisjoint(column.encodings)]
        longest = self._longest(number, names, [column.path for column in columns if column not in unprobed])
        rows = max(1, min(BATCH_ROWS, BATCH_BYTES // max(longest, 1)))
        if unprobed:
            rows = min(rows, 32)  # shared beginnings unfold as dictionaries do, but Arrow cannot leave them folded
        if (least := longest * min(rows, group.rows)) > RATIO_FROM_BYTES:
            limits.check(self.name, least, self.size)
        return rows

    def _longest(self, number: int, names: list[str], paths: list[str]) -> int:
        """The longest entry of the dictionaries of a row group, all its columns together; 0 if it has none."""
        total = 0
        probe = self._open(paths)
        for batch in probe.iter_batches(1, row_groups=[number], columns=names, use_threads=False):
            for column in batch.columns:
                if _is_list(column.type):
                    column = column.values
                if pa.types.is_dictionary(column.type):
                    total += pc.max(pc.binary_length(column.dictionary)).as_py() or 0
            break
        return total


def _label_values(column: Any) -> list[Any]:
    """For each row None, a string, or a list of strings."""
    if not _is_list(column.type):
        return _column_values(column)
    flat = iter(_column_values(column.flatten()))
    sizes = pc.list_value_length(column).to_pylist()
    return [None if size is None else list(islice(flat, size)) for size in sizes]


def _column_values(column: Any) -> list[str | bytes | None]:
    """A column as strings; entries that are not UTF-8 stay bytes."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not _is_text(column.type):
        return column.cast(pa.string()).to_pylist()  # type: ignore[no-any-return]
    raw = column if pa.types.is_null(column.type) else column.cast(pa.large_binary())
    try:
        return raw.cast(pa.large_string()).to_pylist()  # type: ignore[no-any-return]
    except pa.ArrowInvalid:
        return [_decode_or_keep(value) for value in raw.to_pylist()]


def _decode_or_keep(value: bytes | None) -> str | bytes | None:
    try:
        return None if value is None else value.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _first_line(error: object) -> str:
    text = str(error).split("\n", 1)[0]
    return text if len(text) <= 200 else text[:197] + "..."


class BadFooterError(ValueError):
    """The footer is not one."""


class Column(NamedTuple):
    """A column chunk: its path in the schema, how many values, how large unpacked, and in which encodings."""

    path: str
    values: int
    unpacked: int
    encodings: list[int]


class Group(NamedTuple):
    """A row group."""

    rows: int
    columns: list[Column]


def read_footer(file: IO[bytes]) -> tuple[int, list[Group]]:
    """The number of rows a file claims, and its row groups. The file is left at its start."""
    size = file.seek(0, 2)
    if size < 12:
        raise BadFooterError("it is too short")
    file.seek(size - 8)
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1":
        raise BadFooterError("it does not end in PAR1")
    if length > size - 12:
        raise BadFooterError("its footer is cut off")
    file.seek(size - 8 - length)
    footer = _Thrift(file.read(length)).value(STRUCT, FOOTER_FIELDS)
    file.seek(0)
    groups = []
    for group in _list(dict, footer, GROUPS):
        metadata = [_typed(dict, chunk.get(METADATA, {})) for chunk in _list(dict, group, CHUNKS)]
        groups.append(Group(_typed(int, group.get(GROUP_ROWS, 0)), [_column(values) for values in metadata]))
    return _typed(int, footer.get(ROWS, 0)), groups


def _column(values: dict[int, Any]) -> Column:
    path = ".".join([part.decode("utf-8", "replace") for part in _list(bytes, values, PATH)])
    number, unpacked = (_typed(int, values.get(field, 0)) for field in (VALUES, UNPACKED))
    return Column(path, number, unpacked, _list(int, values, ENCODINGS))


def _list(kind: type[T], values: dict[int, Any], number: int) -> list[T]:
    return [_typed(kind, value) for value in _typed(list, values.get(number, []))]


def _typed(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise BadFooterError("its footer has a value of the wrong type")
    return value


class _Thrift:
    """A cursor over bytes in Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _take(self, size: int) -> bytes:
        if size > len(self._data) - self._at:
            raise BadFooterError("its footer ends too early")
        self._at += size
        return self._data[self._at - size : self._at]

    def _byte(self) -> int:
        return self._take(1)[0]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7
            if shift > 63:
                raise BadFooterError("its footer has a number of more than 64 bits")

    def _whole(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def value(self, kind: int, fields: Fields | None = None, depth: int = 0) -> Any:
        """A value: of a struct a dict of these `fields`. If they are None, lists and structs are passed over."""
        if depth > DEPTH:
            raise BadFooterError("its footer is nested too deeply")
        if kind in WHOLE:
            return self._whole()
        if kind == BINARY:
            return self._take(self._varint())
        if kind in LISTS:
            head = self._byte()
            size, inner = head >> 4 if head >> 4 < 15 else self._varint(), head & 0x0F
            if size > len(self._data) - self._at:  # each element takes a byte at least
                raise BadFooterError("its footer ends too early")
            inner = BYTE if inner in BOOLEANS else inner
            elements = (self.value(inner, fields, depth + 1) for _ in range(size))
            return deque(elements, maxlen=0) if fields is None else list(elements)
        if kind == STRUCT:
            values, number = {}, 0
            while head := self._byte():
                number = number + (head >> 4) if head >> 4 else self._whole()
                inner_fields = None if fields is None else fields.get(number)
                value = self.value(head & 0x0F, inner_fields, depth + 1)
                if inner_fields is not None:
                    values[number] = value
            return values
        if kind == MAP:
            size = self._varint()
            kinds = self._byte() if size else 0
            for _ in range(min(size, len(self._data))):
                self.value(kinds >> 4, None, depth + 1)
                self.value(kinds & 0x0F, None, depth + 1)
        elif kind in (BYTE, DOUBLE, UUID):
            self._take({BYTE: 1, DOUBLE: 8, UUID: 16}[kind])
        elif kind not in BOOLEANS:
            raise BadFooterError(f"its footer has an unknown type ({kind})")
        return None
