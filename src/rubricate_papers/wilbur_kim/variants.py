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
from .stacked import model as stacked_model
from .tasks import FOLDS, PAPER, RAINBOW, RECIPES, Task, in_words, of_fold, read_articles, read_pages

SVM = {"TF-IDF SVM": "wilbur_tfidf"}
METHODS = (*COUNT_METHODS, *SVM)
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
    rows: list[tuple[Any, ...]] = []
    for what, table, groups, machine in newsgroup_variants(data, whole, corpus):
        accuracy = accuracies(table, seed=seed, groups=groups, svm=machine)
        common = without_rare(table)
        cells = [accuracy.get(name, "") for name in METHODS]
        rows.append((what, *cells, table.X.shape[1], common.X.shape[1], *lengths(common)))
    printed = [PAPER.find(f"newsgroups.{name}") for name in METHODS]
    sizes = [PAPER[f"{what}.newsgroups"].value for what in ("vocabulary", "length", "longest")]
    rows.append(("printed", *("" if point is None else point.value for point in printed), "", *sizes[:2], 2, sizes[2]))
    lengths_of = "words", "in two articles", "mean length", "shortest", "longest"
    return PAPER.grid("newsgroup_variants", rows, ("changed", *METHODS, *lengths_of))


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
    correct = [prediction in labels for prediction, labels in zip(predictions, accepted, strict=True)]
    return 100 * float(np.mean(correct))


# -- Reuters


def reuters_grid(train: rb.Corpus, test: rb.Corpus) -> Grid:
    usual, rows = RECIPES["Reuters"], []
    recipes = {
        "nothing": usual,
        "numbers dropped": usual.with_(numbers="drop"),
        "body without the title": usual.with_(fields=("body",)),
        "pairs of words too": usual.with_(pairs=True),
        "no stop list": usual.with_(stop=()),
        "words of three characters and more": usual.with_(min_length=3),
    }
    for what, recipe in recipes.items():
        task = in_words("Reuters", train, test, recipe)
        both = by_counts(task, {name: COUNT_METHODS[name] for name in ("MM", "SMM")})
        plain = by_counts(task, {str(limit): stacked_model(limit) for limit in (1, 2)})
        at = task.labels.index("earn")
        levels = [float(quality.bep[at]) for quality in (plain["1"], plain["2"], *higher(task))]
        averages = [value for quality in both.values() for value in (quality.micro, quality.macro)]
        rows.append((what, *averages, *levels, lengths(task.train)[0], lengths(task.train)[2]))
    earn = [PAPER[f"earn.{what}"].value for what in ("MBM", "StMBM", "higher", "higher")]
    rows.append(("printed", "", "", "", "", *earn, PAPER["length.reuters"].value, PAPER["longest.reuters"].value))
    return PAPER.grid("reuters_variants", rows)


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
    rows = [(what, *webkb_cells(task)) for what, task in webkb_variants(data, train, test)]
    usual = in_words("WebKB", train, test)
    binary = {name: binary_accuracy(usual, name) for name in COUNT_METHODS}
    rows.append(("accuracy of the seven binary decisions", *binary.values(), gain(binary["SMM"], binary["MM"]), "", ""))
    rows.append(("printed", "", "", "", "", PAPER["gain.webkb"].value, "", ""))
    columns = "changed", *COUNT_METHODS, "SMM over MM, % of the worse", "p (McNemar)", "test pages"
    return PAPER.grid("webkb_variants", rows, columns)


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
    fitted = clone(COUNT_METHODS[name]).fit_counts(task.train.counts, several_labels=True)
    return 100 * float(np.mean((fitted.class_scores(task.test.X) > 0) == task.truth))
