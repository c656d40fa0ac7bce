"""One pass over the text: `count` gives statistics, `tabulate` also keeps a documents x terms table.

Batches go to threads, each with its own scanner; a chunk comes back with its distinct terms and rows of term numbers. In the
order of the batches each distinct term gets its number in the shared vocabulary, so that the number of threads changes
nothing. Memory holds the vocabulary, the statistics and a few chunks, never the text. Terms end up sorted by name: the
result does not depend on how the documents were cut into batches or shards either.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..corpus import ID, LABELS, Corpus, Tally, clean_labels, several, warn_of_labels
from ..errors import InputError, InvalidSetting, UnknownName
from ..foundation.arrays import Array, Ints, Longs
from ..foundation.threads import available_threads, in_order, side_by_side
from ..kernels.chunks import Chunk, Scanner
from ..kernels.count_tables import same_rows, sort_rows
from ..kernels.vocabulary import Vocabulary
from ..storage.checks import ascending, need, sized, table_size, within
from ..storage.registry import stored
from ..terms.recipe import Recipe
from . import Counts, inverse
from .accumulate import MOST_TERMS, LabelNumbers, Rows, Statistics
from .entries import Entries

__all__ = ["Table", "count", "count_one", "numbered_labels", "tabulate"]

Progress = Callable[[int, int], None]  # documents and bytes of text since the last call

CHUNK_BYTES = 1 << 20
DEFAULT = Recipe()


def count(
    documents: Corpus | Sequence[str],
    recipe: Recipe | None = None,
    *,
    labels: Sequence[Any] | None = None,
    terms: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Statistics of a corpus, or of a list of texts with their `labels`, in one pass.

    terms: count these alone (document lengths then count them alone too). jobs: threads, all cores if None.

    >>> counts = count(["wheat and corn", "corn"], labels=["grain", ["grain", "feed"]])
    >>> counts.labels, counts.terms, counts.documents.tolist()
    (['feed', 'grain'], ['and', 'corn', 'wheat'], [1, 2, 2])
    """
    few = terms is None and (labels is None or len(labels) == 1)
    if few and isinstance(documents, list) and len(documents) == 1:
        return count_one(documents[0], recipe, labels=None if labels is None else next(iter(labels)))
    counting = Pass(recipe or Recipe(), terms, jobs)
    statistics = Statistics()
    corpus = as_corpus(documents, labels)
    for rows, _, label_ends, label_values in counting.rows(corpus, progress):
        statistics.add(rows, label_ends, label_values)
    if labels is not None:
        warn_of_labels(corpus.tally, stacklevel=2)
    names, ranks = counting.sorted_terms()
    return statistics.counts(names, ranks, counting.recipe)


def count_one(text: str, recipe: Recipe | None = None, *, labels: Any = None) -> Counts:
    """The statistics of one document: what is added when it is learned and subtracted when it is forgotten."""
    recipe = recipe or DEFAULT
    if not isinstance(text, str):
        raise InputError("text", f"found {type(text).__name__}, not a string", "give strings")
    tally = Tally()
    names = sorted(clean_labels(several(labels), tally, "labels"))
    if tally.repairs:
        warn_of_labels(tally, stacklevel=2)
    try:
        terms, times = own_scanner(recipe).one(text)
    except UnicodeEncodeError:
        raise InputError(
            "text", "holds half a surrogate pair, which is not text", "decode the source properly"
        ) from None
    rows, size = len(names) + 1, (len(names) + 1) * len(times)
    cells, values = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32)
    length_cells, own_lengths = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int32)
    same_rows(times, rows, cells, values, length_cells, own_lengths)
    one = np.ones(max(size, rows), dtype=np.int64)
    lengths = Entries(length_cells, own_lengths, one[:rows])
    return Counts(names, one[:rows], terms.arrow(), Entries(cells, values, one[:size]), lengths, recipe)


def tabulate(
    documents: Corpus | Sequence[str],
    recipe: Recipe | None = None,
    *,
    labels: Sequence[Any] | None = None,
    terms: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """The documents x terms table of a corpus or of texts, for what needs documents; `Table.counts` are its statistics.

    terms: the columns, in this order; other terms are left out. Otherwise all terms, sorted by name.
    """
    counting = Pass(recipe or Recipe(), terms, jobs)
    parts: list[Rows] = []
    ids: list[str] = []
    ends, values = [np.zeros(1, dtype=np.int64)], []
    numbers = LabelNumbers()
    corpus = as_corpus(documents, labels)
    for rows, own_ids, label_ends, label_values in counting.rows(corpus, progress):
        parts.append(rows.small())
        ids.extend(own_ids)
        ends.append(label_ends[1:] + ends[-1][-1])
        values.append(numbers.of(label_values))
    if labels is not None:
        warn_of_labels(corpus.tally, stacklevel=2)
    names, ranks = counting.sorted_terms()
    X = counting.stacked(parts, ranks, len(names))
    return Table(
        X, names, ids, np.concatenate(ends), np.concatenate(values or [ends[0][:0]]), numbers.names, counting.recipe
    )


def _check_table(table: Table) -> None:
    """Documents x terms with the labels of each document."""
    n, n_terms = table_size(table.X, "X")
    terms, counts = table.term_array, table.X.data
    need(isinstance(terms, pa.LargeStringArray) and len(terms) == n_terms, "other terms than columns")
    need(isinstance(table.ids, list) and len(table.ids) == n, "other documents than rows")
    need(counts.dtype.kind in "iu" and (len(counts) == 0 or counts.min() > 0), "terms that occur less than once")
    sized(table.label_values, len(table.label_values), kinds="i", what="label_values")
    ascending(table.label_ends, len(table.label_values), n, "labels of documents")
    within(table.label_values, len(table.label_names), "labels of documents")


@stored(
    "table",
    keys=("X", "term_array", "ids", "label_ends", "label_values", "label_names", "recipe"),
    check=_check_table,
)
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Documents x terms: `X` (sparse whole numbers), `terms`, `ids`, `labels` of each document, `counts`."""

    X: sparse.csr_array
    term_array: pa.LargeStringArray
    ids: list[str]
    label_ends: Longs
    label_values: Longs
    label_names: list[str]
    recipe: Recipe

    def __repr__(self) -> str:
        return f"<Table: {self.X.shape[0]:,} documents x {self.X.shape[1]:,} terms, {self.X.nnz:,} entries>"

    @cached_property
    def terms(self) -> list[str]:
        """The terms, in the order of the columns."""
        return self.term_array.to_pylist()  # type: ignore[no-any-return]

    @cached_property
    def labels(self) -> list[list[str]]:
        """The labels of each document."""
        names = [self.label_names[n] for n in self.label_values.tolist()]
        ends = self.label_ends.tolist()
        return [names[start:end] for start, end in pairwise(ends)]

    def at(self, chosen: Array) -> Table:
        """The documents where a mask is true; all columns stay."""
        positions = np.flatnonzero(chosen)
        sizes = np.diff(self.label_ends)
        ends = np.zeros(len(positions) + 1, dtype=np.int64)
        np.cumsum(sizes[positions], out=ends[1:])
        values = self.label_values[np.repeat(chosen, sizes)]
        ids = [self.ids[n] for n in positions.tolist()]
        return Table(self.X[positions], self.term_array, ids, ends, values, self.label_names, self.recipe)

    @cached_property
    def counts(self) -> Counts:
        """The statistics of these documents, without another look at the text."""
        statistics = Statistics()
        names = pa.array(self.label_names, pa.string())
        dictionary = pa.DictionaryArray.from_arrays(pa.array(self.label_values, pa.int64()), names)
        rows = Rows(
            self.X.indptr.astype(np.int64), self.X.indices, self.X.data, np.arange(self.X.shape[1], dtype=np.int32)
        )
        statistics.add(rows, self.label_ends, dictionary)
        return statistics.counts(self.term_array, np.arange(self.X.shape[1], dtype=np.int32), self.recipe)


def numbered_labels(labels: Sequence[Sequence[str]]) -> tuple[Longs, Longs, list[str]]:
    """Labels as a `Table` holds them: where each document's end (a 0 in front), their numbers, and the names, sorted."""
    names = sorted({label for own in labels for label in own})
    place = {name: n for n, name in enumerate(names)}
    ends = np.cumsum([0, *(len(own) for own in labels)]).astype(np.int64)
    return ends, np.array([place[label] for own in labels for label in own], dtype=np.int64), names


def as_corpus(documents: Corpus | Sequence[str], labels: Sequence[Any] | None) -> Corpus:
    """A corpus as it is; texts with labels as a corpus."""
    if isinstance(documents, Corpus):
        if labels is not None:
            raise InvalidSetting("a corpus has its labels: labels= goes with a list of texts")
        return documents
    if isinstance(documents, str):
        raise InvalidSetting("a single string was given: give a list of texts, or read(path) for a file")
    return Corpus.from_texts(list(documents), labels)


_own = threading.local()


def own_scanner(recipe: Recipe) -> Scanner:
    """This thread's scanner for a recipe; kept, since a text of a few words takes less time than making one."""
    held: tuple[Recipe, Scanner] | None = getattr(_own, "scanner", None)
    if held is None or (held[0] is not recipe and held[0] != recipe):
        held = _own.scanner = (recipe, Scanner(recipe))
    return held[1]


class Pass:
    """One pass: scanners in threads, the vocabulary in order."""

    def __init__(self, recipe: Recipe, terms: Sequence[str] | None, jobs: int | None) -> None:
        if jobs is not None and jobs < 1:
            raise InvalidSetting(f"jobs={jobs}: at least one thread is needed")
        self.recipe, self.jobs = recipe, jobs or available_threads()
        self.fixed = None if terms is None else list(terms)
        if self.fixed is not None and len(set(self.fixed)) != len(self.fixed):
            raise InvalidSetting("terms= names a term twice")
        self.vocabulary = Vocabulary() if self.fixed is None else Vocabulary.of(self.fixed)

    def rows(
        self, corpus: Corpus, progress: Progress | None
    ) -> Iterator[tuple[Rows, list[str], Longs, pa.DictionaryArray]]:
        """Rows with shared term numbers, ids and labels, piece by piece in the order of the corpus."""
        names = self.fields_of(corpus)
        for piece, chunk in self.scanned(pieces(corpus), names):
            rows = self._numbered(chunk)
            label_ends, label_values = labels_of(piece)
            if progress is not None:
                progress(piece.num_rows, sum(piece.column(name).nbytes for name in names))
            yield rows, piece.column(ID).to_pylist(), label_ends, label_values

    def fields_of(self, corpus: Corpus) -> tuple[str, ...]:
        if self.recipe.fields is None:
            return corpus.fields
        for name in self.recipe.fields:
            if name not in corpus.fields:
                raise UnknownName("text field", name, corpus.fields)
        return self.recipe.fields

    def scanned(
        self, batches: Iterator[pa.RecordBatch], names: tuple[str, ...]
    ) -> Iterator[tuple[pa.RecordBatch, Chunk]]:
        first = next(batches, None)
        if first is None:
            return
        second = next(batches, None) if self.jobs > 1 else None
        if second is None:
            yield first, self._scan(first, names)
            for batch in batches:
                yield batch, self._scan(batch, names)
            return
        yield from in_order(partial(self._scan, names=names), chain([first, second], batches), self.jobs)

    def table_of(self, batch: pa.RecordBatch, names: tuple[str, ...]) -> sparse.csr_array:
        """One batch by itself, in this thread; for a vocabulary that is fixed, so that batches may come in any order."""
        chunk = self._scan(batch, names)
        rows = Rows(chunk.row_ends, chunk.terms, chunk.times, self.vocabulary.find(chunk.vocabulary))
        ends, terms, times = np.empty_like(rows.ends), np.empty_like(rows.terms), np.empty_like(rows.times)
        size = put_in_order(rows, rows.numbers, (ends, terms, times))
        return sparse.csr_array((times[:size], terms[:size], ends), shape=(len(ends) - 1, len(self.fixed or ())))

    def _scan(self, batch: pa.RecordBatch, names: tuple[str, ...]) -> Chunk:
        return own_scanner(self.recipe).chunk([(name, batch.column(name)) for name in names])

    def _numbered(self, chunk: Chunk) -> Rows:
        if self.fixed is None:
            numbers = self.vocabulary.add(chunk.vocabulary)
            if len(self.vocabulary) > MOST_TERMS:
                raise InvalidSetting(f"more than {MOST_TERMS:,} different terms: count in shards and select terms")
            return Rows(chunk.row_ends, chunk.terms, chunk.times, numbers)
        numbers = self.vocabulary.find(chunk.vocabulary)
        return Rows(chunk.row_ends, chunk.terms, chunk.times, numbers).without(numbers[chunk.terms] < 0)

    def sorted_terms(self) -> tuple[pa.LargeStringArray, Ints]:
        """Terms in the order of the columns, and the column of each term number."""
        if self.fixed is not None:
            return pa.array(self.fixed, pa.large_string()), np.arange(len(self.fixed), dtype=np.int32)
        names = self.vocabulary.terms
        order = names.order()
        return names.take(order).arrow(), inverse(order).astype(np.int32)

    def stacked(self, parts: list[Rows], ranks: Ints, width: int) -> sparse.csr_array:
        """All rows as one CSR table, columns in order within each row. `parts` is emptied on the way, to save memory."""
        sizes = [len(part.terms) for part in parts]
        starts = np.cumsum([0, *sizes])
        ends = np.concatenate(
            [starts[:1], *(part.ends[1:] + start for part, start in zip(parts, starts.tolist(), strict=False))]
        )
        terms, times = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.int32)
        waiting = deque(zip(parts, starts.tolist(), strict=False))
        parts.clear()

        def place(_: int) -> None:
            part, start = waiting.popleft()
            end = start + len(part.terms)
            columns = np.where(part.numbers >= 0, ranks[part.numbers], -1) if self.fixed else ranks[part.numbers]
            put_in_order(part, columns, (np.empty_like(part.ends), terms[start:end], times[start:end]))

        side_by_side(place, range(len(sizes)), self.jobs)
        if len(terms) < np.iinfo(np.int32).max:
            ends = ends.astype(np.int32)
        return sparse.csr_array((times, terms, ends), shape=(len(ends) - 1, width))


def put_in_order(rows: Rows, columns: Ints, output: tuple[Longs, Ints, Ints]) -> int:
    """Ends, columns and times of rows, columns ascending; terms whose column is -1 are left out. Returns the entries' number."""
    order = columns.argsort()
    order = order[np.count_nonzero(columns < 0) :]
    places = np.full(len(columns), -1, dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    times = rows.times.astype(np.int32, copy=False)
    return int(sort_rows(rows.ends, rows.terms, times, places, columns[order], output))


def chain(first: Iterable[pa.RecordBatch], rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """One after the other."""
    yield from first
    yield from rest


def pieces(corpus: Corpus) -> Iterator[pa.RecordBatch]:
    """The batches of a corpus, large ones cut so that a thread's piece holds a few megabytes."""
    for batch in corpus:
        size = sum(batch.column(name).nbytes for name in corpus.fields)
        number = -(-size // (2 * CHUNK_BYTES))
        step = -(-batch.num_rows // max(number, 1))
        for start in range(0, batch.num_rows, max(step, 1)):
            yield batch.slice(start, step)


def labels_of(batch: pa.RecordBatch) -> tuple[Longs, pa.DictionaryArray]:
    """Where each document's labels end (a 0 in front), and all labels, each distinct one once."""
    column = batch.column(LABELS)
    ends = column.offsets.to_numpy().astype(np.int64)
    return ends - ends[0], column.flatten().dictionary_encode()
