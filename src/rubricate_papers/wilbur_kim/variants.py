"""What might explain a difference from the paper: each choice it leaves open, changed alone. Source: 003 sec. 3-4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import clone

import rubricate as rb

from ..frame import Grid
from .methods import COUNTED, SMOOTHING, by_counts, by_machine, judged
from .tasks import FOLDS, RAINBOW, RECIPES, Task, articles, in_words, of_fold, pages

__all__ = ["lengths", "newsgroup_grid", "reuters_grid", "webkb_grid"]

SVM = {"TF-IDF SVM": "wilbur_tfidf"}
HEADERS = {
    "safe": "headers without Newsgroups, Xref, Path, Followup-To",
    "subject": "subject and body",
    "none": "body",
}


def lengths(table: rb.Table) -> tuple[float, int, int]:
    """Mean, least and largest number of words in a document."""
    n = np.asarray(table.X.sum(axis=1)).ravel()
    return float(n.mean()), int(n.min()), int(n.max())


# -- 20 Newsgroups


def newsgroup_grid(data: Path | None, whole: rb.Table, corpus: rb.Corpus, *, seed: int) -> Grid:
    """Accuracy in % and document lengths, by what was changed."""
    rows = []
    for what, table, groups, machine in newsgroup_variants(data, whole, corpus):
        found = accuracies(table, seed=seed, groups=groups, machine=machine)
        common = without_rare(table)
        cells = [found.get(name, "") for name in (*COUNTED, *SVM)]
        rows.append((what, *cells, table.X.shape[1], common.X.shape[1], *lengths(common)))
    rows.append(("printed", 88.0, "", 90.3, "", 94.8, "", 64766, 195.3, 2, 12741))
    return Grid(
        key="newsgroup_variants",
        title="20 Newsgroups: what each choice is worth, accuracy in %",
        columns=("changed", *COUNTED, *SVM, "words", "in two articles", "mean length", "shortest", "longest"),
        rows=tuple(rows),
        note="Five folds; the SVM on the first fold alone, where it was run. Unchanged: 19,997 articles, whole headers, runs of "
        "two letters and more, English stop list, only an article's own folder is right. Lengths count words that two articles "
        "and more have, which come nearest to the printed vocabulary.",
    )


def newsgroup_variants(
    data: Path | None, whole: rb.Table, corpus: rb.Corpus
) -> Iterator[tuple[str, rb.Table, list[list[str]] | None, bool]]:
    """What was changed, the articles, the groups that count as right (None: the folder), whether an SVM is run too."""
    yield "nothing", whole, None, True
    for headers, what in HEADERS.items():
        yield what, articles(data, headers=headers)[0], None, True
    posted = [(own or "").split() for own in corpus.column("groups")]
    yield "any group an article was posted to is right", whole, posted, True
    yield "words of two documents and more", without_rare(whole), None, False
    for what, recipe in {
        "no stop list": RAINBOW,
        "words of any length": RECIPES["20 Newsgroups"].with_(min_length=1),
        "letters and digits": rb.Recipe(stop="english"),
        "pairs of words too": RECIPES["20 Newsgroups"].with_(pairs=True),
    }.items():
        yield what, rb.tabulate(corpus, recipe), None, False
    yield "18,846 articles without duplicates and most headers", articles(data, version="bydate")[0], None, True


def without_rare(table: rb.Table) -> rb.Table:
    """Without words that only one document has."""
    kept = np.flatnonzero(np.bincount(table.X.indices, minlength=table.X.shape[1]) > 1)
    return replace(table, X=table.X[:, kept], term_array=table.term_array.take(pa.array(kept)))


def accuracies(table: rb.Table, *, seed: int, groups: list[list[str]] | None, machine: bool) -> dict[str, float]:
    """Of each method over five folds, by subtraction; of the SVM on the first."""
    folds = rb.validation.fold_numbers(table.labels, FOLDS, seed=seed)
    done = rb.validation.cross_validate(
        rb.validation.fold_counts(table, folds), table.X, folds, COUNTED, terms=table.terms, several_labels=False
    )
    right = groups or table.labels
    out = {name: share_right(list(own), right) for name, own in done.decisions.items()}
    if machine:
        task = of_fold(table, folds, 0)
        answers = by_machine(task, SVM)["TF-IDF SVM"].answers
        inside = np.flatnonzero(folds == 0).tolist()
        out["TF-IDF SVM"] = share_right(list(answers), [right[n] for n in inside])
    return out


def share_right(answers: list[Any], right: list[list[str]]) -> float:
    """Answers that are among the right ones, %."""
    return 100 * float(np.mean([one in own for one, own in zip(answers, right, strict=True)]))


# -- Reuters


def reuters_grid(train: rb.Corpus, test: rb.Corpus) -> Grid:
    """Break-even in %, by what was changed."""
    usual = RECIPES["Reuters"]
    recipes = {
        "nothing": usual,
        "numbers dropped": usual.with_(numbers="drop"),
        "body without the title": usual.with_(fields=("body",)),
        "pairs of words too": usual.with_(pairs=True),
        "no stop list": usual.with_(stop=()),
        "words of three characters and more": usual.with_(min_length=3),
    }
    rows = []
    for what, recipe in recipes.items():
        task = in_words("Reuters", train, test, recipe)
        both = by_counts(task, {name: COUNTED[name] for name in ("MM", "SMM")})
        limits = {str(limit): rb.models.StackedBernoulli(f_limit=limit, smoothing=SMOOTHING) for limit in (1, 2)}
        plain = by_counts(task, limits)
        earn = task.labels.index("earn")
        levels = [float(own.bep[earn]) for own in (plain["1"], plain["2"], *higher(task))]
        averages = [value for own in both.values() for value in (own.micro, own.macro)]
        rows.append((what, *averages, *levels, lengths(task.train)[0], lengths(task.train)[2]))
    rows.append(("printed", "", "", "", "", 93.7, 93.9, 65.3, 65.3, 76.9, 937))
    return Grid(
        key="reuters_variants",
        title="Reuters: what each choice is worth, break-even in %",
        columns=(
            "changed",
            *(f"{name} {average}" for name in ("MM", "SMM") for average in ("micro", "macro")),
            "earn MBM",
            "earn StMBM, f_limit 2",
            "earn levels 2-5",
            "earn levels 2-5, words of tf 1 left out",
            "mean length",
            "longest",
        ),
        rows=tuple(rows),
        note="Lengths are those of the training stories; the paper's are of all. Levels 2 to 5: a word of tf 1 says that it was "
        "not repeated, log(1 - p(tf >= 2 | tf >= 1)); the last column leaves such words out.",
    )


def higher(task: Task) -> list[Any]:
    """Levels 2 to 5 alone, with and without the words that occur once."""
    fitted = rb.models.StackedBernoulli(f_limit=5, smoothing=SMOOTHING, higher_only=True)
    fitted.fit_counts(task.train.counts, several_labels=True)
    repeated = task.test.X.copy()
    repeated.data = np.where(repeated.data >= 2, repeated.data, 0)
    repeated.eliminate_zeros()
    return [judged(task, fitted.class_scores(X)) for X in (task.test.X, repeated)]


# -- WebKB


def webkb_grid(data: Path | None, train: rb.Corpus, test: rb.Corpus) -> Grid:
    """Accuracy in % of MM and SMM, by what was changed."""
    rows = [(what, *compared(task)) for what, task in webkb_variants(data, train, test)]
    usual = in_words("WebKB", train, test)
    found = {name: binary_accuracy(usual, name) for name in COUNTED}
    rows.append(("accuracy of the seven binary decisions", *found.values(), relative(found), "", ""))
    rows.append(("printed", "", "", "", "", -2.7, "", ""))
    return Grid(
        key="webkb_variants",
        title="WebKB: what each choice is worth, accuracy in %",
        columns=("changed", *COUNTED, "SMM over MM, % of the worse", "p (McNemar)", "test pages"),
        rows=tuple(rows),
        note="Unchanged: seven categories, Cornell for testing, runs of two letters and more, no stop list, words of the "
        "training pages. Minus: MM is better.",
    )


def webkb_variants(data: Path | None, train: rb.Corpus, test: rb.Corpus) -> Iterator[tuple[str, Task]]:
    """What was changed, and the task."""
    usual = in_words("WebKB", train, test)
    yield "nothing", usual
    yield "stop list", in_words("WebKB", train, test, RAINBOW.with_(stop="english"))
    yield "letters and digits", in_words("WebKB", train, test, rb.Recipe())
    yield "words of any length", in_words("WebKB", train, test, RAINBOW.with_(min_length=1))
    near = np.array([own != "misc" for own in train.column("university")])
    yield "training pages of the four universities alone", usual.only(near)
    for what, names in {
        "without the category other": {"course", "department", "faculty", "project", "staff", "student"},
        "student, faculty, course, project": {"student", "faculty", "course", "project"},
    }.items():
        chosen, tested = (np.array([own[0] in names for own in part.labels]) for part in (usual.train, usual.test))
        yield what, usual.only(chosen, tested)
    for university in ("texas", "washington", "wisconsin"):
        yield f"{university.capitalize()} for testing", in_words("WebKB", *pages(data, university=university))


def compared(task: Task) -> tuple[Any, ...]:
    """Accuracies, the gain of SMM, McNemar's p, test documents."""
    found = by_counts(task, COUNTED)
    own = {name: one.accuracy for name, one in found.items()}
    p = rb.significance.mcnemar(found["SMM"].right, found["MM"].right).p
    return (*own.values(), relative(own), p, task.test.X.shape[0])


def relative(found: Mapping[str, float]) -> float:
    """SMM over MM in % of the worse, as table 2 has it; minus where MM is better."""
    return 100 * (found["SMM"] - found["MM"]) / min(found["SMM"], found["MM"])


def binary_accuracy(task: Task, name: str) -> float:
    """Of decisions on each category by itself, %."""
    fitted = clone(COUNTED[name]).fit_counts(task.train.counts, several_labels=True)
    return 100 * float(np.mean((fitted.class_scores(task.test.X) > 0) == task.truth))
