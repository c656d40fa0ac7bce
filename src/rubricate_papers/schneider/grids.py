"""What was tried for 002, as tables: folds, the scale of p(w), other readings, documents, tokenisers, vocabularies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import rubricate as rb

from ..arrays import Floats
from ..frame import Grid, Plan
from . import trials
from .claims import fold_tests
from .readings import TOKENISERS, TOTAL_SIZES, readings_of_total
from .tables import Runs
from .trials import PAPER, SCORES, Retrieval, Stories, retrieve

PRINTED_SIZES = [100, 5000, 20000]
HEADS = [f"{average}, {size:,}" for average in ("micro", "macro") for size in PRINTED_SIZES]
GAIN = "KL less MI, macro, 5,000"


def fold_grid(plan: Plan, folds: Mapping[str, Floats]) -> Grid:
    """Accuracy by number of words, and the paper's t-test of dKL against MI."""
    rows = [
        (size, *(float(folds[name][:, n].mean()) for name in SCORES), *fold_tests(folds, n))
        for n, size in enumerate(plan["words"])
    ]
    return PAPER.grid("figure1", rows)


def sizes_grid(key: str, first: str, runs: Runs) -> Grid:
    """Recall of several forms of KL at the sizes for which the paper prints numbers, and how far they are above MI."""
    level = runs["MI"].macro[1]
    rows: list[tuple[Any, ...]] = [
        (name, *recall(run), float(run.macro[1] - level)) for name, run in runs.items() if name != "MI"
    ]
    rows.append(("printed", *printed_recall("KL"), PAPER["gain.5000.KL"].number))
    return PAPER.grid(key, rows, (first, *HEADS, GAIN))


def recall(run: Retrieval) -> list[float]:
    """Micro and macro recall, in the order of HEADS."""
    return [*run.micro.tolist(), *run.macro.tolist()]


def printed_recall(name: str) -> list[float | None]:
    """What the paper prints of a score, in the order of HEADS."""
    points = [PAPER.find(f"{average}.{size}.{name}") for average in ("micro", "macro") for size in PRINTED_SIZES]
    return [None if point is None else point.number for point in points]


def total_grid(data: Path | None, stories: Stories, train: rb.Corpus, test: rb.Corpus) -> Grid:
    rows: list[tuple[Any, ...]] = []
    for reading in readings_of_total(data, stories, train, test):
        runs = reading.runs()
        kl, gain = runs["KL"], runs["KL"].macro[0] - runs["MI"].macro[0]
        values = [float(value) for at in range(len(TOTAL_SIZES)) for value in (kl.micro[at], kl.macro[at])]
        rows.append((reading.what, reading.factor, *values, float(gain)))
    printed = [PAPER[key].number for key in ("micro.20000.KL", "macro.20000.KL", "gain.5000.KL")]
    rows.append(("printed", None, None, None, *printed))
    heads = [f"{average}, {size:,}" for size in TOTAL_SIZES for average in ("micro", "macro")]
    return PAPER.grid("totals", rows, ("total", "factor on p(w)", *heads, GAIN))


def tokeniser_grid(train: rb.Corpus, test: rb.Corpus) -> Grid:
    rows: list[tuple[Any, ...]] = []
    for what, tokenise in TOKENISERS.items():
        stories = tokenise(train, test)
        runs = retrieve(stories, SCORES, PRINTED_SIZES)
        rows += [(what, stories.X.shape[1], name, *recall(run)) for name, run in runs.items()]
    words = int(PAPER["vocabulary.reuters"].number)
    rows += [("printed", words, name, *printed_recall(name)) for name in SCORES]
    return PAPER.grid("tokenisers", rows, ("tokeniser", "vocabulary", "chosen by", *HEADS))


def once_grid(stories: Stories) -> Grid:
    ways: dict[str, Callable[..., Runs]] = {
        "for each topic (as in the tables)": retrieve,
        "once for all ten topics": trials.retrieve_by_shared_words,
    }
    rows: list[tuple[Any, ...]] = []
    for what, way in ways.items():
        rows += [(what, name, *recall(run)) for name, run in way(stories, SCORES, PRINTED_SIZES).items()]
    rows += [("printed", name, *printed_recall(name)) for name in SCORES]
    return PAPER.grid("once", rows, ("words chosen", "chosen by", *HEADS))


def document_grid(data: Path | None) -> Grid:
    """Other choices of documents and stop list: vocabulary, and recall at the printed sizes."""
    rows: list[tuple[Any, ...]] = []
    parts = {True: "ten topics", False: "all ModApte"}
    points = (("MI", 0), ("dKL", 0), ("MI", 2), ("KL", 2))
    for stop, (ten_train, ten_test) in product((False, True), ((False, False), (True, False), (True, True))):
        texts = trials.read_texts(data, ten_train=ten_train, ten_test=ten_test)
        stories = trials.in_words(*texts, rb.Recipe.schneider(stop=stop))
        runs = retrieve(stories, SCORES, PRINTED_SIZES)
        cells = [f"{runs[name].micro[at]:.1f} / {runs[name].macro[at]:.1f}" for name, at in points]
        choice = "stop list" if stop else "no stop list", parts[ten_train], parts[ten_test]
        rows.append((*choice, stories.X.shape[1], *cells))
    printed = [
        f"{PAPER[f'micro.{size}.{name}'].number:.1f} / {PAPER[f'macro.{size}.{name}'].number:.1f}"
        for name, size in ((name, PRINTED_SIZES[at]) for name, at in points)
    ]
    rows.append(("printed", "", "", int(PAPER["vocabulary.reuters"].number), *printed))
    return PAPER.grid("documents", rows)


def vocabulary_grid(data: Path | None) -> Grid:
    rows, printed = [], int(PAPER["vocabulary.newsgroups"].number)
    for version, headers in product(("19997", "bydate"), ("none", "subject", "safe")):
        n_words = trials.read_articles(data, version=version, headers=headers)[0].X.shape[1]
        rows.append((version, headers, n_words, n_words - printed))
    return PAPER.grid("vocabularies", rows)
