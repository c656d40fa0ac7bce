"""000's tables and figures, ours beside the printed numbers."""

from __future__ import annotations

import numpy as np

from ..frame import Figure, Grid, Row, Series, Table, alone, over, share_of
from .newsgroups import Lambda
from .reuters import Stories, WordAlone, balanced, best_words
from .trials import METHODS, PAPER, TASKS, Results, size_text

WITHIN = 2.5


def table4(results: Results) -> Table:
    """The best setting of each method on each task."""
    rows = []
    for task, title in TASKS.items():
        for method in METHODS:
            size, values = results.best(task, method)
            printed = PAPER.find(f"table4.{task}.{method}")
            within = WITHIN if printed is not None and task == "newsgroups" else None
            rows.append(Row.of(f"{title}, {method}", over(values), printed, within=within, note=size_text(size)))
    return PAPER.table("table4", rows)


def lambda_table(plain: Lambda, prime: Lambda) -> Table:
    rows = [
        Row.of(what, alone(value, 20), PAPER[f"lambda.{key}"])
        for key, what, value in (
            ("mean", "mean over the 20 groups", plain.mean),
            ("sd", "standard deviation (n - 1)", plain.sd),
            ("min", "least", plain.least),
            ("max", "largest", plain.largest),
        )
    ]
    return PAPER.table("lambda", rows, spread=plain.sd / plain.mean, spread_prime=prime.sd / prime.mean)


def wheat_table(result: WordAlone, n_train: int) -> Table:
    n = result.positives + result.negatives
    accuracy = share_of(result.correct, n)
    counts = [
        ("test stories of the topic wheat", result.positives, "wheat.positives"),
        ("of them with the word wheat", result.positives_with, "wheat.positives_with"),
        ("other test stories", result.negatives, "wheat.negatives"),
        ("of them with the word wheat", result.negatives_with, "wheat.negatives_with"),
        ("training stories", n_train, "reuters.train"),
        ("test stories", n, "reuters.test"),
    ]
    rows = [Row.of("accuracy, %, of the word wheat", accuracy, PAPER["wheat.accuracy"], within=0.2)]
    return PAPER.table("wheat", [*rows, *(Row.of(what, alone(value), PAPER[key]) for what, value, key in counts)])


def table1(stories: Stories, seed: int) -> Grid:
    """The best words, of a balanced subsample and of all training stories."""
    member = stories.member("wheat")[0]
    sample = best_words(stories, "wheat", balanced(member, np.random.default_rng(seed)))
    whole = best_words(stories, "wheat", np.arange(stories.X.shape[0]))
    words = PAPER["table1.words"].words
    rows = [(n, *row) for n, row in enumerate(zip(words, sample, whole, strict=True), 1)]
    in_sample, in_whole = (len(set(words) & set(ours)) for ours in (sample, whole))
    return PAPER.grid("table1", rows, in_sample=in_sample, in_whole=in_whole)


def figures(results: Results) -> tuple[Figure, ...]:
    """Figures 2 to 7. The paper prints no numbers in them, but says where the maxima of table 4 lie."""
    return (
        *(by_documents(results, task, number) for number, task in enumerate(TASKS, 2)),
        *(by_words(results, task, number) for number, task in enumerate(TASKS, 5)),
    )


def by_documents(results: Results, task: str, number: int) -> Figure:
    """Accuracy over training documents; the last point is all of them."""
    sizes = results.plan["articles" if task == "newsgroups" else f"{task} stories"]
    trials = results.trained if task == "newsgroups" else results.by_size[task]
    series = []
    for method in METHODS:
        ours = [over([trial[n][method][0] for trial in trials]) for n in range(len(sizes))]
        whole = over(results.values(task, method)[:, -1])
        series.append(Series.of(method, [*sizes, results.all_documents[task]], [*ours, whole]))
    return PAPER.figure("by_documents", series, number=number, task=TASKS[task])


def by_words(results: Results, task: str, number: int) -> Figure:
    """Accuracy over words; the last point is all of them, sizes above are left out."""
    whole = results.all_words[task]
    at = [(n, size or whole) for n, size in enumerate(results.sizes(task)) if size < whole]
    series = []
    for method in METHODS:
        values = results.values(task, method)
        series.append(Series.of(method, [size for _, size in at], [over(values[:, n]) for n, _ in at]))
    best_at = float(at[0][1] if task == "wheat" else whole)
    series += [
        Series(method=method, x=(best_at,), y=(point.number,), printed=True)
        for method in METHODS
        if (point := PAPER.find(f"table4.{task}.{method}")) and (task, method) != ("wheat", "TFIDF")
    ]
    return PAPER.figure("by_words", series, number=number, task=TASKS[task])
