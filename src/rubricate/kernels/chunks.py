"""A chunk of texts to rows of term counts, by a recipe. One `Scanner` a thread; chunks know nothing of each other.

Terms are numbered within the chunk. A shared `Vocabulary` then gives each distinct term of a chunk its number once, which
is a few hundredths of the look-ups that the words of the chunk would need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..foundation.arrays import Bytes, Ints, Longs, ends_of
from ..terms import characters as ch
from ..terms.definition import normalise
from ..terms.recipe import FIELD_BREAK, Recipe
from .count_tables import make_rows
from .scan import flag_unnormalised, scan
from .term_bytes import join_bigrams, sorted_row
from .vocabulary import SEED, TermBytes, Vocabulary, enlarge, power_of_two

NUMBERS = {"keep": 0, "drop": 1, "NUM": 2}
NO_SLOTS = np.zeros(1, dtype=np.int32)
NO_MEMBERS = np.zeros(1, dtype=np.int64)


@dataclass(slots=True)
class Chunk:
    """Rows of (term, times) a document; terms are numbers into `vocabulary`."""

    vocabulary: TermBytes
    row_ends: Longs  # a 0 in front
    terms: Ints
    times: Ints

    def __len__(self) -> int:
        return len(self.row_ends) - 1


class Scanner:
    """Turns texts into chunks by one recipe. Holds its working memory: use one a thread."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.table = table = ch.character_table()
        seen_as = np.arange(8, dtype=np.uint8)
        if recipe.tokens == "whitespace":
            for kind in (ch.OTHER, ch.NUMBER, ch.MARK, ch.UNSPACED):
                seen_as[kind] = ch.LETTER
        elif recipe.tokens == "letters" and recipe.numbers == "drop":
            seen_as[ch.NUMBER] = ch.OTHER
        classes = seen_as[table.classes & ch.CLASS_BITS]
        self._tables = (table.class_pages, classes, table.fold_pages, table.folds, table.several)
        self._settings = (
            recipe.tokens != "whitespace",
            recipe.tokens == "letters+digits",
            recipe.lowercase,
            NUMBERS[recipe.numbers],
            recipe.min_length,
            SEED,
        )
        self._vocabulary = Vocabulary(1 << 10)
        self._sequence = np.empty(0, dtype=np.int32)
        self._scratch = np.empty(0, dtype=np.uint8)
        self._stop = Vocabulary.of(sorted(recipe.stop_words)) if recipe.stop_words else None
        self._stems: dict[str, str | None] = {}
        self._derive = recipe.deriver()
        self._is_plain = not (
            recipe.function
            or recipe.prefix_fields
            or recipe.pairs
            or recipe.parts_of_speech
            or recipe.stem
            or self._stop
        )

    def chunk(self, fields: Sequence[tuple[str, pa.LargeStringArray]]) -> Chunk:
        """The rows of documents given as one array of texts a field."""
        if not self.recipe.prefix_fields:
            return self._rows(join_fields([texts for _, texts in fields]))
        return join_field_rows([self._rows(texts) for _, texts in fields], [name for name, _ in fields])

    def scan_text(self, text: str) -> tuple[TermBytes, Ints]:
        """The terms of a single text, sorted, and how often each occurs: for a few words, without the detour over Arrow."""
        if self._is_plain:
            n_tokens, raw = self._scan_plain(text)
            n = len(raw)
            data, ends = np.empty(raw.ends[-1], dtype=np.uint8), np.empty(n + 1, dtype=np.int64)
            times = np.empty(n, dtype=np.int32)
            working_memory = np.empty(2 * n, dtype=np.uint64), np.empty(2 * n, dtype=np.int64)
            sorted_row(self._sequence, n_tokens, raw.data, raw.ends, (*working_memory, data, ends, times))
            return TermBytes(data, ends), times
        chunk = self.chunk([("text", pa.array([text], pa.large_string()))])
        order = chunk.vocabulary.order()
        times = np.empty(len(order), dtype=np.int32)
        times[chunk.terms] = chunk.times
        return chunk.vocabulary.take(order), times[order]

    def unsorted_terms(self, text: str) -> tuple[TermBytes, Any]:
        """The same in any order, for somebody who looks them up: the terms may lie in the scanner's memory, which the next text
        overwrites."""
        if not self._is_plain:
            return self.scan_text(text)
        n_tokens, raw = self._scan_plain(text)
        sequence = self._sequence[:n_tokens]  # numbers of terms; ~number where something stands before the word
        return raw, np.bincount(sequence ^ (sequence >> 31), minlength=len(raw))

    def _scan_plain(self, text: str) -> tuple[int, TermBytes]:
        """How many tokens a text has, and its terms, by a recipe that takes them as they are."""
        data = np.frombuffer((text if text.isascii() else normalise(text)).encode(), dtype=np.uint8)
        n_tokens, _ = self._scan(data, np.array([0, len(data)]), 1)
        return n_tokens, self._vocabulary.terms

    def _rows(self, texts: pa.LargeStringArray) -> Chunk:
        if self.recipe.function is not None:
            return self._by_function(texts)
        if self.recipe.parts_of_speech:
            texts = pa.array([self.recipe.prepared(text) for text in texts.to_pylist()], pa.large_string())
        n = len(texts)
        n_tokens, ends = self._scan(*self._normalised(texts), n)
        return self._make_rows(n, n_tokens, ends, *self._derive_terms(self._vocabulary.terms))

    def _normalised(self, texts: pa.LargeStringArray) -> tuple[Bytes, Longs]:
        """The buffers of documents; those that NFC might change are put into NFC, the others are not touched."""
        data, offsets = string_buffers(texts)
        flags = np.empty(len(texts), dtype=np.uint8)
        if flag_unnormalised(data, offsets, len(texts), self.table.class_pages, self.table.classes, flags) == 0:
            return data, offsets
        changed = texts.to_pylist()
        for d in flags.nonzero()[0].tolist():
            changed[d] = normalise(changed[d])
        return string_buffers(pa.array(changed, pa.large_string()))

    def _scan(self, data: Any, offsets: Longs, n: int) -> tuple[int, Longs]:
        size = int(offsets[n] - offsets[0])
        if len(self._sequence) < size + 1:
            self._sequence = np.empty(power_of_two(size + 1), dtype=np.int32)
        longest = size if n == 1 else int(np.diff(offsets).max(initial=0))
        if len(self._scratch) < 3 * longest + 16:
            self._scratch = np.empty(power_of_two(3 * longest + 16), dtype=np.uint8)
        vocabulary = self._vocabulary
        # about one distinct term in 64 bytes for chunks of megabytes; short texts need a term in six
        guess = max(1 << 10, min(size // 6, size // 64 + (1 << 14)))
        if not guess <= len(vocabulary.heap_ends) - 1 <= 8 * guess:
            vocabulary = self._vocabulary = Vocabulary(guess)
        else:
            vocabulary.clear()
        ends = np.empty(n, dtype=np.int64)
        at = 0
        while True:
            output = self._sequence, ends, self._scratch
            at = scan((data, offsets, n, at), self._settings, self._tables, vocabulary.parts, output)
            if at == n:
                return int(vocabulary.state[1]), ends
            vocabulary.make_room(2 * len(vocabulary) + 2, 2 * len(vocabulary.heap) + 3 * longest)

    def _derive_terms(self, raw: TermBytes) -> tuple[TermBytes, Ints]:
        """What the stop list and the stemmer make of the raw terms: the terms left, and which one each raw term is."""
        if self.recipe.stem:
            return self._stem_terms(raw)
        if self._stop is None:
            return raw, np.arange(len(raw), dtype=np.int32)
        remaining = self._stop.find(raw) < 0
        return raw.take(remaining.nonzero()[0]), np.where(remaining, np.cumsum(remaining) - 1, -1).astype(np.int32)

    def _stem_terms(self, raw: TermBytes) -> tuple[TermBytes, Ints]:
        stems, derive = self._stems, self._derive
        numbers: dict[str, int] = {}
        derived = np.empty(len(raw), dtype=np.int32)
        for n, term in enumerate(raw.strings()):
            try:
                stem = stems[term]
            except KeyError:
                stem = stems[term] = derive(term)
            derived[n] = -1 if stem is None else numbers.setdefault(stem, len(numbers))
        return TermBytes.of(list(numbers)), derived

    def _make_rows(self, n: int, n_tokens: int, ends: Longs, vocabulary: TermBytes, derived: Ints) -> Chunk:
        bigrams = self.recipe.pairs
        n_singles = len(vocabulary)
        row_ends = np.zeros(n + 1, dtype=np.int64)
        entries = 2 * n_tokens if bigrams else n_tokens
        terms, times = np.empty(entries, dtype=np.int32), np.empty(entries, dtype=np.int32)
        last = np.full(n_singles + (n_tokens if bigrams else 0), -1, dtype=np.int32)
        slots = np.zeros(power_of_two(2 * n_tokens + 2), dtype=np.int32) if bigrams else NO_SLOTS
        members = np.empty(n_tokens + 1, dtype=np.int64) if bigrams else NO_MEMBERS
        n_bigrams, m = make_rows(
            (self._sequence, ends, derived, n_singles, n), (bigrams, slots, members), (row_ends[1:], terms, times, last)
        )
        if n_bigrams:
            vocabulary = with_bigrams(vocabulary, members, n_bigrams)
        elif self._stop is None and not self.recipe.stem:  # the scanner's own memory, which the next chunk overwrites
            vocabulary = vocabulary.copy()
        return Chunk(vocabulary, row_ends, terms[:m].copy(), times[:m].copy())

    def _by_function(self, texts: pa.LargeStringArray) -> Chunk:
        numbers: dict[str, int] = {}
        rows = [Counter(self.recipe.terms(text)) for text in texts.to_pylist()]
        terms = [numbers.setdefault(term, len(numbers)) for row in rows for term in row]
        times = [n for row in rows for n in row.values()]
        row_ends = ends_of([len(row) for row in rows])
        return Chunk(
            TermBytes.of(list(numbers)), row_ends, np.array(terms, dtype=np.int32), np.array(times, dtype=np.int32)
        )


def string_buffers(texts: pa.LargeStringArray) -> tuple[Bytes, Longs]:
    """The bytes of an Arrow array of strings and where each begins and ends, without a copy."""
    _, offsets, data = texts.buffers()
    n = len(texts)
    if offsets is None or n == 0:
        return np.zeros(0, dtype=np.uint8), np.zeros(n + 1, dtype=np.int64)
    ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + n + 1]
    return np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8), ends


def join_fields(columns: list[pa.LargeStringArray]) -> pa.LargeStringArray:
    """Several fields as one text each, with a break that no term and no bigram crosses."""
    if len(columns) == 1:
        return columns[0]
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*columns, pa.scalar(FIELD_BREAK, pa.large_string()))


def with_bigrams(singles: TermBytes, members: Longs, n_bigrams: int) -> TermBytes:
    sizes = np.diff(singles.ends)
    left, right = members[:n_bigrams] >> 32, members[:n_bigrams] & 0xFFFFFFFF
    size = int(singles.ends[-1] + sizes[left].sum() + sizes[right].sum()) + n_bigrams
    data = enlarge(singles.data[: singles.ends[-1]], size)
    ends = enlarge(singles.ends, len(singles) + 1 + n_bigrams)
    join_bigrams(singles.data, singles.ends, members, n_bigrams, data, ends[len(singles) :])
    return TermBytes(data, ends)


def join_field_rows(parts: list[Chunk], names: list[str]) -> Chunk:
    """Rows of several fields as one row a document; terms carry their field's name."""
    n = len(parts[0])
    vocabulary: list[str] = []
    shifts = []
    for part, name in zip(parts, names, strict=True):
        shifts.append(len(vocabulary))
        vocabulary.extend(f"{name}:{term}" for term in part.vocabulary.strings())
    row = np.concatenate([np.repeat(np.arange(n), np.diff(part.row_ends)) for part in parts])
    order = np.argsort(row, kind="stable")
    terms = np.concatenate([part.terms + np.int32(shift) for part, shift in zip(parts, shifts, strict=True)])
    times = np.concatenate([part.times for part in parts])
    row_ends = np.sum([part.row_ends for part in parts], axis=0)
    return Chunk(TermBytes.of(vocabulary), row_ends, terms[order], times[order])
