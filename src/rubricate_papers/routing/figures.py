"""R-precision over the number of added words, and the best system of each group of topics."""

from __future__ import annotations

import numpy as np

import rubricate as rb

from ..frame import Best, Figure, Published, Series, over
from .results import ALL, LEVEL, Results
from .trials import METHODS


def figures(
    results: Results, curves: dict[tuple[int, str], dict[int, list[float]]], printed: Published
) -> tuple[Figure, ...]:
    """R-precision and the number of added words. curves: stream, method -> words -> values of the topics."""
    out = []
    for group in results.main:
        series = []
        for method in ("Rocchio", "Rocchio above 0.4"):
            points = curves[group.stream, method]
            ours = [over(np.asarray(values)[group.topics]) for values in points.values()]
            series.append(Series.of(method, list(points), ours))
        for method in ("WH", "EG", "WH, half the rate"):
            ours = [over(results.values(group, size, method, "R-precision")) for size in results.plan["words"]]
            series.append(Series.of(method, results.plan["words"], ours))
        for method in METHODS:
            theirs = [printed[f"table3.51-100.{size}.{method}"].number for size in (50, 1000)]
            series.append(Series(method=method, x=(50.0, 1000.0), y=tuple(theirs), printed=True))
        out.append(
            Figure(
                key=results.streams[group.stream].collection,
                title=f"{group.title}: mean R-precision and number of words added to the query",
                across="words added",
                up="mean R-precision",
                series=tuple(series),
                log=True,
                where="table 3 (no figure)",
                note=f"{len(group.topics)} topics. Printed points are of TREC topics 51-100, another collection: compare slopes.",
            )
        )
    return tuple(out)


def best(results: Results) -> tuple[Best, ...]:
    """The best system of each group by average precision; equals by two-sided sign test."""
    out = []
    for group in results.groups:
        values = {
            f"Q+{size} / {method}": results.values(group, size, method, "average precision")
            for size in results.plan["words"]
            for method in ALL
        }
        first = max(values, key=lambda name: values[name].mean())
        equals = [
            name
            for name in values
            if name != first and not rb.significance.sign_test(values[first], values[name]).p < LEVEL
        ]
        out.append(
            Best(
                task=f"Routing, {group.title} (001)",
                method=first,
                value=float(values[first].mean()),
                measure=f"mean average precision of {len(group.topics)} topics",
                equals=tuple(equals),
                note="among Rocchio, Widrow-Hoff and EG on INQUERY's beliefs",
            )
        )
    return tuple(out)
