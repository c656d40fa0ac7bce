"""What a Parquet file claims about itself: rows, and values and bytes of each column, read from its footer.

Arrow's own view of a column's metadata ends the whole process on some damaged footers (an exception that nothing
catches), and its reader believes the footer. So the few numbers that guard memory are read here first, in Thrift's
compact protocol, with every length held against what is left of the footer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

BOOLEANS, BYTE, WHOLE, DOUBLE, BINARY, LISTS, MAP, STRUCT, UUID = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 11, 12, 13
DEPTH = 32


class BadFooterError(ValueError):
    """The footer is not one."""


@dataclass(slots=True)
class Column:
    """A column chunk: its path in the schema, how many values, how large unpacked, and in which encodings."""

    path: str = ""
    values: int = 0
    unpacked: int = 0
    encodings: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """A row group."""

    rows: int = 0
    columns: list[Column] = field(default_factory=list)


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
    thrift = _Thrift(file.read(length))
    file.seek(0)
    rows = 0
    groups: list[Group] = []
    for number, kind in thrift.fields():
        if number == 3 and kind in WHOLE:
            rows = thrift.whole()
        elif number == 4 and kind in LISTS:
            groups = [_group(thrift) for _ in thrift.structs()]
        else:
            thrift.skip(kind)
    return rows, groups


def _group(thrift: _Thrift) -> Group:
    group = Group()
    for number, kind in thrift.fields():
        if number == 1 and kind in LISTS:
            group.columns = [_chunk(thrift) for _ in thrift.structs()]
        elif number == 3 and kind in WHOLE:
            group.rows = thrift.whole()
        else:
            thrift.skip(kind)
    return group


def _chunk(thrift: _Thrift) -> Column:
    column = Column()
    for number, kind in thrift.fields():
        if number == 3 and kind == STRUCT:
            column = _column(thrift)
        else:
            thrift.skip(kind)
    return column


def _column(thrift: _Thrift) -> Column:
    column = Column()
    for number, kind in thrift.fields():
        if number == 2 and kind in LISTS:
            column.encodings = [thrift.whole() for _ in range(thrift.list_of(WHOLE))]
        elif number == 3 and kind in LISTS:
            column.path = ".".join(
                [thrift.binary().decode("utf-8", "replace") for _ in range(thrift.list_of((BINARY,)))]
            )
        elif number == 5 and kind in WHOLE:
            column.values = thrift.whole()
        elif number == 6 and kind in WHOLE:
            column.unpacked = thrift.whole()
        else:
            thrift.skip(kind)
    return column


class _Thrift:
    """A cursor over bytes in Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _byte(self) -> int:
        if self._at >= len(self._data):
            raise BadFooterError("its footer ends too early")
        self._at += 1
        return self._data[self._at - 1]

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

    def whole(self) -> int:
        """A signed whole number."""
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _take(self, size: int) -> bytes:
        if size > len(self._data) - self._at:
            raise BadFooterError("its footer ends too early")
        self._at += size
        return self._data[self._at - size : self._at]

    def binary(self) -> bytes:
        """A string of bytes."""
        return self._take(self._varint())

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a struct; the caller reads or skips the value."""
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self.whole()
            yield number, head & 0x0F

    def _list(self) -> tuple[int, int]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._varint()
        if size > len(self._data) - self._at:  # each element takes a byte at least
            raise BadFooterError("its footer ends too early")
        return size, head & 0x0F

    def list_of(self, kinds: tuple[int, ...]) -> int:
        """The number of elements of a list whose elements must have one of these types."""
        size, kind = self._list()
        if size and kind not in kinds:
            raise BadFooterError("its footer has a list of the wrong type")
        return size

    def structs(self) -> range:
        """One turn for each struct of a list."""
        return range(self.list_of((STRUCT,)))

    def skip(self, kind: int, depth: int = 0) -> None:
        """Pass over a value."""
        if depth > DEPTH:
            raise BadFooterError("its footer is nested too deeply")
        if kind in WHOLE:
            self._varint()
        elif kind == BINARY:
            self.binary()
        elif kind in LISTS:
            size, inner = self._list()
            for _ in range(size):
                if inner in BOOLEANS:
                    self._byte()
                else:
                    self.skip(inner, depth + 1)
        elif kind == STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth + 1)
        elif kind == MAP:
            if size := self._varint():
                both = self._byte()
                for _ in range(min(size, len(self._data))):
                    self.skip(both >> 4, depth + 1)
                    self.skip(both & 0x0F, depth + 1)
        elif kind in (BYTE, DOUBLE, UUID):
            self._take({BYTE: 1, DOUBLE: 8, UUID: 16}[kind])
        elif kind not in BOOLEANS:
            raise BadFooterError(f"its footer has an unknown type ({kind})")
