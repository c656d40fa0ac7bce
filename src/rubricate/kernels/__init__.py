"""Compiled loops over UTF-8 bytes and arrays. Nothing here knows documents, labels or files.

Each kernel has one explicit signature, is compiled once and cached on disk; all run without the GIL. Inner loops are
flat: calls that pass arrays cost four times the loop itself (see docs/decisions/0002-numba.md).
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["compiled_before"]


def compiled_before() -> bool:
    """Whether compiled loops of this package lie on disk already, so that a person can be told why the first use is slow."""
    own = Path(__file__).parent
    places = [own / "__pycache__", Path.home() / ".cache" / "numba"]
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        places = [Path(chosen)]
    return any(True for place in places if place.is_dir() for _ in place.rglob("scan.scan-*.nbi"))
