"""002 Schneider (2004): words chosen by KL, dKL and mutual information, for multinomial naive Bayes.

Figure 1 (20 Newsgroups, five folds), figures 2-3 (ten topics of Reuters, recall at break-even). KL does not come out as printed;
what was tried, and the reading that does: `replications/002-schneider/NOTES.md`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rubricate as rb

from .. import timing
from ..frame import Findings, Plan, Watch, published
from . import newsgroups, reuters
from .claims import best, claims
from .figures import figures
from .grids import PRINTED_SIZES, grids, newsgroup_vocabularies, once_grid, tokeniser_grid, variant
from .readings import READINGS
from .tables import NOTE, recall_table, vocabulary_table
from .tokenisers import TOKENISERS
from .totals import total_grid

__all__ = ["plan", "run"]

FACTORS = [0.8, 0.85, 0.9, 0.91, 0.92, 0.925, 0.93, 0.935, 0.94, 0.945, 0.95, 0.97, 1.0, 1.05, 1.2]
SIZES = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000]


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    """All sizes; or four."""
    return Plan(
        paper="002",
        name="schneider",
        title="Schneider 2004: KL, dKL and mutual information",
        data=(
            "20 Newsgroups, 19,997 articles, body",
            "Reuters-21578, ModApte, documents with one of the ten largest topics",
        ),
        split="20 Newsgroups: five folds, stratified; Reuters: as given",
        recipes=(f"20 Newsgroups: {rb.Recipe.schneider()}", f"Reuters: {rb.Recipe.schneider(stop=False)}"),
        methods=tuple(reuters.SCORES),
        repetitions=newsgroups.FOLDS,
        seed=seed,
        quick=quick,
        settings={
            "words": [20, 200, 2000, 20000] if quick else SIZES,
            "reuters words": [100, 5000, 20000] if quick else SIZES,
            "factors": [] if quick else FACTORS,
            "variants": not quick,
        },
    )


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    with watch("20 Newsgroups: read and counted"):
        table, corpus = newsgroups.read_articles(data)
    with watch("20 Newsgroups: five folds"):
        folds = newsgroups.by_fold(table, reuters.SCORES, plan["words"], seed=plan.seed)
    with watch("Reuters: read and counted"):
        train, test = reuters.read_texts(data)
        stories = reuters.in_words(train, test)
        no_numbers = stories.without_numbers()
    sizes = plan["reuters words"]
    with watch("Reuters: ten topics, as printed"):
        literal = reuters.retrieve(stories, reuters.SCORES, sizes)
    with watch("Reuters: ten topics, numbers in the total alone"):
        scores = {**reuters.SCORES, "KL": reuters.scaled_kl(no_numbers.share_of_words)}
        with_numbers = reuters.retrieve(no_numbers, scores, sizes)
    level = {"MI": reuters.SCORES["MI"]}
    with watch("Reuters: the scale of p(w)"):
        factors = {f"{factor:g}": reuters.scaled_kl(factor) for factor in plan["factors"]}
        scaled = reuters.retrieve(stories, {**level, **factors}, PRINTED_SIZES) if factors else {}
    with watch("Reuters: other readings of KL"):
        other_readings = reuters.retrieve(stories, {**level, **READINGS}, PRINTED_SIZES) if plan["variants"] else {}
    printed, variants, vocabularies, more_grids = published("schneider"), {}, {}, []
    if plan["variants"]:
        with watch("Reuters: what p(w) is divided by"):
            more_grids.append(total_grid(data, stories, train, test, printed))
        with watch("Reuters: other tokenisers, words chosen once"):
            more_grids += [tokeniser_grid(train, test, printed), once_grid(stories, printed)]
        with watch("Reuters: other documents, stop list"):
            variants = {
                (stop, *ten): variant(data, stop, *ten)
                for stop in (False, True)
                for ten in ((False, False), (True, False), (True, True))
            }
        with watch("20 Newsgroups: vocabularies"):
            vocabularies = newsgroup_vocabularies(data)
        with watch("the naive way, one point of each"):
            naive(plan, corpus, train, test, watch, totals=len(more_grids[0].rows) - 1)
    return Findings(
        tables=(
            recall_table(literal, sizes, printed, key="printed", title="Ten topics of Reuters, formulas as printed"),
            recall_table(
                with_numbers,
                sizes,
                printed,
                key="numbers",
                title="Ten topics of Reuters, numbers counted in the total alone",
            ),
            vocabulary_table(table, stories, printed),
        ),
        grids=grids(plan, folds, scaled, other_readings, variants, vocabularies, more_grids, printed),
        figures=figures(plan, folds, literal, with_numbers, scaled, printed),
        claims=claims(plan, folds, literal, with_numbers),
        best=best(plan, folds, literal, with_numbers),
        notes=(NOTE,),
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
    texts, labels = corpus.texts, [label for (label,) in corpus.labels]
    order = np.random.default_rng(plan.seed).permutation(len(texts)).tolist()
    train_rows, test_rows = order[: len(texts) * 4 // 5], order[len(texts) * 4 // 5 :]
    took = timing.one_point(
        [texts[n] for n in train_rows], [labels[n] for n in train_rows], [texts[n] for n in test_rows], words=20000
    )
    points = len(reuters.SCORES) * newsgroups.FOLDS * len(plan["words"])
    watch.naive("20 Newsgroups, each point from text", seconds=took, times=points, how=timing.HOW)
    took = timing.one_point(train.texts, ["earn" in labels for labels in train.labels], test.texts, words=20000)
    runs = 2 * len(reuters.SCORES) * len(plan["reuters words"])
    sets = 6 + len(TOKENISERS) + 1  # of documents, of words, and words chosen once
    forms = len(plan["factors"]) + len(READINGS) + 2 + sets * len(reuters.SCORES)
    more_points = forms * len(PRINTED_SIZES) + totals * 2 * 2  # MI and KL, two sizes
    points = len(reuters.TOPICS) * (runs + more_points)
    watch.naive("Reuters, each point from text, what was tried too", seconds=took, times=points, how=timing.HOW)
