"""The types of arrays in the signatures of kernels. A letter and bits say of what; s, two dimensions, ss, three; w, written to.

What is not written to may be read-only, as arrays are that lie in a file.
"""

from __future__ import annotations

from typing import Any

from numba import float32, float64, int32, int64, types, uint8, uint16, uint32, uint64


def readable(of: Any, dimensions: int = 1) -> Any:
    """An array that may be read-only."""
    return types.Array(of, dimensions, "C", readonly=True)


u8, u16, u32, u64 = readable(uint8), readable(uint16), readable(uint32), readable(uint64)
i32, i64, i64s = readable(int32), readable(int64), readable(int64, 2)
f32s, f64, f64s, f64ss = readable(float32, 2), readable(float64), readable(float64, 2), readable(float64, 3)
u8w, u64w = uint8[::1], uint64[::1]
i32w, i64w, i64sw = int32[::1], int64[::1], int64[:, ::1]
f64w, f64sw = float64[::1], float64[:, ::1]
# a sparse table: ends of rows, columns, values; and a 0/1 one: ends of rows, columns
documents_type = types.Tuple((i64, i32, f64))  # type: ignore[no-untyped-call]
labels_type = types.Tuple((i64, i32))  # type: ignore[no-untyped-call]
