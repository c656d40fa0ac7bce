"""What each Unicode character is to a word: letter, number, mark, space; and what it becomes when case is folded.

The table is data, made by `tools/make_characters.py` from Python's `unicodedata` and shipped, so that terms do not change
with the Python that runs (3.11 knows Unicode 14, later ones more). Two stages of 256-character pages keep it small.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..foundation.arrays import Bytes, Ints

OTHER = 0  # punctuation, symbols: ends a word, and stands between two
SPACE = 1  # white space: separates, but two words around it are still neighbours
LETTER = 2
NUMBER = 3  # Nd, Nl, No
MARK = 4  # combining marks: continue a word, never begin one
IGNORED = 5  # zero-width joiners, soft hyphens, direction marks, variation selectors: as if not there
UNSPACED = 6  # letters of scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar): overlapping pairs
CONTROL = 7  # NUL and other controls: separate always, also where only white space does
CLASS_BITS = 7
COMPOSES = 8  # may change under NFC: a document that has one is normalised first
REORDERS = 16  # non-zero combining class: two in a row may have to change places

TYPES = {"U8": "u1", "I32": "<i4"}  # of safetensors, and of numpy
FOLDS_TO_SEVERAL = 0x110000  # fold values from here on point into `several`


@dataclass(frozen=True, slots=True, eq=False)
class CharacterTable:
    """Paged look-up tables over all code points: `table[pages[c >> 8] << 8 | c & 255]`."""

    class_pages: Ints
    classes: Bytes
    fold_pages: Ints
    folds: Ints  # 0: unchanged; else a code point, or FOLDS_TO_SEVERAL + row of `several`
    several: Ints  # up to three code points a row, 0 = none
    unassigned: Ints  # stretches of code points that this version of Unicode does not know: first, last + 1
    combining: Ints  # stretches of one canonical combining class other than 0: first, last + 1, class
    decompositions: (
        Ints  # canonical, one step: a character, its first part, the second or 0, whether NFC joins them again
    )
    unicode_version: str

    def of(self, character: str) -> int:
        """The class of a character with its two normalisation bits."""
        point = ord(character)
        return int(self.classes[self.class_pages[point >> 8] << 8 | point & 255])

    def fold(self, character: str) -> str:
        """The character with its case folded: one to three characters."""
        point = ord(character)
        to = int(self.folds[self.fold_pages[point >> 8] << 8 | point & 255])
        if to == 0:
            return character
        if to < FOLDS_TO_SEVERAL:
            return chr(to)
        return "".join(chr(part) for part in self.several[to - FOLDS_TO_SEVERAL].tolist() if part)


@cache
def character_table() -> CharacterTable:
    """The shipped table, loaded once. The file is 8 bytes of length, JSON of names, types, shapes and places, then the numbers:
    importing the library safetensors would take longer than reading it here."""
    # importlib.resources takes longer to import than this file to read
    stored = (Path(import_module("rubricate").__path__[0]) / "data" / "characters.safetensors").read_bytes()
    first = 8 + int.from_bytes(stored[:8], "little")
    table = json.loads(stored[8:first])

    def array(name: str) -> Any:
        start, end = table[name]["data_offsets"]
        values = np.frombuffer(stored[first + start : first + end], TYPES[table[name]["dtype"]])
        return values.reshape(table[name]["shape"])

    version = table.pop("__metadata__")["unicode"]
    return CharacterTable(**{name: array(name) for name in table}, unicode_version=version)
