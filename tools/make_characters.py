"""Make src/rubricate/data/characters.safetensors from this Python's unicodedata. Run with --check to compare only.

The shipped table was made with Unicode 14.0 (Python 3.11); another version of Unicode is never written over it by accident.
"""

from __future__ import annotations

import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from rubricate.terms import characters as ch

TARGET = Path(__file__).parent.parent / "src" / "rubricate" / "data" / "characters.safetensors"
LAST = 0x110000

# unicodedata knows no scripts; these are the blocks of scripts written without spaces between words
UNSPACED_BLOCKS = [
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # ideographic iteration mark, closing mark, zero
    (0x3031, 0x3035),  # Kana repeat marks
    (0x303B, 0x303C),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),  # Myanmar extended
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width Katakana
    (0x1B000, 0x1B16F),  # Kana supplement
    (0x20000, 0x323AF),  # Han, further planes
]
IGNORABLE = {0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
ZERO_WIDTH_SPACE = 0x200B  # marks word ends in Thai and Khmer: a space, though its category is Cf
CONTROL_SPACES = {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85}


def composing_seconds() -> set[int]:
    """Characters that may join the one before them under NFC (quick check: maybe)."""
    seconds = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
    for point in range(LAST):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(int(parts[1], 16))
    return seconds


def character_class(point: int) -> int:
    character = chr(point)
    category = unicodedata.category(character)
    if point == ZERO_WIDTH_SPACE or point in CONTROL_SPACES or category in {"Zs", "Zl", "Zp"}:
        return ch.SPACE
    if category == "Cc":
        return ch.CONTROL
    if point in IGNORABLE or category == "Cf":
        return ch.IGNORED
    if category[0] == "M":
        return ch.MARK
    if category[0] == "L" or point == 0x3007:
        return ch.UNSPACED if any(low <= point <= high for low, high in UNSPACED_BLOCKS) else ch.LETTER
    return ch.NUMBER if category[0] == "N" else ch.OTHER


def paged(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    pages, page_of = np.unique(values.reshape(-1, 256), axis=0, return_inverse=True)
    return page_of.reshape(-1).astype(np.int32), np.ascontiguousarray(pages.reshape(-1))


def runs(values: np.ndarray) -> list[tuple[int, int, int]]:
    """Stretches of one and the same value other than 0: where each begins and ends, and the value."""
    edges = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [(start, end, int(values[start])) for start, end in pairwise(edges) if values[start]]


def decompositions() -> list[tuple[int, int, int, int]]:
    """Canonical decompositions, one step each: a character, its first part, the second or 0, and whether NFC joins them again."""
    out = []
    for point in range(LAST):
        parts = unicodedata.decomposition(chr(point)).split()
        if parts and not parts[0].startswith("<"):
            first, second = int(parts[0], 16), int(parts[1], 16) if len(parts) > 1 else 0
            joins = second and unicodedata.normalize("NFC", chr(first) + chr(second)) == chr(point)
            out.append((point, first, second, int(joins)))
    return out


def make() -> dict[str, np.ndarray]:
    seconds = composing_seconds()
    classes = np.zeros(LAST, dtype=np.uint8)
    folds = np.zeros(LAST, dtype=np.int32)
    unassigned, combining = np.zeros(LAST, dtype=np.uint8), np.zeros(LAST, dtype=np.uint8)
    several: list[list[int]] = []
    for point in range(LAST):
        if 0xD800 <= point <= 0xDFFF:
            continue
        character = chr(point)
        bits = character_class(point)
        if point in seconds or not unicodedata.is_normalized("NFC", character):
            bits |= ch.COMPOSES
        unassigned[point], combining[point] = unicodedata.category(character) == "Cn", unicodedata.combining(character)
        if combining[point]:
            bits |= ch.REORDERS
        classes[point] = bits
        folded = unicodedata.normalize("NFC", character.casefold())
        if folded != character:
            if len(folded) == 1:
                folds[point] = ord(folded)
            else:
                folds[point] = ch.FOLDS_TO_SEVERAL + len(several)
                several.append([*map(ord, folded), 0, 0][:3])
    class_pages, class_table = paged(classes)
    fold_pages, fold_table = paged(folds)
    return {
        "class_pages": class_pages,
        "classes": class_table,
        "fold_pages": fold_pages,
        "folds": fold_table,
        "several": np.array(several, dtype=np.int32),
        "unassigned": np.array(runs(unassigned), dtype=np.int32)[:, :2].copy(),
        "combining": np.array(runs(combining), dtype=np.int32),
        "decompositions": np.array(decompositions(), dtype=np.int32),
    }


def main() -> int:
    made = make()
    if "--check" in sys.argv:
        version = ch.character_table().unicode_version
        if version != unicodedata.unidata_version:
            print(f"table has Unicode {version}, this Python {unicodedata.unidata_version}: not compared")
            return 0
        stored = load_file(TARGET)
        same = made.keys() == stored.keys() and all(np.array_equal(made[name], stored[name]) for name in made)
        print(
            "characters.safetensors is fresh"
            if same
            else "characters.safetensors is stale: run tools/make_characters.py"
        )
        return 0 if same else 1
    save_file(made, TARGET, metadata={"unicode": unicodedata.unidata_version})
    TARGET.chmod(0o644)
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, Unicode {unicodedata.unidata_version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
