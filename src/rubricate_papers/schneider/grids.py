"""What was tried for 002, as tables: folds, the scale of p(w), other readings, documents, tokenisers, vocabularies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rubricate as rb

from ..arrays import Floats
from ..frame import Grid, Plan, Published
from . import newsgroups, reuters
from .claims import fold_tests
from .reuters import SCORES, Retrieval, Stories
from .tokenisers import TOKENISERS

PRINTED_SIZES = [100, 5000, 20000]
HEADS = [f"{average}, {size:,}" for average in ("micro", "macro") for size in PRINTED_SIZES]
GAIN = "KL less MI, macro, 5,000"
MEASURE = "micro and macro recall in % by number of words"

Runs = Mapping[str, Retrieval]


def variant(data: Path | None, stop: bool, ten_train: bool, ten_test: bool) -> tuple[int, Runs]:
    """Another choice of documents: its vocabulary, and its recall at the printed sizes."""
    stories = reuters.in_words(
        *reuters.read_texts(data, ten_train=ten_train, ten_test=ten_test), rb.Recipe.schneider(stop=stop)
    )
    return stories.X.shape[1], reuters.retrieve(stories, SCORES, PRINTED_SIZES)


def newsgroup_vocabularies(data: Path | None) -> dict[tuple[str, str], int]:
    """How many words 20 Newsgroups has, by version and headers."""
    return {
        (version, headers): newsgroups.read_articles(data, version=version, headers=headers)[0].X.shape[1]
        for version in ("19997", "bydate")
        for headers in ("none", "subject", "safe")
    }


def grids(
    plan: Plan,
    folds: Mapping[str, Floats],
    scaled: Runs,
    other_readings: Runs,
    variants: Mapping[tuple[bool, bool, bool], tuple[int, Runs]],
    vocabularies: Mapping[tuple[str, str], int],
    more_grids: Sequence[Grid],
    printed: Published,
) -> tuple[Grid, ...]:
    """Folds with their tests; the scale of p(w); more_grids; other documents; vocabularies. scaled, other_readings: KL, and MI to
    compare with."""
    out = [fold_grid(plan, folds)]
    if scaled:
        title = f"KL with p(w) of eq. 12 multiplied by a factor, Reuters: {MEASURE}"
        note = (
            "As the formula is printed the factor is 1. A few per cent less change the choice of words, since the other term of "
            "eq. 13 is smoothed and weighted by documents; dKL, whose two terms are estimated alike, does not have this trouble."
        )
        out.append(sizes_grid("scale", title, "factor", scaled, printed, note))
    if other_readings:
        title = f"KL by other readings of its parts, Reuters: {MEASURE}"
        note = "«dKL» is there to see that this code agrees with the package's."
        out.append(sizes_grid("readings", title, "changed", other_readings, printed, note))
    out += more_grids
    if variants:
        rows = []
        for (stop, ten_train, ten_test), (words, runs) in variants.items():
            cells = [
                f"{runs[name].micro[at]:.1f} / {runs[name].macro[at]:.1f}"
                for name, at in (("MI", 0), ("dKL", 0), ("MI", 2), ("KL", 2))
            ]
            rows.append(
                (
                    "stop list" if stop else "no stop list",
                    "ten topics" if ten_train else "all ModApte",
                    "ten topics" if ten_test else "all ModApte",
                    words,
                    *cells,
                )
            )
        rows.append(("printed", "", "", 22430, "86.5 / 76.1", "88.0 / 78.8", "89.3 / 78.3", "90.1 / 82.2"))
        points = ("MI, 100 words", "dKL, 100 words", "MI, 20,000 words", "KL, 20,000 words")
        out.append(
            Grid(
                key="documents",
                title="Which documents: micro / macro recall by choice of documents and stop list, Reuters",
                columns=("", "training documents", "test documents", "vocabulary", *points),
                rows=tuple(rows),
            )
        )
    if vocabularies:
        rows = [(version, headers, words, words - 111868) for (version, headers), words in vocabularies.items()]
        out.append(
            Grid(
                key="vocabularies",
                title="Vocabulary of 20 Newsgroups by version and headers (printed: 111,868)",
                columns=("version", "headers", "words", "less the printed number"),
                rows=tuple(rows),
            )
        )
    return tuple(out)


def sizes_grid(key: str, title: str, first: str, runs: Runs, printed: Published, note: str) -> Grid:
    """Recall of several forms of KL at the sizes for which the paper prints numbers, and how far they are above MI."""
    level = runs["MI"].macro[1]
    rows: list[tuple[Any, ...]] = [
        (name, *recall(run), float(run.macro[1] - level)) for name, run in runs.items() if name != "MI"
    ]
    rows.append(("printed", *printed_recall(printed, "KL"), printed["gain.5000.KL"].number))
    return Grid(key=key, title=title, columns=(first, *HEADS, GAIN), rows=tuple(rows), note=note)


def recall(run: Retrieval) -> list[float]:
    """Micro and macro recall, in the order of HEADS."""
    return [*run.micro.tolist(), *run.macro.tolist()]


def printed_recall(printed: Published, name: str) -> list[float | None]:
    """What the paper prints of a score, in the order of HEADS."""
    points = [printed.find(f"{average}.{size}.{name}") for average in ("micro", "macro") for size in PRINTED_SIZES]
    return [None if point is None else point.number for point in points]


def tokeniser_grid(train: rb.Corpus, test: rb.Corpus, printed: Published) -> Grid:
    rows: list[tuple[Any, ...]] = []
    for what, tokenise in TOKENISERS.items():
        stories = tokenise(train, test)
        runs = reuters.retrieve(stories, SCORES, PRINTED_SIZES)
        rows += [(what, stories.X.shape[1], name, *recall(run)) for name, run in runs.items()]
    words = int(printed["vocabulary.reuters"].number)
    rows += [("printed", words, name, *printed_recall(printed, name)) for name in SCORES]
    return Grid(
        key="tokenisers",
        title=f"Tokenisers, Reuters: {MEASURE}",
        columns=("tokeniser", "vocabulary", "chosen by", *HEADS),
        rows=tuple(rows),
    )


def once_grid(stories: Stories, printed: Published) -> Grid:
    """Words chosen for each topic, and once for all."""
    ways = {
        "for each topic (as in the tables)": reuters.retrieve,
        "once for all ten topics": reuters.retrieve_by_shared_words,
    }
    rows: list[tuple[Any, ...]] = []
    for what, retrieve in ways.items():
        rows += [(what, name, *recall(run)) for name, run in retrieve(stories, SCORES, PRINTED_SIZES).items()]
    rows += [("printed", name, *printed_recall(printed, name)) for name in SCORES]
    return Grid(
        key="once",
        title=f"Words chosen for each topic, or once for all ten, Reuters: {MEASURE}",
        columns=("words chosen", "chosen by", *HEADS),
        rows=tuple(rows),
        note="Once: the score over ten classes, a story counted in each of its topics; each topic then has its own classifier "
        "with these words.",
    )


def fold_grid(plan: Plan, folds: Mapping[str, Floats]) -> Grid:
    """Accuracy by number of words, and the paper's t-test of dKL against MI."""
    rows = []
    for n, size in enumerate(plan["words"]):
        tests = fold_tests(folds, n)
        rows.append((size, *(float(folds[name][:, n].mean()) for name in SCORES), *tests))
    return Grid(
        key="figure1",
        title="20 Newsgroups: accuracy, %, mean of five folds; dKL against MI",
        columns=("words", *SCORES, "dKL less MI", "p, paired t", "p, corrected t"),
        rows=tuple(rows),
        note="One-tailed, as in the paper. The corrected test allows for training sets that folds share (Nadeau & Bengio 2003).",
    )
