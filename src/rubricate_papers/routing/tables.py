"""001's tables 3 and 4, routing, in form: ours, and what can be compared with the printed numbers across collections."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import numpy as np

import rubricate as rb

from ..frame import Grid, Printed, Published, Row, Table, alone, over, share_of
from .results import ALL, LEVEL, Group, Results, significant
from .trials import MEASURES, METHODS, RATIO, TEXT, others_judged

SETS = ("51-100", "101-150")


def tables(results: Results, printed: Published) -> tuple[Table, ...]:
    return table3(results), relative(results, printed), won(results, printed), sizes(results, printed)


def table3(results: Results) -> Table:
    """Mean R-precision in the form of table 3."""
    rows = []
    for group in results.groups:
        text = results.alone[group.stream].values["R-precision"][group.topics]
        rows.append(Row.of(f"{group.title}: {TEXT}", over(text)))
        for size in results.plan["words"]:
            for method in ALL:
                values = results.values(group, size, method, "R-precision")
                rows.append(Row.of(f"{group.title}: Q+{size} / {method}", over(values)))
    return Table(
        key="table3",
        title="Mean R-precision across topics",
        measure="R-precision",
        rows=tuple(rows),
        where="table 3, in form",
        note="Limits over topics. The TREC topics and documents are not here: the printed means are in a grid of their own, and "
        "nothing is compared number by number. «WH, half the rate» and «Rocchio above 0.4» are not of the paper.",
    )


def relative(results: Results, printed: Published) -> Table:
    """R-precision as a multiple of Rocchio's with 50 words."""
    few = min(results.plan["words"])
    rows = []
    for group in results.main:
        unit = results.values(group, few, "Rocchio", "R-precision").mean()
        for size in results.plan["words"]:
            for method in METHODS:
                if (size, method) == (few, "Rocchio"):
                    continue
                ours = results.values(group, size, method, "R-precision").mean() / unit
                theirs = [
                    printed[f"table3.{topics}.{size}.{method}"].number
                    / printed[f"table3.{topics}.{few}.Rocchio"].number
                    for topics in SETS
                ]
                printed_ratio = Printed("", float(np.mean(theirs)), "table 3, divided", "a multiple of Rocchio's Q+50")
                note = f"printed {theirs[0]:.2f} (topics 51-100) and {theirs[1]:.2f} (101-150), their mean shown"
                rows.append(
                    Row.of(
                        f"{group.title}: Q+{size} / {method}", alone(ours, len(group.topics)), printed_ratio, note=note
                    )
                )
    return Table(
        key="relative",
        title="R-precision as a multiple of Rocchio's with Q+50",
        measure="R-precision / that of Rocchio, Q+50",
        rows=tuple(rows),
        where="table 3, divided",
        note="What can be compared across collections: how much is lost or won from one method to the other.",
    )


def won(results: Results, printed: Published) -> Table:
    """The share of topics won in F1."""
    rows = []
    for group in results.main:
        for size in results.plan["words"]:
            for method in ("WH", "EG"):
                test, _, _ = results.against(group, size, method, "Rocchio", "F1")
                cells = [printed[f"table4.{topics}.{size}.{method}"].value for topics in SETS]
                counts = [
                    [int(n) for n in str(cell[0]).split() if n.isdigit()] for cell in cells if isinstance(cell, list)
                ]
                wins, losses = (sum(both) for both in zip(*counts, strict=True))
                printed_share = Printed("", 100 * wins / (wins + losses), "table 4, counted", "% of topics won")
                ours = share_of(test.wins, test.wins + test.losses)
                rows.append(
                    Row.of(
                        f"{group.title}: Q+{size}, {method} above Rocchio",
                        ours,
                        printed_share,
                        note=printed_wins(counts),
                    )
                )
    return Table(
        key="won",
        title="Topics on which Rocchio's F1 is lower",
        measure="% of topics, equal ones left out",
        rows=tuple(rows),
        where="table 4, routing, counted",
        note="Printed: both sets of 50 TREC topics together.",
    )


def printed_wins(counts: list[list[int]]) -> str:
    return "printed " + " and ".join(f"{wins}:{losses}" for wins, losses in counts)


def sizes(results: Results, printed: Published) -> Table:
    """Judged documents, and lengths of the topics' texts."""
    rows = []
    for stream in results.streams:
        title = "Reuters-90" if stream.collection == "reuters" else "OHSUMED"
        words, relevant = (stream.queries > 0).sum(axis=1), stream.relevant
        for what, values, keys in (
            ("words of a topic's text", words, [f"words.{topics}" for topics in SETS]),
            ("relevant judged training documents", relevant, [f"judged.{topics}.relevant" for topics in SETS]),
        ):
            theirs = Printed("", float(np.mean([printed[key].number for key in keys])), "sec. 7", "mean of both sets")
            rows.append(Row.of(f"{title}: {what}, mean over topics", alone(values.mean(), len(values)), theirs))
        others = Printed(
            "",
            float(np.mean([printed[f"judged.{topics}.others"].number for topics in SETS])),
            "sec. 7.1",
            "mean of both sets",
        )
        rows.append(
            Row.of(
                f"{title}: others judged, mean over topics",
                alone(others_judged(stream, results.plan["others"]).mean(), len(words)),
                others,
            )
        )
    return Table(key="topics", title="Topics", measure="words and documents", rows=tuple(rows), where="sec. 7.1-7.2")


# -- grids


def grids(results: Results, printed: Published) -> tuple[Grid, ...]:
    """All grids but the variants."""
    return (
        wins_grid(results, "F1", whole=False),
        wins_grid(results, "average precision", whole=False),
        wins_grid(results, "F1", whole=True),
        *(measures_grid(results, group) for group in results.groups),
        printed_grid(printed),
    )


def wins_grid(results: Results, measure: str, *, whole: bool) -> Grid:
    """Wins and means in the form of table 4."""
    rows = []
    for group, size in results.conditions:
        cells: list[str | float] = []
        for method in ("WH", "EG", "WH, half the rate"):
            test, a, b = results.against(group, size, method, "Rocchio", measure, whole=whole)
            cells += [
                rb.significance.wins_text(test.wins, test.losses, significant=significant(test)),
                rb.significance.means_text(a, b),
                f"{test.p:.2g}",
            ]
        rows.append((group.title, len(group.topics), f"Q+{size}", *cells))
    plan = results.plan
    judgements = f"{RATIO} others judged for a relevant one, {plan['others']:,} at least; {plan['draws']:,} draws"
    if whole:
        judgements = f"all training documents judged, {plan['draws of whole']:,} draws"
    return Grid(
        key=("wins_" + measure.lower().replace(" ", "_")) + ("_all_judged" if whole else ""),
        title=f"Pairwise comparisons in the form of table 4: {measure} ({judgements})",
        columns=(
            "topics",
            "number",
            "features",
            *(
                head
                for method in ("WH", "EG", "WH, half the rate")
                for head in (f"{method} vs. Rocchio: wins", f"mean {measure}", "p")
            ),
        ),
        rows=tuple(rows),
        note="A ? where neither wins significantly more at 5 %, one-tailed sign test; p is that of the first being better. "
        "Topics on which both are equal are left out.",
    )


def measures_grid(results: Results, group: Group) -> Grid:
    """All measures of all methods; superscripts for the systems that are beaten."""
    systems = [(size, method) for size in results.plan["words"] for method in ALL]
    letters = dict(zip(systems, ascii_lowercase, strict=False))
    beaten: dict[tuple[int, str], dict[str, str]] = {system: {} for system in systems}
    for measure in MEASURES:
        values = {system: results.values(group, *system, measure) for system in systems}
        pairs = list(combinations(systems, 2))
        adjusted = rb.significance.holm([rb.significance.sign_test(values[a], values[b]).p for a, b in pairs])
        for (a, b), p in zip(pairs, adjusted.tolist(), strict=True):
            if p < LEVEL:
                first, second = (a, b) if rb.significance.sign_test(values[a], values[b]).effect > 0 else (b, a)
                beaten[first][measure] = beaten[first].get(measure, "") + letters[second]
    rows = []
    for system in systems:
        cells = [
            f"{results.values(group, *system, measure).mean():.3f}{rb.significance.superscript(beaten[system].get(measure, ''))}"
            for measure in MEASURES
        ]
        rows.append((f"{letters[system]}  Q+{system[0]} / {system[1]}", *cells))
    text = results.alone[group.stream].values
    rows.append((TEXT, *(f"{text[name][group.topics].mean():.3f}" if name != "F1" else "" for name in MEASURES)))
    short = "".join(letter for letter in group.title.lower().split(" training")[0] if letter.isalnum())
    return Grid(
        key=f"measures_{short}",
        title=f"{group.title}: means over {len(group.topics)} topics",
        columns=("", *MEASURES),
        rows=tuple(rows),
        note="A superscript letter: better than that system on significantly more topics (two-sided sign test, 5 % for all "
        "pairs of the column together by Holm).",
    )


def printed_grid(printed: Published) -> Grid:
    rows = []
    for topics in SETS:
        for size in (50, 1000):
            means = [printed[f"table3.{topics}.{size}.{method}"].number for method in METHODS]
            wh, eg = (printed[f"table4.{topics}.{size}.{method}"].value for method in ("WH", "EG"))
            cells = [*wh, *eg] if isinstance(wh, list) and isinstance(eg, list) else []
            rows.append(
                (f"TREC topics {topics}", f"Q+{size}", *(f"{mean:.3f}".removeprefix("0") for mean in means), *cells)
            )
    heads = ("R-precision: Rocchio", "WH", "EG", "WH vs. Rocchio: wins", "mean F1", "EG vs. Rocchio: wins", "mean F1")
    return Grid(
        key="printed",
        title="Tables 3 and 4 as printed, routing",
        columns=("topics", "features", *heads),
        rows=tuple(rows),
        note="336,310 test documents, 50 topics in each set.",
    )
