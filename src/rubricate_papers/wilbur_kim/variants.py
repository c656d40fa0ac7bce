"""What might explain a difference from the paper: each choice it leaves open, changed alone. Source: 003 sec. 3-4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import clone

import rubricate as rb

from ..frame import Grid
from .methods import COUNT_METHODS, SMOOTHING, by_counts, by_svm, ranking_quality
from .results import gain
from .tasks import FOLDS, RAINBOW, RECIPES, Task, in_words, of_fold, read_articles, read_pages

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
        accuracy = accuracies(table, seed=seed, groups=groups, svm=machine)
        common = without_rare(table)
        cells = [accuracy.get(name, "") for name in (*COUNT_METHODS, *SVM)]
        rows.append((what, *cells, table.X.shape[1], common.X.shape[1], *lengths(common)))
    rows.append(("printed", 88.0, "", 90.3, "", 94.8, "", 64766, 195.3, 2, 12741))
    return Grid(
        key="newsgroup_variants",
        title="20 Newsgroups: what each choice is worth, accuracy in %",
        columns=("changed", *COUNT_METHODS, *SVM, "words", "in two articles", "mean length", "shortest", "longest"),
        rows=tuple(rows),
        note="Five folds; the SVM on the first fold alone, where it was run. Unchanged: 19,997 articles, whole headers, runs of "
        "two letters and more, English stop list, only an article's own folder is right. Lengths count words that two articles "
        "and more have, which come nearest to the printed vocabulary.",
    )


def newsgroup_variants(
    data: Path | None, whole: rb.Table, corpus: rb.Corpus
) -> Iterator[tuple[str, rb.Table, list[list[str]] | None, bool]]:
    """What was changed, the articles, the groups that are correct (None: the folder), whether an SVM is run too."""
    yield "nothing", whole, None, True
    for headers, what in HEADERS.items():
        yield what, read_articles(data, headers=headers)[0], None, True
    posted = [(groups or "").split() for groups in corpus.column("groups")]
    yield "any group an article was posted to is right", whole, posted, True
    yield "words of two documents and more", without_rare(whole), None, False
    for what, recipe in {
        "no stop list": RAINBOW,
        "words of any length": RECIPES["20 Newsgroups"].with_(min_length=1),
        "letters and digits": rb.Recipe(stop="english"),
        "pairs of words too": RECIPES["20 Newsgroups"].with_(pairs=True),
    }.items():
        yield what, rb.tabulate(corpus, recipe), None, False
    yield "18,846 articles without duplicates and most headers", read_articles(data, version="bydate")[0], None, True


def without_rare(table: rb.Table) -> rb.Table:
    """Without words that only one document has."""
    common = np.flatnonzero(np.bincount(table.X.indices, minlength=table.X.shape[1]) > 1)
    return replace(table, X=table.X[:, common], term_array=table.term_array.take(pa.array(common)))


def accuracies(table: rb.Table, *, seed: int, groups: list[list[str]] | None, svm: bool) -> dict[str, float]:
    """Accuracy of each method over five folds, by subtraction; of the SVM on the first."""
    folds = rb.validation.fold_numbers(table.labels, FOLDS, seed=seed)
    validated = rb.validation.cross_validate(
        rb.validation.fold_counts(table, folds), table.X, folds, COUNT_METHODS, terms=table.terms, several_labels=False
    )
    accepted = groups or table.labels
    out = {name: percent_correct(list(decisions), accepted) for name, decisions in validated.decisions.items()}
    if svm:
        task = of_fold(table, folds, 0)
        predictions = by_svm(task, SVM)["TF-IDF SVM"].predictions
        inside = np.flatnonzero(folds == 0).tolist()
        out["TF-IDF SVM"] = percent_correct(list(predictions), [accepted[n] for n in inside])
    return out


def percent_correct(predictions: list[Any], accepted: list[list[str]]) -> float:
    """Predictions that are among the accepted labels, %."""
    return 100 * float(
        np.mean([prediction in labels for prediction, labels in zip(predictions, accepted, strict=True)])
    )


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
        both = by_counts(task, {name: COUNT_METHODS[name] for name in ("MM", "SMM")})
        limits = {str(limit): rb.models.StackedBernoulli(f_limit=limit, smoothing=SMOOTHING) for limit in (1, 2)}
        plain = by_counts(task, limits)
        earn = task.labels.index("earn")
        levels = [float(quality.bep[earn]) for quality in (plain["1"], plain["2"], *higher(task))]
        averages = [value for quality in both.values() for value in (quality.micro, quality.macro)]
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
    X_repeated = task.test.X.copy()
    X_repeated.data = np.where(X_repeated.data >= 2, X_repeated.data, 0)
    X_repeated.eliminate_zeros()
    return [ranking_quality(task, fitted.class_scores(X)) for X in (task.test.X, X_repeated)]


# -- WebKB


def webkb_grid(data: Path | None, train: rb.Corpus, test: rb.Corpus) -> Grid:
    """Accuracy in % of MM and SMM, by what was changed."""
    rows = [(what, *webkb_cells(task)) for what, task in webkb_variants(data, train, test)]
    usual = in_words("WebKB", train, test)
    binary = {name: binary_accuracy(usual, name) for name in COUNT_METHODS}
    rows.append(("accuracy of the seven binary decisions", *binary.values(), gain(binary["SMM"], binary["MM"]), "", ""))
    rows.append(("printed", "", "", "", "", -2.7, "", ""))
    return Grid(
        key="webkb_variants",
        title="WebKB: what each choice is worth, accuracy in %",
        columns=("changed", *COUNT_METHODS, "SMM over MM, % of the worse", "p (McNemar)", "test pages"),
        rows=tuple(rows),
        note="Unchanged: seven categories, Cornell for testing, runs of two letters and more, no stop list, words of the "
        "training pages. Minus: MM is better.",
    )


def webkb_variants(data: Path | None, train: rb.Corpus, test: rb.Corpus) -> Iterator[tuple[str, Task]]:
    usual = in_words("WebKB", train, test)
    yield "nothing", usual
    yield "stop list", in_words("WebKB", train, test, RAINBOW.with_(stop="english"))
    yield "letters and digits", in_words("WebKB", train, test, rb.Recipe())
    yield "words of any length", in_words("WebKB", train, test, RAINBOW.with_(min_length=1))
    four_universities = np.array([university != "misc" for university in train.column("university")])
    yield "training pages of the four universities alone", usual.only(four_universities)
    for what, names in {
        "without the category other": {"course", "department", "faculty", "project", "staff", "student"},
        "student, faculty, course, project": {"student", "faculty", "course", "project"},
    }.items():
        train_rows, test_rows = (
            np.array([labels[0] in names for labels in part.labels]) for part in (usual.train, usual.test)
        )
        yield what, usual.only(train_rows, test_rows)
    for university in ("texas", "washington", "wisconsin"):
        yield f"{university.capitalize()} for testing", in_words("WebKB", *read_pages(data, university=university))


def webkb_cells(task: Task) -> tuple[Any, ...]:
    """Accuracies, the gain of SMM, McNemar's p, test documents."""
    quality = by_counts(task, COUNT_METHODS)
    accuracy = {name: method_quality.accuracy for name, method_quality in quality.items()}
    p = rb.significance.mcnemar(quality["SMM"].correct, quality["MM"].correct).p
    return (*accuracy.values(), gain(accuracy["SMM"], accuracy["MM"]), p, task.test.X.shape[0])


def binary_accuracy(task: Task, name: str) -> float:
    """Accuracy of the decisions on each category by itself, %."""
    fitted = clone(COUNT_METHODS[name]).fit_counts(task.train.counts, several_labels=True)
    return 100 * float(np.mean((fitted.class_scores(task.test.X) > 0) == task.truth))
