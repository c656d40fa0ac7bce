"""The shipped Unicode tables as a page holds them: classes, canonical combining classes, decompositions and folded case.

A page carries them since browsers know different versions of Unicode, and terms must be the same in all. Places are
written as gaps from the one before, which are small and compress.
"""

from __future__ import annotations

import numpy as np

from ..foundation.arrays import Array
from ..terms import characters as ch
from .payload import Payload


def put_characters(payload: Payload) -> None:
    table = ch.character_table()
    for name, numbers in {**classes(table), **combining(table), **parts(table), **folds(table)}.items():
        payload.whole(f"characters.{name}", numbers)


def classes(table: ch.CharacterTable) -> dict[str, Array]:
    """Stretches of one class: how long each is, and the class."""
    kinds = table.classes.reshape(-1, 256)[table.class_pages].reshape(-1) & ch.CLASS_BITS
    starts = np.flatnonzero(np.diff(kinds, prepend=kinds[:1] + 1))
    return {"class_sizes": np.diff(starts, append=len(kinds)), "class_kinds": kinds[starts]}


def combining(table: ch.CharacterTable) -> dict[str, Array]:
    first, end, kind = table.combining.T
    return {
        "combining_gaps": first - np.concatenate([[0], end[:-1]]),
        "combining_sizes": end - first,
        "combining_classes": kind,
    }


def parts(table: ch.CharacterTable) -> dict[str, Array]:
    """Canonical decompositions, one step each, and whether NFC joins the two parts again."""
    point, first, second, joins = table.decompositions.T
    return {"part_gaps": gaps(point), "part_firsts": first, "part_seconds": second, "part_joins": joins}


def folds(table: ch.CharacterTable) -> dict[str, Array]:
    """Characters that folding changes: to how many characters, and to which."""
    folded = table.folds.reshape(-1, 256)[table.fold_pages].reshape(-1)
    points = np.flatnonzero(folded)
    rows = [
        [to]
        if to < ch.FOLDS_TO_SEVERAL
        else [part for part in table.several[to - ch.FOLDS_TO_SEVERAL].tolist() if part]
        for to in folded[points].tolist()
    ]
    return {
        "fold_gaps": gaps(points),
        "fold_sizes": np.array([len(row) for row in rows]),
        "fold_points": np.array([point for row in rows for point in row]),
    }


def gaps(points: Array) -> Array:
    return np.diff(points, prepend=0)
