"""rubricate count PATH -o FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import as_json, chosen_recipe, counting, opened, reading, with_folder
from ..output import account, echo, next_command, print_json, progress, rows_told


@click.command("count")
@reading
@counting
@as_json
@click.option("--out", "-o", required=True, type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
def command(path: str, recipe: str, jobs: int | None, as_json: bool, out: Path, **given: Any) -> None:
    """Count a collection once: statistics from which every count model is fitted, into one file.

    The same documents give the same bytes, whatever their order and the number of threads. Counts of parts add up:
    `rubricate merge`.
    """
    from ...counts.one_pass import count

    with_folder(out)
    corpus = opened(path, outputs=[out], **given)
    with progress("counting", quiet=as_json) as show:
        counts = count(corpus, chosen_recipe(recipe), jobs=jobs, progress=show)
    counts.save(out)
    told = {
        "file": str(out),
        "bytes": out.stat().st_size,
        "documents": counts.n_documents,
        "labels": len(counts.labels),
        "terms": len(counts.term_array),
        "recipe": counts.fingerprint,
        "rows": rows_told(corpus.tally),
    }
    if as_json:
        print_json(told)
        return
    echo(
        f"{out}: {counts.n_documents:,} documents, {len(counts.labels):,} labels, {len(counts.term_array):,} terms, "
        f"{told['bytes']:,} bytes"
    )
    account(corpus.tally, given["rejects"])
    next_command(f"rubricate terms {out}")
