"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..terms.recipe import Recipe
    from ..training.text_classifier import TextClassifier

__all__ = [
    "READING",
    "Function",
    "apart",
    "as_json",
    "chosen_recipe",
    "counting",
    "held",
    "in_folder",
    "is_collection",
    "jobs",
    "loaded",
    "model_file",
    "opened",
    "out_file",
    "reading",
    "refuse",
    "same_source",
    "watched",
    "with_folder",
]

# what `reading` gives to a command, besides the path
READING = (
    "format", "text", "labels", "id", "encoding", "label_delimiter", "data", "collection_version", "part", "rejects", "strict",
    "keep_going",
)  # fmt: skip
Function = TypeVar("Function", bound=Callable[..., Any])


def reading(function: Function) -> Function:
    """PATH and how to read it."""
    for option in reversed(
        [
            click.argument("path", metavar="PATH"),
            click.option(
                "--format", "-f", help="jsonl, csv, tsv, parquet, folders, fasttext or mbox; found out by content."
            ),
            click.option(
                "--text", "-t", multiple=True, metavar="COLUMN", help="Text column; give it again for more fields."
            ),
            click.option("--labels", "-l", metavar="COLUMN", help="Column with the labels."),
            click.option("--id", metavar="COLUMN", help="Column with the ids."),
            click.option(
                "--encoding",
                default="auto",
                show_default=True,
                help="Encoding of text files; auto: UTF-8, or cp1252 (Windows) if a table is not UTF-8.",
            ),
            click.option("--label-delimiter", metavar="TEXT", help="What stands between several labels in one cell."),
            click.option(
                "--data", type=click.Path(path_type=Path), help="Folder of the papers' collections (or RUBRICATE_DATA)."
            ),
            click.option("--version", "collection_version", metavar="NAME", help="Version of a collection, e.g. 90."),
            click.option("--part", type=click.Choice(["train", "test"]), help="One part of a collection's split."),
            click.option(
                "--rejects", type=click.Path(path_type=Path), help="Write rows that cannot be used to this file."
            ),
            click.option("--strict", is_flag=True, help="Stop at the first row that cannot be used."),
            click.option(
                "--keep-going",
                is_flag=True,
                help="Go on even if more than a tenth of the rows cannot be used for one and the same reason.",
            ),
        ]
    ):
        function = option(function)
    return function


def counting(function: Function) -> Function:
    """The recipe and the number of threads."""
    for option in reversed(
        [
            click.option(
                "--recipe",
                "-r",
                default="",
                metavar="RECIPE",
                help="How text becomes terms: a preset (joachims, lewis, sable, schneider, wilbur_kim), settings "
                "(tokens=letters,numbers=drop,stop=english,stem=english,pairs,min_length=2), or both.",
            ),
            jobs,
        ]
    ):
        function = option(function)
    return function


def jobs(function: Function) -> Function:
    """The number of threads."""
    return click.option("--jobs", "-j", type=click.IntRange(min=1), help="Threads; all cores if not given.")(function)


def model_file(function: Function) -> Function:
    """MODEL, a file that `train` wrote."""
    return click.argument("model", metavar="MODEL", type=click.Path(path_type=Path))(function)


def out_file(text: str, *, required: bool = False) -> Callable[[Function], Function]:
    """FILE, written beside and renamed."""
    return click.option("--out", "-o", required=required, type=click.Path(path_type=Path, dir_okay=False), help=text)


def as_json(function: Function) -> Function:
    """Output for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def chosen_recipe(text: str) -> Recipe:
    """The recipe written after --recipe."""
    from ..terms.recipe import Recipe

    return Recipe.parse(text)


def same_source(path: str, given: dict[str, Any]) -> str:
    """PATH and how it was read, as they would be typed again."""
    words = [path]
    for name, flag in (("format", "-f"), ("labels", "-l"), ("id", "--id"), ("label_delimiter", "--label-delimiter")):
        words += [flag, given[name]] if given[name] else []
    for column in given["text"]:
        words += ["-t", column]
    words += ["--encoding", given["encoding"]] if given["encoding"] != "auto" else []
    for name, flag in (("data", "--data"), ("collection_version", "--version"), ("part", "--part")):
        words += [flag, str(given[name])] if given[name] else []
    words += ["--keep-going"] if given["keep_going"] else []
    return shlex.join(words)


def apart(path: str | Path, *outputs: Path | None) -> None:
    """Refuse to write over what is being read: the documents, or a model."""
    from ..corpus.rejects import same_file
    from ..errors import InvalidSetting

    for output in outputs:
        if output is not None and same_file(output, path):
            name = "standard input" if str(path) == "-" else repr(str(path))
            raise InvalidSetting(
                f"{str(output)!r} would be written over {name}, which is read; write it somewhere else"
            )


def opened(path: str, keep: tuple[str, ...] = (), *, outputs: Iterable[Path | None] = (), **given: Any) -> Corpus:
    """The corpus at PATH: a file, a folder, `-`, or one of the papers' collections by name. outputs: files that will be written,
    which must not be PATH or the rejects."""
    from ..corpus import collections
    from ..corpus.readers import read

    apart(path, *outputs)
    if given["rejects"] is not None:
        apart(given["rejects"], *outputs)
    if is_collection(path):
        where: dict[str, Any] = {
            "version": given["collection_version"],
            "data": given["data"],
            "strict": given["strict"],
        }
        if given["part"] is None:
            return collections.read(path, **where)
        return collections.load(path, **where)[given["part"] == "test"]
    return read(
        path,
        format=given["format"],
        text=given["text"] or None,
        labels=given["labels"],
        id=given["id"],
        keep=keep,
        encoding=given["encoding"],
        label_delimiter=given["label_delimiter"],
        strict=given["strict"],
        keep_going=given["keep_going"],
        rejects=given["rejects"],
    )


def refuse(name: str, failure: tuple[str, str] | None) -> None:
    """An error if too many rows failed for one reason: for commands that show first what they have read."""
    from ..errors import InputError

    if failure is not None:
        raise InputError(name, *failure)


def is_collection(path: str) -> bool:
    """Whether PATH is the name of one of the papers' collections, rather than a file or folder."""
    from ..corpus import collections

    return path != "-" and not Path(path).exists() and path in collections.COLLECTIONS


def in_folder(path: Path | None) -> Path | None:
    """A file that lines are added to: that its folder is missing is told before the work, not after."""
    from ..errors import MissingData

    if path is not None and not path.parent.is_dir():
        raise MissingData(str(path.parent), "there is no such folder", "make it first")
    return path


def with_folder(path: Path | None) -> Path | None:
    """A file to be written: that its folder is missing, or that it is no file, is told before the work, not after. A new file is
    put in the place of the old one, which would take a device such as /dev/null away from everybody."""
    from ..errors import InvalidSetting

    in_folder(path)
    if path is not None and os.path.lexists(path) and not path.is_file():
        what = "a folder, a device, a pipe, or a link that leads nowhere"
        raise InvalidSetting(f"{path}: is {what}, and a file would be put in its place; name a file")
    return path


def loaded(path: Path) -> TextClassifier:
    """The model in a file."""
    from .. import load

    return load(path)


def held(path: str, corpus: Corpus) -> Corpus:
    """The corpus, to be read more than once: standard input is held in memory. The account is that of the corpus given."""
    return corpus.in_memory() if path == "-" else corpus


def watched(corpus: Corpus, show: Callable[[int, int], None]) -> Corpus:
    """The same corpus, which tells what is read of it."""
    from ..corpus import Corpus, Tally

    def source(tally: Tally) -> Iterator[Any]:
        for batch in corpus:
            tally.keep(batch.num_rows)
            show(batch.num_rows, sum(batch.column(name).nbytes for name in corpus.fields))
            yield batch
        account = corpus.tally  # what was rejected and repaired belongs to the report of whoever learns from it
        tally.rows_in, tally.rejected = account.rows_in, account.rejected
        tally.reasons, tally.repairs = account.reasons, account.repairs

    return Corpus(source, columns=corpus.columns, name=corpus.name)
