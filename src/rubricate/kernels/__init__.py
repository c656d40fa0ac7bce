"""Compiled loops over UTF-8 bytes and arrays. Nothing here knows documents, labels or files.

Each kernel has one explicit signature, is compiled once and cached on disk (see `cache`); all run without the GIL. Inner loops
are flat: calls that pass arrays cost four times the loop itself (see docs/decisions/0002-numba.md).
"""

from __future__ import annotations

from .cache import CACHED, compiled_before

__all__ = ["CACHED", "compiled_before"]
