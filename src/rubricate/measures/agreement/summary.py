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
from ...foundation.jsonable import jsonable
from ..metrics.sums import total
from ..significance.bootstrap import Interval, percentile_interval, resampled_sums
from .coefficients import coefficients_for
from .disagreement import (
    COEFFICIENTS,
    Coefficient,
    Disagreement,
    Judgements,
    beyond_chance,
    encode,
    label_against_others,
)


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
        names = [field.name for field in fields(Coefficients)]
        rows = {"overall": self.overall} | {str(label): row for label, row in self.labels.items()}
        return [
            ["label", *names],
            *([label, *(str(getattr(row, name)) for name in names)] for label, row in rows.items()),
        ]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: jsonable(getattr(self, name)) for name in ("annotators", "items", "used", "overall", "labels")}


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
    encoded = encode(judgements, order=order)
    kinds = [coefficients_for(scale)] + [coefficients_for("nominal")] * len(encoded.labels)
    tables = [encoded, *(label_against_others(encoded, n) for n in range(len(encoded.labels)))]
    resamples = resampled(tables, kinds, draws=draws, random_state=random_state)
    overall, *by_label = (coefficient_intervals([table], level) for table in resamples)
    return with_numbers(encoded, overall, dict(zip(encoded.labels, by_label, strict=True)))


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
    tables = [Judgements(codes[:, :, n], (0, 1)) for n in range(len(names))]
    resamples = resampled(tables, [COEFFICIENTS] * len(tables), draws=draws, random_state=random_state)
    by_label = {name: coefficient_intervals([table], level) for name, table in zip(names, resamples, strict=True)}
    any_label = Judgements(codes.max(axis=2), (0, 1))
    return with_numbers(any_label, coefficient_intervals(resamples, level), by_label)


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
    kinds = [{of: coefficients_for(scale)[of]}]
    resamples = resampled([encode(judgements, order=order)], kinds, draws=draws, random_state=random_state)
    return coefficient_interval([resamples[0][of]], level)


Drawn = dict[str, Disagreement]  # by coefficient: of all items first, then of each bootstrap draw


def resampled(
    tables: list[Judgements], kinds: Sequence[Mapping[str, Coefficient]], *, draws: int, random_state: int
) -> list[Drawn]:
    if len(tables[0].codes) < 2 or not tables[0].n_items:
        raise InvalidSetting(f"{len(tables[0].codes)} annotators, {tables[0].n_items} items: give at least two and one")
    jobs = [(n, name, coefficient) for n, kind in enumerate(kinds) for name, coefficient in kind.items()]
    item_sums = [coefficient(tables[n]) for n, _, coefficient in jobs]
    edges = np.cumsum([0, *(each.parts.shape[1] for each in item_sums)])
    stacked = sparse.csr_array(sparse.hstack([each.parts for each in item_sums]))
    blocks: list[list[Disagreement]] = [[] for _ in jobs]
    for sums in chain([total(stacked)[:, None]], resampled_sums(stacked, draws=draws, random_state=random_state)):
        for at, each in enumerate(item_sums):
            blocks[at].append(each.disagreement(sums[edges[at] : edges[at + 1]]))
    resamples: list[Drawn] = [{} for _ in tables]
    for (n, name, _), pairs in zip(jobs, blocks, strict=True):
        observed, expected = (np.concatenate(side) for side in zip(*pairs, strict=True))
        resamples[n][name] = observed, expected
    return resamples


def coefficient_intervals(tables: list[Drawn], level: float) -> Coefficients:
    return Coefficients(
        **{name: coefficient_interval([table[name] for table in tables], level) for name in COEFFICIENTS}
    )


def coefficient_interval(disagreements: list[Disagreement], level: float) -> Interval:
    """1 - observed / expected, both summed over tables in which they are defined."""
    observed, expected = (np.array([pair[side] for pair in disagreements]) for side in (0, 1))
    known = ~np.isnan(observed) & ~np.isnan(expected)
    values = beyond_chance(*(np.where(known, part, 0.0).sum(axis=0) for part in (observed, expected)))
    return percentile_interval(float(values[0]), values[1:], level)


def with_numbers(judgements: Judgements, overall: Coefficients, by_label: dict[Any, Coefficients]) -> Report:
    used = int(((judgements.codes >= 0).sum(axis=0) >= 2).sum())
    return Report(overall, by_label, len(judgements.codes), judgements.n_items, used)
