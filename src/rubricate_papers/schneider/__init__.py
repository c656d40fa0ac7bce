"""002 Schneider (2004): words chosen by KL, dKL and mutual information, for multinomial naive Bayes.

Figure 1 (20 Newsgroups, five folds), figures 2-3 (ten topics of Reuters, recall at break-even). KL does not come out as printed;
what was tried, and the reading that does: `replications/002-schneider/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rubricate as rb

from .. import timing
from ..frame import Findings, Plan, Watch
from . import grids
from .claims import best, claims
from .grids import PRINTED_SIZES
from .readings import READINGS, TOKENISERS
from .tables import figures, recall_table, vocabulary_table
from .trials import FOLDS, MI, PAPER, SCORES, TOPICS, by_fold, in_words, read_articles, read_texts, retrieve, scaled_kl


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    recipes = f"20 Newsgroups: {rb.Recipe.schneider()}", f"Reuters: {rb.Recipe.schneider(stop=False)}"
    return PAPER.plan(recipes=recipes, methods=SCORES, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    with watch("20 Newsgroups: read and counted"):
        table, corpus = read_articles(data)
    with watch("20 Newsgroups: five folds"):
        folds = by_fold(table, SCORES, plan["words"], seed=plan.seed)
    with watch("Reuters: read and counted"):
        train, test = read_texts(data)
        stories = in_words(train, test)
        no_numbers = stories.without_numbers()
    sizes = plan["reuters words"]
    with watch("Reuters: ten topics, as printed"):
        literal = retrieve(stories, SCORES, sizes)
    with watch("Reuters: ten topics, numbers in the total alone"):
        with_numbers = retrieve(no_numbers, {**SCORES, "KL": scaled_kl(no_numbers.share_of_words)}, sizes)
    all_grids, scaled = [grids.fold_grid(plan, folds)], {}
    with watch("Reuters: the scale of p(w)"):
        if plan["factors"]:
            factors = {f"{factor:g}": scaled_kl(factor) for factor in plan["factors"]}
            scaled = retrieve(stories, {"MI": MI, **factors}, PRINTED_SIZES)
            all_grids.append(grids.sizes_grid("scale", "factor", scaled))
    with watch("Reuters: other readings of KL"):
        if plan["variants"]:
            runs = retrieve(stories, {"MI": MI, **READINGS}, PRINTED_SIZES)
            all_grids.append(grids.sizes_grid("readings", "changed", runs))
    if plan["variants"]:
        with watch("Reuters: what p(w) is divided by"):
            all_grids.append(grids.total_grid(data, stories, train, test))
            n_totals = len(all_grids[-1].rows) - 1
        with watch("Reuters: other tokenisers, words chosen once"):
            all_grids += [grids.tokeniser_grid(train, test), grids.once_grid(stories)]
        with watch("Reuters: other documents, stop list"):
            all_grids.append(grids.document_grid(data))
        with watch("20 Newsgroups: vocabularies"):
            all_grids.append(grids.vocabulary_grid(data))
        with watch("the naive way, one point of each"):
            naive(plan, corpus, train, test, watch, totals=n_totals)
    return Findings(
        tables=(
            recall_table("printed", literal, sizes),
            recall_table("numbers", with_numbers, sizes),
            vocabulary_table(table, stories),
        ),
        grids=tuple(all_grids),
        figures=figures(plan, folds, literal, with_numbers, scaled),
        claims=claims(plan, folds, literal, with_numbers),
        best=best(plan, folds, literal),
        notes=(PAPER.texts["notes"]["total"],),
        fingerprints={
            "20newsgroups 19997, body": rb.collections.fingerprint(corpus),
            "reuters21578 ten topics, train": rb.collections.fingerprint(train),
            "reuters21578 ten topics, test": rb.collections.fingerprint(test),
            "recipe schneider": rb.Recipe.schneider().fingerprint,
            "recipe schneider, no stop list": rb.Recipe.schneider(stop=False).fingerprint,
        },
    )


def naive(plan: Plan, corpus: rb.Corpus, train: rb.Corpus, test: rb.Corpus, watch: Watch, *, totals: int) -> None:
    """What each point from text would have cost, measured on one fold and one topic."""
    texts, labels = np.array(corpus.texts, dtype=object), np.array([label for (label,) in corpus.labels])
    order = np.random.default_rng(plan.seed).permutation(len(texts))
    rows, rows_test = order[: len(texts) * 4 // 5], order[len(texts) * 4 // 5 :]
    seconds = timing.seconds_for_one_point(texts[rows], labels[rows], texts[rows_test], words=20000)
    points = len(SCORES) * FOLDS * len(plan["words"])
    watch.naive("20 Newsgroups, each point from text", seconds=seconds, times=points, how=timing.HOW)
    seconds = timing.seconds_for_one_point(
        train.texts, ["earn" in labels for labels in train.labels], test.texts, words=20000
    )
    runs = 2 * len(SCORES) * len(plan["reuters words"])
    sets = 6 + len(TOKENISERS) + 1  # of documents, of words, and words chosen once
    forms = len(plan["factors"]) + len(READINGS) + 2 + sets * len(SCORES)
    more_points = forms * len(PRINTED_SIZES) + totals * 2 * 2  # MI and KL, two sizes
    watch.naive(
        "Reuters, each point from text, what was tried too",
        seconds=seconds,
        times=len(TOPICS) * (runs + more_points),
        how=timing.HOW,
    )
