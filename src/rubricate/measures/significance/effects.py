"""How large a difference is, apart from how sure it is. Source: Cohen (1988), Kerby (2014)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import InvalidSetting

__all__ = ["cohens_h", "odds_ratio"]


def cohens_h(share_a: float, share_b: float) -> float:
    """2 asin sqrt(share_a) - 2 asin sqrt(share_b): 0.2 is small, 0.5 medium, 0.8 large (Cohen 1988, ch. 6)."""
    for share in (share_a, share_b):
        if not 0 <= share <= 1:
            raise InvalidSetting(f"a share of {share}: give numbers from 0 to 1")
    return 2 * math.asin(math.sqrt(share_a)) - 2 * math.asin(math.sqrt(share_b))


def odds_ratio(table: Any) -> float:
    """ad / bc of a 2x2 table [[a, b], [c, d]]; inf where bc is 0, undefined where both products are."""
    cells = np.asarray(table, dtype=np.float64)
    if cells.shape != (2, 2) or not (cells >= 0).all():
        raise InvalidSetting(f"a table of shape {cells.shape}: give two rows of two counts")
    with_, against = float(cells[0, 0] * cells[1, 1]), float(cells[0, 1] * cells[1, 0])
    if against == 0:
        return math.inf if with_ > 0 else math.nan
    return with_ / against
