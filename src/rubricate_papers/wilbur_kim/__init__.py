"""003 Wilbur & Kim (2008): does it help to know how often a word is in a document? MM against SMM, DCM, EDCM, SVM, stacked MBM.

Figures 1, 3 and 4, table 2, the higher levels alone, and the sign tests, on the three of the paper's eight collections that can
be had. What differs, and what was tried: `replications/003-wilbur-kim/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rubricate as rb

from .. import timing
from ..arrays import Array
from ..frame import Findings, Plan, Watch
from . import claims, tables, variants
from .methods import COUNT_METHODS, METHODS, VECTORS, by_counts, by_svm
from .results import Results
from .stacked import by_fold, choose_f_limit, higher_levels
from .tasks import FOLDS, PAPER, RECIPES, Task, in_words, of_fold, part_held_out, read_articles, read_pages
from .term_selection import MODELS, select_terms


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    recipes = [f"{name}: {recipe}" for name, recipe in RECIPES.items()]
    methods = *(COUNT_METHODS if quick else METHODS), "MBM", "StMBM"
    return PAPER.plan(recipes=recipes, methods=methods, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    with watch("Reuters: read and counted"):
        train, test = rb.collections.load("reuters21578", version="10", data=data)
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
    grids = tables.grids(results)
    if plan["variants"]:
        with watch("what else might explain a difference"):
            grids.append(variants.newsgroup_grid(data, table, corpus, seed=plan.seed))
            grids.append(variants.reuters_grid(train, test))
            grids.append(variants.webkb_grid(data, pages_train, pages_test))
    with watch("tests"):
        paper_claims, best = claims.claims(results), claims.best(results)
    if not plan.quick:
        with watch("the naive way, one point of each"):
            naive(plan, train, test, corpus, folds, watch)
    return Findings(
        tables=tables.tables(results),
        grids=tuple(grids),
        figures=tables.figures(results),
        claims=paper_claims,
        best=best,
        fingerprints={
            "reuters21578 ten topics, train": rb.collections.fingerprint(train),
            "reuters21578 ten topics, test": rb.collections.fingerprint(test),
            "20newsgroups 19997, whole headers": rb.collections.fingerprint(corpus),
            "webkb without Cornell": rb.collections.fingerprint(pages_train),
            **{f"recipe {name}": recipe.fingerprint for name, recipe in RECIPES.items()},
        },
    )


def naive(plan: Plan, train: rb.Corpus, test: rb.Corpus, corpus: rb.Corpus, folds: Array, watch: Watch) -> None:
    """What each number of words, and each fold, would have cost from text."""
    seconds = timing.seconds_for_one_point(
        train.texts, ["acq" in labels for labels in train.labels], test.texts, words=5000
    )
    points = 10 * (1 + len(MODELS)) * plan["points"]
    watch.naive("Reuters, each topic and number of words from text", seconds=seconds, times=points, how=timing.HOW)
    texts, labels = np.array(corpus.texts, dtype=object), np.array([labels[0] for labels in corpus.labels])
    seconds = timing.seconds_for_one_point(texts[folds != 0], labels[folds != 0], texts[folds == 0], words=50000)
    points = 20 * (1 + len(MODELS)) * plan["points"] + FOLDS * (len(COUNT_METHODS) + len(VECTORS))
    what = "20 Newsgroups, each group, number of words and fold from text"
    watch.naive(what, seconds=seconds, times=points, how=timing.HOW)
