"""Rows gathered into Arrow batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from ..errors import InputError
from .document import TEXT, Columns, Row
from .labels import clean_labels
from .tally import Tally

BATCH_ROWS = 8192
BATCH_BYTES = 1 << 20


def _is_row_name(name: str, unnamed: bytearray) -> bool:
    """Whether an id of the input that begins with "row-" is the name that an earlier row without an id got."""
    number = name.removeprefix("row-")
    return number.isdecimal() and 0 < int(number) < len(unnamed) and bool(unnamed[int(number) - 1])


def batched(rows: Iterable[Row], columns: Columns, tally: Tally) -> Iterator[pa.RecordBatch]:
    """Gather rows into Arrow batches of bounded size; reject repeated ids; number rows that have none."""
    names: set[str] = set()
    unnamed = bytearray()  # which rows were named after their number
    pending = _Pending(columns)
    single_field = len(columns.text) == 1
    size = 0
    for ordinal, (where, name, texts, labels, kept_values) in enumerate(rows, 1):
        unnamed.append(name is None)
        if name is None:
            name = f"row-{ordinal}"
            if name in names:
                name = f"{name}-unnamed"
        elif name in names or (name.startswith("row-") and _is_row_name(name, unnamed)):
            tally.reject(where, f"id {name!r} was given before", "ids must differ: put all labels into one row")
            continue
        else:
            names.add(name)
        pending.ids.append(name)
        pending.texts.append(texts)
        pending.labels.append(clean_labels(labels, tally, where) if labels else ())
        pending.kept.append(kept_values)
        size += len(texts[0]) if single_field else sum(map(len, texts))
        if size >= BATCH_BYTES or len(pending.ids) >= BATCH_ROWS:
            yield pending.batch(tally)
            pending, size = _Pending(columns), 0
    if pending.ids:
        yield pending.batch(tally)


class _Pending:
    """Rows on their way into a batch."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.ids: list[str] = []
        self.texts: list[tuple[str, ...]] = []
        self.labels: list[tuple[str, ...]] = []
        self.kept: list[tuple[str | None, ...]] = []

    def batch(self, tally: Tally) -> pa.RecordBatch:
        """The rows, which from now on count as kept."""
        tally.keep(len(self.ids))
        arrays = [
            pa.array(self.ids, pa.string()),
            *(pa.array(column, TEXT) for column in zip(*self.texts, strict=True)),
            pa.array(self.labels, pa.list_(pa.string())),
            *(pa.array(column, pa.string()) for column in (zip(*self.kept, strict=True) if self.columns.keep else ())),
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.columns.schema)


def batch_ends(texts: Sequence[str]) -> list[int]:
    """Where the batches of a list of texts end, so that each holds about BATCH_BYTES."""
    for kind in set(map(type, texts)):
        if not issubclass(kind, str):
            position = next(n for n, text in enumerate(texts) if type(text) is kind)
            raise InputError(f"texts[{position}]", f"found {kind.__name__}, not a string", "give strings")
    sizes = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))
    ends: list[int] = []
    start = 0
    while start < len(texts):
        before = int(sizes[start - 1]) if start else 0
        end = int(np.searchsorted(sizes, before + BATCH_BYTES)) + 1
        start = min(end, start + BATCH_ROWS, len(texts))
        ends.append(start)
    return ends


def texts_array(values: Sequence[str], name: str, start: int, kind: pa.DataType = TEXT) -> pa.Array:
    """Strings as Arrow; half a surrogate pair, which is not text, is named."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError as problem:
        position = next(n for n, value in enumerate(values) if value == problem.object)
        raise InputError(
            f"{name}[{start + position}]",
            "holds half a surrogate pair, which is not text",
            "decode the source properly",
        ) from None
