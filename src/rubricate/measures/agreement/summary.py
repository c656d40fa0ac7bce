"""Agreement of a group of people, overall and label by label, with intervals: bootstrap over items, percentiles.

All coefficients of all labels are computed on the same drawn items, in one sparse product a block of draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ..significance.bootstrap import Interval, middle, resampled_sums
from .disagreement import COEFFICIENTS, Coefficient, beyond_chance, coefficients_for
from .judgements import Judged, encoded, of_label

__all__ = ["Coefficients", "Report", "interval", "report", "report_indicators"]


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Of one label, or overall. Undefined values are nan: Fleiss' kappa where items have different numbers of judgements, and
    all but the percentage where only one label is in use."""

    percent: Interval
    cohen: Interval
    fleiss: Interval
    krippendorff: Interval


@dataclass(frozen=True, slots=True)
class Report:
    """Agreement overall and by label; `used` items have two judgements or more, the others say nothing."""

    overall: Coefficients
    labels: Mapping[Any, Coefficients]
    annotators: int
    items: int
    used: int

    def table(self) -> list[list[str]]:
        """Rows of text: the heading, overall, then each label."""
        names = [one.name for one in fields(Coefficients)]
        rows = {"overall": self.overall} | {str(label): one for label, one in self.labels.items()}
        return [
            ["label", *names],
            *([label, *(str(getattr(one, name)) for name in names)] for label, one in rows.items()),
        ]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""

        def plain(of: Coefficients) -> dict[str, Any]:
            return {one.name: getattr(of, one.name).as_dict() for one in fields(of)}

        counts = {"annotators": self.annotators, "items": self.items, "used": self.used}
        return counts | {
            "overall": plain(self.overall),
            "labels": {str(k): plain(one) for k, one in self.labels.items()},
        }


def report(
    judgements: Any,
    *,
    scale: str = "nominal",
    order: Sequence[Any] | None = None,
    level: float = 0.95,
    draws: int = 1000,
    random_state: int = 0,
) -> Report:
    """Of annotators x items, one label a judgement. By label: that label against all others (then always nominal).

    scale, order: for Krippendorff's alpha overall (see `krippendorff_alpha`).
    """
    judged = encoded(judgements, order=order)
    kinds = [coefficients_for(scale)] + [coefficients_for("nominal")] * len(judged.labels)
    tables = [judged, *(of_label(judged, n) for n in range(len(judged.labels)))]
    found = resampled(tables, kinds, draws=draws, random_state=random_state)
    overall, *by_label = (summarised([one], level) for one in found)
    return made(judged, overall, dict(zip(judged.labels, by_label, strict=True)))


def report_indicators(
    indicators: Any,
    *,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    draws: int = 1000,
    random_state: int = 0,
) -> Report:
    """Of annotators x items x labels, 0 or 1, nan where not judged: several labels an item.

    Overall, observed and expected disagreements are summed over labels before one is divided by the other: a label counts by
    the disagreement that chance would give it, and rare labels, whose own coefficients jump about, count little.
    """
    cells = np.asarray(indicators, dtype=np.float64)
    if cells.ndim != 3 or not np.isin(cells[~np.isnan(cells)], (0, 1)).all():
        raise InvalidSetting(f"indicators of shape {cells.shape}: give annotators x items x labels of 0, 1 and nan")
    names = list(range(cells.shape[2])) if labels is None else list(labels)
    if len(names) != cells.shape[2] or not names:
        raise InvalidSetting(f"{len(names)} labels for {cells.shape[2]} columns: give one a column")
    codes = np.where(np.isnan(cells), -1, np.nan_to_num(cells)).astype(np.intp)
    tables = [Judged(codes[:, :, n], (0, 1)) for n in range(len(names))]
    found = resampled(tables, [COEFFICIENTS] * len(tables), draws=draws, random_state=random_state)
    by_label = {name: summarised([one], level) for name, one in zip(names, found, strict=True)}
    any_label = Judged(codes.max(axis=2), (0, 1))
    return made(any_label, summarised(found, level), by_label)


def interval(
    judgements: Any,
    *,
    of: str = "krippendorff",
    scale: str = "nominal",
    order: Sequence[Any] | None = None,
    level: float = 0.95,
    draws: int = 1000,
    random_state: int = 0,
) -> Interval:
    """One coefficient, by name, with its interval."""
    if of not in COEFFICIENTS:
        raise UnknownName("coefficient", str(of), COEFFICIENTS)
    judged = encoded(judgements, order=order)
    chosen = {of: coefficients_for(scale)[of]}
    return valued([resampled([judged], [chosen], draws=draws, random_state=random_state)[0][of]], level)


Found = dict[
    str, tuple[Floats, Floats]
]  # by coefficient: observed and expected disagreement, of all items and of each draw


def resampled(
    tables: list[Judged], kinds: Sequence[Mapping[str, Coefficient]], *, draws: int, random_state: int
) -> list[Found]:
    """Every coefficient of every table, on the same drawn items."""
    if len(tables[0].codes) < 2 or not tables[0].n_items:
        raise InvalidSetting(f"{len(tables[0].codes)} annotators, {tables[0].n_items} items: give at least two and one")
    jobs = [(n, name, one) for n, kind in enumerate(kinds) for name, one in kind.items()]
    additive = [one(tables[n]) for n, _, one in jobs]
    edges = np.cumsum([0, *(one.parts.shape[1] for one in additive)])
    stacked = sparse.csr_array(sparse.hstack([one.parts for one in additive]))
    as_it_is = np.asarray(stacked.sum(axis=0), dtype=np.float64).reshape(-1, 1)
    blocks: list[list[tuple[Floats, Floats]]] = [[] for _ in jobs]
    for sums in chain([as_it_is], resampled_sums(stacked, draws=draws, random_state=random_state)):
        for at, one in enumerate(additive):
            blocks[at].append(one.disagreement(sums[edges[at] : edges[at + 1]]))
    found: list[Found] = [{} for _ in tables]
    for (n, name, _), pairs in zip(jobs, blocks, strict=True):
        observed, expected = (np.concatenate(one) for one in zip(*pairs, strict=True))
        found[n][name] = observed, expected
    return found


def summarised(found: list[Found], level: float) -> Coefficients:
    """All coefficients of one table, or of several together."""
    return Coefficients(**{name: valued([one[name] for one in found], level) for name in COEFFICIENTS})


def valued(found: list[tuple[Floats, Floats]], level: float) -> Interval:
    """1 - observed / expected, both summed over tables in which they are defined."""
    observed, expected = (np.array([pair[side] for pair in found]) for side in (0, 1))
    known = ~np.isnan(observed) & ~np.isnan(expected)
    values = beyond_chance(*(np.where(known, one, 0.0).sum(axis=0) for one in (observed, expected)))
    return middle(float(values[0]), values[1:], level)


def made(judged: Judged, overall: Coefficients, by_label: dict[Any, Coefficients]) -> Report:
    """With the numbers of people and items."""
    used = int(((judged.codes >= 0).sum(axis=0) >= 2).sum())
    return Report(overall, by_label, len(judged.codes), judged.n_items, used)
