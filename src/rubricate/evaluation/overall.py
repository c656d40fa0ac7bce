"""Measures of all labels together, each with an interval from bootstrap draws of documents (`significance.bootstrap`).

Two things a bootstrap does not see are mended here by taking in another interval, so that the two together are given:

rare labels    A draw that misses all documents of a rare label drops it from a mean over labels (macro), or counts it as
               perfect: means are drawn too high. Taken in: the same interval moved to where it is centred on what was measured.
few mistakes   A draw cannot show mistakes that the documents do not have: 5 right of 5 would be 100 % for certain. Taken in,
               with fewer than five mistakes or fewer than five right: the exact binomial interval (Clopper & Pearson 1934).

In simulations (30 labels, the rarest in 1 of 500 documents; 300 and 1,000 documents) intervals of 95 % held the mean over
samples of macroF1 in 95 of 100 cases, of macroR in 90, of macroP in 87 to 92; as drawn, in 90 to 95, 87 to 89 and 86 to 92.
Where many labels are rare, read intervals of macroP and macroR as somewhat too short.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..decisions.thresholds.intervals import FEW, shifted_interval
from ..measures.metrics import Contingency
from ..measures.significance import Interval, bootstrap
from ..measures.significance.bootstrap import of_sums
from ..measures.significance.measure_values import measured
from .per_label import f_of, share_of

__all__ = ["overall"]

SEVERAL = ("microP", "microR", "microF1", "macroP", "macroR", "macroF1", "subset", "error")
ONE = {"accuracy": "subset", "macroP": "macroP", "macroR": "macroR", "macroF1": "macroF1"}  # all labels right: the one


def overall(
    given: sparse.csr_array,
    true: sparse.csr_array,
    table: Contingency,
    *,
    several: bool,
    level: float,
    draws: int,
    random_state: int,
) -> dict[str, Interval]:
    """By name. given, true: documents x labels that occur; the table is of all labels, and so is the error. Where no label
    occurs, F1 and all means of labels are nan."""
    a, b, c = (int(count.sum()) for count in (table.a, table.b, table.c))
    cells = true.shape[0] * len(table.a)
    right = int(np.count_nonzero(abs(given - true).sum(axis=1) == 0))
    shares = {"P": share_of(a, a + b, level), "R": share_of(a, a + c, level), "F1": f_of(a, b, c, level)}
    shares |= {"subset": share_of(right, true.shape[0], level), "error": share_of(b + c, cells, level)}
    trials = {"P": (a, b), "R": (a, c), "F1": (a, b + c), "subset": (right, true.shape[0] - right), "error": (a, b + c)}
    found = {}
    for name, measure in ({name: name for name in SEVERAL} if several else ONE).items():
        own = bootstrap(measure, given, true, level=level, draws=draws, random_state=random_state)
        if measure == "error":
            own = times(own, true.shape[1] / len(table.a))
        if measure.startswith("macro") and a + b + c:
            own = with_centred(own, measure, given, true, random_state)
        kind = measure.removeprefix("micro").removeprefix("macro")
        if not a + b + c and kind == "F1":
            own = shares["F1"]
        found[name] = hull(own, shares[kind] if min(trials[kind]) < FEW else own)
    return found


def times(own: Interval, factor: float) -> Interval:
    """The interval of a multiple."""
    return Interval(factor * own.value, factor * own.low, factor * own.high, own.level, own.draws, own.undefined)


def hull(own: Interval, other: Interval) -> Interval:
    """An interval that takes in another, where that is defined, and its own value, which few draws may miss."""
    if np.isnan(other.low) or np.isnan(own.value):
        return own
    low, high = np.nanmin([own.low, other.low, own.value]), np.nanmax([own.high, other.high, own.value])
    return Interval(own.value, float(low), float(high), own.level, own.draws, own.undefined)


def with_centred(
    own: Interval, measure: str, given: sparse.csr_array, true: sparse.csr_array, random_state: int
) -> Interval:
    """The interval as drawn and the one centred on the value, taken together."""
    ready = measured(measure, [given], true)
    if ready.fast is None or np.isnan(own.value):
        return own
    drawn = of_sums(ready.fast, ready.parts(ready.fast), own.draws, random_state)
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return own
    low, high = shifted_interval(defined, float(defined.mean()), own.value, true.shape[0], own.level)
    return hull(own, Interval(own.value, low, high, own.level, own.draws))
