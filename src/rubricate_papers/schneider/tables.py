"""002's printed points beside ours, in tables and in its figures 1 to 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import rubricate as rb

from ..arrays import Floats
from ..frame import Figure, Plan, Row, Series, Summary, Table, alone, over, share_of
from .trials import PAPER, SCORES, Retrieval, Stories

WITHIN = 1.5
BOUNDED = {"micro.100.MI", "micro.100.dKL", "micro.20000.KL", "macro.20000.KL"}
Runs = Mapping[str, Retrieval]


def recall_table(key: str, runs: Runs, sizes: Sequence[int]) -> Table:
    rows = []
    for average, size, name in product(("micro", "macro"), (100, 20000), SCORES):
        point = f"{average}.{size}.{name}"
        printed, ours = PAPER.find(point), recall_summary(runs[name], average, sizes.index(size))
        row = Row.of(f"{average}, {size:,} words, {name}", ours, printed, within=WITHIN if point in BOUNDED else None)
        if row.reached is False and key == "printed":
            row = replace(row, explained=PAPER.texts["notes"]["explained"])
        rows.append(row)
    at = sizes.index(5000)
    for name in ("KL", "dKL"):
        gain = runs[name].macro[at] - runs["MI"].macro[at]
        rows.append(Row.of(f"macro, 5,000 words, {name} less MI", alone(gain, 10), PAPER[f"gain.5000.{name}"]))
    return PAPER.table(key, rows)


def recall_summary(run: Retrieval, average: str, at: int) -> Summary:
    """Micro: over test stories of all topics. Macro: a bootstrap over the stories of each topic would hide that there are only
    ten topics, so that its interval is over topics and wide."""
    if average == "micro":
        hits = run.pooled[at]
        return share_of(int(hits.sum()), len(hits))
    return over(run.recall[:, at])


def vocabulary_table(table: rb.Table, stories: Stories) -> Table:
    """Numbers of distinct words, which tell what documents the paper used."""
    rows = (
        Row.of("20 Newsgroups, body, stop list", alone(table.X.shape[1]), PAPER["vocabulary.newsgroups"]),
        Row.of("Reuters, ten topics' training documents", alone(stories.X.shape[1]), PAPER["vocabulary.reuters"]),
    )
    return PAPER.table("vocabulary", rows)


def figures(
    plan: Plan, folds: Mapping[str, Floats], literal: Runs, with_numbers: Runs, scaled: Runs
) -> tuple[Figure, ...]:
    """Figures 1 to 3, with the points that the text gives as numbers; and KL by the scale of p(w)."""
    first = [
        Series.of(name, plan["words"], [over(values[:, n]) for n in range(values.shape[1])])
        for name, values in folds.items()
    ]
    out, sizes = [PAPER.figure("figure1", first)], tuple(plan["reuters words"])
    for number, average in ((2, "micro"), (3, "macro")):
        curves = {**literal, "KL, numbers in the total alone": with_numbers["KL"]}
        series = [Series(method=name, x=sizes, y=tuple(getattr(run, average).tolist())) for name, run in curves.items()]
        for name in SCORES:
            points = {size: PAPER.find(f"{average}.{size}.{name}") for size in (100, 20000)}
            values = {size: point.number for size, point in points.items() if point}
            if values:
                series.append(Series(method=name, x=tuple(values), y=tuple(values.values()), printed=True))
        out.append(PAPER.figure("recall", series, number=number, average=average))
    return (*out, scale_figure(scaled)) if scaled else tuple(out)


def scale_figure(scaled: Runs) -> Figure:
    factors = {name: float(name) for name in scaled if name != "MI"}
    series = []
    for average in ("micro", "macro"):
        recall = tuple(float(getattr(scaled[name], average)[-1]) for name in factors)
        series.append(Series(method=average, x=tuple(factors.values()), y=recall))
        series.append(Series(method=average, x=(1.0,), y=(PAPER[f"{average}.20000.KL"].number,), printed=True))
    return PAPER.figure("scale", series)
