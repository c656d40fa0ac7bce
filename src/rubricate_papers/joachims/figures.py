"""000's figures 2 to 7: accuracy over the number of training documents, and over the number of words."""

from __future__ import annotations

from ..frame import Figure, Published, Series, over
from .results import TASKS, Results
from .trials import METHODS


def figures(results: Results, printed: Published) -> tuple[Figure, ...]:
    """All six. The paper prints no numbers in them, but says where the maxima of table 4 lie."""
    return (
        *(by_documents(results, task, number) for number, task in enumerate(TASKS, 2)),
        *(by_words(results, printed, task, number) for number, task in enumerate(TASKS, 5)),
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
    return Figure(
        key=f"figure{number}",
        title=f"Accuracy and number of training documents, {TASKS[task]}",
        across="training documents; the last point is all of them",
        up="accuracy, %",
        series=tuple(series),
        log=True,
        where=f"figure {number} (drawn without numbers)",
        note="All words that occur at least three times in the training documents.",
    )


def by_words(results: Results, printed: Published, task: str, number: int) -> Figure:
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
        if (point := printed.find(f"table4.{task}.{method}")) and (task, method) != ("wheat", "TFIDF")
    ]
    return Figure(
        key=f"figure{number}",
        title=f"Accuracy and number of words, {TASKS[task]}",
        across="words, by mutual information; the last point is all of them",
        up="accuracy, %",
        series=tuple(series),
        log=True,
        where=f"figure {number} (drawn without numbers)",
        note="All training documents. Printed points are the maxima of table 4, at the number of words where the text says they "
        "lie.",
    )
