"""Work saved over sampling: what a ranking spares the person who must find 95 % of the relevant documents.

    WSS@95 = (N - n) / N - 0.05,  n documents judged when 95 % of the relevant ones are found    (Cohen et al. 2006)

Judging in random order saves nothing on average: 95 % of the work finds 95 %.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting

__all__ = ["needed", "work_saved"]


def needed(relevant: Any, *, recall: float = 0.95) -> int:
    """How many documents must be judged, in this order, until this share of the relevant ones is found."""
    y = np.asarray(relevant, dtype=np.int64)
    if not y.any():
        raise InvalidSetting("no document is relevant: there is nothing to find")
    if not 0 < recall <= 1:
        raise InvalidSetting(f"recall={recall}: give a share above 0 and at most 1")
    return int(np.searchsorted(np.cumsum(y), np.ceil(recall * y.sum() - 1e-9))) + 1


def work_saved(relevant: Any, *, recall: float = 0.95) -> float:
    """WSS at this recall; relevant: all documents of the pile in the order in which they are judged."""
    return 1 - needed(relevant, recall=recall) / len(relevant) - (1 - recall)
