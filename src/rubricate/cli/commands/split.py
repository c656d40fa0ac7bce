"""rubricate split PATH --test-set HOW -o FOLDER"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..options import FOLDER, RenamedOption, json_option, open_corpus, reading_options, seed_option
from ..output import echo, json_line, next_command, print_json, report_rows


@click.command("split")
@reading_options
@click.option(
    "--test-set",
    "--test",
    "test_set",
    cls=RenamedOption,
    required=True,
    metavar="HOW",
    help="0.3 (a fraction), 200 (documents), 10pc (of each label), FILE (ids, one a line), "
    "field=value, or field>=1987-04-08 (a date, or anything that sorts as text).",
)
@click.option("--keep", multiple=True, metavar="COLUMN", help="Further columns to write.")
@seed_option(help="Of the random choice.")
@click.option("--out", "-o", required=True, type=FOLDER, help="Folder to write to.")
@json_option
def command(
    path: str, test_set: str, keep: tuple[str, ...], seed: int, out: Path, as_json: bool, **read_options: Any
) -> None:
    """Split labelled documents into train.jsonl and test.jsonl, stratified by label."""
    from ...corpus.splits import parse_split

    how = parse_split(test_set)
    columns = {*keep, how["field"]} if "field" in how else set(keep)
    files = {name: out / f"{name}.jsonl" for name in ("train", "test")}
    corpus = open_corpus(path, keep=tuple(sorted(columns)), outputs=files.values(), **read_options)
    train, held_out = corpus.split(seed=seed, **how)
    out.mkdir(parents=True, exist_ok=True)
    sizes = {name: write_part(part, files[name]) for name, part in (("train", train), ("test", held_out))}
    if as_json:
        print_json({"folder": str(out), **sizes})
        return
    echo(f"{out}/train.jsonl: {sizes['train']:,} documents; {out}/test.jsonl: {sizes['test']:,} documents")
    report_rows(corpus.tally, read_options["rejects"])
    next_command(f"rubricate count {out}/train.jsonl -o {out}/train.counts")


def write_part(part: Any, path: Path) -> int:
    """Write a corpus as JSON Lines, atomically; the number of its documents."""
    from ...foundation.files import write_atomically

    documents = 0

    def lines() -> Iterator[bytes]:
        nonlocal documents
        for document in part.documents():
            documents += 1
            row = {"id": document.id, **document.fields, "labels": list(document.labels), **document.kept}
            yield json_line(row)

    write_atomically(path, lines())
    return documents
