"""Compiled loops over UTF-8 bytes and arrays. Nothing here knows documents, labels or files.

Each kernel has explicit signatures, is compiled once and kept on disk (see `compilation`); all run without the GIL. Inner
loops are flat: calls that pass arrays cost four times the loop itself (see docs/decisions/0002-numba.md).
"""
