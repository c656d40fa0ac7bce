"""rubricate replicate PAPER"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..options import json_option
from ..output import echo, next_command, say

if TYPE_CHECKING:
    from rubricate_papers.frame import Result


@click.command("replicate")
@click.argument("paper", metavar="PAPER")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the collections (or RUBRICATE_DATA).")
@click.option("--quick", is_flag=True, help="Fewer documents, sizes and repetitions: seconds to a few minutes.")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write numbers, plots and one page for all replications there.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of splits, samples and orders.")
@json_option
def command(paper: str, data: Path | None, quick: bool, out: Path | None, seed: int, as_json: bool) -> None:
    """Run a paper's experiments again, ours beside theirs. PAPER is joachims, lewis, routing (of the same paper),
    schneider, wilbur_kim or sable, its number (000 to 004), or all."""
    from rubricate_papers import ready, replicate, replication_named
    from rubricate_papers.frame.files import as_json as as_written
    from rubricate_papers.frame.files import write_all
    from rubricate_papers.frame.text import lines

    names = ready() if paper == "all" else [replication_named(paper)]
    results: list[Result] = []
    for name in names:
        say(f"{name}{' (quick)' if quick else ''}")
        results.append(replicate(name, data=data, quick=quick, seed=seed, tell=say))
        if not as_json:
            for line in ["", *lines(results[-1]), ""]:
                echo(line)
        if out is not None:
            page = write_all(results[-1:], out)
            say(f"{page}: {page.stat().st_size:,} bytes; open it in a browser")
    if as_json:
        click.echo(as_written(results[0] if paper != "all" else results), nl=False)  # JSON, whole
    elif out is None:
        next_command(f"rubricate replicate {paper} {'--quick ' if quick else ''}--out replications")
