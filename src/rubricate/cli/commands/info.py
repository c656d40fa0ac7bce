"""rubricate info PATH"""

from __future__ import annotations

import shlex
from typing import Any

import click

from ..options import (
    counting_options,
    is_small,
    json_option,
    open_corpus,
    parse_recipe,
    reading_options,
    refuse,
    source_arguments,
)
from ..output import bar, echo, next_command, print_json, printable, progress, report_rows, table


@click.command("info")
@reading_options
@counting_options
@json_option
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
def command(path: str, recipe: str, jobs: int | None, as_json: bool, top: int, **read_options: Any) -> None:
    """A first look at a collection: documents, labels, lengths, terms, duplicates, rejects."""
    settings = parse_recipe(recipe)
    # what is wrong with the documents is shown before they are refused
    corpus = open_corpus(path, **{**read_options, "keep_going": True})
    small = is_small(path, share=0.5)
    with progress("reading", quiet=as_json, compiled=not small) as show:
        if small:
            from ...corpus.overview import overview as look_at_few

            summary = look_at_few(corpus, settings, progress=show)
        else:
            from ...counts.overview import overview

            summary = overview(corpus, settings, jobs=jobs, progress=show)
    failure = None if read_options["keep_going"] else summary.tally.common_failure()
    if as_json:
        print_json(summary.to_dict())
        refuse(corpus.name, failure)
        return
    lengths = summary.lengths
    echo(f"{printable(summary.name)}: {summary.documents:,} documents, fields {', '.join(summary.fields)}")
    echo(
        f"{summary.terms:,} terms; terms a document: {lengths['min']:,} to {lengths['max']:,}, "
        f"median {lengths['median']:,}, mean {lengths['mean']:,.1f}; {lengths['empty']:,} documents have none"
    )
    several = ", ".join(f"{documents:,} with {n}" for n, documents in sorted(summary.labels_a_document.items()))
    echo(f"{len(summary.labels):,} labels; documents by number of labels: {several or 'none'}")
    echo(f"{summary.repeated:,} texts were there before, {summary.conflicting:,} of them with other labels")
    echo()
    if summary.labels:
        rows = summary.labels[: top or None]
        largest = max(size for _, size in rows)
        table([(label, size, bar(size / largest)) for label, size in rows], ["label", "documents", ""], right=[1])
        if len(rows) < len(summary.labels):
            echo(f"… and {len(summary.labels) - len(rows):,} more (--top 0 shows all)")
    for note in summary.notes:
        echo(f"note: {printable(note, 200)}")
    report_rows(summary.tally, read_options["rejects"])
    refuse(corpus.name, failure)
    source = source_arguments(path, read_options)
    if summary.labels:
        next_command(f"rubricate terms {source} --label {shlex.quote(printable(summary.labels[0][0]))}")
    else:
        next_command(f"rubricate count {source} -o FILE.counts   (name the column of labels with --labels)")
