"""rubricate count PATH -o FILE; rubricate merge A.counts B.counts -o FILE"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options
from ..options import PATH
from ..output import echo, next_command, print_json, progress, report_rows, say

if TYPE_CHECKING:
    from ...corpus import Tally
    from ...counts import Counts
    from ...terms.recipe import Recipe


@click.command("count")
@options.reading_options
@options.counting_options
@options.json_option
@options.out_option("File to write.", required=True)
def command(path: str, recipe: str, jobs: int | None, as_json: bool, out: Path, **read_options: Any) -> None:
    """Count a collection once: statistics from which every count model is fitted, into one file.

    The same documents give the same bytes, whatever their order and the number of threads. Counts of parts add up:
    `rubricate merge`.
    """
    from ...counts.one_pass import count

    corpus = options.open_corpus(path, outputs=[out], **read_options)
    with progress("counting", quiet=as_json) as show:
        counts = count(corpus, options.parse_recipe(recipe), jobs=jobs, progress=show)
    counts.save(out)
    size = out.stat().st_size
    if as_json:
        print_json({**sizes(out, counts), "bytes": size}, tally=corpus.tally)
        return
    echo(f"{sizes_text(out, counts)}, {size:,} bytes")
    report_rows(corpus.tally, read_options["rejects"])
    next_command(f"rubricate terms {out}")


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=PATH, callback=options.check_files)
@click.option(
    "--minus", multiple=True, type=PATH, callback=options.check_files, help="Counts to take away; may be given again."
)
@options.out_option("File to write.", required=True)
@options.json_option
def merge(files: tuple[Path, ...], minus: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Add counts of one recipe, and take counts away, exactly: shards become a whole, documents are forgotten."""
    from ...counts import Counts
    from ...foundation.files import updating

    with updating(out, waiting=say), progress("merging", quiet=as_json) as show:
        total = Counts.load(files[0])
        show(total.n_documents, files[0].stat().st_size)
        for path in files[1:]:
            shard = Counts.load(path)
            total = total + shard
            show(shard.n_documents, path.stat().st_size)
        for path in minus:
            total = total - Counts.load(path)
        total.save(out)
    if as_json:
        print_json(sizes(out, total))
        return
    echo(sizes_text(out, total))
    next_command(f"rubricate terms {out}")


def load_or_count(
    path: str, recipe: Recipe | str, jobs: int | None, read_options: dict[str, Any], *, quiet: bool
) -> tuple[Counts, Tally | None]:
    """Counts from a file of counts, or by counting documents; of these also the tally of rows."""
    from ...counts import Counts
    from ...counts.one_pass import count

    if options.is_counts(path):
        return Counts.load(path), None
    corpus = options.open_corpus(path, **read_options)
    with progress("counting", quiet=quiet) as show:
        parsed = options.parse_recipe(recipe) if isinstance(recipe, str) else recipe
        counts = count(corpus, parsed, jobs=jobs, progress=show)
    return counts, corpus.tally


def sizes(file: Path, counts: Counts) -> dict[str, Any]:
    numbers = {"documents": counts.n_documents, "labels": len(counts.labels), "terms": len(counts.term_array)}
    return {"file": str(file), **numbers, "recipe": counts.fingerprint}


def sizes_text(file: Path, counts: Counts) -> str:
    return f"{file}: {counts.n_documents:,} documents, {len(counts.labels):,} labels, {len(counts.term_array):,} terms"
