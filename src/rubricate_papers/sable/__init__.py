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

from ..frame import Findings, Plan, Watch, published
from . import exclusive, exclusive_tables, reuters, tables
from .claims import claims
from .rivals import OTHERS, RAINBOW, YANG_LIU, decide_by_rival
from .system import SETTINGS

__all__ = ["plan", "run"]


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    """All systems on all collections; or 004's own with two quick rivals, fewer settings and folds, and WebKB alone."""
    settings = {
        "ks": [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30],
        "exclusive ks": [1, 3, 5, 10, 15, 20, 30, 50, 75, 100],
        "settings": len(SETTINGS),
        "rivals": list(YANG_LIU),
        "tasks": list(exclusive.TASKS),
        "rainbow": list(RAINBOW),
        "recipes": list(reuters.RECIPES)[1:],
        "variants": True,
    }
    if quick:
        settings |= {"ks": [1, 4, 10], "exclusive ks": [5, 15, 50], "settings": 2, "tasks": ["webkb4"], "recipes": []}
        settings |= {
            "rivals": ["K-Nearest Neighbor", "Naive Bayes"],
            "rainbow": ["Naive Bayes", "SVMs"],
            "variants": False,
        }
    return Plan(
        paper="004",
        name="sable",
        title="Sable, McKeown & Hatzivassiloglou 2002: density estimation",
        data=(
            "Reuters-21578, ModApte, the 90 topics with training and test documents: 7,770 and 3,019 stories, title and body",
            "20 Newsgroups by date, 18,846 articles, subject and body",
            "WebKB: 4 categories (4,199 pages), and all 7",
        ),
        split="Reuters: as given; the others: a random third for testing, in every label alike, one split as in the paper",
        recipes=(str(rb.Recipe()),),
        methods=(*tables.OWN, *YANG_LIU, "Probabilistic Indexing", "Maximum Entropy"),
        repetitions=2 if quick else 5,
        seed=seed,
        quick=quick,
        settings=settings,
    )


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    """plan.repetitions: folds inside the training set."""
    printed = published("sable")
    settings = SETTINGS[-plan["settings"] :]
    with watch("Reuters: read and counted"):
        train, test = reuters.read_texts(data)
        stories = reuters.tabulate_stories(train, test)
    folds = stories.folds(plan.repetitions, plan.seed)
    with watch("Reuters: settings and k chosen inside the training set"):
        experiment = reuters.run_systems(stories, folds, ks=plan["ks"], settings=settings)
    rivals = {}
    for name in plan["rivals"]:
        with watch(f"Reuters: {name}"):
            rivals[name] = decide_by_rival(YANG_LIU[name], stories.table, stories.Y, stories.X_test, folds)
    others, rules, vectors, recipes = {}, {}, {}, {}
    if plan["variants"]:
        with watch("Reuters: other cuts, vectors and words"):
            others = {
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
        table = tables.table5(results, printed)
    outcomes, fingerprints = {}, {}
    for task in plan["tasks"]:
        with watch(f"{exclusive.TASKS[task]}: read and counted"):
            corpus = exclusive.read_documents(task, data)
            part = exclusive.split(corpus, seed=plan.seed)
            fingerprints[exclusive.TASKS[task]] = rb.collections.fingerprint(corpus)
        with watch(f"{exclusive.TASKS[task]}: all systems"):
            outcomes[task] = exclusive.outcome(
                part,
                folds=plan.repetitions,
                ks=plan["exclusive ks"],
                rivals=plan["rainbow"],
                seed=plan.seed,
                settings=settings,
            )
    if not plan.quick:
        with watch("the naive way, one point"):
            naive(plan, train, watch)
    return Findings(
        tables=(table, tables.combo_table(results, printed), exclusive_tables.accuracy_table(outcomes)),
        grids=(
            tables.setting_grid(results),
            *tables.variant_grids(results, others, rules, vectors, recipes),
            *exclusive_tables.grids(outcomes, printed),
        ),
        figures=tables.figures(results),
        claims=(*paper_claims, *exclusive_tables.claims(outcomes)),
        best=(*tables.best(results), *exclusive_tables.best(outcomes)),
        fingerprints={
            "reuters21578 90, train": rb.collections.fingerprint(train),
            "reuters21578 90, test": rb.collections.fingerprint(test),
            **fingerprints,
            "recipe": rb.Recipe().fingerprint,
        },
    )


def naive(plan: Plan, train: rb.Corpus, watch: Watch) -> None:
    """One fold, one setting, one k of the choice on Reuters: from text, with scikit-learn's parts."""
    texts, labels = train.texts, train.labels
    names = sorted({label for document_labels in labels for label in document_labels})
    place = {label: n for n, label in enumerate(names)}
    Y = np.zeros((len(texts), len(names)))
    for n, document_labels in enumerate(labels):
        Y[n, [place[label] for label in document_labels]] = 1
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
    took = perf_counter() - start
    watch.naive(
        "Reuters, each fold, setting and k from text",
        seconds=took,
        times=plan.repetitions * plan["settings"] * len(plan["ks"]) * (1 + len(plan["recipes"])),
        how="one point measured in this run: text to words, similarities, all distances, with scikit-learn",
    )
