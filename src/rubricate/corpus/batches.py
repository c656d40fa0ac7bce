"""Documents as they are read: rows, gathered into batches of bounded size, plain (`RowBatch`) or as Arrow record batches.

Arrow is imported when a record batch or a schema is first wanted: a small input can be read and scored without it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, InvalidSetting
from .labels import clean_labels
from .tally import Tally

if TYPE_CHECKING:
    import pyarrow as pa

ID, LABELS = "id", "labels"
BATCH_ROWS = 8192
BATCH_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Document:
    """One document, for people and small programs; bulk work goes by batches."""

    id: str
    fields: dict[str, str]
    labels: tuple[str, ...] = ()
    kept: dict[str, str | None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text fields, one under the other."""
        return "\n".join(self.fields.values())


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a source are what. `keep` names columns carried along unchanged, e.g. a date to split by."""

    text: tuple[str, ...] = ("text",)
    labels: str = LABELS
    id: str = ID
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.text:
            raise InvalidSetting("at least one text column is needed")
        names = [*self.text, *self.keep]
        clash = {name for name, times in Counter(names).items() if times > 1} | ({ID, LABELS} & set(names))
        if clash:
            raise InvalidSetting(f"a column cannot have two roles: {', '.join(sorted(clash))}")

    @property
    def schema(self) -> pa.Schema:
        """id, then text fields, then labels, then what is kept."""
        import pyarrow as pa

        return pa.schema(
            [
                pa.field(ID, pa.string(), nullable=False),
                *(pa.field(name, pa.large_string(), nullable=False) for name in self.text),
                pa.field(LABELS, pa.list_(pa.string()), nullable=False),
                *(pa.field(name, pa.string()) for name in self.keep),
            ]
        )


class Row(NamedTuple):
    """What a reader hands over for one document. `id` None: the row is named after its number."""

    where: str
    id: str | None
    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    kept: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Rows that compiled code has read: all that is wanted of them, in columns."""

    ids: Sequence[str | None]
    arrays: list[pa.Array]  # text fields, labels, kept columns
    rows: Callable[[], Iterable[Row]]  # the same rows from the strict reader

    def batch(self, names: list[str], columns: Columns) -> pa.RecordBatch:
        import pyarrow as pa

        return pa.RecordBatch.from_arrays([pa.array(names, pa.string()), *self.arrays], schema=columns.schema)


@dataclass(slots=True)
class RowBatch:
    """Documents in plain lists, one entry a document."""

    columns: Columns
    ids: list[str] = field(default_factory=list)
    texts: list[tuple[str, ...]] = field(default_factory=list)
    labels: list[tuple[str, ...]] = field(default_factory=list)
    kept: list[tuple[str | None, ...]] = field(default_factory=list)

    @classmethod
    def from_arrow(cls, batch: pa.RecordBatch, columns: Columns) -> RowBatch:
        """The rows of a record batch with the schema of these columns."""
        texts = zip(*(batch.column(name).to_pylist() for name in columns.text), strict=True)
        kept = zip(*(batch.column(name).to_pylist() for name in columns.keep), strict=True)
        return cls(
            columns,
            batch.column(ID).to_pylist(),
            list(texts),
            list(map(tuple, batch.column(LABELS).to_pylist())),
            list(kept) if columns.keep else [()] * batch.num_rows,
        )

    def __len__(self) -> int:
        return len(self.ids)

    def documents(self) -> Iterator[Document]:
        """The documents one by one."""
        text, keep = self.columns.text, self.columns.keep
        for name, texts, labels, kept in zip(self.ids, self.texts, self.labels, self.kept, strict=True):
            yield Document(name, dict(zip(text, texts, strict=True)), labels, dict(zip(keep, kept, strict=True)))

    def column(self, name: str) -> list[Any]:
        """One column: strings, or for the labels a list of strings each."""
        if name == ID:
            return self.ids
        if name == LABELS:
            return list(map(list, self.labels))
        rows, names = (self.texts, self.columns.text) if name in self.columns.text else (self.kept, self.columns.keep)
        at = names.index(name)
        return [row[at] for row in rows]

    def arrow(self) -> pa.RecordBatch:
        """The same as a record batch."""
        import pyarrow as pa

        arrays = [
            pa.array(self.ids, pa.string()),
            *(pa.array(column, pa.large_string()) for column in zip(*self.texts, strict=True)),
            pa.array(self.labels, pa.list_(pa.string())),
            *(pa.array(column, pa.string()) for column in (zip(*self.kept, strict=True) if self.columns.keep else ())),
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.columns.schema)


def batched(rows: Iterable[Row], columns: Columns, tally: Tally) -> Iterator[pa.RecordBatch]:
    """Gather rows into Arrow batches of bounded size; reject repeated ids; number rows that have none."""
    for batch in row_batches(rows, columns, tally):
        yield batch.arrow() if isinstance(batch, RowBatch) else batch


def row_batches(rows: Iterable[Row | RowBlock], columns: Columns, tally: Tally) -> Iterator[RowBatch | pa.RecordBatch]:
    """Gather rows into plain batches of bounded size; reject repeated ids; number rows that have none. Blocks that compiled code
    has read are record batches as they are, unless an id in them was given before."""
    names = RowNames()
    pending = RowBatch(columns)
    size = 0
    for item in rows:
        single_rows: Iterable[Row] = (item,) if isinstance(item, Row) else ()
        if isinstance(item, RowBlock):
            block_names = names.of_block(item.ids)
            if block_names is None:
                single_rows = item.rows()
            else:
                if pending.ids:
                    tally.keep(len(pending))
                    yield pending
                    pending, size = RowBatch(columns), 0
                tally.keep(len(block_names))
                yield item.batch(block_names, columns)
        for where, row_id, texts, labels, kept in single_rows:
            name = names.of_row(row_id)
            if name is None:
                tally.reject(where, f"id {row_id!r} was given before", "ids must differ: put all labels into one row")
                continue
            pending.ids.append(name)
            pending.texts.append(texts)
            pending.labels.append(clean_labels(labels, tally, where) if labels else ())
            pending.kept.append(kept)
            size += sum(map(len, texts))
            if size >= BATCH_BYTES or len(pending.ids) >= BATCH_ROWS:
                tally.keep(len(pending))
                yield pending
                pending, size = RowBatch(columns), 0
    if pending.ids:
        tally.keep(len(pending))
        yield pending


class RowNames:
    """The ids of the rows so far; rows without one are named after their number."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._unnamed = bytearray()  # which rows were named after their number

    def of_row(self, name: str | None) -> str | None:
        """The name of the next row, whose id this is; None if the id was given before."""
        self._unnamed.append(name is None)
        if name is None:
            name = f"row-{len(self._unnamed)}"
            return f"{name}-unnamed" if name in self._names else name
        if name in self._names or (name.startswith("row-") and self._is_row_name(name)):
            return None
        self._names.add(name)
        return name

    def of_block(self, ids: Sequence[str | None]) -> list[str] | None:
        """The names of the next rows; None, and nothing is noted, if they must be looked at row by row."""
        known = [name for name in ids if name is not None]
        names = set(known)
        if len(names) < len(known) or not names.isdisjoint(self._names):
            return None
        if len(known) == len(ids) and not any(name.startswith("row-") for name in known):
            self._unnamed.extend(bytes(len(ids)))
            self._names |= names
            return known
        if known:
            return None
        start = len(self._unnamed) + 1
        numbered = [f"row-{number}" for number in range(start, start + len(ids))]
        if not self._names.isdisjoint(numbered):
            return None
        self._unnamed.extend(b"\1" * len(ids))
        return numbered

    def _is_row_name(self, name: str) -> bool:
        """Whether an id of the input that begins with "row-" is the name that an earlier row without an id got."""
        number = name.removeprefix("row-")
        if not number.isdecimal() or len(number) >= 19:
            return False
        return 0 < int(number) < len(self._unnamed) and bool(self._unnamed[int(number) - 1])


def batch_ends(texts: Sequence[str]) -> list[int]:
    """Where the batches of a list of texts end, so that each holds about BATCH_BYTES."""
    for kind in set(map(type, texts)):
        if not issubclass(kind, str):
            position = next(n for n, text in enumerate(texts) if type(text) is kind)
            raise InputError(f"texts[{position}]", f"found {kind.__name__}, not a string", "give strings")
    sizes = list(accumulate(map(len, texts)))
    ends: list[int] = []
    start = 0
    while start < len(texts):
        before = sizes[start - 1] if start else 0
        start = min(bisect_left(sizes, before + BATCH_BYTES) + 1, start + BATCH_ROWS, len(texts))
        ends.append(start)
    return ends


def texts_array(values: Sequence[str], name: str, start: int, kind: pa.DataType) -> pa.Array:
    """Strings as Arrow; half a surrogate pair, which is not text, is named."""
    import pyarrow as pa

    try:
        return pa.array(values, kind)
    except UnicodeEncodeError as problem:
        position = next(n for n, value in enumerate(values) if value == problem.object)
        what = "holds half a surrogate pair, which is not text"
        raise InputError(f"{name}[{start + position}]", what, "decode the source properly") from None
