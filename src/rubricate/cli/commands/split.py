"""rubricate split PATH --test HOW -o FOLDER"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..options import as_json, opened, reading
from ..output import account, echo, next_command, print_json


@click.command("split")
@reading
@click.option(
    "--test",
    required=True,
    metavar="HOW",
    help="0.3 (a fraction), 200 (documents), 10pc (of each label), FILE (ids, one a line), "
    "field=value, or field>=1987-04-08 (a date, or anything that sorts as text).",
)
@click.option("--keep", multiple=True, metavar="COLUMN", help="Further columns to write.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the random choice.")
@click.option(
    "--out", "-o", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write to."
)
@as_json
def command(path: str, test: str, keep: tuple[str, ...], seed: int, out: Path, as_json: bool, **given: Any) -> None:
    """Split labelled documents into train.jsonl and test.jsonl, stratified by label."""
    from ...corpus.splits import parse_split

    how = parse_split(test)
    wanted = {*keep, how["field"]} if "field" in how else set(keep)
    files = {name: out / f"{name}.jsonl" for name in ("train", "test")}
    corpus = opened(path, keep=tuple(sorted(wanted)), outputs=files.values(), **given)
    train, held_out = corpus.split(seed=seed, **how)
    out.mkdir(parents=True, exist_ok=True)
    sizes = {name: written(part, files[name]) for name, part in (("train", train), ("test", held_out))}
    if as_json:
        print_json({"folder": str(out), **sizes})
        return
    echo(f"{out}/train.jsonl: {sizes['train']:,} documents; {out}/test.jsonl: {sizes['test']:,} documents")
    account(corpus.tally, given["rejects"])
    next_command(f"rubricate count {out}/train.jsonl -o {out}/train.counts")


def written(part: Any, path: Path) -> int:
    """Write a corpus as JSON Lines, atomically; its size."""
    import orjson

    from ...foundation.files import write_atomically

    number = 0

    def lines() -> Iterator[bytes]:
        nonlocal number
        for document in part.documents():
            number += 1
            row = {"id": document.id, **document.fields, "labels": list(document.labels), **document.kept}
            yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)

    write_atomically(path, lines())
    return number
