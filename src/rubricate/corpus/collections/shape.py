"""What a collection's own file hands over for a split: masks of the two parts, and the labels that stay (None: all)."""

from __future__ import annotations

from dataclasses import dataclass

from ...foundation.arrays import Bools

__all__ = ["Split"]


@dataclass(frozen=True, slots=True)
class Split:
    """Documents in neither mask are unused."""

    train: Bools
    test: Bools
    labels: frozenset[str] | None = None
