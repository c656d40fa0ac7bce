"""003's figures 1, 3 and 4: as the paper has them, methods by task; and the curves behind the choices of figures 3 and 4.

The paper draws bars without numbers; what its text gives in numbers stands beside ours.
"""

from __future__ import annotations

from ..frame import Figure, Published, Series, share_of
from .results import Results
from .stacked import LEVELS
from .tables import averages_of, hits_of

SCALES = "in %; each task has a scale of its own"
MICRO, MACRO = "Reuters, ten topics: micro break-even", "Reuters, ten topics: macro break-even"
ACCURACY = ("20 Newsgroups: accuracy", "WebKB: accuracy")
LIMITS = "Intervals: Reuters and WebKB over test documents, 20 Newsgroups over five folds."


def figures(results: Results, printed: Published) -> tuple[Figure, ...]:
    return (
        methods(results, printed),
        words_chosen(results),
        by_number_of_words(results),
        stacked(results, printed),
        by_limit(results),
    )


def methods(results: Results, printed: Published) -> Figure:
    """Figure 1: six methods, three collections."""
    series = []
    for method in results.methods:
        ours = [results.accuracy(task, method) for task in ("20 Newsgroups", "WebKB")]
        series.append(Series.by_panel(method, [*averages_of(results.quality["Reuters"][method]), *ours]))
        if theirs := printed.find(f"newsgroups.{method}"):
            series.append(Series(method=method, x=(2.0,), y=(theirs.number,), printed=True))
    return Figure(
        key="figure1",
        title="Methods by collection, all words",
        across=SCALES,
        up="%",
        series=tuple(series),
        panels=(MICRO, MACRO, *ACCURACY),
        where="figure 1 (bars, drawn without numbers); sec. 6 prints three of them",
        note=LIMITS,
    )


def words_chosen(results: Results) -> Figure:
    """Figure 3: MM and SMM with the words chosen for MM, beside all words."""
    by_selection, whole = results.selection["Reuters"].quality, results.quality["Reuters"]
    series = [Series.by_panel(f"{name}, chosen", averages_of(quality)) for name, quality in by_selection.items()]
    series += [Series.by_panel(f"{name}, all", averages_of(whole[name])) for name in by_selection]
    return Figure(
        key="figure3",
        title="Ten topics of Reuters: words chosen by mutual information, and all words",
        across=SCALES,
        up="%",
        series=tuple(series),
        panels=(MICRO, MACRO),
        where="figure 3 (bars, drawn without numbers; without «all»)",
        note="The number of words was chosen for MM, topic by topic, on training stories held out. Intervals: over test stories.",
    )


def by_number_of_words(results: Results) -> Figure:
    """Behind figure 3: every number of words."""
    selection = results.selection["Reuters"]
    points = len(next(iter(selection.curves.values()))[0])
    shares = tuple(100 * (n + 1) / points for n in range(points))
    return Figure(
        key="figure3-sizes",
        title="Ten topics of Reuters: micro break-even and number of words",
        across="words by mutual information, % of the vocabulary",
        up="break-even, %",
        series=tuple(
            Series(method=name, x=shares, y=tuple(selection.micro(name).tolist())) for name in selection.curves
        ),
        note="Behind figure 3, not in the paper: on the test stories, the same share for all topics.",
    )


def stacked(results: Results, printed: Published) -> Figure:
    """Figure 4: MBM and stacked MBM; the paper prints numbers for one topic."""
    stack, n = results.stacked["Reuters"], results.tasks["Reuters"].labels.index("earn")
    plain, members = stack.quality[1], int(stack.quality[1].positives[n])
    both = [results.stacked_accuracy(task) for task in ("20 Newsgroups", "WebKB")]
    earn = [share_of(int(hits_of(model)[0][n]), members) for model in (plain, stack)]
    reuters = [averages_of(model) for model in (plain, stack)]
    series = []
    for at, name in enumerate(("MBM", "StMBM")):
        series.append(Series.by_panel(name, [*reuters[at], earn[at], *(task[at] for task in both)]))
        series.append(Series(method=name, x=(2.0,), y=(printed[f"earn.{name}"].number,), printed=True))
    return Figure(
        key="figure4",
        title="MBM and stacked MBM, f_limit chosen on training documents held out",
        across=SCALES,
        up="%",
        series=tuple(series),
        panels=(MICRO, MACRO, "Reuters, topic earn: break-even", *ACCURACY),
        where="figure 4 (bars, drawn without numbers); sec. 5.2 prints those of earn",
        note=LIMITS,
    )


def by_limit(results: Results) -> Figure:
    """Behind figure 4: every f_limit."""
    series = []
    for task, stack in results.stacked.items():
        limits = tuple(float(limit) for limit in stack.limits)
        series.append(Series(method=task, x=limits, y=tuple(stack.quality[limit].micro for limit in stack.limits)))
    return Figure(
        key="figure4-limits",
        title="Stacked MBM: micro break-even by f_limit",
        across="f_limit; 1 is MBM",
        up="break-even, %",
        series=tuple(series),
        note="Behind figure 4, not in the paper: on the test documents, all labels of a collection with the same f_limit. The "
        f"paper looks at levels up to {LEVELS}.",
    )
