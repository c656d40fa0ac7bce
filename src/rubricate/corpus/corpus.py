"""A collection of documents: opened anew each time it is walked through, split and folded by what ids and labels say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, InvalidSetting, UnknownName
from .batches import ID, LABELS, Columns, Document, RowBatch, batch_ends, texts_array
from .labels import clean_labels, label_tuple
from .tally import Reject, Tally

if TYPE_CHECKING:
    import pyarrow as pa

    from ..foundation.arrays import Array


KEEP_IT = "save it to a file, or call .in_memory() first"


class Corpus:
    """A collection of documents as a stream of Arrow record batches.

    Iterate for batches; `documents()` for one at a time; `texts`, `labels`, `ids` as lists when it fits in memory. `source` gives
    record batches, or plain ones (`RowBatch`), as `rubricate.read` does: then only iterating for record batches needs Arrow.
    """

    def __init__(
        self,
        source: Callable[[Tally], Iterator[pa.RecordBatch | RowBatch]],
        *,
        columns: Columns,
        name: str,
        strict: bool = False,
        sink: Callable[[Reject], None] | None = None,
        once: bool = False,
    ) -> None:
        self.columns, self.name = columns, name
        self._source, self._strict, self._sink, self._once = source, strict, sink, once
        self._started = False
        self.tally = Tally()

    @classmethod
    def from_texts(
        cls,
        texts: Sequence[str],
        labels: Sequence[str | None] | Sequence[Iterable[str]] | None = None,
        ids: Sequence[str] | None = None,
        *,
        name: str = "texts",
    ) -> Corpus:
        """A corpus of strings at hand. Each document's labels: one string, several, or None, by the rule of `corpus.labels`."""
        for what, entries in (("labels", labels), ("ids", ids)):
            if entries is not None and len(entries) != len(texts):
                raise InvalidSetting(f"{len(texts)} texts but {len(entries)} {what}: give one entry a text")
        if ids is not None and len(set(ids)) != len(ids):
            repeated = next(name for name, times in Counter(ids).items() if times > 1)
            raise InputError(name, f"id {repeated!r} is given twice", "ids must differ")
        columns = Columns()
        # a list, since a pandas column is indexed by other numbers than its positions
        label_rows: list[Any] = [None] * len(texts) if labels is None else list(labels)
        tidy: dict[Any, tuple[str, ...]] = {}  # labels that need no repair, met before

        def clean(n: int, tally: Tally) -> tuple[str, ...]:
            label = label_rows[n]
            if label is None:
                return ()
            if type(label) is str and label in tidy:
                return tidy[label]
            names = clean_labels(label_tuple(label), tally, f"labels[{n}]")
            if names == (label,):
                tidy[label] = names
            return names

        def source(tally: Tally) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            start = 0
            for end in batch_ends(texts):
                names = [f"row-{n + 1}" for n in range(start, end)] if ids is None else list(ids[start:end])
                arrays = [
                    texts_array(names, name, start, pa.string()),
                    texts_array(texts[start:end], name, start, pa.large_string()),
                    pa.array([clean(n, tally) for n in range(start, end)], pa.list_(pa.string())),
                ]
                tally.keep(end - start)
                yield pa.RecordBatch.from_arrays(arrays, schema=columns.schema)
                start = end

        return cls(source, columns=columns, name=name, strict=True)

    @classmethod
    def from_batches(cls, batches: Sequence[pa.RecordBatch | RowBatch], *, columns: Columns, name: str) -> Corpus:
        """A corpus of batches already in memory."""

        def source(tally: Tally) -> Iterator[pa.RecordBatch | RowBatch]:
            for batch in batches:
                tally.keep(len(batch))
                yield batch

        return cls(source, columns=columns, name=name)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""
        return self.columns.text

    def _open(self) -> Iterator[pa.RecordBatch | RowBatch]:
        if self._once and self._started:
            raise InputError(self.name, "this stream can be read only once", KEEP_IT)
        self._started = True
        self.tally = tally = Tally(strict=self._strict, sink=self._sink)
        yield from self._source(tally)
        tally.complete = True

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._open():
            yield batch.arrow() if isinstance(batch, RowBatch) else batch

    def row_batches(self) -> Iterator[RowBatch]:
        """Plain batches of about a megabyte of text: what was read, without Arrow."""
        for batch in self._open():
            yield batch if isinstance(batch, RowBatch) else RowBatch.from_arrow(batch, self.columns)

    def __len__(self) -> int:
        if self._once:
            raise TypeError(f"{self.name} is a stream: its length is known only at its end (tally.kept)")
        if not self.tally.complete:
            for _ in self._open():
                pass
        return self.tally.kept

    def __repr__(self) -> str:
        return f"Corpus({self.name!r}, fields={list(self.fields)})"

    def in_memory(self) -> Corpus:
        """The same corpus, read once and held; its tally of repairs and rejects is kept."""
        batches = list(iter(self))  # list(self) would ask for the length first, which reads everything
        corpus = Corpus.from_batches(batches, columns=self.columns, name=self.name)
        corpus.tally = self.tally
        return corpus

    def documents(self) -> Iterator[Document]:
        """Documents one by one."""
        for batch in self.row_batches():
            yield from batch.documents()

    def column(self, name: str) -> list[Any]:
        """One column, whole."""
        known = (ID, *self.fields, LABELS, *self.columns.keep)
        if name not in known:
            raise UnknownName("column", name, known)
        columns = (batch.column(name) for batch in self._open())
        return [value for column in columns for value in (column if isinstance(column, list) else column.to_pylist())]

    @property
    def ids(self) -> list[str]:
        """The ids, in order."""
        return self.column(ID)

    @property
    def labels(self) -> list[list[str]]:
        """The labels of each document, in order."""
        return self.column(LABELS)

    @property
    def texts(self) -> list[str]:
        """The text of each document; several fields stand one under the other."""
        if len(self.fields) == 1:
            return self.column(self.fields[0])
        return [document.text for document in self.documents()]

    # -- splits: positions of rows, worked out from ids, labels and kept columns; the text stays a stream

    def at(self, positions: Iterable[int] | Array, *, name: str | None = None) -> Corpus:
        """The documents at these positions (a boolean mask or row numbers), in the order of the stream."""
        import numpy as np

        mask = np.asarray(positions if isinstance(positions, np.ndarray) else list(positions))
        if mask.dtype != bool:
            numbers = mask.astype(np.int64)
            mask = np.zeros(int(numbers.max()) + 1 if numbers.size else 0, dtype=bool)
            mask[numbers] = True

        def source(tally: Tally) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            start = 0
            for batch in self:
                part = mask[start : start + batch.num_rows]
                start += batch.num_rows
                if part.any():
                    part = np.pad(part, (0, batch.num_rows - part.size))
                    batch = batch if part.all() else batch.filter(pa.array(part))
                    tally.keep(batch.num_rows)
                    yield batch

        return Corpus(source, columns=self.columns, name=name or self.name, once=self._once)

    def _train_test(self, test: Array) -> tuple[Corpus, Corpus]:
        return self.at(~test, name=f"{self.name} (train)"), self.at(test, name=f"{self.name} (test)")

    def split(
        self,
        *,
        test: float | int | None = None,
        per_label: int | None = None,
        field: str | None = None,
        value: str | Iterable[str] | None = None,
        since: str | None = None,
        ids: str | Path | Iterable[str] | None = None,
        stratify: bool = True,
        seed: int = 0,
    ) -> tuple[Corpus, Corpus]:
        """Train and test parts. Give one way of choosing the test part:

        test=0.3             a fraction, stratified by label (also with several labels a document)
        test=200             a number of documents
        per_label=10         so many documents of each label (all but one of labels that have fewer)
        field=, value=       documents whose kept column has this value (or one of these)
        field=, since=       documents from this date on (ISO dates compare as text)
        ids=                 ids, or a file of ids, one a line
        """
        from .splits import held_out, per_label_part, with_ids, with_value

        if sum(way is not None for way in (test, per_label, value, since, ids)) != 1:
            raise InvalidSetting("give exactly one of test=, per_label=, field= with value=, field= with since=, ids=")
        if self._once:
            raise InputError(self.name, "a stream cannot be split", KEEP_IT)
        if test is not None:
            return self._train_test(held_out(self.labels, test, stratify=stratify, seed=seed))
        if per_label is not None:
            return self._train_test(per_label_part(self.labels, per_label, seed=seed))
        if ids is not None:
            return self._train_test(with_ids(self.name, self.ids, ids))
        if field is None:
            raise InvalidSetting("value= and since= need field=, the kept column to look at")
        return self._train_test(with_value(self.name, self.column(field), field, value=value, since=since))

    def folds(self, k: int = 5, *, stratify: bool = True, seed: int = 0) -> list[tuple[Corpus, Corpus]]:
        """k pairs (train, test) whose test parts together are the corpus."""
        from ..foundation.folds import fold_numbers

        fold_of = fold_numbers(self.labels, k, stratify=stratify, seed=seed)
        return [self._train_test(fold_of == fold) for fold in range(k)]
