"""003 Wilbur & Kim (2008): does it help to know how often a word is in a document? MM against SMM, DCM, EDCM, SVM, stacked MBM.

Figures 1, 3 and 4, table 2, the higher levels alone, and the sign tests, on the three of the paper's eight collections that can
be had. What differs, and what was tried: `replications/003-wilbur-kim/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rubricate as rb

from .. import timing
from ..frame import Findings, Plan, Watch, published
from . import claims, figures, tables, variants
from .methods import COUNT_METHODS, METHODS, VECTORS, by_counts, by_svm
from .results import Results
from .stacked import by_fold, choose_f_limit, higher_levels
from .tasks import FOLDS, RECIPES, Task, in_words, of_fold, part_held_out, read_articles, read_pages, read_stories
from .term_selection import MODELS, select_terms

__all__ = ["plan", "run"]


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    """All folds, 100 sizes, SVMs; or one fold, ten sizes, no SVM."""
    return Plan(
        paper="003",
        name="wilbur_kim",
        title="Wilbur & Kim 2008: word frequency inside documents",
        data=(
            "Reuters-21578, ModApte, ten largest topics",
            "20 Newsgroups, 19,997 articles with whole headers",
            "WebKB, seven categories",
        ),
        split="Reuters: as given; 20 Newsgroups: five folds, 80/20; WebKB: Cornell for testing",
        recipes=tuple(f"{name}: {recipe}" for name, recipe in RECIPES.items()),
        methods=(*(tuple(COUNT_METHODS) if quick else METHODS), "MBM", "StMBM"),
        repetitions=1 if quick else FOLDS,
        seed=seed,
        quick=quick,
        settings={
            "points": 5 if quick else 100,
            "limits": [1, 2, 5] if quick else [1, 2, 3, 4, 5],
            "draws": 100 if quick else 1000,
            "machines": not quick,
            "selection": ["Reuters"] if quick else ["Reuters", "20 Newsgroups", "WebKB"],
            "variants": not quick,
        },
    )


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    with watch("Reuters: read and counted"):
        train, test = read_stories(data)
        tasks: dict[str, Task] = {"Reuters": in_words("Reuters", train, test)}
    with watch("20 Newsgroups: read and counted"):
        table, corpus = read_articles(data)
        folds = rb.validation.fold_numbers(table.labels, FOLDS, seed=plan.seed)
        tasks["20 Newsgroups"] = of_fold(table, folds, 0)
    with watch("WebKB: read and counted"):
        pages_train, pages_test = read_pages(data)
        tasks["WebKB"] = in_words("WebKB", pages_train, pages_test)
    quality = {}
    for name, task in tasks.items():
        with watch(f"{name}: MM, SMM, DCM, EDCM"):
            quality[name] = by_counts(task, COUNT_METHODS)
        if plan["machines"]:
            with watch(f"{name}: SVM"):
                quality[name] |= by_svm(task)
    by_folds = [quality["20 Newsgroups"]]
    with watch("20 Newsgroups: the other folds"):
        for fold in range(1, plan.repetitions):
            task = of_fold(table, folds, fold)
            by_folds.append(by_counts(task, COUNT_METHODS) | (by_svm(task) if plan["machines"] else {}))
    inner = {name: part_held_out(task, plan.seed) for name, task in tasks.items()}
    with watch("numbers of words, chosen on held-out documents"):
        selection = {name: select_terms(tasks[name], inner[name], points=plan["points"]) for name in plan["selection"]}
    with watch("stacked MBM, f_limit chosen on held-out documents"):
        stacks = {name: choose_f_limit(task, inner[name], plan["limits"]) for name, task in tasks.items()}
        stacked_folds = by_fold(table, folds, range(plan.repetitions), plan["limits"])
    with watch("levels 2 to 5 alone, and shuffled"):
        higher = {name: higher_levels(task, draws=plan["draws"], seed=plan.seed) for name, task in tasks.items()}
    results = Results(plan, tasks, quality, by_folds, selection, stacks, stacked_folds, higher)
    printed = published("wilbur_kim")
    grids = list(tables.grids(results, printed))
    if plan["variants"]:
        with watch("what else might explain a difference"):
            grids.append(variants.newsgroup_grid(data, table, corpus, seed=plan.seed))
            grids.append(variants.reuters_grid(train, test))
            grids.append(variants.webkb_grid(data, pages_train, pages_test))
    with watch("tests"):
        paper_claims, best_methods = claims.claims(results), claims.best(results)
    if not plan.quick:
        with watch("the naive way, one point of each"):
            naive(plan, train, test, corpus, folds, watch)
    return Findings(
        tables=tables.tables(results, printed),
        grids=tuple(grids),
        figures=figures.figures(results, printed),
        claims=paper_claims,
        best=best_methods,
        fingerprints={
            "reuters21578 ten topics, train": rb.collections.fingerprint(train),
            "reuters21578 ten topics, test": rb.collections.fingerprint(test),
            "20newsgroups 19997, whole headers": rb.collections.fingerprint(corpus),
            "webkb without Cornell": rb.collections.fingerprint(pages_train),
            **{f"recipe {name}": recipe.fingerprint for name, recipe in RECIPES.items()},
        },
    )


def naive(
    plan: Plan,
    train: rb.Corpus,
    test: rb.Corpus,
    corpus: rb.Corpus,
    folds: np.ndarray[tuple[int], np.dtype[np.int64]],
    watch: Watch,
) -> None:
    """What each number of words, and each fold, would have cost from text."""
    inside = ["acq" in labels for labels in train.labels]
    took = timing.one_point(train.texts, inside, test.texts, words=5000)
    points = 10 * (1 + len(MODELS)) * plan["points"]
    watch.naive("Reuters, each topic and number of words from text", seconds=took, times=points, how=timing.HOW)
    texts, rows, rest = corpus.texts, np.flatnonzero(folds != 0).tolist(), np.flatnonzero(folds == 0).tolist()
    labels = [labels[0] for labels in corpus.labels]
    took = timing.one_point([texts[n] for n in rows], [labels[n] for n in rows], [texts[n] for n in rest], words=50000)
    points = 20 * (1 + len(MODELS)) * plan["points"] + FOLDS * (len(COUNT_METHODS) + len(VECTORS))
    watch.naive(
        "20 Newsgroups, each group, number of words and fold from text", seconds=took, times=points, how=timing.HOW
    )
