"""rubricate terms PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from .options import as_json, chosen_recipe, counting, opened, reading, same_source
from .shown import account, next_command, print_json, printable, progress, table


@click.command("terms")
@reading
@counting
@as_json
@click.option("--label", help="Terms that tell this label from the rest, by mutual information.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=1), help="How many.")
def command(path: str, recipe: str, jobs: int | None, as_json: bool, label: str | None, top: int, **given: Any) -> None:
    """The most frequent terms of a collection or of a file of counts; with --label, its most telling ones."""
    counts, tally = loaded(path, recipe, jobs, as_json, given)
    rows = frequent(counts, top) if label is None else telling(counts, label, top)
    if as_json:
        print_json(rows)
        return
    if rows:
        columns = list(rows[0])
        values = [[f"{value:.4f}" if isinstance(value, float) else value for value in row.values()] for row in rows]
        table(values, [name.replace("_", " ") for name in columns], right=range(1, len(columns)))
    if tally is not None:
        account(tally, given["rejects"])
    if label is None and counts.labels:
        next_command(f"rubricate terms {same_source(path, given)} --label {shlex.quote(printable(counts.labels[0]))}")
    else:
        next_command(f"rubricate info {same_source(path, given)}" if tally is not None else "rubricate count --help")


def loaded(path: str, recipe: str, jobs: int | None, quiet: bool, given: dict[str, Any]) -> tuple[Any, Any]:
    """Counts of a file of counts as they are, of documents by counting; and the account of the reading."""
    from ..counting import count
    from ..counts import Counts

    if Path(path).is_file():
        with Path(path).open("rb") as start:
            if start.read(17) == b"rubricate counts ":
                return Counts.load(path), None
    corpus = opened(path, **given)
    with progress("counting", quiet=quiet) as show:
        counts = count(corpus, chosen_recipe(recipe), jobs=jobs, progress=show)
    return counts, corpus.tally


def frequent(counts: Any, top: int) -> list[dict[str, Any]]:
    """The terms with most occurrences, with the number of documents that have them."""
    import numpy as np

    occurrences = counts.occurrences[[len(counts.labels)]].toarray().ravel()
    documents = counts.documents_with[[len(counts.labels)]].toarray().ravel()
    best = np.argsort(-occurrences, kind="stable")[:top].tolist()
    return [{"term": counts.terms[n], "occurrences": int(occurrences[n]), "documents": int(documents[n])} for n in best]


def telling(counts: Any, label: str, top: int) -> list[dict[str, Any]]:
    """The terms with most information about a label, with how many of its documents and of all have them."""
    from ..term_scores import label_row, telling_terms

    row = label_row(counts, label)
    out = []
    for term, score in telling_terms(counts, label, top=top):
        column = counts.positions([term])[0]
        out.append(
            {
                "term": term,
                "information": score,
                f"documents_of_{label}": int(counts.documents_with[row, column]),
                "documents": int(counts.documents_with[len(counts.labels), column]),
            }
        )
    return out
