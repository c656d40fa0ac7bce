"""Experiments: `Plan -> Result`. A plan says what is run, a result what came out, beside what a paper printed.

    Plan        data, split, recipes, methods, repetitions, seed, and settings of its own; quick or full
    Findings    what a replication returns: tables, grids, figures, claims, the best method of each task, notes
    Result      the findings with their plan, the time they took, versions and fingerprints; JSON in and out
    Watch       handed to a replication: times its stages, reports progress, collects estimates of the naive way

A replication is a module of `rubricate_papers` with two functions (`joachims` is an example):

    def plan(*, quick: bool = False, seed: int = 0) -> Plan
    def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings

    with watch("20 Newsgroups, read and counted"):     # a stage: timed, reported
        ...
    watch.naive("20 Newsgroups, 30 fits from text", seconds=21.4, times=30, how="one fit measured")

What is compared with the paper is a `Row`: ours (with an interval, over n repetitions, folds or documents) beside what is
printed; `within` is how far apart they may be ("Must hold"), `or_better=True` lets ours be higher. Percentages are 0 to 100, as
the papers print them. Rows stand in a `Table`; anything else with rows and columns (words, wins and losses, p-values) in a
`Grid`; curves in a `Figure` of `Series`, of which those with printed=True are points that the paper prints as numbers; methods
by task in a `Figure` with panels, as dots (`Series.by_panel`). A `Claim` is a sentence of the paper, a verdict of VERDICTS, and
the numbers it rests on. `published(name)` reads the printed figures, `published("joachims")["table4.20newsgroups.prtfidf"].value`
is one; `Row.of(what, summary, printed)` joins both.

    summary = over(values)          mean and 95 % t-interval over repetitions or folds
    summary = share_of(hits, n)     a share in % and its 95 % Wilson interval over documents
    summary = mean_of_shares(hits, n)   the mean of labels' shares in % and its 95 % interval over documents

The frame computes summaries and intervals only; `page` and `text` show results and compute nothing.
"""

from __future__ import annotations

from .published import Printed, Published, published
from .result import (
    VERDICTS,
    Best,
    Claim,
    Figure,
    Findings,
    Grid,
    Naive,
    Plan,
    Result,
    Row,
    Series,
    Table,
    verdict_of,
    verdict_of_parts,
)
from .stopwatch import Watch
from .store import read_result, write_result
from .summary import Summary, alone, mean_of_shares, over, share_of

__all__ = [
    "VERDICTS",
    "Best",
    "Claim",
    "Figure",
    "Findings",
    "Grid",
    "Naive",
    "Plan",
    "Printed",
    "Published",
    "Result",
    "Row",
    "Series",
    "Summary",
    "Table",
    "Watch",
    "alone",
    "mean_of_shares",
    "over",
    "published",
    "read_result",
    "share_of",
    "verdict_of",
    "verdict_of_parts",
    "write_result",
]
