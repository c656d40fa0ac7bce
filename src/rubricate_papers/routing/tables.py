"""001's tables 3 and 4, routing, in form: ours, and what can be compared with the printed numbers across collections; R-precision
over the number of added words, and the best system of each group of topics."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from string import ascii_lowercase

import numpy as np

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Figure, Grid, Printed, Row, Series, Table, alone, best_of, over, share_of
from .results import ALL, LEVEL, Group, Results, significant
from .trials import LEARNERS, MEASURES, METHODS, PAPER, RATIO, TEXT, others_judged

SETS = ("51-100", "101-150")


def tables(results: Results) -> tuple[Table, ...]:
    return table3(results), relative(results), won(results), sizes(results)


def table3(results: Results) -> Table:
    rows = []
    for group in results.groups:
        text = results.alone[group.stream].values["R-precision"][group.topics]
        rows.append(Row.of(f"{group.title}: {TEXT}", over(text)))
        for size, method in product(results.plan["words"], ALL):
            values = results.values(group, size, method, "R-precision")
            rows.append(Row.of(f"{group.title}: Q+{size} / {method}", over(values)))
    return PAPER.table("table3", rows)


def relative(results: Results) -> Table:
    """R-precision as a multiple of Rocchio's with 50 words."""
    few, rows = min(results.plan["words"]), []
    for group in results.main:
        unit = results.values(group, few, "Rocchio", "R-precision").mean()
        for size, method in product(results.plan["words"], METHODS):
            if (size, method) == (few, "Rocchio"):
                continue
            ours = results.values(group, size, method, "R-precision").mean() / unit
            theirs = [
                PAPER[f"table3.{topics}.{size}.{method}"].number / PAPER[f"table3.{topics}.{few}.Rocchio"].number
                for topics in SETS
            ]
            ratio = Printed("", float(np.mean(theirs)), "table 3, divided", "a multiple of Rocchio's Q+50")
            note = f"printed {theirs[0]:.2f} (topics 51-100) and {theirs[1]:.2f} (101-150), their mean shown"
            what = f"{group.title}: Q+{size} / {method}"
            rows.append(Row.of(what, alone(ours, len(group.topics)), ratio, note=note))
    return PAPER.table("relative", rows)


def won(results: Results) -> Table:
    rows = []
    for group, size, method in product(results.main, results.plan["words"], ("WH", "EG")):
        test, _, _ = results.against(group, size, method, "Rocchio", "F1")
        cells = [PAPER[f"table4.{topics}.{size}.{method}"].words[0] for topics in SETS]
        counts = [[int(n) for n in cell.split() if n.isdigit()] for cell in cells]
        wins, losses = (sum(both) for both in zip(*counts, strict=True))
        share = Printed("", 100 * wins / (wins + losses), "table 4, counted", "% of topics won")
        note = "printed " + " and ".join(f"{wins}:{losses}" for wins, losses in counts)
        what = f"{group.title}: Q+{size}, {method} above Rocchio"
        rows.append(Row.of(what, share_of(test.wins, test.wins + test.losses), share, note=note))
    return PAPER.table("won", rows)


def sizes(results: Results) -> Table:
    rows = []
    for stream in results.streams:
        title = "Reuters-90" if stream.collection == "reuters" else "OHSUMED"
        words, others = (stream.queries > 0).sum(axis=1), others_judged(stream, results.plan["others"])
        for what, values, key, where in (
            ("words of a topic's text", words, "words.{}", "sec. 7"),
            ("relevant judged training documents", stream.relevant, "judged.{}.relevant", "sec. 7"),
            ("others judged", others, "judged.{}.others", "sec. 7.1"),
        ):
            mean = float(np.mean([PAPER[key.format(topics)].number for topics in SETS]))
            printed = Printed("", mean, where, "mean of both sets")
            rows.append(Row.of(f"{title}: {what}, mean over topics", alone(values.mean(), len(values)), printed))
    return PAPER.table("topics", rows)


# -- grids


def grids(results: Results) -> tuple[Grid, ...]:
    return (
        wins_grid(results, "F1", whole=False),
        wins_grid(results, "average precision", whole=False),
        wins_grid(results, "F1", whole=True),
        *(measures_grid(results, group) for group in results.groups),
        printed_grid(),
    )


def wins_grid(results: Results, measure: str, *, whole: bool) -> Grid:
    rows = []
    for group, size in results.conditions:
        cells: list[str | float] = []
        for method in LEARNERS:
            test, a, b = results.against(group, size, method, "Rocchio", measure, whole=whole)
            wins = rb.significance.wins_text(test.wins, test.losses, significant=significant(test))
            cells += [wins, rb.significance.means_text(a, b), f"{test.p:.2g}"]
        rows.append((group.title, len(group.topics), f"Q+{size}", *cells))
    plan = results.plan
    judgements = f"{RATIO} others judged for a relevant one, {plan['others']:,} at least; {plan['draws']:,} draws"
    if whole:
        judgements = f"all training documents judged, {plan['draws of whole']:,} draws"
    columns = ["topics", "number", "features"]
    for method in LEARNERS:
        columns += [f"{method} vs. Rocchio: wins", f"mean {measure}", "p"]
    measure_key = measure.lower().replace(" ", "_") + ("_all_judged" if whole else "")
    return PAPER.grid("wins", rows, columns, measure=measure, measure_key=measure_key, judgements=judgements)


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
        cells = []
        for measure in MEASURES:
            mean = results.values(group, *system, measure).mean()
            cells.append(f"{mean:.3f}{rb.significance.superscript(beaten[system].get(measure, ''))}")
        rows.append((f"{letters[system]}  Q+{system[0]} / {system[1]}", *cells))
    text = results.alone[group.stream].values
    rows.append((TEXT, *(f"{text[name][group.topics].mean():.3f}" if name != "F1" else "" for name in MEASURES)))
    short = "".join(letter for letter in group.title.lower().split(" training")[0] if letter.isalnum())
    words = {"title": group.title, "short_title": short, "n_topics": len(group.topics)}
    return PAPER.grid("measures", rows, ("", *MEASURES), **words)


def printed_grid() -> Grid:
    rows = []
    for topics, size in product(SETS, (50, 1000)):
        means = [f"{PAPER[f'table3.{topics}.{size}.{method}'].number:.3f}".removeprefix("0") for method in METHODS]
        wh, eg = (PAPER[f"table4.{topics}.{size}.{method}"].words for method in ("WH", "EG"))
        rows.append((f"TREC topics {topics}", f"Q+{size}", *means, *wh, *eg))
    return PAPER.grid("printed", rows)


# -- the figure, and the best systems


def figures(results: Results, curves: Mapping[tuple[int, str], Mapping[int, Floats]]) -> tuple[Figure, ...]:
    """R-precision and the number of added words. curves: stream, method -> words -> values of the topics."""
    out = []
    for group in results.main:
        series = []
        for method in ("Rocchio", "Rocchio above 0.4"):
            points = curves[group.stream, method]
            series.append(Series.of(method, list(points), [over(values[group.topics]) for values in points.values()]))
        for method in LEARNERS:
            ours = [over(results.values(group, size, method, "R-precision")) for size in results.plan["words"]]
            series.append(Series.of(method, results.plan["words"], ours))
        for method in METHODS:
            theirs = tuple(PAPER[f"table3.51-100.{size}.{method}"].number for size in (50, 1000))
            series.append(Series(method=method, x=(50.0, 1000.0), y=theirs, printed=True))
        collection = results.streams[group.stream].collection
        words = {"collection": collection, "title": group.title, "n_topics": len(group.topics)}
        out.append(PAPER.figure("words", series, **words))
    return tuple(out)


def best(results: Results) -> tuple[Best, ...]:
    """The best system of each group by average precision; equals by two-sided sign test."""
    out = []
    for group in results.groups:
        values = {
            f"Q+{size} / {method}": results.values(group, size, method, "average precision")
            for size, method in product(results.plan["words"], ALL)
        }
        means = {name: float(of_topics.mean()) for name, of_topics in values.items()}
        first, equals = best_of(means, lambda a, b: not rb.significance.sign_test(values[a], values[b]).p < LEVEL)  # noqa: B023
        out.append(PAPER.best("group", first, means[first], equals, title=group.title, n_topics=len(group.topics)))
    return tuple(out)
