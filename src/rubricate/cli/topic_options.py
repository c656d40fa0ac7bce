"""What the commands about topics share: the folder, its background collection, and documents by their ids."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import READ_OPTIONS, buffer_stdin, corpus_options, open_corpus, source_arguments, together
from .output import plural, progress, say

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..relevance.routing import Query, Topics


topics_option = click.option(
    "--topics",
    "folder",
    envvar="RUBRICATE_TOPICS",
    default="topics",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of topics (or RUBRICATE_TOPICS).",
)
pile_options = together(
    click.option(
        "--from", "path", metavar="PILE", help="Where the documents are; the pile last ranked or screened if not given."
    ),
    corpus_options,
)


def topics_flag(folder: Path) -> str:
    """The folder as it must be typed again; nothing where it is the usual one."""
    return "" if str(folder) == "topics" else f" --topics {shlex.quote(str(folder))}"


def pile_record(path: str, read_options: dict[str, Any]) -> dict[str, Any]:
    """A pile as the folder of topics stores it: where it is, and how it is read."""
    file = Path(path)
    record: dict[str, Any] = {"path": str(file.resolve()) if file.exists() else path}
    for name in READ_OPTIONS:
        value = read_options[name]
        if name == "keep_going":
            record |= {name: True} if value else {}
        elif value and name not in ("rejects", "strict"):
            record[name] = list(value) if isinstance(value, tuple) else str(value)
    return record


def last_pile(topics: Topics, read_options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The pile last ranked or screened, and how it is read; options of this call come first."""
    from ..errors import InvalidSetting

    if topics.pile is None:
        raise InvalidSetting("say where the documents are: --from PILE (a file, a folder, or a collection)")
    last = dict(topics.pile)
    path = last.pop("path")
    if "data" in last:
        last["data"] = Path(last["data"])
    if "text" in last:
        last["text"] = tuple(last["text"])
    stored = {name: value for name, value in last.items() if not read_options.get(name) or name == "encoding"}
    return str(path), {**read_options, **stored}


def with_background(
    topics: Topics, path: str, corpus: Corpus, *, jobs: int | None, quiet: bool, read_options: dict[str, Any]
) -> Corpus:
    """The corpus; where the folder has no background collection yet, these documents become it, which reads them once more."""
    from ..counts.one_pass import count

    if topics.has_collection:
        return corpus
    corpus = buffer_stdin(path, corpus)
    with progress("counting the background collection", quiet=quiet) as show:
        counts = count(corpus, topics.recipe, jobs=jobs, progress=show)
    if topics.keep_first_collection(counts) and not quiet:
        where = "standard input" if path == "-" else source_arguments(path, read_options)
        documents = plural(counts.n_documents, "document")
        say(f"these {documents} ({where}) are now the background collection that weights are reckoned with")
    return corpus


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document: its terms and how often each occurs, and its text."""

    terms: dict[str, int]
    text: str


def find_documents(topics: Topics, corpus: Corpus, ids: Iterable[str]) -> dict[str, FoundDocument]:
    """Documents of a corpus by their ids; ids that are not there are left out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..corpus import ID, Corpus
    from ..counts.one_pass import tabulate

    id_set = pa.array(sorted(set(ids)), pa.string())
    parts = []
    for batch in corpus:
        inside = pc.is_in(batch.column(ID), value_set=id_set)
        if pc.any(inside).as_py():
            parts.append(batch.filter(inside))
    matches = Corpus.from_batches(parts, columns=corpus.columns, name=corpus.name)
    table = tabulate(matches, topics.recipe)
    documents = {}
    for row, (name, text) in enumerate(zip(table.ids, matches.texts, strict=True)):
        cells = slice(table.X.indptr[row], table.X.indptr[row + 1])
        terms = [table.terms[column] for column in table.X.indices[cells].tolist()]
        documents[name] = FoundDocument(dict(zip(terms, table.X.data[cells].tolist(), strict=True)), text)
    return documents


def open_pile(topics: Topics, path: str | None, read_options: dict[str, Any]) -> tuple[str, dict[str, Any], Corpus]:
    """The pile at `path`, or the last one; how it is read; and its documents."""
    if path is None:
        path, read_options = last_pile(topics, read_options)
    return path, read_options, open_corpus(path, **{name: read_options[name] for name in READ_OPTIONS})


def query_record(query: Query) -> dict[str, Any]:
    """A query for programs."""
    return query.as_dict() | {"terms": dict(query.best_first)}


def threshold_text(threshold: dict[str, Any] | None) -> str:
    """A threshold in a few words."""
    if threshold is None:
        return "none yet: judge yes and no"
    measure = (
        ""
        if threshold["measure"] is None
        else f" ({threshold['goal']}: {threshold['measure']:.2f}, {threshold['source']})"
    )
    return f"{float(threshold['at']):.4f}{measure}"
