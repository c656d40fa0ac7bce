"""One pass over the text: `count` gives statistics, `tabulate` also keeps a documents x terms table.

Batches go to threads, each with its own scanner; a chunk comes back with its distinct terms and rows of term numbers. In the
order of the batches each distinct term gets its number in the shared vocabulary, so that the number of threads changes
nothing. Memory holds the vocabulary, the statistics and a few chunks, never the text. Terms end up sorted by name: the
result does not depend on how the documents were cut into batches or shards either.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..corpus import ID, LABELS, Corpus, Tally, clean_labels, label_tuple, warn_of_labels
from ..errors import InputError, InvalidSetting, UnknownName
from ..foundation.arrays import Ints, Longs
from ..foundation.threads import available_threads, in_order, side_by_side
from ..kernels.chunks import Chunk, Scanner
from ..kernels.count_tables import document_entries, sort_rows
from ..kernels.vocabulary import Vocabulary
from ..terms.recipe import Recipe
from . import Counts, inverse
from .accumulate import MOST_TERMS, CountAccumulator, Rows, number_labels
from .document_table import Table as Table  # re-exported
from .entries import Entries

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
    single = terms is None and (labels is None or len(labels) == 1)
    if single and isinstance(documents, list) and len(documents) == 1:
        return count_document(documents[0], recipe, labels=None if labels is None else next(iter(labels)))
    counting = Pass(recipe or Recipe(), terms, jobs)
    accumulator = CountAccumulator()
    corpus = as_corpus(documents, labels)
    for rows, _, label_ends, label_values in counting.rows(corpus, progress):
        accumulator.add(rows, label_ends, label_values)
    if labels is not None:
        warn_of_labels(corpus.tally, stacklevel=2)
    names, ranks = counting.sorted_terms()
    return accumulator.counts(names, ranks, counting.recipe)


def count_document(text: str, recipe: Recipe | None = None, *, labels: Any = None) -> Counts:
    """The statistics of one document: what is added when it is learned and subtracted when it is forgotten."""
    recipe = recipe or DEFAULT
    if not isinstance(text, str):
        raise InputError("text", f"found {type(text).__name__}, not a string", "give strings")
    tally = Tally()
    names = sorted(clean_labels(label_tuple(labels), tally, "labels"))
    if tally.repairs:
        warn_of_labels(tally, stacklevel=2)
    try:
        terms, times = thread_scanner(recipe).scan_text(text)
    except UnicodeEncodeError:
        raise InputError(
            "text", "holds half a surrogate pair, which is not text", "decode the source properly"
        ) from None
    rows, size = len(names) + 1, (len(names) + 1) * len(times)
    cells, values = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int32)
    length_cells, lengths = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int32)
    document_entries(times, rows, cells, values, length_cells, lengths)
    ones = np.ones(max(size, rows), dtype=np.int64)
    length_entries = Entries(length_cells, lengths, ones[:rows])
    return Counts(names, ones[:rows], terms.arrow(), Entries(cells, values, ones[:size]), length_entries, recipe)


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
    numbers: dict[str, int] = {}
    corpus = as_corpus(documents, labels)
    for rows, batch_ids, label_ends, label_values in counting.rows(corpus, progress):
        parts.append(rows.small())
        ids.extend(batch_ids)
        ends.append(label_ends[1:] + ends[-1][-1])
        values.append(number_labels(label_values, numbers))
    if labels is not None:
        warn_of_labels(corpus.tally, stacklevel=2)
    names, ranks = counting.sorted_terms()
    X = counting.stack(parts, ranks, len(names))
    all_values = np.concatenate(values or [ends[0][:0]])
    return Table(X, names, ids, np.concatenate(ends), all_values, list(numbers), counting.recipe)


def as_corpus(documents: Corpus | Sequence[str], labels: Sequence[Any] | None) -> Corpus:
    if isinstance(documents, Corpus):
        if labels is not None:
            raise InvalidSetting("a corpus has its labels: labels= goes with a list of texts")
        return documents
    if isinstance(documents, str):
        raise InvalidSetting("a single string was given: give a list of texts, or read(path) for a file")
    return Corpus.from_texts(list(documents), labels)


_thread = threading.local()


def thread_scanner(recipe: Recipe) -> Scanner:
    """This thread's scanner for a recipe; kept, since a text of a few words takes less time than making one."""
    cached: tuple[Recipe, Scanner] | None = getattr(_thread, "scanner", None)
    if cached is None or (cached[0] is not recipe and cached[0] != recipe):
        cached = _thread.scanner = (recipe, Scanner(recipe))
    return cached[1]


class Pass:
    """One pass: scanners in threads, the vocabulary in order."""

    def __init__(self, recipe: Recipe, terms: Sequence[str] | None, jobs: int | None) -> None:
        if jobs is not None and jobs < 1:
            raise InvalidSetting(f"jobs={jobs}: at least one thread is needed")
        self.recipe, self.jobs = recipe, jobs or available_threads()
        self.fixed_terms = None if terms is None else list(terms)
        if self.fixed_terms is not None and len(set(self.fixed_terms)) != len(self.fixed_terms):
            raise InvalidSetting("terms= names a term twice")
        self.vocabulary = Vocabulary() if self.fixed_terms is None else Vocabulary.of(self.fixed_terms)

    def rows(
        self, corpus: Corpus, progress: Progress | None
    ) -> Iterator[tuple[Rows, list[str], Longs, pa.DictionaryArray]]:
        """Rows with shared term numbers, ids and labels, piece by piece in the order of the corpus."""
        names = self.fields_of(corpus)
        for piece, chunk in self.scan_batches(pieces(corpus), names):
            rows = self._number_terms(chunk)
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

    def scan_batches(
        self, batches: Iterator[pa.RecordBatch], names: tuple[str, ...]
    ) -> Iterator[tuple[pa.RecordBatch, Chunk]]:
        """Each batch with its scanned chunk, in order; threads start with the second batch."""
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
        size = sort_columns(rows, rows.numbers, (ends, terms, times))
        return sparse.csr_array((times[:size], terms[:size], ends), shape=(len(ends) - 1, len(self.fixed_terms or ())))

    def _scan(self, batch: pa.RecordBatch, names: tuple[str, ...]) -> Chunk:
        return thread_scanner(self.recipe).chunk([(name, batch.column(name)) for name in names])

    def _number_terms(self, chunk: Chunk) -> Rows:
        if self.fixed_terms is None:
            numbers = self.vocabulary.add(chunk.vocabulary)
            if len(self.vocabulary) > MOST_TERMS:
                raise InvalidSetting(f"more than {MOST_TERMS:,} different terms: count in shards and select terms")
            return Rows(chunk.row_ends, chunk.terms, chunk.times, numbers)
        numbers = self.vocabulary.find(chunk.vocabulary)
        return Rows(chunk.row_ends, chunk.terms, chunk.times, numbers).without(numbers[chunk.terms] < 0)

    def sorted_terms(self) -> tuple[pa.LargeStringArray, Ints]:
        """Terms in the order of the columns, and the column of each term number."""
        if self.fixed_terms is not None:
            return pa.array(self.fixed_terms, pa.large_string()), np.arange(len(self.fixed_terms), dtype=np.int32)
        names = self.vocabulary.terms
        order = names.order()
        return names.take(order).arrow(), inverse(order).astype(np.int32)

    def stack(self, parts: list[Rows], ranks: Ints, width: int) -> sparse.csr_array:
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
            columns = np.where(part.numbers >= 0, ranks[part.numbers], -1) if self.fixed_terms else ranks[part.numbers]
            sort_columns(part, columns, (np.empty_like(part.ends), terms[start:end], times[start:end]))

        side_by_side(place, range(len(sizes)), self.jobs)
        if len(terms) < np.iinfo(np.int32).max:
            ends = ends.astype(np.int32)
        return sparse.csr_array((times, terms, ends), shape=(len(ends) - 1, width))


def sort_columns(rows: Rows, columns: Ints, output: tuple[Longs, Ints, Ints]) -> int:
    """Ends, columns and times of rows, columns ascending; terms whose column is -1 are left out. Returns the entries' number."""
    order = columns.argsort()
    order = order[np.count_nonzero(columns < 0) :]
    places = np.full(len(columns), -1, dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    times = rows.times.astype(np.int32, copy=False)
    return int(sort_rows(rows.ends, rows.terms, times, places, columns[order], output))


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
