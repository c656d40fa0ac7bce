"""rubricate merge A.counts B.counts -o FILE"""

from __future__ import annotations

from pathlib import Path

import click

from ..options import as_json, with_folder
from ..output import echo, next_command, print_json, progress, say


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--minus", multiple=True, type=click.Path(path_type=Path), help="Counts to take away; may be given again."
)
@click.option("--out", "-o", required=True, type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
@as_json
def command(files: tuple[Path, ...], minus: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Add counts of one recipe, and take counts away, exactly: shards become a whole, documents are forgotten."""
    from ...counts import Counts
    from ...foundation.files import updating

    with_folder(out)
    with updating(out, waiting=say), progress("merging", quiet=as_json) as show:
        total = Counts.load(files[0])
        show(total.n_documents, files[0].stat().st_size)
        for path in files[1:]:
            added = Counts.load(path)
            total = total + added
            show(added.n_documents, path.stat().st_size)
        for path in minus:
            total = total - Counts.load(path)
        total.save(out)
    told = {
        "file": str(out),
        "documents": total.n_documents,
        "labels": len(total.labels),
        "terms": len(total.term_array),
        "recipe": total.fingerprint,
    }
    if as_json:
        print_json(told)
        return
    echo(f"{out}: {total.n_documents:,} documents, {len(total.labels):,} labels, {len(total.term_array):,} terms")
    next_command(f"rubricate terms {out}")
