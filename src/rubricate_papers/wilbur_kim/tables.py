"""Ours beside the paper's, and what has no printed counterpart. Source: 003 fig. 1, 3, 4, tables 1-2, sec. 5.2, 6."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..arrays import Floats
from ..frame import Grid, Published, Row, Summary, Table, alone, mean_of_shares, over, share_of
from .methods import Judged
from .results import Results, gain
from .stacked import Stacked
from .tasks import RECIPES
from .variants import lengths

__all__ = ["averages_of", "grids", "hits_of", "tables"]

NEAR = 1.5  # points; issue 7 says «within reason», and MM is printed with two digits
ASKED = ("MM", "DCM", "TF-IDF SVM")


def tables(results: Results, printed: Published) -> tuple[Table, ...]:
    """All tables."""
    return (
        accuracies(results, printed),
        averages(results),
        gains(results, printed),
        earn(results, printed),
        documents(results, printed),
    )


def accuracies(results: Results, printed: Published) -> Table:
    """Figure 1, where it is about accuracy."""
    rows = []
    for task in ("20 Newsgroups", "WebKB"):
        for method in results.methods:
            said = printed.find(f"newsgroups.{method}") if task == "20 Newsgroups" else None
            asked = {"within": NEAR} if said is not None and method in ASKED else {}
            rows.append(Row.of(f"{task}, {method}", results.accuracy(task, method), said, **asked))
        plain, best = results.stacked_accuracy(task)
        rows += [Row.of(f"{task}, MBM", plain), Row.of(f"{task}, StMBM", best)]
    return Table(
        key="figure1-accuracy",
        title="Accuracy on 20 Newsgroups and WebKB",
        measure="accuracy, %",
        rows=tuple(rows),
        where="figure 1, figure 4, sec. 6",
        note="20 Newsgroups: folds of 80/20, with whole headers, which name the groups: of four readings of «messages» the one "
        "that meets the printed numbers (newsgroup_variants, NOTES.md). WebKB: Cornell's pages. Figure 1 is drawn without "
        "numbers; sec. 6 has three of them. StMBM: f_limit chosen on training documents held out.",
    )


def averages(results: Results) -> Table:
    """Figure 1, 3 and 4, where they are about break-even."""
    chosen, stack = results.selected["Reuters"].judged, results.stacked["Reuters"]
    found: dict[str, Judged | Stacked] = {**results.judged["Reuters"]}
    found |= {f"{method}, words chosen": own for method, own in chosen.items()}
    found |= {"MBM": stack.judged[1], "StMBM": stack}
    rows = []
    for method, own in found.items():
        rows += [
            Row.of(f"{method}, {average}", ours)
            for average, ours in zip(("micro", "macro"), averages_of(own), strict=True)
        ]
    return Table(
        key="figure1-reuters",
        title="Ten topics of Reuters",
        measure="break-even, %",
        rows=tuple(rows),
        where="figures 1, 3 and 4 (drawn without numbers)",
        note="Words chosen: by mutual information, their number for each topic on a third of the training stories. StMBM: "
        "f_limit likewise. Intervals are over test stories; the ten topics are given.",
    )


def averages_of(own: Judged | Stacked) -> list[Summary]:
    """Micro and macro break-even, with limits over the (document, label) pairs to be found."""
    hits, members = hits_of(own)
    return [share_of(int(hits.sum()), int(members.sum())), mean_of_shares(hits, members)]


def hits_of(own: Judged | Stacked) -> tuple[Floats, Floats]:
    """Members found and members of each label; of stacked MBM with the f_limit chosen for the label."""
    if isinstance(own, Stacked):
        return own.hits.astype(np.float64), own.judged[1].positives
    return own.hits.sum(axis=0).astype(np.float64), own.positives


def gains(results: Results, printed: Published) -> Table:
    """Table 2, the rows that can be had."""
    judged, chosen = results.judged["Reuters"], results.selected["Reuters"].judged
    news = over([gain(own["SMM"].accuracy, own["MM"].accuracy) for own in results.folds])
    pages = results.judged["WebKB"]
    rows = [
        Row.of("20 Newsgroups, accuracy", news, printed["gain.newsgroups"]),
        Row.of("WebKB, accuracy", alone(gain(pages["SMM"].accuracy, pages["MM"].accuracy)), printed["gain.webkb"]),
    ]
    for what, key, own in (("all words", "reuters", judged), ("words chosen", "selected", chosen)):
        for average in ("micro", "macro"):
            value = gain(getattr(own["SMM"], average), getattr(own["MM"], average))
            rows.append(
                Row.of(f"Reuters, {what}, {average} break-even", alone(value), printed[f"gain.{key}.{average}"])
            )
    return Table(
        key="table2",
        title="SMM over MM",
        measure="difference in % of the worse; minus: MM is better",
        rows=tuple(rows),
        where="table 2",
    )


def earn(results: Results, printed: Published) -> Table:
    """What is printed about one topic."""
    stack, higher, n = (
        results.stacked["Reuters"],
        results.higher["Reuters"],
        results.tasks["Reuters"].labels.index("earn"),
    )
    return Table(
        key="earn",
        title="Reuters, topic earn",
        measure="break-even, %",
        rows=(
            Row.of("MBM", alone(stack.judged[1].bep[n]), printed["earn.MBM"]),
            Row.of("StMBM", alone(stack.bep[n]), printed["earn.StMBM"], note=f"f_limit {stack.chosen[n]}"),
            Row.of("levels 2 to 5 alone", alone(100 * higher.bep[n]), printed["earn.higher"]),
            Row.of("shuffled scores", alone(100 * higher.mean[n]), printed["earn.shuffled"]),
        ),
        where="sec. 5.2",
    )


def documents(results: Results, printed: Published) -> Table:
    """Table 1 and the vocabulary: how near the tokeniser is."""
    rows = []
    for name, key in (("20 Newsgroups", "newsgroups"), ("WebKB", "webkb"), ("Reuters", "reuters")):
        task = results.tasks[name]
        parts = [lengths(task.train), lengths(task.test)]
        sizes = [task.train.X.shape[0], task.test.X.shape[0]]
        mean = sum(part[0] * size for part, size in zip(parts, sizes, strict=True)) / sum(sizes)
        rows.append(Row.of(f"{name}, mean length", alone(mean), printed[f"length.{key}"]))
        rows.append(Row.of(f"{name}, longest", alone(max(part[2] for part in parts)), printed[f"longest.{key}"]))
    words = results.tasks["20 Newsgroups"].train.X.shape[1]
    rows.append(Row.of("20 Newsgroups, words", alone(words), printed["vocabulary.newsgroups"]))
    return Table(
        key="table1",
        title="Documents in words",
        measure="words; lengths over all documents, words of the training vocabulary alone",
        rows=tuple(rows),
        where="table 1, sec. 3",
        note="; ".join(f"{name}: {recipe}" for name, recipe in RECIPES.items()),
    )


# -- grids


def grids(results: Results, printed: Published) -> tuple[Grid, ...]:
    """Problem by problem, and the tallies."""
    return tallies(results, printed), problems(results), levels(results)


def tallies(results: Results, printed: Published) -> Grid:
    """Wins, losses, ties, and the sign test."""
    rows: list[tuple[Any, ...]] = []
    for tally in results.tallies():
        own, said = tally.outcome, printed.find(f"tally.{tally.first}.{tally.second}")
        told = " : ".join(said.value) if said is not None and isinstance(said.value, list) else ""
        pair = f"{tally.first} : {tally.second}"
        rows.append((pair, tally.problems, own.wins, own.losses, own.ties, own.p, tally.one_sided, told))
    return Grid(
        key="tallies",
        title="Which is better on how many problems",
        columns=(
            "methods",
            "problems",
            "wins",
            "losses",
            "ties",
            "p, two-sided",
            "p, one-sided",
            "printed (27 problems)",
        ),
        rows=tuple(rows),
        note="12 problems: ten topics by break-even, 20 Newsgroups and WebKB by accuracy, as the paper counts them. Binary "
        "problems: every topic, group (first fold) and category by break-even; those of one collection are not independent. The "
        "paper's p = 0.02 for 15 : 5 is one-sided (0.0207); two-sided it is 0.041.",
    )


def problems(results: Results) -> Grid:
    """Break-even of each binary problem."""
    rows = []
    for task in results.tasks:
        chosen, stack = results.selected.get(task), results.stacked[task]
        for n, label in enumerate(results.tasks[task].labels):
            cells = [own.bep[n] for own in results.judged[task].values()]
            more: list[Any] = ["", "", ""]
            if chosen is not None:
                more = [chosen.sizes[n], *(own.bep[n] for own in chosen.judged.values())]
            cells += [stack.judged[1].bep[n], stack.bep[n]]
            known = [None if isinstance(value, float) and math.isnan(value) else value for value in map(plain, cells)]
            rows.append((f"{task}, {label}", *known, int(stack.chosen[n]), *map(plain, more)))
    return Grid(
        key="problems",
        title="Break-even of each binary problem, %",
        columns=("problem", *results.methods, "MBM", "StMBM", "f_limit", "words chosen", "MM, chosen", "SMM, chosen"),
        rows=tuple(rows),
        note="Words and f_limit are chosen on training documents held out, the words for MM.",
    )


def plain(value: Any) -> Any:
    """A number as Python has it."""
    return value.item() if isinstance(value, np.generic) else value


def levels(results: Results) -> Grid:
    """Levels 2 to 5 alone against shuffled scores."""
    rows = []
    for task, found in results.higher.items():
        for n, label in enumerate(results.tasks[task].labels):
            values = (100 * own[n] for own in (found.bep, found.mean, found.upper))
            rows.append(
                (
                    f"{task}, {label}",
                    *map(plain, values),
                    float(found.exact_p[n]),
                    "yes" if found.above_random[n] else "no",
                )
            )
    return Grid(
        key="levels",
        title="Levels 2 to 5 of stacked MBM alone, break-even in %",
        columns=("problem", "levels 2-5", "shuffled, mean", "shuffled, upper limit", "p", "above chance"),
        rows=tuple(rows),
        note=f"Scores shuffled {results.plan['draws']:,} times among the test documents; the limit is that of 95 %. p: exact, "
        "by the hypergeometric law.",
    )
