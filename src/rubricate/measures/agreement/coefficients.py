"""Coefficients of agreement: how far judgements agree, and how far beyond chance.

    percent         the share of agreeing pairs of judgements; nothing is expected
    cohen           1 - observed / expected disagreement; each annotator gives labels as often as they do. For more than two
                    annotators (in `report`) both are averaged over pairs of annotators (Conger 1980), a pair weighing as
                    the items it shares
    fleiss          all give labels as often as everybody does; the same number of judgements for each item
    krippendorff    as Fleiss, for small samples, any number of judgements an item, and ordered or numeric labels

Sources: Cohen (1960), Fleiss (1971), Conger (1980), Krippendorff (2011). A judgement may be missing (None, nan); items with
fewer than two say nothing about agreement. Where chance alone would agree always (one label in use) they are undefined: nan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from .disagreement import COEFFICIENTS, beyond_chance, krippendorff, same_number, two_annotators, value
from .judgements import encoded

__all__ = ["cohen_kappa", "fleiss_kappa", "kappa_of_table", "krippendorff_alpha", "percent"]


def percent(judgements: Any) -> float:
    """The share of pairs of judgements of an item that agree, averaged over items: 1 if all do."""
    return value(COEFFICIENTS["percent"], encoded(judgements))


def cohen_kappa(a: Any, b: Any) -> float:
    """(P_o - P_e) / (1 - P_e),  P_e = sum over labels of share_a share_b (Cohen 1960), over items both have judged."""
    return value(COEFFICIENTS["cohen"], encoded([a, b]))


def kappa_of_table(table: Any) -> float:
    """Cohen's kappa of a square table of counts: rows the labels of one annotator, columns those of the other."""
    cells = np.asarray(table, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or not (cells >= 0).all():
        raise InvalidSetting(f"a table of shape {cells.shape}: give a square table of counts, labels x labels")
    sums = np.concatenate([[np.trace(cells), cells.sum()], cells.sum(axis=1), cells.sum(axis=0)])
    return float(beyond_chance(*two_annotators(sums[:, None]))[0])


def fleiss_kappa(judgements: Any) -> float:
    """(P_o - P_e) / (1 - P_e),  P_e = sum over labels of share^2 (Fleiss 1971). Items may have been judged by different people,
    each by the same number of at least two."""
    judged = encoded(judgements)
    if not same_number(judged):
        found = np.unique((judged.codes >= 0).sum(axis=0)).tolist()
        raise InvalidSetting(
            f"items with {found} judgements: Fleiss' kappa needs the same number of at least two for each;"
            " krippendorff_alpha allows for missing ones"
        )
    return value(COEFFICIENTS["fleiss"], judged)


def krippendorff_alpha(judgements: Any, *, scale: str = "nominal", order: Sequence[Any] | None = None) -> float:
    """1 - D_o / D_e (Krippendorff 2011). scale: how far apart two labels are,

    nominal   0 or 1               ordinal   the judgements between them, half of their own included, squared
    interval  (c - k)^2            ratio     ((c - k) / (c + k))^2

    order: the labels from low to high, where sorting them would not do ("ordinal"; "interval" and "ratio" take numbers).
    """
    return value(krippendorff(scale), encoded(judgements, order=order))
