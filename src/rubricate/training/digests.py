"""Digests of documents: 16 bytes of SHA-256 of the text, and of the id if a person gave it one.

A text is what is counted: all fields, or those of the recipe, letter for letter. Plain texts (`document_digests`) and Arrow's
columns (`column_digests`), which are not copied, have the same digests.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..foundation.arrays import Keys
from ..terms.recipe import FIELD_BREAK, Recipe

if TYPE_CHECKING:
    import pyarrow as pa

Digests = Keys  # documents x 2: 16 bytes of SHA-256

BYTES = 16
NONE: Digests = np.zeros((0, 2), dtype=np.uint64)
GENERATED = re.compile(r"row-[0-9]+(-unnamed)?")
ODD = 0x9E3779B97F4A7C15  # multiplies lengths of fields, so that where a field ends makes a difference


def fields_to_digest(fields: Sequence[str], recipe: Recipe) -> list[str]:
    """The fields of a corpus that the recipe looks at, in its order."""
    return [name for name in recipe.fields or fields if name in fields]


def document_digests(rows: Sequence[Sequence[str]], names: Sequence[str], recipe: Recipe) -> Digests:
    """Of documents by their texts. rows: of each document the texts of the fields `names`."""
    texts = [FIELD_BREAK.join(row).encode() for row in rows]
    columns = zip(*rows, strict=True) if len(names) > 1 else ()
    sizes = [np.array([len(text.encode()) for text in column], dtype=np.uint64) for column in columns]
    return mark_fields(digests_of(texts), sizes, names, recipe)


def column_digests(columns: Sequence[pa.LargeStringArray], names: Sequence[str], recipe: Recipe) -> Digests:
    """The same of columns, one a field."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole, sizes = columns[0], []
    if len(columns) > 1:
        whole = pc.binary_join_element_wise(*columns, pa.scalar(FIELD_BREAK, pa.large_string()))
        sizes = [pc.binary_length(column).to_numpy().astype(np.uint64) for column in columns]
    _, offsets, data = whole.buffers()
    ends = (
        np.frombuffer(offsets, np.int64)[whole.offset : whole.offset + len(whole) + 1].tolist() if len(whole) else [0]
    )
    text = memoryview(b"" if data is None else data)
    return mark_fields(digests_of([text[start:end] for start, end in pairwise(ends)]), sizes, names, recipe)


def mark_fields(digests: Digests, sizes: Any, names: Sequence[str], recipe: Recipe) -> Digests:
    """Digests of joined texts in which it makes a difference where each field ends (sizes: bytes, a row a field, of more than
    one) and, where terms carry the name of their field, what the fields are called."""
    mixed = np.zeros(len(digests), dtype=np.uint64)
    for column in sizes:
        mixed = (mixed + column) * np.uint64(ODD)
    digests = digests ^ mixed[:, None]
    return digests ^ digests_of(["\0".join(names).encode()]) if recipe.prefix_fields else digests


def digests_of(texts: Sequence[bytes | memoryview]) -> Digests:
    sha256 = hashlib.sha256
    return np.frombuffer(b"".join([sha256(text).digest()[:BYTES] for text in texts]), "<u8").reshape(-1, 2)


def id_digests(ids: Sequence[str]) -> Digests:
    """Of ids that people gave; 0 for generated ones."""
    out = np.zeros((len(ids), 2), dtype=np.uint64)
    rows = [n for n, name in enumerate(ids) if not (name.startswith("row-") and GENERATED.fullmatch(name))]
    if any(ids[n] for n in rows):
        out[rows] = digests_of([ids[n].encode() for n in rows])
    return out
