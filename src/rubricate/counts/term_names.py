"""Lists of terms as Arrow strings: made from bytes, united, put into another order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DamagedFile
from ..foundation.arrays import Array, Longs
from ..storage.checks import strings_from


def strings_of(data: Array, sizes: Array, where: str) -> pa.LargeStringArray:
    """Arrow strings from their bytes and sizes, as a file has them; where: for the error."""
    if sizes.dtype != np.int64 or sizes.ndim != 1:
        raise DamagedFile(f"{where}: sizes of strings are whole numbers of 64 bits")
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    return strings_from(data, ends, where)


def inverse(order: Array) -> Longs:
    """Where each number stands in an order."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def union_of(left: pa.LargeStringArray, right: pa.LargeStringArray) -> tuple[pa.LargeStringArray, Longs, Longs]:
    """The union of two lists of names, and where the names of each stand in it.

    Equal lists stay as they are, and so does a list that contains the other; otherwise the union is sorted by name.
    """
    same = np.arange(len(left), dtype=np.int64)
    if left.equals(right):
        return left, same, same
    for large, small, swapped in ((left, right, False), (right, left, True)):
        if len(large) > len(small):
            positions = pc.index_in(small, value_set=large)
            if positions.null_count == 0:
                places = positions.to_numpy(zero_copy_only=False).astype(np.int64)
                all_places = np.arange(len(large), dtype=np.int64)
                return (large, places, all_places) if swapped else (large, all_places, places)
    names = pc.unique(pa.concat_arrays([left, right]))
    names = names.take(pc.sort_indices(names))
    first, second = (pc.index_in(part, value_set=names).to_numpy().astype(np.int64) for part in (left, right))
    return names, first, second
