"""rubricate collections; rubricate replicate PAPER"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import FOLDER, PATH, json_option, seed_option
from ..output import echo, next_command, print_json, say

if TYPE_CHECKING:
    from rubricate_papers.frame import Result

data_option = click.option("--data", type=PATH, help="Folder of the collections (or RUBRICATE_DATA).")


@click.command("collections")
@click.argument("name", required=False)
@data_option
@click.option("--verify", is_flag=True, help="Compare the files you have with the table, document by document.")
@json_option
def show_collections(name: str | None, data: Path | None, verify: bool, as_json: bool) -> None:
    """The papers' collections: what each is, its versions and sizes, and where a person gets it."""
    from ...corpus import collections
    from ...errors import UnknownName

    if name is not None and name not in collections.COLLECTIONS:
        raise UnknownName("collection", name, collections.COLLECTIONS)
    matches = [collection for collection in collections.available() if name in (None, collection.name)]
    entries = []
    for collection in matches:
        versions = collection.versions
        entry: dict[str, Any] = {
            "name": collection.name,
            "title": collection.title,
            "about": collection.about,
            "papers": list(collection.papers),
            "versions": {
                version.name: {"about": version.about, **collection.sizes[version.name]} for version in versions
            },
            "source": collection.source,
            "terms": collection.terms,
        }
        if verify:
            verified = {version.name: verification(collection.name, version.name, data) for version in versions}
            entry["verified"] = verified
        entries.append(entry)
    if as_json:
        print_json(entries)
        return
    for entry, collection in zip(entries, matches, strict=True):
        echo(f"  {collection.title}", bold=f"{collection.name}")
        echo(f"  {collection.about}")
        for version in collection.versions:
            sizes = " / ".join(f"{part.documents:,} {part_name}" for part_name, part in version.parts.items())
            verdict = f"  [{entry['verified'][version.name]}]" if verify else ""
            echo(f"  version {version.name}: {sizes}; {version.about}{verdict}")
        echo(f"  used by {', '.join(collection.papers) or 'the documentation'}; from {collection.source}")
        echo(f"  terms: {collection.terms}")
        echo()
    say("Put the files as they are distributed into one folder and name it with --data or RUBRICATE_DATA.")
    next_command(f"rubricate info {name or 'reuters21578'} --data FOLDER")


def verification(name: str, version: str, data: Path | None) -> str:
    """Whether the files of a version are those of the table: same, differs, or what is missing."""
    from ...corpus import collections
    from ...errors import MissingData

    try:
        return "same" if collections.verify(name, version, data).same else "differs"
    except MissingData as missing:
        return f"missing: {missing.what}"


@click.command("replicate")
@click.argument("paper", metavar="PAPER")
@data_option
@click.option("--quick", is_flag=True, help="Fewer documents, sizes and repetitions: seconds to a few minutes.")
@click.option(
    "--out", "-o", type=FOLDER, metavar="FOLDER", help="Write numbers, plots and one page for all replications there."
)
@seed_option(help="Of splits, samples and orders.")
@json_option
def run_replication(paper: str, data: Path | None, quick: bool, out: Path | None, seed: int, as_json: bool) -> None:
    """Run a paper's experiments again, ours beside theirs. PAPER is joachims, lewis, routing (of the same paper),
    schneider, wilbur_kim or sable, its number (000 to 004), or all."""
    from rubricate_papers import ready, replicate, replication_named
    from rubricate_papers.frame.files import as_json as as_written
    from rubricate_papers.frame.files import write_all
    from rubricate_papers.frame.text import lines

    results: list[Result] = []
    for name in ready() if paper == "all" else [replication_named(paper)]:
        say(f"{name}{' (quick)' if quick else ''}")
        results.append(replicate(name, data=data, quick=quick, seed=seed, tell=say))
        if not as_json:
            for line in ["", *lines(results[-1]), ""]:
                echo(line)
        if out is not None:
            page = write_all(results[-1:], out)
            say(f"{page}: {page.stat().st_size:,} bytes; open it in a browser")
    if as_json:
        sys.stdout.buffer.write(as_written(results[0] if paper != "all" else results))
    elif out is None:
        next_command(f"rubricate replicate {paper} {'--quick ' if quick else ''}--out replications")
