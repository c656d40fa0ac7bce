"""What the commands about topics share: the folder, its collection, and documents looked up by their ids."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import READING, Function, opened, reading, same_source
from .output import counted, progress, say

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..relevance.routing import Query, Topics

__all__ = [
    "Looked",
    "looked_up",
    "opened_pile",
    "pile_of",
    "reading_from",
    "remembered",
    "topics_folder",
    "typed",
    "with_collection",
]


def topics_folder(function: Function) -> Function:
    """The folder of topics."""
    return click.option(
        "--topics",
        "folder",
        envvar="RUBRICATE_TOPICS",
        default="topics",
        show_default=True,
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder of topics (or RUBRICATE_TOPICS).",
    )(function)


def reading_from(function: Function) -> Function:
    """--from PILE and how to read it: as `reading`, whose path is an argument."""
    function = reading(function)
    held: Any = function
    held.__click_params__ = [one for one in held.__click_params__ if one.name != "path"]
    return click.option(
        "--from", "path", metavar="PILE", help="Where the documents are; the pile last ranked or screened if not given."
    )(function)


def typed(folder: Path) -> str:
    """The folder as it must be typed again; nothing where it is the usual one."""
    return "" if str(folder) == "topics" else f" --topics {shlex.quote(str(folder))}"


def pile_of(path: str, given: dict[str, Any]) -> dict[str, Any]:
    """A pile as it is remembered: where it is, and how it is read."""
    there = Path(path)
    told: dict[str, Any] = {"path": str(there.resolve()) if there.exists() else path}
    for name in READING:
        value = given[name]
        if name == "keep_going":
            told |= {name: True} if value else {}
        elif value and name not in ("rejects", "strict"):
            told[name] = list(value) if isinstance(value, tuple) else str(value)
    return told


def remembered(topics: Topics, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The pile last ranked or screened, and how it is read; what is given now comes first."""
    from ..errors import InvalidSetting

    if topics.pile is None:
        raise InvalidSetting("say where the documents are: --from PILE (a file, a folder, or a collection)")
    held = dict(topics.pile)
    path = held.pop("path")
    if "data" in held:
        held["data"] = Path(held["data"])
    if "text" in held:
        held["text"] = tuple(held["text"])
    own = {**given, **{name: value for name, value in held.items() if not given.get(name) or name == "encoding"}}
    return str(path), own


def with_collection(
    topics: Topics, path: str, corpus: Corpus, *, jobs: int | None, quiet: bool, given: dict[str, Any]
) -> Corpus:
    """The corpus; where the folder has no collection yet, these documents become it. Standard input is held for that."""
    from ..counts.one_pass import count

    if topics.has_collection:
        return corpus
    held = corpus.in_memory() if path == "-" else corpus
    with progress("counting the collection", quiet=quiet) as show:
        counts = count(held, topics.recipe, jobs=jobs, progress=show)
    if topics.keep_first_collection(counts) and not quiet:
        where = "standard input" if path == "-" else same_source(path, given)
        say(
            f"these {counted(counts.n_documents, 'document')} ({where}) are now the collection that weights are reckoned with"
        )
    return held


@dataclass(frozen=True, slots=True)
class Looked:
    """A document that was looked up: its terms and how often each occurs, and its text."""

    terms: dict[str, int]
    text: str


def looked_up(topics: Topics, corpus: Corpus, wanted: Iterable[str]) -> dict[str, Looked]:
    """Documents of a corpus by their ids; ids that are not there are not in the answer."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..corpus import ID, Corpus
    from ..counts.one_pass import tabulate

    ids = pa.array(sorted(set(wanted)), pa.string())
    parts = []
    for batch in corpus:
        inside = pc.is_in(batch.column(ID), value_set=ids)
        if pc.any(inside).as_py():
            parts.append(batch.filter(inside))
    found = Corpus.from_batches(parts, columns=corpus.columns, name=corpus.name)
    table = tabulate(found, topics.recipe)
    out = {}
    for row, (name, text) in enumerate(zip(table.ids, found.texts, strict=True)):
        own = slice(table.X.indptr[row], table.X.indptr[row + 1])
        names = [table.terms[at] for at in table.X.indices[own].tolist()]
        out[name] = Looked(dict(zip(names, table.X.data[own].tolist(), strict=True)), text)
    return out


def opened_pile(topics: Topics, path: str | None, given: dict[str, Any]) -> tuple[str, dict[str, Any], Corpus]:
    """The pile that was named, or the one remembered; opened."""
    if path is None:
        path, given = remembered(topics, given)
    return path, given, opened(path, **{name: given[name] for name in READING})


def of_query(query: Query) -> dict[str, Any]:
    """What programs are told of a query."""
    told = query.as_dict()
    told["terms"] = dict(query.best_first)
    return told


def cut_told(cut: dict[str, Any] | None) -> str:
    """A cut in a few words."""
    if cut is None:
        return "none yet: judge yes and no"
    measure = "" if cut["measure"] is None else f" ({cut['goal']}: {cut['measure']:.2f}, {cut['source']})"
    return f"{float(cut['at']):.4f}{measure}"
