"""JSON Lines by compiled code: lines that are plain become Arrow columns, without a Python object for each row.

Blocks of about a megabyte go through `kernels.json_lines`. What that declines, be it one line among thousands, goes to the strict
reader, which rejects, repairs and counts; where it declines often, the rest of the block does too. The result is the same, row by
row, as if the strict reader had read everything. Compiled code is used where the process has loaded it, or when so much has been
read that loading it pays.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Row, tidy_label
from ..batches import RowBlock
from .columns import ColumnChoice
from .decompression import BLOCK, Readable

if TYPE_CHECKING:
    import pyarrow as pa

SIZE = 1 << 20  # bytes of a block, or a little more
LONGEST = 1 << 22  # bytes without a line end: from there on everything is read strictly, which never holds a whole line
WORTH_LOADING = 1 << 25  # bytes; to read them strictly takes about as long as to load compiled code
FEW = 100  # rows: after so few before a line that is not plain, the rest of the block is read strictly

StrictRows = Callable[[Readable, int], Iterator[Row]]  # of a stream, and of how many lines the input has before it


def read_blocks(
    stream: Readable, limit: int, choice: ColumnChoice, strict_rows: StrictRows
) -> Iterator[Row | RowBlock]:
    """Rows and blocks of rows, in order. limit: bytes that a line may have."""
    lines = size = 0
    parser: BlockParser | None = None
    for block in whole_lines(stream):
        if isinstance(block, LongLine):
            yield from strict_rows(block, lines)
            return
        if parser is None and pays(size) and has_distinct_keys(choice):
            parser = BlockParser(choice)
        size += len(block)
        start = 0
        if parser is not None and len(block) <= limit and is_utf8(block):
            rows = FEW
            while start < len(block) and rows >= FEW:
                parsed = parser.parse(block[start:])
                rows, end = len(parsed.ids), start + parsed.size
                if rows:
                    strictly = partial(strict_rows, io.BytesIO(block[start:end]), lines)
                    yield RowBlock(parsed.ids, parsed.arrays, strictly)
                lines, start = lines + parsed.lines, end
                if rows >= FEW and start < len(block):  # a line that is not plain
                    line_end = block.find(b"\n", start) + 1 or len(block)
                    yield from strict_rows(io.BytesIO(block[start:line_end]), lines)
                    lines, start = lines + len(block[start:line_end].splitlines()), line_end
        if start < len(block):
            yield from strict_rows(io.BytesIO(block[start:]), lines)
            lines += len(block[start:].splitlines())


def pays(size: int) -> bool:
    """Whether compiled code is to be used after so many bytes: it is there already, or they will be many."""
    return "numba" in sys.modules or size > WORTH_LOADING


class LongLine:
    """The rest of a stream, after bytes that have been read."""

    def __init__(self, begin: bytes, stream: Readable) -> None:
        self._begin, self._stream = io.BytesIO(begin), stream

    def read(self, size: int, /) -> bytes:
        return self._begin.read(size) or self._stream.read(size)

    def close(self) -> None:
        """The stream is closed by whoever opened it."""


def whole_lines(stream: Readable) -> Iterator[bytes | LongLine]:
    """The stream in blocks that end where a line ends; once a line is too long to wait for its end, the rest of the stream."""
    parts: list[bytes] = []
    size = 0
    while data := stream.read(BLOCK):
        parts.append(data)
        size += len(data)
        if size < SIZE:
            continue
        end = data.rfind(b"\n") + 1
        if end:
            parts[-1] = data[:end]
            yield b"".join(parts)
            parts, size = [data[end:]], len(data) - end
        elif size > LONGEST:
            yield LongLine(b"".join(parts), stream)
            return
    if size:
        yield b"".join(parts)


def is_utf8(block: bytes) -> bool:
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeDecodeError:
        return False


def has_distinct_keys(choice: ColumnChoice) -> bool:
    """Whether each column has one use: one that is both kept and label, say, is for the strict reader."""
    names = [*choice.text, *filter(None, (choice.labels, choice.id)), *choice.keep]
    return len(set(names)) == len(names)


class ParsedLines(NamedTuple):
    """The plain lines at the beginning of a block."""

    ids: list[str | None]
    arrays: list[pa.Array]  # text fields, labels, kept columns
    lines: int
    size: int  # in bytes


class BlockParser:
    """The compiled parser for the columns of one source, and its results as Arrow arrays."""

    def __init__(self, choice: ColumnChoice) -> None:
        import numpy as np

        from ...kernels import json_lines

        uses = [(name, json_lines.TEXT) for name in choice.text]
        uses += [(choice.labels, json_lines.LABELS)] if choice.labels is not None else []
        uses += [(choice.id, json_lines.ID)] if choice.id is not None else []
        uses += [(name, json_lines.KEEP) for name in choice.keep]
        keys = [name.encode("utf-8", "surrogatepass") for name, _ in uses]
        self._wanted = (
            np.frombuffer(b"".join(keys), dtype=np.uint8),
            np.cumsum([0, *map(len, keys)], dtype=np.int64),
            np.array([kind for _, kind in uses], dtype=np.int64),
        )
        self._choice, self._parse = choice, json_lines.parse_json_lines
        self._column_of = {name: column for column, (name, _) in enumerate(uses)}
        self._output: tuple[Any, ...] | None = (
            None  # for blocks of any size so far; new memory for each costs as much as parsing
        )
        self._tidy: set[str] = set()  # labels that need no repair, met before

    def parse(self, block: bytes) -> ParsedLines:
        """The lines before the first that is not plain; none if a label needs a repair."""
        import numpy as np
        import pyarrow as pa

        ended = block if block.endswith(b"\n") else block + b"\n"
        data, ends, absent, label_ends = output = self._room_for(len(ended))
        rows, n_labels, lines, size = self._parse(np.frombuffer(ended, dtype=np.uint8), self._wanted, output)

        def strings(name: str, kind: pa.DataType, *, nullable: bool = False) -> pa.Array:
            column = self._column_of[name]
            nulls = absent[column, :rows] if nullable else None
            return string_array(data[column], ends[column, : rows + 1], kind, nulls)

        ids: list[str | None] = [None] * rows
        if self._choice.id is not None:
            ids = strings(self._choice.id, pa.string(), nullable=True).to_pylist()
        label_rows, labels = np.zeros(rows + 1, dtype=np.int32), pa.array([], pa.string())
        if self._choice.labels is not None:
            column = self._column_of[self._choice.labels]
            label_rows = ends[column, : rows + 1].astype(np.int32)
            labels = string_array(data[column], label_ends[: n_labels + 1], pa.string())
            if not self._are_tidy(labels):
                return ParsedLines([], [], 0, 0)
        arrays = [
            *(strings(name, pa.large_string()) for name in self._choice.text),
            pa.ListArray.from_arrays(pa.array(label_rows), labels),
            *(strings(name, pa.string(), nullable=True) for name in self._choice.keep),
        ]
        return ParsedLines(ids, arrays, lines, min(size, len(block)))

    def _room_for(self, size: int) -> tuple[Any, ...]:
        """Arrays that are large enough for the results of a block of so many bytes: a row takes 8 at least, a label 3."""
        import numpy as np

        if self._output is None or self._output[0].shape[1] < size:
            n_keys, size = len(self._wanted[2]), size + size // 4
            self._output = (
                np.empty((n_keys, size), dtype=np.uint8),
                np.empty((n_keys, size // 8 + 2), dtype=np.int64),
                np.empty((n_keys, size // 8 + 1), dtype=np.uint8),
                np.empty(size // 3 + 2, dtype=np.int64),
            )
        return self._output

    def _are_tidy(self, labels: pa.Array) -> bool:
        """Whether all labels are as the rule for labels wants them."""
        names = set(labels.dictionary_encode().dictionary.to_pylist()) - self._tidy
        if not all(name and tidy_label(name) == name for name in names):
            return False
        self._tidy |= names
        return True


def string_array(data: Any, ends: Any, kind: pa.DataType, absent: Any = None) -> pa.Array:
    """Strings that stand one after the other. ends: a 0 in front; absent: 1 where there is null."""
    import numpy as np
    import pyarrow as pa

    offsets = ends.astype(np.int64 if kind == pa.large_string() else np.int32)
    nulls = None if absent is None or not absent.any() else pa.py_buffer(np.packbits(absent == 0, bitorder="little"))
    buffers = [nulls, pa.py_buffer(offsets), pa.py_buffer(data[: ends[-1]].copy())]
    return pa.Array.from_buffers(kind, len(ends) - 1, buffers)
