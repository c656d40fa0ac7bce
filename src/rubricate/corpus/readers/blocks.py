"""Rows by compiled code: JSON Lines, CSV and TSV become Arrow columns, without a Python object for each row.

Blocks of about a megabyte go through `kernels.json_lines` or `kernels.delimited`. A row that is not plain, be it one among
thousands, goes to the strict reader of its format, which rejects, repairs and counts. The result is the same, row by row, as if
the strict reader had read everything. Compiled code is used where the process has loaded it, or when so much has been read that
it pays.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import InputError
from .. import Row, tidy_label
from ..batches import RowBlock
from .columns import ColumnChoice
from .decompression import BLOCK, Readable

if TYPE_CHECKING:
    import pyarrow as pa

SIZE = 1 << 20  # bytes of a block, or a little more
LONGEST = (
    1 << 22
)  # bytes in which no row ends: from there on everything is read strictly, which need not hold a whole row
WORTH_LOADING = 1 << 25  # bytes; to read them strictly takes about as long as to load compiled code
MOST_SINGLE = (
    20  # rows of a block that go to the strict reader one by one; if there are more, what follows them does too
)

StrictRows = Callable[[Readable, int], Iterator[Row]]  # of a stream, and of how many lines the input has before it


def pays(size: int) -> bool:
    """Whether compiled code is to be used for input of so many bytes, or more."""
    return size > (SIZE if "numba" in sys.modules else WORTH_LOADING)


def has_distinct_columns(choice: ColumnChoice) -> bool:
    """Whether each column has one use: one that is both kept and label, say, is for the strict reader."""
    names = [*choice.text, *filter(None, (choice.labels, choice.id)), *choice.keep]
    return len(set(names)) == len(names)


def read_blocks(
    stream: Readable, limit: int, make_parser: Callable[[], BlockParser], strict_rows: StrictRows
) -> Iterator[Row | RowBlock]:
    """Rows and blocks of rows, in order. limit: bytes that a row may have."""
    blocks, lines, parser = LineBlocks(stream), 0, None
    while block := blocks.next():
        if parser is None and pays(blocks.size):
            parser = make_parser()
        start, single, result = 0, 0, None
        while parser is not None and len(block) <= limit and start < len(block) and single <= MOST_SINGLE:
            if start == 0 and not is_utf8(block):
                break
            result = parser.parse(block[start:])
            end = start + result.size
            if result.ids:
                strictly = partial(strict_rows, io.BytesIO(block[start:end]), lines)
                yield RowBlock(result.ids, result.arrays, strictly)
            lines, start = lines + result.lines, end
            if not result.next_size:
                break
            if start < len(block):  # a row that is not plain
                yield from strict_rows(io.BytesIO(block[start : start + result.next_size]), lines)
                lines, start, single = lines + result.next_lines, start + result.next_size, single + 1
        if start < len(block) and (parser is None or parser.rows_are_lines):
            yield from strict_rows(io.BytesIO(block[start:]), lines)
            lines += len(block[start:].splitlines())
        elif start < len(block):
            blocks.give_back(block[start:])
            if result is None or not result.is_cut or blocks.ended:
                break
    yield from strict_rows(blocks, lines)


class LineBlocks:
    """A stream in blocks that end where a line ends; and its rest, as a stream again."""

    def __init__(self, stream: Readable) -> None:
        self._stream, self._rest = stream, b""
        self._failure: InputError | None = (
            None  # met where a further read would begin: what was read before is handed on first
        )
        self.size = 0  # read so far
        self.ended = False

    def next(self) -> bytes:
        """At least a megabyte more than what was given back; empty at the end, or where no line ends for too long."""
        parts, size = [self._rest], 0
        self._rest = b""
        while len(parts[0]) + size <= LONGEST:
            data = self._read(BLOCK)
            size += len(data)
            self.size += len(data)
            if not data:
                self.ended = True
                whole = b"".join(parts)
                return whole if self._failure is None else whole[: whole.rfind(b"\n") + 1]
            parts.append(data)
            if size >= SIZE and (end := data.rfind(b"\n") + 1):
                parts[-1], self._rest = data[:end], data[end:]
                return b"".join(parts)
        self._rest = b"".join(parts)
        return b""

    def _read(self, size: int) -> bytes:
        if self._failure is None:
            try:
                return self._stream.read(size)
            except InputError as failure:
                self._failure = failure
        return b""

    def give_back(self, data: bytes) -> None:
        self._rest = data + self._rest

    def read(self, size: int, /) -> bytes:
        out, self._rest = self._rest[:size], self._rest[size:]
        if not out and self._failure is not None:
            raise self._failure
        return out or self._stream.read(size)

    def close(self) -> None:
        """The stream is closed by whoever opened it."""


def is_utf8(block: bytes) -> bool:
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeDecodeError:
        return False


class ParsedRows(NamedTuple):
    """The plain rows at the beginning of a block."""

    ids: list[str | None]
    arrays: list[pa.Array]  # text fields, labels, kept columns
    lines: int
    size: int  # in bytes
    next_size: int  # of the row after them, which is not plain; 0: not known
    next_lines: int
    is_cut: bool = False  # whether the row after them does not end in the block


Kernel = Callable[[Any, tuple[Any, ...]], tuple[int, int, int, int, int, int]]  # what `parse_records` returns


class BlockParser:
    """A kernel for the columns of one source, and what it finds as Arrow arrays. rows_are_lines: whether a row ends with each
    line, so that whatever a block holds, the next one begins with a row; smallest_row: its bytes."""

    def __init__(self, choice: ColumnChoice, run_kernel: Kernel, *, rows_are_lines: bool, smallest_row: int) -> None:
        self.rows_are_lines = rows_are_lines
        self._choice, self._run_kernel, self._smallest_row = choice, run_kernel, smallest_row
        self._names = [name for name, _ in column_uses(choice)]
        self._output: tuple[Any, ...] | None = None  # for all blocks: new memory for each costs as much as parsing
        self._tidy: set[str] = set()  # labels that need no repair, met before

    def parse(self, block: bytes) -> ParsedRows:
        """The rows before the first that is not plain; none if a label needs a repair."""
        import numpy as np
        import pyarrow as pa

        ended = block if block.endswith(b"\n") else block + b"\n"
        data, ends, absent, label_ends = output = self._arrays_for(len(ended))
        bytes_of = np.frombuffer(ended, dtype=np.uint8)
        rows, n_labels, lines, size, next_end, next_lines = self._run_kernel(bytes_of, output)

        def strings(name: str, kind: pa.DataType, *, nullable: bool = False) -> pa.Array:
            column = self._names.index(name)
            nulls = absent[column, :rows] if nullable else None
            return string_array(data[column], ends[column, : rows + 1], kind, nulls)

        ids: list[str | None] = [None] * rows
        if self._choice.id is not None:
            ids = strings(self._choice.id, pa.string(), nullable=True).to_pylist()
        label_rows, labels = np.zeros(rows + 1, dtype=np.int32), pa.array([], pa.string())
        if self._choice.labels is not None:
            column = self._names.index(self._choice.labels)
            label_rows = ends[column, : rows + 1].astype(np.int32)
            labels = string_array(data[column], label_ends[: n_labels + 1], pa.string())
            if not self._are_tidy(labels):
                return ParsedRows([], [], 0, 0, 0, 0)
        arrays = [
            *(strings(name, pa.large_string()) for name in self._choice.text),
            pa.ListArray.from_arrays(pa.array(label_rows), labels),
            *(strings(name, pa.string(), nullable=True) for name in self._choice.keep),
        ]
        next_size = max(min(next_end, len(block)) - size, 0)
        return ParsedRows(ids, arrays, lines, min(size, len(block)), next_size, next_lines, next_end == 0)

    def _arrays_for(self, size: int) -> tuple[Any, ...]:
        """Room for the results of a block of so many bytes."""
        import numpy as np

        if self._output is None or self._output[0].shape[1] < size:
            size += size // 4
            n_columns, n_rows = len(self._names), size // self._smallest_row + 1
            self._output = (
                np.empty((n_columns, size), dtype=np.uint8),
                np.empty((n_columns, n_rows + 1), dtype=np.int64),
                np.empty((n_columns, n_rows), dtype=np.uint8),
                np.empty(
                    size // 2 + 2, dtype=np.int64
                ),  # a label has one byte at least beside the one that separates it
            )
        return self._output

    def _are_tidy(self, labels: pa.Array) -> bool:
        """Whether all labels are as the rule for labels wants them."""
        names = set(labels.dictionary_encode().dictionary.to_pylist()) - self._tidy
        if not all(name and tidy_label(name) == name for name in names):
            return False
        self._tidy |= names
        return True


def column_uses(choice: ColumnChoice) -> list[tuple[str, int]]:
    """The columns that are wanted, and what each is for."""
    from ...kernels.json_lines import ID, KEEP, LABELS, TEXT

    uses = [(name, TEXT) for name in choice.text]
    uses += [(choice.labels, LABELS)] if choice.labels is not None else []
    uses += [(choice.id, ID)] if choice.id is not None else []
    return uses + [(name, KEEP) for name in choice.keep]


def json_parser(choice: ColumnChoice) -> BlockParser:
    """Of JSON Lines."""
    import numpy as np

    from ...kernels.json_lines import parse_json_lines

    uses = column_uses(choice)
    keys = [name.encode("utf-8", "surrogatepass") for name, _ in uses]
    key_ends = np.cumsum([0, *map(len, keys)], dtype=np.int64)
    wanted = (
        np.frombuffer(b"".join(keys), dtype=np.uint8),
        key_ends,
        np.array([kind for _, kind in uses], dtype=np.int64),
    )

    def run_kernel(block: Any, output: tuple[Any, ...]) -> tuple[int, int, int, int, int, int]:
        rows, labels, lines, size = parse_json_lines(block, wanted, output)
        rest = block[size:]
        line = rest[: int((rest == ord("\n")).argmax()) + 1].tobytes() if len(rest) else b""
        return rows, labels, lines, size, size + len(line), len(line.splitlines())

    return BlockParser(choice, run_kernel, rows_are_lines=True, smallest_row=8)


def table_parser(choice: ColumnChoice, header: list[str], separator: str) -> BlockParser:
    """Of CSV and TSV. header: the names of all columns, in their order."""
    import numpy as np

    from ...kernels.delimited import parse_records

    uses = column_uses(choice)
    column_of = {name: column for column, (name, _) in enumerate(uses)}
    columns = np.array([column_of.get(name, -1) for name in header], dtype=np.int64)
    table = np.uint8(ord(separator)), columns, np.array([kind for _, kind in uses], dtype=np.int64)
    return BlockParser(
        choice, lambda block, output: parse_records(block, table, output), rows_are_lines=False, smallest_row=2
    )


def string_array(data: Any, ends: Any, kind: pa.DataType, absent: Any = None) -> pa.Array:
    """Strings that stand one after the other. ends: a 0 in front; absent: 1 where there is null."""
    import numpy as np
    import pyarrow as pa

    offsets = ends.astype(np.int64 if kind == pa.large_string() else np.int32)
    nulls = None if absent is None or not absent.any() else pa.py_buffer(np.packbits(absent == 0, bitorder="little"))
    buffers = [nulls, pa.py_buffer(offsets), pa.py_buffer(data[: ends[-1]].copy())]
    return pa.Array.from_buffers(kind, len(ends) - 1, buffers)
