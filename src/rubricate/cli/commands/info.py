"""rubricate info PATH"""

from __future__ import annotations

import shlex
from typing import Any

import click

from ..options import as_json, chosen_recipe, counting, opened, reading, refuse, same_source
from ..output import account, bar, echo, next_command, print_json, printable, progress, table


@click.command("info")
@reading
@counting
@as_json
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
def command(path: str, recipe: str, jobs: int | None, as_json: bool, top: int, **given: Any) -> None:
    """A first look at a collection: documents, labels, lengths, terms, duplicates, rejects."""
    from ...counts.overview import overview

    corpus = opened(path, **{**given, "keep_going": True})  # what is wrong with it is shown before it is refused
    with progress("reading", quiet=as_json) as show:
        seen = overview(corpus, chosen_recipe(recipe), jobs=jobs, progress=show)
    failure = None if given["keep_going"] else seen.tally.common_failure()
    if as_json:
        print_json(seen.to_dict())
        refuse(corpus.name, failure)
        return
    lengths = seen.lengths
    echo(f"{printable(seen.name)}: {seen.counts.n_documents:,} documents, fields {', '.join(seen.fields)}")
    echo(
        f"{len(seen.counts.term_array):,} terms; terms a document: {lengths['min']:,} to {lengths['max']:,}, "
        f"median {lengths['median']:,}, mean {lengths['mean']:,.1f}; {lengths['empty']:,} documents have none"
    )
    several = ", ".join(f"{documents:,} with {n}" for n, documents in sorted(seen.labels_a_document.items()))
    echo(f"{len(seen.labels):,} labels; documents by number of labels: {several or 'none'}")
    echo(f"{seen.repeated:,} texts were there before, {seen.conflicting:,} of them with other labels")
    echo()
    if seen.labels:
        shown = seen.labels[: top or None]
        largest = max(size for _, size in shown)
        table([(label, size, bar(size / largest)) for label, size in shown], ["label", "documents", ""], right=[1])
        if len(shown) < len(seen.labels):
            echo(f"… and {len(seen.labels) - len(shown):,} more (--top 0 shows all)")
    for note in seen.notes:
        echo(f"note: {printable(note, 200)}")
    account(seen.tally, given["rejects"])
    refuse(corpus.name, failure)
    if seen.labels:
        next_command(f"rubricate terms {same_source(path, given)} --label {shlex.quote(printable(seen.labels[0][0]))}")
    else:
        next_command(
            f"rubricate count {same_source(path, given)} -o FILE.counts   (name the column of labels with --labels)"
        )
