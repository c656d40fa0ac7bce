"""rubricate collections"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import as_json
from ..output import echo, next_command, print_json, say


@click.command("collections")
@click.argument("name", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the collections (or RUBRICATE_DATA).")
@click.option("--verify", is_flag=True, help="Compare the files you have with the table, document by document.")
@as_json
def command(name: str | None, data: Path | None, verify: bool, as_json: bool) -> None:
    """The papers' collections: what each is, its versions and sizes, and where a person gets it."""
    from ...corpus import collections
    from ...errors import MissingData, UnknownName

    if name is not None and name not in collections.COLLECTIONS:
        raise UnknownName("collection", name, collections.COLLECTIONS)
    chosen = [own for own in collections.available() if name in (None, own.name)]
    out = []
    for own in chosen:
        entry: dict[str, Any] = {
            "name": own.name,
            "title": own.title,
            "about": own.about,
            "papers": list(own.papers),
            "versions": {version.name: {"about": version.about, **own.sizes[version.name]} for version in own.versions},
            "source": own.source,
            "terms": own.terms,
        }
        if verify:
            found = {}
            for version in own.versions:
                try:
                    found[version.name] = "same" if collections.verify(own.name, version.name, data).same else "differs"
                except MissingData as missing:
                    found[version.name] = f"missing: {missing.what}"
            entry["verified"] = found
        out.append(entry)
    if as_json:
        print_json(out)
        return
    for entry, own in zip(out, chosen, strict=True):
        echo(f"  {own.title}", bold=f"{own.name}")
        echo(f"  {own.about}")
        for version in own.versions:
            sizes = " / ".join(f"{part.documents:,} {part_name}" for part_name, part in version.parts.items())
            verified = f"  [{entry['verified'][version.name]}]" if verify else ""
            echo(f"  version {version.name}: {sizes}; {version.about}{verified}")
        echo(f"  used by {', '.join(own.papers) or 'the documentation'}; from {own.source}")
        echo(f"  terms: {own.terms}")
        echo()
    say("Put the files as they are distributed into one folder and name it with --data or RUBRICATE_DATA.")
    next_command(f"rubricate info {name or 'reuters21578'} --data FOLDER")
