"""What every calibrator is given: scores, documents x labels, and the truth; checked once.

Truth is a 0/1 table of the same shape, dense or sparse: several labels a document, each with a curve of its own. Or it is one
label a document, the number of a column or a name in `labels`: labels that exclude each other, probabilities sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...measures.inputs import yes_no
from ...measures.metrics.probabilities import columns_of
from .finite import Range, table_of

if TYPE_CHECKING:
    from typing import Self

__all__ = ["ROUNDING", "Examples", "are_probabilities"]

ROUNDING = 1e-9  # what lies so little outside 0 and 1 came there by rounding


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Finite scores and what is true of them."""

    scores: Floats  # documents x labels
    yes: Bools  # documents x labels
    exclusive: bool
    range: Range

    @classmethod
    def of(cls, scores: Any, Y: Any, labels: Sequence[Any] | None = None) -> Self:
        """From what a caller gives."""
        table = table_of(scores)
        if not table.size:
            raise InvalidSetting(f"scores of shape {table.shape}: there is nothing to learn from")
        exclusive = not sparse.issparse(Y) and np.ndim(Y) == 1
        if exclusive:
            yes = np.zeros(table.shape, dtype=bool)
            yes[np.arange(len(table)), columns_of(Y, table, labels)] = True
        else:
            found = yes_no(Y, "Y")
            yes = found.toarray() == 1 if sparse.issparse(found) else found
        if yes.shape != table.shape:
            raise InvalidSetting(
                f"Y of shape {yes.shape} for scores of shape {table.shape}: give 0/1 in the same shape"
            )
        known = Range.of(table)
        return cls(known.put(table), yes, exclusive, known)

    def at(self, documents: Any) -> Examples:
        """Some of the documents."""
        return Examples(self.scores[documents], self.yes[documents], self.exclusive, self.range)

    @property
    def truth(self) -> Any:
        """As the metrics take it: columns for labels that exclude each other, otherwise the 0/1 table."""
        return self.yes.argmax(axis=1) if self.exclusive else self.yes


def are_probabilities(scores: Floats, *, exclusive: bool) -> bool:
    """Whether scores lie between 0 and 1, and sum to 1 if labels exclude each other."""
    inside = bool(((scores >= -ROUNDING) & (scores <= 1 + ROUNDING)).all())
    return inside and (not exclusive or bool((np.abs(scores.sum(axis=1) - 1) <= ROUNDING).all()))
