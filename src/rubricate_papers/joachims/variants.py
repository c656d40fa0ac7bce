"""What else might explain a difference from the paper: each choice it leaves open, changed alone. Source: 000 sec. 6.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rubricate as rb

from ..frame import Grid, over
from . import newsgroups, reuters
from .trials import METHODS, PAPER, RECIPE, Trial

TOPICS = ("acq", "wheat")
PRINTED_METHODS = tuple(method for method in METHODS if method != "TFIDF, IDF'")
RECIPES = {
    "words of two letters and more, numbers": RECIPE,
    "words of any length, numbers": rb.Recipe.joachims(),
    "words of three letters and more, numbers": RECIPE.with_(min_length=3),
    "words of two letters and more": RECIPE.with_(numbers="drop"),
    "letters and digits together": rb.Recipe(),
}


def newsgroup_grid(data: Path | None, articles: newsgroups.Articles, seeds: Sequence[int]) -> Grid:
    rows = [
        (what, *(over([trial[method][-1] for trial in trials]).value for method in PRINTED_METHODS))
        for what, trials in newsgroup_trials(data, articles, seeds)
    ]
    rows.append(("printed", *(PAPER[f"table4.newsgroups.{method}"].number for method in PRINTED_METHODS)))
    return PAPER.grid("newsgroup_variants", rows, ("changed", *PRINTED_METHODS), n=len(seeds))


def newsgroup_trials(
    data: Path | None, articles: newsgroups.Articles, seeds: Sequence[int]
) -> Iterator[tuple[str, list[Trial]]]:
    def run(variant: newsgroups.Articles, **more: Any) -> list[Trial]:
        return [newsgroups.by_words(variant, seed, [0], **more) for seed in seeds]

    yield "nothing", run(articles)
    yield "only the article's own folder counts as right", run(articles, either=False)
    yield "no frequent words thrown out", run(articles, drop=0)
    yield "cross-posted articles as a whole", run(newsgroups.read_articles(data, crossposts="merged")[0])
    yield "body without the subject", run(newsgroups.read_articles(data, headers="none")[0])
    yield "headers too, but for those that name groups", run(newsgroups.read_articles(data, headers="safe")[0])
    yield "18,846 articles without duplicates", run(newsgroups.read_articles(data, version="bydate")[0])
    for what, recipe in RECIPES.items():
        if recipe != RECIPE:
            yield what, run(newsgroups.read_articles(data, recipe=recipe)[0])


def lambda_grid(data: Path | None, *, words: int, seed: int) -> Grid:
    """lambda's statistics by tokeniser: the paper's are met by words of two letters and more."""
    rows: list[tuple[Any, ...]] = []
    for what, recipe in RECIPES.items():
        articles, _ = newsgroups.read_articles(data, recipe=recipe)
        result = newsgroups.lambdas(articles, articles.split(seed)[0], words=words)
        rows.append((what, result.mean, result.sd, result.least, result.largest))
    rows.append(("printed", *(PAPER[f"lambda.{key}"].number for key in ("mean", "sd", "min", "max"))))
    return PAPER.grid("lambda_variants", rows)


def reuters_grid(data: Path | None, usual: reuters.Stories, samples: Sequence[int], sizes: Sequence[int]) -> Grid:
    variants: list[tuple[str, reuters.Stories, int]] = [
        ("nothing", usual, 0),
        ("the 100 most frequent words thrown out", usual, 100),
        ("without stories that LEWISSPLIT calls NOT-USED", reuters.read_stories(data, leave_unused=True)[0], 0),
        ("ModApte's stories alone", reuters.read_stories(data, version="modapte")[0], 0),
        ("words of any length", reuters.read_stories(data, recipe=rb.Recipe.joachims())[0], 0),
    ]
    rows = []
    for what, stories, drop in variants:
        cells = []
        for topic in TOPICS:
            trials = [reuters.by_words(stories, topic, seed, sizes, drop=drop) for seed in samples]
            for method in PRINTED_METHODS:
                cells.append(max(over([trial[method][n] for trial in trials]).value for n in range(len(sizes))))
        rows.append((what, *cells))
    rows.append(
        ("printed", *(PAPER[f"table4.{topic}.{method}"].number for topic in TOPICS for method in PRINTED_METHODS))
    )
    columns = ("changed", *(f"{topic}, {method}" for topic in TOPICS for method in PRINTED_METHODS))
    return PAPER.grid("reuters_variants", rows, columns, n=len(samples))
