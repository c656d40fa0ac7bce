"""rubricate terms PATH. The table of scores is imported at once: the help lists its names."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import Any

import click

from ...counts import Counts
from ...counts.term_scores import SCORES, document_frequency, ranked, score_named
from ...counts.term_scores.selection import FREQUENCIES, commoner_terms
from ..options import as_json, chosen_recipe, counting, opened, reading, same_source
from ..output import account, next_command, print_json, printable, progress, table

SHOWN_AS = {"mutual_information": "information"}
WHOLE = ("document_frequency", "occurrences")


@click.command("terms")
@reading
@counting
@as_json
@click.option(
    "--by",
    metavar="SCORE",
    help=f"What ranks the terms: {', '.join(SCORES)}. Without it: mutual_information with --label, else occurrences.",
)
@click.option("--label", help="Terms that tell this label from the rest; for a frequency, in its documents alone.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=1), help="How many.")
def command(
    path: str,
    recipe: str,
    jobs: int | None,
    as_json: bool,
    by: str | None,
    label: str | None,
    top: int,
    **given: Any,
) -> None:
    """The first terms of a collection, or of a file of counts, by a score: the most frequent, the most telling.

    With --label and a score that tells labels apart, only terms that speak for the label are shown: commoner in its
    documents than elsewhere, and in two of them at least. Without --label such a score is about all labels at once, or, where
    documents have several labels or none, the mean over labels weighted by their documents (odds_ratio,
    binormal_separation: the highest over labels).
    """
    by = by or ("occurrences" if label is None else "mutual_information")
    score_named(by)  # a wrong name is told before anything is read
    counts, tally = loaded(path, recipe, jobs, as_json, given)
    rows = best(counts, by, label, top)
    if as_json:
        print_json(rows)
        return
    if rows:
        columns = list(rows[0])
        places = decimals(rows)
        values = [
            [f"{value:.{places}f}" if isinstance(value, float) else value for value in row.values()] for row in rows
        ]
        table(values, [name.replace("_", " ") for name in columns], right=range(1, len(columns)))
    if tally is not None:
        account(tally, given["rejects"])
    if label is None and counts.labels:
        next_command(f"rubricate terms {same_source(path, given)} --label {shlex.quote(printable(counts.labels[0]))}")
    else:
        next_command(f"rubricate info {same_source(path, given)}" if tally is not None else "rubricate count --help")


def loaded(path: str, recipe: str, jobs: int | None, quiet: bool, given: dict[str, Any]) -> tuple[Counts, Any]:
    """Counts of a file of counts as they are, of documents by counting; and the account of the reading."""
    from ...counts.one_pass import count

    if Path(path).is_file():
        with Path(path).open("rb") as start:
            if start.read(17) == b"rubricate counts ":
                return Counts.load(path), None
    corpus = opened(path, **given)
    with progress("counting", quiet=quiet) as show:
        counts = count(corpus, chosen_recipe(recipe), jobs=jobs, progress=show)
    return counts, corpus.tally


def best(counts: Counts, by: str, label: str | None, top: int) -> list[dict[str, Any]]:
    """The first terms by a score: the score, and in how many documents, of the label and of all, they are."""
    scores = score_named(by)(counts, label=label)
    every = document_frequency(counts)
    own = every if label is None else document_frequency(counts, label=label)
    chosen = ranked(scores, among=own.nonzero()[0])
    if label is not None and by not in FREQUENCIES:
        chosen = commoner_terms(counts, label, scores)
    rows = []
    for term in chosen[:top].tolist():
        score = float(scores[term])
        row: dict[str, Any] = {"term": counts.terms[term]}
        row[SHOWN_AS.get(by, by)] = int(score) if by in WHOLE else score
        if label is not None:
            row[f"documents_of_{label}"] = int(own[term])
        rows.append({**row, "documents": int(every[term])})
    return rows


def decimals(rows: list[dict[str, Any]]) -> int:
    """Four, and more where scores are so small that the first would not show three digits."""
    largest = max((abs(value) for row in rows for value in row.values() if isinstance(value, float)), default=0.0)
    return max(4, 2 - math.floor(math.log10(largest))) if 0 < largest < math.inf else 4
