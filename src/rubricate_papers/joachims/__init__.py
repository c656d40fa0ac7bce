"""000 Joachims (1996): TFIDF, its probabilistic reading PrTFIDF, and naive Bayes on 20 Newsgroups and two topics of Reuters.

Table 4 and figures 2-7, table 1, lambda's statistics, the word «wheat» as a classifier. What the paper leaves open, and what was
tried: `replications/000-joachims/NOTES.md`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import rubricate as rb

from .. import timing
from ..frame import Findings, Plan, Watch
from . import claims, newsgroups, reuters, tables, variants
from .trials import METHODS, PAPER, RECIPE, Results
from .variants import TOPICS


def plan(*, quick: bool = False, seed: int = 0) -> Plan:
    return PAPER.plan(recipes=[str(RECIPE)], methods=METHODS, quick=quick, seed=seed)


def run(plan: Plan, *, data: Path | None, watch: Watch) -> Findings:
    seeds = [1000 * plan.seed + n for n in range(plan.repetitions)]
    samples = [1000 * plan.seed + n for n in range(plan["subsamples"])]
    with watch("20 Newsgroups: read and counted"):
        articles, corpus = newsgroups.read_articles(data)
    with watch("20 Newsgroups: numbers of words"):
        words = [newsgroups.by_words(articles, seed, plan["words"]) for seed in seeds]
    with watch("20 Newsgroups: numbers of training articles"):
        trained = [newsgroups.by_training_size(articles, seed, plan["articles"]) for seed in seeds]
    with watch("20 Newsgroups: lambda"):
        rows = articles.split(seeds[0])[0]
        lambda_of = partial(newsgroups.lambdas, articles, rows, words=plan["lambda words"])
        lambdas = {prime: lambda_of(prime=prime) for prime in (False, True)}
    with watch("Reuters: read and counted"):
        stories, train, test = reuters.read_stories(data)
    by_words, by_size = {}, {}
    for topic in TOPICS:
        with watch(f"Reuters {topic}: numbers of words"):
            by_words[topic] = [reuters.by_words(stories, topic, seed, plan["reuters words"]) for seed in samples]
        with watch(f"Reuters {topic}: numbers of training stories"):
            sizes = plan[f"{topic} stories"]
            by_size[topic] = [reuters.by_training_size(stories, topic, seed, sizes) for seed in samples]
    documents = {topic: 2 * int(stories.member(topic)[0].sum()) for topic in TOPICS} | {"newsgroups": len(rows)}
    n_words = {topic: reuters.count_all_words(stories, topic, samples[0]) for topic in TOPICS}
    n_words["newsgroups"] = newsgroups.count_all_words(articles, seeds[0])
    results = Results(plan, words, trained, by_words, by_size, documents, n_words)
    with watch("Reuters: answers, story by story"):
        at_best = {topic: {method: results.best(topic, method)[0] for method in METHODS} for topic in TOPICS}
        correct = {
            topic: [reuters.correct_by_method(stories, topic, seed, sizes) for seed in samples[: plan["compared"]]]
            for topic, sizes in at_best.items()
        }
        results = replace(results, correct=correct)
    alone = reuters.classify_by_word(stories, "wheat")
    grids = [tables.table1(stories, plan.seed)]
    if plan["variants"]:
        with watch("what else might explain a difference"):
            grids.append(variants.newsgroup_grid(data, articles, seeds[: plan["variants"]]))
            grids.append(variants.lambda_grid(data, words=plan["lambda words"], seed=seeds[0]))
            grids.append(variants.reuters_grid(data, stories, samples[: 2 * plan["variants"]], plan["reuters words"]))
    with watch("tests"):
        paper_claims = claims.claims(results, lambdas, 100 * alone.correct / stories.X_test.shape[0])
        best = claims.best(results)
    if not plan.quick:
        with watch("the naive way, one point of each"):
            naive(plan, corpus, articles, train, test, watch)
    return Findings(
        tables=(
            tables.table4(results),
            tables.lambda_table(lambdas[False], lambdas[True]),
            tables.wheat_table(alone, stories.X.shape[0]),
        ),
        grids=tuple(grids),
        figures=tables.figures(results),
        claims=paper_claims,
        best=best,
        fingerprints={
            "20newsgroups 19997, subject and body": rb.collections.fingerprint(corpus),
            "reuters21578 to 1987-04-07": rb.collections.fingerprint(train),
            "reuters21578 later": rb.collections.fingerprint(test),
            "recipe": RECIPE.fingerprint,
        },
    )


def naive(
    plan: Plan, corpus: rb.Corpus, articles: newsgroups.Articles, train: rb.Corpus, test: rb.Corpus, watch: Watch
) -> None:
    """What each point from text would have cost, measured on one split and one balanced subsample."""
    texts, (rows, rows_test) = corpus.texts, articles.split(plan.seed)
    labels = [articles.labels[n][0] for n in rows.tolist()]
    seconds = timing.seconds_for_one_point([texts[n] for n in rows], labels, [texts[n] for n in rows_test], words=20000)
    points = len(METHODS) * plan.repetitions * (len(plan["words"]) + len(plan["articles"]))
    watch.naive("20 Newsgroups, each point from text", seconds=seconds, times=points, how=timing.HOW)
    rng = np.random.default_rng(plan.seed)
    for topic in TOPICS:
        member, member_test = (np.array([topic in labels for labels in part.labels]) for part in (train, test))
        parts = reuters.balanced(member, rng), reuters.balanced(member_test, rng)
        texts_train, texts_test = train.at(parts[0]).texts, test.at(parts[1]).texts
        labels_train = member[np.sort(parts[0])].tolist()  # a part of a corpus keeps its order
        seconds = timing.seconds_for_one_point(texts_train, labels_train, texts_test, words=1000)
        points = len(METHODS) * plan["subsamples"] * (len(plan["reuters words"]) + len(plan[f"{topic} stories"]))
        watch.naive(f"Reuters {topic}, each point from text", seconds=seconds, times=points, how=timing.HOW)
