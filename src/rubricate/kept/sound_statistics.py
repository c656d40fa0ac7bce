"""Documents and what is learned of them, checked, as statistics are in `counts.sound`; see `rubricate.sound`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ..counts.one_pass import Table
from ..counts.sound import check_counts, check_entries
from ..models.from_vectors.cosine_index import PART, CosineIndex, Part
from ..models.from_vectors.nearest_neighbours import Memory
from ..models.vectors import Weighting
from ..sound import ascending, need, sized, table_size, within

__all__ = [
    "check_counts",
    "check_entries",
    "check_memory",
    "check_part",
    "check_parts",
    "check_table",
    "check_weighting",
]


def check_table(own: Table) -> None:
    """Documents x terms with the labels of each document."""
    n, n_terms = table_size(own.X, "X")
    need(isinstance(own.term_array, pa.LargeStringArray) and len(own.term_array) == n_terms, "other terms than columns")
    need(isinstance(own.ids, list) and len(own.ids) == n, "other documents than rows")
    need(own.X.data.dtype.kind in "iu" and (own.X.nnz == 0 or own.X.data.min() > 0), "terms that occur less than once")
    sized(own.label_values, len(own.label_values), kinds="i", what="label_values")
    ascending(own.label_ends, len(own.label_values), n, "labels of documents")
    within(own.label_values, len(own.label_names), "labels of documents")


def check_weighting(own: Weighting) -> None:
    """A number a term."""
    for name in ("idf", "documents_with"):
        if getattr(own, name) is not None:
            sized(getattr(own, name), own.n_terms, what=name)
            need(np.isfinite(getattr(own, name)).all(), f"{name} that are no numbers")


def check_part(own: Part) -> None:
    """Postings and documents of one size, weights of documents of length 1: a search for a highest sum that is no number
    would not end."""
    from ..kernels.cosine_neighbours import WIDE

    n, n_terms = len(own), len(own.slots)
    need(n <= PART and len(own.postings) == len(own.commons) == 3, "not a part of an index")
    (ends, documents, weights), (common_ends, slots, common) = own.postings, own.commons
    ascending(ends, len(documents), n_terms, "postings")
    sized(weights, len(documents), what="weights of postings")
    sized(documents, len(documents), kinds="u", what="documents of postings")
    within(documents, n, "documents of postings")
    ascending(common_ends, len(slots), n, "common terms")
    sized(common, len(slots), what="weights of common terms")
    sized(slots, len(slots), kinds="u", what="slots of common terms")
    within(slots, n_terms, "slots of common terms")
    sized(own.slots, n_terms, kinds="i", what="slots")
    within(own.slots, n_terms, "slots", least=-1)
    sized(own.lengths, -(-n // WIDE) * WIDE, what="lengths")
    for numbers in (weights, common, own.lengths):
        need((np.abs(numbers) < 2).all(), "documents that are not of length 1")


def check_parts(n_terms: Any, parts: Any) -> None:
    """Parts of an index, all full but the last."""
    need(type(n_terms) is int and isinstance(parts, list), "not an index")
    need(all(isinstance(part, Part) and len(part.slots) == n_terms for part in parts), "parts of different sizes")
    need(all(len(first) == PART for first, _ in pairwise(parts)), "a part that is not full")


def check_memory(own: Memory) -> None:
    """As many labels as documents."""
    need(isinstance(own.index, CosineIndex), "no index")
    n, _ = table_size(own.truth, "truth")
    need(n == len(own.index), "other documents than labels")
