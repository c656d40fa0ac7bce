"""What must hold of arrays before compiled loops follow them: sizes that fit each other, indices within their tables.

Loops check no bounds. A file whose digests match may still come from somebody who computed them, so nothing is taken on trust:
what does not hold raises `DamagedFile`. Numbers that are merely wrong (a weight, a threshold) lead nowhere but to wrong answers.
Every reader of a file asks here: model files, counts, background collections. What is about one class is checked beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DamagedFile

if TYPE_CHECKING:
    import pyarrow as pa
    from scipy import sparse

WIDEST = 2**31  # rows and columns of a table


def need(holds: Any, what: str) -> None:
    if not holds:
        raise DamagedFile(what)


def sized(array: Any, *shape: int, kinds: str = "f", what: str) -> None:
    """An array of this shape, of 64-bit floats unless other kinds are told."""
    fine = isinstance(array, np.ndarray) and array.shape == shape and array.dtype.kind in kinds
    need(fine and (array.dtype.kind != "f" or array.dtype == np.float64), f"{what} is not of shape {shape}")


def within(array: Any, n: int, what: str, *, least: int = 0) -> None:
    """Whole numbers from `least` to n - 1."""
    need(isinstance(array, np.ndarray) and array.dtype.kind in "iu", f"{what} are no whole numbers")
    need(array.size == 0 or (int(array.min()) >= least and int(array.max()) < n), f"{what} lie outside of 0 to {n - 1}")


def amounts(array: Any, n: int, what: str) -> None:
    """Numbers from 0: a loop that climbs from one far below never ends."""
    sized(array, n, what=what)
    need((array >= 0).all(), f"{what} below 0")


def ascending(ends: Any, size: int, n: int, what: str) -> None:
    """Where each of n rows ends, a 0 in front, `size` last."""
    sized(ends, n + 1, kinds="iu", what=what)
    need(ends[0] == 0 and ends[-1] == size and not (ends[1:] < ends[:-1]).any(), f"{what} do not ascend to {size}")


def check_csr_arrays(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> None:
    """Values, columns and ends of rows of a sparse table."""
    need(len(shape) == 2 and max(shape) < WIDEST, f"{shape} is no shape of a table")
    for part, kinds in ((data, "fiub"), (indices, "i"), (indptr, "i")):
        need(isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind in kinds, "not the arrays of a table")
    need(len(data) == len(indices), "a table with other numbers of values and of columns")
    for places in (indices, indptr):
        need(places.dtype in (np.int32, np.int64), f"places of type {places.dtype} in a table")
    ascending(indptr, len(data), shape[0], "rows of a table")
    within(indices, shape[1], "columns of a table")


def check_csr(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> sparse.csr_array:
    """A sparse table, not copied."""
    from scipy import sparse

    check_csr_arrays(data, indices, indptr, shape)
    table = sparse.csr_array(shape, dtype=data.dtype)
    table.data, table.indices, table.indptr = data, indices, indptr
    return table


def table_size(table: Any, what: str) -> tuple[int, int]:
    """Rows and columns of a sparse table: scipy's, or the arrays of one."""
    need(all(hasattr(table, part) for part in ("data", "indices", "indptr")), f"{what} is no sparse table")
    rows, columns = table.shape
    return int(rows), int(columns)


def strings_from(text: Any, ends: Any, where: str) -> pa.LargeStringArray:
    """Arrow's strings of two arrays, if these are what they should be: all bytes in UTF-8, and where each string ends, a 0 in
    front."""
    for array, kind in ((text, np.uint8), (ends, np.int64)):
        fits = isinstance(array, np.ndarray) and array.dtype == kind and array.ndim == 1
        need(fits, f"{where}: not the bytes and ends of strings")
    fits = len(ends) and ends[0] == 0 and ends[-1] == len(text) and not (ends[1:] < ends[:-1]).any()
    need(fits, f"{where}: strings do not end where their bytes end")
    import pyarrow as pa

    if len(ends) == 1:
        return pa.array([], pa.large_string())
    strings = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid as problem:
        raise DamagedFile(f"{where}: {problem}") from None
    return strings


LEARNED = ("_fixed_labels", "classes_", "feature_names_in_", "n_features_in_", "several_labels_")  # by every classifier


def check_classifier(
    model: Any, *, scores: Iterable[str] = (), of_labels: Iterable[str] = (), of_terms: Iterable[str] = ()
) -> None:
    """Labels and terms of a model from a file, and that its parts are of them.

    scores: attributes with a `shape` of labels x terms, None where the model does without; of_labels, of_terms: arrays.
    """
    labels, n_terms = getattr(model, "classes_", None), getattr(model, "n_features_in_", None)
    need(isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0, "a model without labels")
    need(type(n_terms) is int and isinstance(model.several_labels_, bool | np.bool_), "a model without terms")
    size: Any = len(labels), n_terms  # type: ignore[arg-type]
    for name in scores:
        part = getattr(model, name, None)
        shape = getattr(part, "shape", None)
        need(part is None or shape == size, f"{name} is not of {size[0]} labels and {size[1]} terms")
    for names, n in ((of_labels, size[0]), (of_terms, size[1])):
        for name in names:
            if hasattr(model, name):
                sized(getattr(model, name), n, kinds="fb", what=name)
