"""rubricate demo"""

from __future__ import annotations

import click

from .options import as_json
from .shown import bar, next_command, print_json, printable, progress, say, table


@click.command("demo")
@as_json
def command(as_json: bool) -> None:
    """The sample that ships inside: enquiries to a public library's help desk, their labels and most telling terms."""
    from .. import collections
    from ..counting import count
    from ..recipe import Recipe
    from ..term_scores import telling_terms

    corpus = collections.read("enquiries")
    with progress("counting", quiet=as_json) as show:
        counts = count(corpus, Recipe(stop="english"), progress=show)
    sizes = dict(zip(counts.labels, counts.documents.tolist(), strict=False))
    told = [
        {"label": label, "documents": sizes[label], "terms": [term for term, _ in telling_terms(counts, label, top=6)]}
        for label in sorted(sizes, key=lambda name: (-sizes[name], name))
    ]
    if as_json:
        print_json({"documents": counts.n_documents, "terms": len(counts.term_array), "labels": told})
        return
    click.echo(
        f"{counts.n_documents:,} enquiries to a library's help desk, {len(counts.term_array):,} different terms\n"
    )
    largest = max(sizes.values())
    rows = [
        (entry["label"], entry["documents"], bar(sizes[entry["label"]] / largest, 12), ", ".join(entry["terms"]))
        for entry in told
    ]
    table(rows, ["label", "documents", "", "most telling terms"], right=[1])
    first = next(iter(corpus.documents()))
    click.echo(f"\nfor example {first.id} ({', '.join(first.labels)}):")
    click.echo(f"  {printable(first.text, 300)}")
    say("\nLook further with `rubricate info enquiries`, `rubricate terms enquiries --label research`.")
    next_command("rubricate info YOUR-FILE   (JSONL, CSV, Parquet, a folder per label, mbox, fastText lines, or -)")
