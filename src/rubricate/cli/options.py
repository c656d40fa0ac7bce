"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..corpus import Corpus, Tally
    from ..scoring.predictions import NamedText
    from ..scoring.predictor import Predictor
    from ..terms.recipe import Recipe
    from ..training.text_classifier import TextClassifier


PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
FROM_0, FROM_1 = click.IntRange(min=0), click.IntRange(min=1)
SHARE = click.FloatRange(0, 1)

setting = partial(click.option, show_default=True)
seed_option = partial(setting, "--seed", default=0, type=FROM_0)
top_option = partial(setting, "--top", type=FROM_0)

# what `corpus_options` hand to a command
READ_OPTIONS = (
    "format", "text", "labels", "id", "encoding", "label_delimiter", "data", "collection_version", "part", "rejects", "strict",
    "keep_going",
)  # fmt: skip
SMALL = 1 << 20  # bytes of input
PACKED = {".gz", ".bz2", ".xz", ".zst", ".parquet", ".pq"}
Function = TypeVar("Function", bound=Callable[..., Any])


class RenamedOption(click.Option):
    """An option whose last spelling is an older one: still understood, no longer in the help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """As if there were only the new spellings."""
        new_name = copy(self)
        new_name.opts = self.opts[:-1]
        return click.Option.get_help_record(new_name, ctx)


def combine_options(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Several options as one decorator; the help lists them in this order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


# -- what is wrong with files is told when the command line is read, before anything heavy is imported


def is_collection(path: str) -> bool:
    """Whether PATH is the name of one of the papers' collections, rather than a file or folder."""
    from ..corpus import collections

    return path != "-" and not Path(path).exists() and path in collections.COLLECTIONS


def require_folder(path: Path | None) -> None:
    """An error, before any work, if the folder of a file that will be written is missing."""
    from ..errors import MissingData

    if path is not None and not path.parent.is_dir():
        raise MissingData(str(path.parent), "there is no such folder", "make it first")


def require_output_file(path: Path | None) -> None:
    """An error, before any work, if a file cannot be written: its folder is missing, or it is no file. A new file is renamed to
    the old one's name, which would take a device such as /dev/null away from everybody."""
    from ..errors import InvalidSetting

    require_folder(path)
    if path is not None and os.path.lexists(path) and not path.is_file():
        what = "a folder, a device, a pipe, or a link that leads nowhere"
        raise InvalidSetting(f"{path}: is {what}, and a file would be put in its place; name a file")


def is_missing(path: str | Path) -> bool:
    """Whether there is nothing at all; of what is there but cannot be read, whoever opens it says why."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def check_files(context: click.Context, parameter: click.Parameter, paths: Any) -> Any:
    """Of an argument that names a file, or several, which are read."""
    from ..errors import MissingData

    for path in paths if isinstance(paths, tuple) else (paths,):
        if is_missing(path):
            raise MissingData(str(path), "there is no such file", "check the name")
    return paths


def check_source(context: click.Context, parameter: click.Parameter, path: str) -> str:
    """Of an argument that names documents: a file, a folder, `-`, or one of the papers' collections."""
    from ..errors import MissingData

    if path != "-" and is_missing(path) and not is_collection(path):
        raise MissingData(path, "there is no such file or folder", "check the path")
    return path


def check_output_file(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    require_output_file(path)
    return path


def check_recipe(context: click.Context, parameter: click.Parameter, text: str) -> str:
    if text:
        parse_recipe(text)
    return text


def parse_recipe(text: str) -> Recipe:
    """The recipe written after --recipe."""
    from ..terms.recipe import Recipe

    return Recipe.parse(text)


# -- options

corpus_options = combine_options(
    click.option("--format", "-f", help="jsonl, csv, tsv, parquet, folders, fasttext or mbox; found out by content."),
    click.option("--text", "-t", multiple=True, metavar="COLUMN", help="Text column; give it again for more fields."),
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
    click.option("--rejects", type=click.Path(path_type=Path), help="Write rows that cannot be used to this file."),
    click.option("--strict", is_flag=True, help="Stop at the first row that cannot be used."),
    click.option(
        "--keep-going",
        is_flag=True,
        help="Go on even if more than a tenth of the rows cannot be used for one and the same reason.",
    ),
)
reading_options = combine_options(click.argument("path", metavar="PATH", callback=check_source), corpus_options)
jobs_option = click.option("--jobs", "-j", type=click.IntRange(min=1), help="Threads; all cores if not given.")
counting_options = combine_options(
    click.option(
        "--recipe",
        "-r",
        default="",
        metavar="RECIPE",
        callback=check_recipe,
        help="How text becomes terms: a preset (joachims, lewis, sable, schneider, wilbur_kim), settings "
        "(tokens=letters,numbers=drop,stop=english,stem=english,pairs,min_length=2; pairs are bigrams), or both.",
    ),
    jobs_option,
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
model_argument = click.argument("model", metavar="MODEL", type=PATH, callback=check_files)
by_option = click.option(
    "--by",
    default="relevance",
    show_default=True,
    type=click.Choice(["relevance", "uncertainty", "mixed"]),
    help="The likeliest first; those nearest to the threshold, which teach most; or both in turn.",
)
recall_options = combine_options(
    click.option(
        "--recall",
        "--target",
        "recall",
        cls=RenamedOption,
        default=0.95,
        show_default=True,
        type=click.FloatRange(0, 1, min_open=True),
        help="Recall to reach.",
    ),
    click.option(
        "--confidence",
        "--level",
        "confidence",
        cls=RenamedOption,
        default=0.95,
        show_default=True,
        type=click.FloatRange(0.5, 0.999),
        help="How sure to be of it.",
    ),
)


def out_option(text: str, *, required: bool = False) -> Callable[[Function], Function]:
    """FILE, written beside and renamed."""
    return click.option("--out", "-o", required=required, type=FILE, callback=check_output_file, help=text)


def source_arguments(path: str, read_options: dict[str, Any]) -> str:
    """PATH and how it was read, as they would be typed again."""
    words = [path]
    for name, flag in (("format", "-f"), ("labels", "-l"), ("id", "--id"), ("label_delimiter", "--label-delimiter")):
        words += [flag, read_options[name]] if read_options[name] else []
    for column in read_options["text"]:
        words += ["-t", column]
    words += ["--encoding", read_options["encoding"]] if read_options["encoding"] != "auto" else []
    for name, flag in (("data", "--data"), ("collection_version", "--version"), ("part", "--part")):
        words += [flag, str(read_options[name])] if read_options[name] else []
    words += ["--keep-going"] if read_options["keep_going"] else []
    return shlex.join(words)


def refuse_overwriting(path: str | Path, *outputs: Path | None) -> None:
    """Refuse to write over what is being read: the documents, or a model."""
    from ..corpus.tally import same_file
    from ..errors import InvalidSetting

    for output in outputs:
        if output is not None and same_file(output, path):
            name = "standard input" if str(path) == "-" else repr(str(path))
            raise InvalidSetting(
                f"{str(output)!r} would be written over {name}, which is read; write it somewhere else"
            )


def open_corpus(
    path: str, keep: tuple[str, ...] = (), *, outputs: Iterable[Path | None] = (), **options: Any
) -> Corpus:
    """The corpus at PATH: a file, a folder, `-`, or one of the papers' collections by name. outputs: files that will be written,
    which must not be PATH or the rejects. options: READ_OPTIONS."""
    from ..corpus import collections
    from ..corpus.readers import read

    refuse_overwriting(path, *outputs)
    if options["rejects"] is not None:
        refuse_overwriting(options["rejects"], *outputs)
    version, data, part = (options.pop(name) for name in ("collection_version", "data", "part"))
    if not is_collection(path):
        return read(path, keep=keep, **{**options, "text": options["text"] or None})
    where: dict[str, Any] = {"version": version, "data": data, "strict": options["strict"]}
    return collections.read(path, **where) if part is None else collections.load(path, **where)[part == "test"]


def refuse(name: str, failure: tuple[str, str] | None) -> None:
    """An error if too many rows failed for one reason: for commands that show first what they have read."""
    from ..errors import InputError

    if failure is not None:
        raise InputError(name, *failure)


def is_counts(path: str) -> bool:
    """Whether PATH is a file that `rubricate count` wrote."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as start:
        return start.read(17) == b"rubricate counts "


def load_model(path: Path) -> TextClassifier:
    """The model in a file."""
    from .. import load

    return load(path)


def load_predictor(path: Path) -> Predictor:
    """The model in a file, by numpy alone."""
    from ..scoring.predictor import Predictor

    return Predictor.load(path)


def is_small(path: str, *, share: float = 1.0) -> bool:
    """Whether PATH holds so little text that loading a model with its compiled loops (3 CPU seconds) would take longer than to do
    without them (3 seconds a megabyte). share: of SMALL, for work that needs the loops alone, which load in half the time."""
    if path == "-" or not Path(path).is_file():
        return False
    packed = Path(path).suffix.lower() in PACKED
    return Path(path).stat().st_size <= share * (SMALL // 4 if packed else SMALL)


def named_texts(corpus: Corpus, show: Callable[[int, int], None]) -> Iterator[NamedText]:
    """The documents of a corpus, one by one; show(documents, bytes) is called for each."""
    from ..scoring.predictions import NamedText

    for document in corpus.documents():
        show(1, sum(map(len, document.fields.values())))
        yield NamedText(document.id, document.fields, document.labels)


def follow_documents(
    path: str, handle: Callable[[list[str], Corpus], None], options: dict[str, Any], *, idle: float | None = None
) -> Tally:
    """Hand over documents as they are written to standard input or a growing file; an interrupt is the usual end of a stream
    that has none. options: READ_OPTIONS."""
    from ..corpus import Tally
    from ..corpus.readers.columns import ColumnRequest
    from ..corpus.readers.live import follow
    from ..corpus.tally import RejectsFile

    columns = options["text"] or None, options["labels"], options["id"]
    request, tally = (
        ColumnRequest(*columns, label_delimiter=options["label_delimiter"]),
        Tally(strict=options["strict"]),
    )
    with ExitStack() as stack:
        if options["rejects"] is not None:
            tally.sink = stack.enter_context(RejectsFile(options["rejects"]))
        with suppress(KeyboardInterrupt):
            follow(path, handle, request=request, idle=idle, tally=tally)
    return tally


def buffer_stdin(path: str, corpus: Corpus) -> Corpus:
    """The corpus, to be read more than once: standard input is held in memory. Rows are tallied by the corpus handed in."""
    return corpus.in_memory() if path == "-" else corpus


def with_progress(corpus: Corpus, show: Callable[[int, int], None]) -> Corpus:
    """The same corpus; while it is read, it calls show(documents, bytes)."""
    from ..corpus import Corpus

    def source(tally: Tally) -> Iterator[Any]:
        for batch in corpus:
            tally.keep(batch.num_rows)
            show(batch.num_rows, sum(batch.column(name).nbytes for name in corpus.fields))
            yield batch
        for name in ("rows_in", "rejected", "reasons", "repairs"):  # a model's training report has them
            setattr(tally, name, getattr(corpus.tally, name))

    return Corpus(source, columns=corpus.columns, name=corpus.name)
