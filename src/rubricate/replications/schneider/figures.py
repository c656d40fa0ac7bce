"""002's figures 1 to 3, with the points that the text gives as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...experiment import Figure, Plan, Published, Series, over
from .reuters import SCORES, Found

__all__ = ["figures"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Runs = Mapping[str, Found]


def figures(
    plan: Plan, folds: Mapping[str, Floats], literal: Runs, counted: Runs, printed: Published
) -> tuple[Figure, ...]:
    """Figures 1 to 3, with the points that the text gives as numbers."""
    first = tuple(
        Series.of(name, plan["words"], [over(values[:, n]) for n in range(values.shape[1])])
        for name, values in folds.items()
    )
    out = [
        Figure(
            key="figure1",
            title="20 Newsgroups: accuracy and number of words",
            across="words",
            up="accuracy, %",
            series=first,
            log=True,
            where="figure 1 (drawn without numbers)",
            note="Five folds.",
        )
    ]
    sizes = plan["reuters words"]
    for number, average in ((2, "micro"), (3, "macro")):
        series = [
            Series(method=name, x=tuple(sizes), y=tuple(getattr(run, average).tolist()))
            for name, run in literal.items()
        ]
        curve = tuple(getattr(counted["KL"], average).tolist())
        series.append(Series(method="KL, numbers in the total alone", x=tuple(sizes), y=curve))
        for name in SCORES:
            points = [
                (size, said.number) for size in (100, 20000) if (said := printed.find(f"{average}.{size}.{name}"))
            ]
            if points:
                xs, ys = zip(*points, strict=True)
                series.append(Series(method=name, x=xs, y=ys, printed=True))
        out.append(
            Figure(
                key=f"figure{number}",
                title=f"Ten topics of Reuters: {average}averaged recall at break-even",
                across="words",
                up="recall, %",
                series=tuple(series),
                log=True,
                where=f"figure {number}",
                note="Formulas as printed, and KL by the reading of the second table.",
            )
        )
    return tuple(out)
