"""004 Sable, McKeown & Hatzivassiloglou (2002): probabilities from Rocchio's similarities by density estimation.

Table 5 on the 90 topics of Reuters, every parameter chosen by cross-validation inside the training set; tables 3 and 4 in form,
on 20 Newsgroups and WebKB. What the paper leaves open, and what was tried: `replications/004-sable/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

import rubricate as rb

from ..frame import Findings, Plan, Watch
from . import exclusive, reuters, tables
from .claims import claims
from .reuters import PAPER
from .rivals import OTHERS, YANG_LIU, decide_by_rival
from .system import SETTINGS


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    methods = *tables.SYSTEMS, *YANG_LIU, "Probabilistic Indexing", "Maximum Entropy"
    return PAPER.plan(recipes=[str(rb.Recipe())], methods=methods, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    """plan.repetitions: folds inside the training set."""
    settings = SETTINGS[-plan["settings"] :]
    with watch("Reuters: read and counted"):
        train, test = rb.collections.load("reuters21578", version="90", data=data)
        stories = reuters.tabulate_stories(train, test)
    folds = rb.validation.fold_numbers(stories.table.labels, plan.repetitions, seed=plan.seed)
    with watch("Reuters: settings and k chosen inside the training set"):
        experiment = reuters.run_systems(stories, folds, ks=plan["ks"], settings=settings)
    rivals = {}
    for name in plan["rivals"]:
        with watch(f"Reuters: {name}"):
            rivals[name] = decide_by_rival(YANG_LIU[name], stories.table, stories.Y, stories.X_test, folds)
    all_rivals, rules, vectors, recipes = rivals, {}, {}, {}
    if plan["variants"]:
        with watch("Reuters: other cuts, vectors and words"):
            all_rivals = rivals | {
                name: decide_by_rival(rival, stories.table, stories.Y, stories.X_test, folds)
                for name, rival in OTHERS.items()
            }
            rules = reuters.threshold_rules(stories, experiment.choice.plain)
            vectors = reuters.training_vectors(stories, experiment.choice)
            recipes[next(iter(reuters.RECIPES))] = experiment, stories
            for name in plan["recipes"]:
                other = reuters.tabulate_stories(train, test, reuters.RECIPES[name])
                recipes[name] = reuters.run_systems(other, folds, ks=plan["ks"], settings=settings), other
    with watch("Reuters: tests"):
        results = tables.results_of(plan, stories, experiment, rivals)
        paper_claims = claims(results, rules)
        table = tables.table5(results)
    outcomes, fingerprints = {}, {}
    for task in plan["tasks"]:
        with watch(f"{exclusive.TASKS[task]}: read and counted"):
            corpus = exclusive.read_documents(task, data)
            split = exclusive.split(corpus, seed=plan.seed)
            fingerprints[exclusive.TASKS[task]] = rb.collections.fingerprint(corpus)
        with watch(f"{exclusive.TASKS[task]}: all systems"):
            outcomes[task] = exclusive.outcome(split, plan)
    if not plan.quick:
        with watch("the naive way, one point"):
            naive(plan, train, watch)
    return Findings(
        tables=(table, tables.combo_table(results), exclusive.accuracy_table(outcomes)),
        grids=(
            tables.setting_grid(results),
            *tables.variant_grids(results, all_rivals, rules, vectors, recipes),
            *exclusive.grids(outcomes),
        ),
        figures=tables.figures(results),
        claims=(*paper_claims, *exclusive.claims(outcomes)),
        best=(*tables.best(results), *exclusive.best(outcomes)),
        fingerprints={
            "reuters21578 90, train": rb.collections.fingerprint(train),
            "reuters21578 90, test": rb.collections.fingerprint(test),
            **fingerprints,
            "recipe": rb.Recipe().fingerprint,
        },
    )


def naive(plan: Plan, train: rb.Corpus, watch: Watch) -> None:
    """One fold, one setting, one k of the choice on Reuters: from text, with scikit-learn's parts."""
    texts, names = train.texts, sorted({label for labels in train.labels for label in labels})
    Y = rb.counts.indicator(train.labels, names).toarray().astype(float)
    n_train = len(texts) * (plan.repetitions - 1) // plan.repetitions
    start = perf_counter()
    weighting = TfidfVectorizer(sublinear_tf=True)
    X, new = weighting.fit_transform(texts[:n_train]), weighting.transform(texts[n_train:])
    categories = normalize(Y[:n_train].T @ X).T
    near = NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X @ categories)
    distances, places = near.kneighbors(new @ categories)
    weights = 1 / (distances + 1e-9)
    probability = np.einsum("dk,dkc->dc", weights, Y[places]) / weights.sum(axis=1, keepdims=True)
    (probability > 0.5).sum()
    seconds = perf_counter() - start
    times = plan.repetitions * plan["settings"] * len(plan["ks"]) * (1 + len(plan["recipes"]))
    how = "one point measured in this run: text to words, similarities, all distances, with scikit-learn"
    watch.naive("Reuters, each fold, setting and k from text", seconds=seconds, times=times, how=how)
