"""What a collection's own file hands over for a split: masks of the two parts, and the labels that stay (None: all)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Split"]


@dataclass(frozen=True, slots=True)
class Split:
    """Documents in neither mask are unused."""

    train: np.ndarray[Any, np.dtype[np.bool_]]
    test: np.ndarray[Any, np.dtype[np.bool_]]
    labels: frozenset[str] | None = None
