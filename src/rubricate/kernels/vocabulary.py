"""Distinct terms with their numbers: a hash table whose parts are plain arrays, so that kernels can work on it."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pyarrow as pa

from ..foundation.arrays import Bytes, Ints, Keys, Longs, ends_of
from .term_bytes import fill_slots, insert_terms, sort_terms, take_terms, term_keys

# Terms are numbered by appearance, never by hash: the seed changes no result, and nobody can prepare a text whose words
# all collide.
SEED = np.uint64(int.from_bytes(os.urandom(8), "little"))


class TermBytes:
    """Terms as one stretch of UTF-8 bytes and the place where each ends (a 0 in front)."""

    __slots__ = ("_keys", "data", "ends")

    def __init__(self, data: Bytes, ends: Longs, keys: Keys | None = None) -> None:
        self.data, self.ends, self._keys = data, ends, keys

    @property
    def keys(self) -> Keys:
        """Two words a term, by which a vocabulary knows it."""
        if self._keys is None:
            self._keys = np.empty(2 * len(self), dtype=np.uint64)
            term_keys(self.data, self.ends, self._keys)
        return self._keys

    def copy(self) -> TermBytes:
        return TermBytes(self.data.copy(), self.ends.copy(), None if self._keys is None else self._keys.copy())

    def __len__(self) -> int:
        return len(self.ends) - 1

    @classmethod
    def of(cls, terms: list[str]) -> TermBytes:
        encoded = [term.encode() for term in terms]
        sizes = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends_of(sizes))

    def take(self, numbers: Longs) -> TermBytes:
        """These terms alone, each once at most, in this order."""
        data = np.empty(self.ends[-1], dtype=np.uint8)
        ends = np.empty(len(numbers) + 1, dtype=np.int64)
        take_terms(self.data, self.ends, numbers, data, ends)
        return TermBytes(data[: ends[-1]], ends)

    def order(self) -> Longs:
        """The numbers of the terms in the order of their code points."""
        n = len(self)
        order = np.empty(2 * n, dtype=np.int64)
        begin = sort_terms(self.data, self.ends, np.empty(2 * n, dtype=np.uint64), order)
        return order[begin : begin + n]

    def arrow(self) -> pa.LargeStringArray:
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(self.ends), pa.py_buffer(self.data))

    def strings(self) -> list[str]:
        return self.arrow().to_pylist()  # type: ignore[no-any-return]


def power_of_two(at_least: int) -> int:
    return 1 << max(at_least - 1, 1).bit_length()


class Vocabulary:
    """Terms numbered in the order in which they were added."""

    def __init__(self, room: int = 1 << 10) -> None:
        room = power_of_two(room)
        self.slots = np.zeros(2 * room, dtype=np.int32)
        self.keys = np.empty(2 * room, dtype=np.uint64)
        self.heap = np.empty(16 * room, dtype=np.uint8)
        self.heap_ends = np.zeros(room + 1, dtype=np.int64)
        self.state = np.zeros(2, dtype=np.int64)  # terms so far; a place for `scan` to keep its tokens so far

    @classmethod
    def of(cls, terms: list[str]) -> Vocabulary:
        vocabulary = cls(len(terms) + 1)
        vocabulary.add(TermBytes.of(terms))
        return vocabulary

    def __len__(self) -> int:
        return int(self.state[0])

    @property
    def parts(self) -> tuple[Ints, Keys, Bytes, Longs, Longs]:
        return self.slots, self.keys, self.heap, self.heap_ends, self.state

    @property
    def terms(self) -> TermBytes:
        n = len(self)
        return TermBytes(self.heap[: self.heap_ends[n]], self.heap_ends[: n + 1], self.keys[: 2 * n])

    def clear(self) -> None:
        """Forget all terms, keep the room."""
        self.slots.fill(0)
        self.state[:] = 0

    def make_room(self, terms: int, size: int) -> None:
        """Room for at least so many terms and bytes in all."""
        if size > len(self.heap):
            self.heap = enlarge(self.heap, max(size, len(self.heap) * 3 // 2))
        if terms > len(self.heap_ends) - 1:
            room = power_of_two(terms)
            self.heap_ends = enlarge(self.heap_ends, room + 1)
            self.keys = enlarge(self.keys, 2 * room)
            self.slots = np.zeros(2 * room, dtype=np.int32)
            fill_slots(self.keys, len(self), SEED, self.slots)

    def add(self, terms: TermBytes) -> Ints:
        """The numbers of these terms; those not yet there are added in order."""
        self.make_room(len(self) + len(terms), int(self.heap_ends[len(self)] + terms.ends[-1]))
        numbers = np.empty(len(terms), dtype=np.int32)
        insert_terms((terms.data, terms.ends, terms.keys, SEED), self.parts, True, numbers)
        return numbers

    def find(self, terms: TermBytes) -> Ints:
        """The numbers of these terms, -1 where a term is not there."""
        numbers = np.empty(len(terms), dtype=np.int32)
        insert_terms((terms.data, terms.ends, terms.keys, SEED), self.parts, False, numbers)
        return numbers


def enlarge(array: Any, size: int) -> Any:
    larger = np.empty(size, dtype=array.dtype)
    larger[: len(array)] = array
    return larger
