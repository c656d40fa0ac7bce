"""rubricate terms PATH"""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any

import click

from ...errors import UnknownName
from ..options import FROM_1, counting_options, json_option, reading_options, setting, source_arguments
from ..output import next_command, print_json, printable, report_rows, table
from .count import load_or_count

if TYPE_CHECKING:
    from ...counts import Counts

# those of `term_scores.SCORES`, whose module takes half a second to import; a test holds the two alike
SCORES = (
    "document_frequency", "occurrences", "idf", "mutual_information", "information_gain", "word_mutual_information", "kl",
    "dkl", "chi2", "odds_ratio", "binormal_separation",
)  # fmt: skip
COLUMN_NAMES = {"mutual_information": "information"}
WHOLE_NUMBERS = ("document_frequency", "occurrences")


@click.command("terms")
@reading_options
@counting_options
@json_option
@click.option(
    "--by",
    metavar="SCORE",
    help=f"What ranks the terms: {', '.join(SCORES)}. Without it: mutual_information with --label, else occurrences.",
)
@click.option("--label", help="Terms that tell this label from the rest; for a frequency, in its documents alone.")
@setting("--top", default=20, type=FROM_1, help="How many.")
def command(
    path: str,
    recipe: str,
    jobs: int | None,
    as_json: bool,
    by: str | None,
    label: str | None,
    top: int,
    **read_options: Any,
) -> None:
    """The first terms of a collection, or of a file of counts, by a score: the most frequent, the most telling.

    With --label and a score that tells labels apart, only terms that speak for the label are shown: commoner in its
    documents than elsewhere, and in two of them at least. Without --label such a score is about all labels at once, or, where
    documents have several labels or none, the mean over labels weighted by their documents (odds_ratio,
    binormal_separation: the highest over labels).
    """
    by = by or ("occurrences" if label is None else "mutual_information")
    if by not in SCORES:
        raise UnknownName("score", by, SCORES)
    counts, tally = load_or_count(path, recipe, jobs, read_options, quiet=as_json)
    rows = top_terms(counts, by, label, top)
    if as_json:
        print_json(rows)
        return
    if rows:
        header = [name.replace("_", " ") for name in rows[0]]
        digits = decimals(rows)
        cells = [[f"{cell:.{digits}f}" if isinstance(cell, float) else cell for cell in row.values()] for row in rows]
        table(cells, header, right=range(1, len(header)))
    report_rows(tally, read_options["rejects"])
    source = source_arguments(path, read_options)
    if label is None and counts.labels:
        next_command(f"rubricate terms {source} --label {shlex.quote(printable(counts.labels[0]))}")
    else:
        next_command(f"rubricate info {source}" if tally is not None else "rubricate count --help")


def top_terms(counts: Counts, by: str, label: str | None, top: int) -> list[dict[str, Any]]:
    """The first terms by a score: the score, and in how many documents, of the label and of all, they are."""
    from ...counts.term_scores import document_frequency, ranked, score_named
    from ...counts.term_scores.selection import FREQUENCIES, commoner_terms

    scores = score_named(by)(counts, label=label)
    all_documents = document_frequency(counts)
    label_documents = all_documents if label is None else document_frequency(counts, label=label)
    order = ranked(scores, among=label_documents.nonzero()[0])
    if label is not None and by not in FREQUENCIES:
        order = commoner_terms(counts, label, scores)
    rows = []
    for term in order[:top].tolist():
        score = float(scores[term])
        row: dict[str, Any] = {"term": counts.terms[term]}
        row[COLUMN_NAMES.get(by, by)] = int(score) if by in WHOLE_NUMBERS else score
        if label is not None:
            row[f"documents_of_{label}"] = int(label_documents[term])
        rows.append({**row, "documents": int(all_documents[term])})
    return rows


def decimals(rows: list[dict[str, Any]]) -> int:
    """Four, and more where scores are so small that the first would not show three digits."""
    largest = max((abs(value) for row in rows for value in row.values() if isinstance(value, float)), default=0.0)
    return max(4, 2 - math.floor(math.log10(largest))) if 0 < largest < math.inf else 4
