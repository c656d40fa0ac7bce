"""rubricate collections"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import json_option
from ..output import echo, next_command, print_json, say


@click.command("collections")
@click.argument("name", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the collections (or RUBRICATE_DATA).")
@click.option("--verify", is_flag=True, help="Compare the files you have with the table, document by document.")
@json_option
def command(name: str | None, data: Path | None, verify: bool, as_json: bool) -> None:
    """The papers' collections: what each is, its versions and sizes, and where a person gets it."""
    from ...corpus import collections
    from ...errors import UnknownName

    if name is not None and name not in collections.COLLECTIONS:
        raise UnknownName("collection", name, collections.COLLECTIONS)
    listed = [collection for collection in collections.available() if name in (None, collection.name)]
    entries = []
    for collection in listed:
        entry: dict[str, Any] = {
            "name": collection.name,
            "title": collection.title,
            "about": collection.about,
            "papers": list(collection.papers),
            "versions": {
                version.name: {"about": version.about, **collection.sizes[version.name]}
                for version in collection.versions
            },
            "source": collection.source,
            "terms": collection.terms,
        }
        if verify:
            entry["verified"] = {
                version.name: verification(collection.name, version.name, data) for version in collection.versions
            }
        entries.append(entry)
    if as_json:
        print_json(entries)
        return
    for entry, collection in zip(entries, listed, strict=True):
        echo(f"  {collection.title}", bold=f"{collection.name}")
        echo(f"  {collection.about}")
        for version in collection.versions:
            sizes = " / ".join(f"{part.documents:,} {part_name}" for part_name, part in version.parts.items())
            verified = f"  [{entry['verified'][version.name]}]" if verify else ""
            echo(f"  version {version.name}: {sizes}; {version.about}{verified}")
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
