"""What the commands about topics share: the folder, its background collection, and piles of documents."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import FOLDER, READ_OPTIONS, buffer_stdin, combine_options, corpus_options, open_corpus, source_arguments
from .output import plural, progress, say

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..relevance.routing import Query, Run, Topics


topics_option = click.option(
    "--topics",
    "folder",
    envvar="RUBRICATE_TOPICS",
    default="topics",
    show_default=True,
    type=FOLDER,
    help="Folder of topics (or RUBRICATE_TOPICS).",
)
topic_names_option = click.option(
    "--topic", "names", multiple=True, metavar="NAME", help="These topics alone; all if not given."
)
pile_options = combine_options(
    click.option(
        "--from", "path", metavar="PILE", help="Where the documents are; the pile last ranked or screened if not given."
    ),
    corpus_options,
)


def topics_flag(folder: Path) -> str:
    """The folder as it must be typed again; nothing where it is the usual one."""
    return "" if str(folder) == "topics" else f" --topics {shlex.quote(str(folder))}"


@dataclass(slots=True)
class Pile:
    """Documents to rank, judge or screen: where they are, and how they are read (READ_OPTIONS)."""

    path: str
    read_options: dict[str, Any]
    source: Corpus  # its tally counts the rows
    corpus: Corpus  # the same documents; standard input is held in memory where it is read twice

    @classmethod
    def open(cls, path: str, read_options: dict[str, Any], *outputs: Path | None) -> Pile:
        corpus = open_corpus(path, outputs=outputs, **read_options)
        return cls(path, read_options, corpus, corpus)

    @classmethod
    def open_or_last(cls, topics: Topics, path: str | None, read_options: dict[str, Any]) -> Pile:
        """The pile at `path`; without it the one last ranked or screened, where options of this call come first."""
        from ..errors import InvalidSetting

        if path is not None:
            return cls.open(path, read_options)
        if topics.pile is None:
            raise InvalidSetting("say where the documents are: --from PILE (a file, a folder, or a collection)")
        last = dict(topics.pile)
        path = str(last.pop("path"))
        if "data" in last:
            last["data"] = Path(last["data"])
        if "text" in last:
            last["text"] = tuple(last["text"])
        stored = {name: value for name, value in last.items() if not read_options.get(name) or name == "encoding"}
        merged = {**read_options, **stored}
        return cls.open(path, {name: merged[name] for name in READ_OPTIONS})

    def arguments(self) -> str:
        return source_arguments(self.path, self.read_options)

    def buffer(self) -> None:
        if self.corpus is self.source:
            self.corpus = buffer_stdin(self.path, self.source)

    def remember(self, topics: Topics) -> None:
        """Where it is and how it is read, for the next command without --from; standard input cannot be read again."""
        if self.path == "-":
            return
        file = Path(self.path)
        record: dict[str, Any] = {"path": str(file.resolve()) if file.exists() else self.path}
        for name in READ_OPTIONS:
            value = self.read_options[name]
            if name == "keep_going":
                record |= {name: True} if value else {}
            elif value and name not in ("rejects", "strict"):
                record[name] = list(value) if isinstance(value, tuple) else str(value)
        topics.remember_pile(record)

    def become_background(self, topics: Topics, *, jobs: int | None, quiet: bool) -> None:
        """Where the folder has no background collection yet, these documents become it, which reads them once more."""
        from ..counts.one_pass import count

        if topics.has_collection:
            return
        self.buffer()
        with progress("counting the background collection", quiet=quiet) as show:
            counts = count(self.corpus, topics.recipe, jobs=jobs, progress=show)
        if topics.keep_first_collection(counts) and not quiet:
            where = "standard input" if self.path == "-" else self.arguments()
            documents = plural(counts.n_documents, "document")
            say(f"these {documents} ({where}) are now the background collection that weights are reckoned with")

    def rank(
        self, topics: Topics, names: Iterable[str], *, jobs: int | None, quiet: bool
    ) -> tuple[dict[str, Query], dict[str, Run], list[list[str]]]:
        """The topics' queries, all documents with their scores for each topic, in one pass, and the labels they came with."""
        import numpy as np

        from ..relevance.routing import Router, Run

        self.become_background(topics, jobs=jobs, quiet=quiet)
        queries = {name: topics.query(topics.topic(name)) for name in names}
        router = Router(queries, topics.collection, form=topics.form)
        ids: list[str] = []
        labels: list[list[str]] = []
        parts = []
        with progress("ranking", quiet=quiet) as show:
            for piece in router.scores(self.corpus, jobs=jobs, progress=show):
                ids += piece.ids
                labels += piece.labels
                parts.append(piece.scores)
        scores = np.concatenate(parts) if parts else np.zeros((0, len(queries)))
        return queries, {name: Run(ids, scores[:, at]) for at, name in enumerate(router.names)}, labels


def without_documents(run: Run, documents: Container[str]) -> Run:
    from ..relevance.routing import Run

    rows = [row for row, document in enumerate(run.documents) if document not in documents]
    return Run([run.documents[row] for row in rows], run.scores[rows])


@dataclass(frozen=True, slots=True)
class DocumentTerms:
    """A document: its terms and how often each occurs, and its text."""

    terms: dict[str, int]
    text: str


def find_documents(topics: Topics, corpus: Corpus, ids: Iterable[str]) -> dict[str, DocumentTerms]:
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
        documents[name] = DocumentTerms(dict(zip(terms, table.X.data[cells].tolist(), strict=True)), text)
    return documents


def threshold_text(threshold: dict[str, Any] | None) -> str:
    if threshold is None:
        return "none yet: judge yes and no"
    score, measure = f"{float(threshold['at']):.4f}", threshold["measure"]
    return score if measure is None else f"{score} ({threshold['goal']}: {measure:.2f}, {threshold['source']})"
