"""Several tests at once: p-values that allow for the number of comparisons. Source: Holm (1979)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats

__all__ = ["holm"]


def holm(p_values: Any) -> Floats:
    """Holm's adjusted p-values, in the order given: reject those below the level, and the chance of one false rejection or
    more among all of them is at most the level, however the tests depend on each other.

    The i-th smallest of m:  max over j <= i of (m - j + 1) p_j, at most 1

    Undefined ones (nan) stay undefined and do not count in m.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if ((p < 0) | (p > 1)).any():
        raise InvalidSetting(f"p-values from {np.nanmin(p)} to {np.nanmax(p)}: they lie between 0 and 1")
    adjusted = np.full(p.shape, np.nan)
    defined = np.flatnonzero(~np.isnan(p).ravel())
    order = defined[np.argsort(p.ravel()[defined], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted.ravel()[order] = np.minimum(1.0, np.maximum.accumulate(factors * p.ravel()[order]))
    return adjusted
