"""What else might explain a difference from the paper: each choice it leaves open, changed alone. Source: 000 sec. 6.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rubricate as rb

from ..frame import Grid, over
from . import newsgroups, reuters
from .trials import METHODS, RECIPE, Trial

SHOWN = tuple(method for method in METHODS if method != "TFIDF, IDF'")
RECIPES = {
    "words of two letters and more, numbers": RECIPE,
    "words of any length, numbers": rb.Recipe.joachims(),
    "words of three letters and more, numbers": RECIPE.with_(min_length=3),
    "words of two letters and more": RECIPE.with_(numbers="drop"),
    "letters and digits together": rb.Recipe(),
}


def newsgroup_grid(data: Path | None, articles: newsgroups.Articles, seeds: Sequence[int]) -> Grid:
    """Accuracy with all words, by what was changed."""
    rows = [(what, *means(trials)) for what, trials in newsgroup_trials(data, articles, seeds)]
    rows.append(("printed", 90.3, 88.6, 82.3))
    return Grid(
        key="newsgroup_variants",
        title="20 Newsgroups: what each choice is worth, accuracy in % with all words",
        columns=("changed", *SHOWN),
        rows=tuple(rows),
        note=f"Means of {len(seeds)} splits. A cross-posted article lies in several folders; «as a whole» makes it one article "
        "that is trained in all its groups, so that no copy of a test article is among the training articles.",
    )


def newsgroup_trials(
    data: Path | None, articles: newsgroups.Articles, seeds: Sequence[int]
) -> Iterator[tuple[str, list[Trial]]]:
    """Each variant and its trials."""

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


def means(trials: Sequence[Trial]) -> list[float]:
    """The mean accuracy of each method with all words."""
    return [over([trial[method][-1] for trial in trials]).value for method in SHOWN]


def lambda_grid(data: Path | None, *, words: int, seed: int) -> Grid:
    """lambda's statistics by tokeniser: the paper's are met by words of two letters and more."""
    rows = []
    for what, recipe in RECIPES.items():
        articles, _ = newsgroups.read_articles(data, recipe=recipe)
        result = newsgroups.lambdas(articles, articles.split(seed)[0], words=words)
        rows.append((what, result.mean, result.sd, result.least, result.largest))
    rows.append(("printed", 0.107, 0.021, 0.080, 0.179))
    return Grid(
        key="lambda_variants",
        title="Lambda by tokeniser",
        columns=("words", "mean", "standard deviation", "least", "largest"),
        rows=tuple(rows),
        note="The largest is comp.os.ms-windows.misc, whose encoded pictures are full of single letters.",
    )


def reuters_grid(data: Path | None, usual: reuters.Stories, samples: Sequence[int], sizes: Sequence[int]) -> Grid:
    """Accuracy at the best number of words, by what was changed."""
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
        for topic in ("acq", "wheat"):
            trials = [reuters.by_words(stories, topic, seed, sizes, drop=drop) for seed in samples]
            cells += [best(trials, method) for method in SHOWN]
        rows.append((what, *cells))
    rows.append(("printed", 89.3, 89.3, 87.9, 95.6, 95.6, 94.0))
    return Grid(
        key="reuters_variants",
        title="Reuters: what each choice is worth, accuracy in % at the best number of words",
        columns=("changed", *(f"{topic}, {method}" for topic in ("acq", "wheat") for method in SHOWN)),
        rows=tuple(rows),
        note=f"Means of {len(samples)} balanced subsamples.",
    )


def best(trials: Sequence[Trial], method: str) -> float:
    """The highest mean over numbers of words."""
    sizes = range(len(trials[0][method]))
    return max(over([trial[method][n] for trial in trials]).value for n in sizes)
