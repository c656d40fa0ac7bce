"""rubricate route STREAM"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..options import apart, as_json, in_folder, jobs, opened, reading, refuse, same_source
from ..output import account, next_command, print_json, printable, progress, rows_told, say
from ..topic_options import topics_folder, typed, with_collection

if TYPE_CHECKING:
    from ...corpus import Corpus, Tally
    from ...relevance.routing import RoutedDocuments, Router

DIGITS = 6


@dataclass(slots=True)
class Done:
    """What has been routed so far."""

    documents: int = 0
    routed: int = 0
    passes: dict[str, int] = field(default_factory=dict)


@click.command("route")
@reading
@topics_folder
@click.option("--topic", "only", multiple=True, metavar="NAME", help="These topics alone; all if not given.")
@click.option("--follow", is_flag=True, help="Go on as the file grows (JSON Lines).")
@click.option(
    "--idle", type=click.FloatRange(min=0), metavar="SECONDS", help="With --follow: end when nothing came for so long."
)
@click.option("--every-document", is_flag=True, help="Write documents that pass no topic too.")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write to; standard output if not given. With --follow lines are added to it.",
)
@jobs
@as_json
def command(
    path: str,
    folder: Path,
    only: tuple[str, ...],
    follow: bool,
    idle: float | None,
    every_document: bool,
    out: Path | None,
    jobs: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Send each document of a stream to the topics whose cut it passes: a line of JSON with its id, topics and scores.

    All topics are looked at in one pass. `-` reads JSON Lines from standard input and answers each as soon as it is there;
    --follow does the same for a file that grows, until it is interrupted or --idle. --json prints the account as JSON, on
    standard error where the lines are on standard output.
    """
    from ...errors import InvalidSetting
    from ...relevance.routing import Router, Topics

    if idle is not None and not follow:
        raise InvalidSetting("--idle goes with --follow")
    if (follow or path == "-") and given["format"] not in (None, "jsonl"):
        raise InvalidSetting(f"a stream is read as JSON Lines: -f {given['format']} is for files that are whole")
    in_folder(out)
    topics = Topics.open(folder)
    names = list(only) or topics.names
    live = follow or path == "-"
    apart(path, out, given["rejects"])
    source = None
    if not live:
        source = opened(path, outputs=[out], **given)
        with_collection(topics, path, source, jobs=jobs, quiet=as_json, given=given)
    queries = {name: topics.query(topics.topic(name)) for name in names}
    without = [name for name, query in queries.items() if query.cut is None]
    if len(without) == len(names):
        raise InvalidSetting(
            f"no topic has a cut yet ({', '.join(without[:5])}): judge documents first, at least one yes and one no each "
            "(rubricate topic judge)"
        )
    router, done = Router(queries, topics.collection, form=topics.form), Done()
    if live:
        with added_to(out) as stream:
            tally = live_routed(router, path, stream, done, every_document, idle, given)
    else:
        tally = routed(router, source, out, done, every_document, jobs, quiet=as_json or out is None)
    told = {"file": None if out is None else str(out), **asdict(done), "without_cut": without, "rows": rows_told(tally)}
    failure = tally.common_failure() if live and not given["keep_going"] else None
    if as_json:
        print_json(told, err=out is None)
        refuse(path, failure)
        return
    say(f"{done.documents:,} documents, {done.routed:,} of them to {len(done.passes):,} of {len(names):,} topics")
    if without:
        some = ", ".join(printable(name) for name in without[:5])
        say(
            f"{len(without):,} topics have no cut yet, and nothing was sent to them ({some}): judge some yes and some no"
        )
    tally.repairs.pop("no label column found: documents have no labels", None)
    account(tally, given["rejects"])
    refuse(path, failure)
    first = max(done.passes, key=lambda name: done.passes[name], default=names[0])
    where = "PILE" if live else same_source(path, given)
    next_command(f"rubricate topic rank {shlex.quote(first)} {where}{typed(folder)}")


def routed(
    router: Router, source: Any, out: Path | None, done: Done, every: bool, jobs: int | None, *, quiet: bool
) -> Tally:
    """A stream that is whole, in one pass; a file is written beside and renamed."""
    from ...foundation.files import write_atomically

    with progress("routing", quiet=quiet) as show:
        pieces = router.route(source, jobs=jobs, progress=show)
        written = (line for piece in pieces for line in lines(router.names, piece.ids, piece, done, every))
        if out is not None:
            write_atomically(out, written)
        else:
            sys.stdout.buffer.writelines(written)
            sys.stdout.buffer.flush()
    tally: Tally = source.tally
    return tally


def live_routed(
    router: Router, path: str, out: BinaryIO, done: Done, every: bool, idle: float | None, given: dict[str, Any]
) -> Tally:
    """A stream that is still coming; each answer is written before the next document is waited for."""
    from ...corpus import Tally
    from ...corpus.readers.columns import Asked
    from ...corpus.rejects import RejectsFile
    from ...relevance.routing.live_stream import follow

    def handle(ids: list[str], corpus: Corpus) -> None:
        start = 0
        for piece in router.route(corpus, jobs=1):
            out.writelines(lines(router.names, ids[start : start + len(piece.ids)], piece, done, every))
            start += len(piece.ids)
        out.flush()

    asked = Asked(given["text"] or None, given["labels"], given["id"], label_delimiter=given["label_delimiter"])
    tally = Tally(strict=given["strict"])
    with ExitStack() as stack:
        if given["rejects"] is not None:
            tally.sink = stack.enter_context(RejectsFile(given["rejects"]))
        with suppress(KeyboardInterrupt):  # the usual end of a stream that has none: the account is still told
            follow(path, handle, asked=asked, idle=idle, tally=tally)
    return tally


def lines(names: list[str], ids: list[str], piece: RoutedDocuments, done: Done, every: bool) -> Iterator[bytes]:
    """An object a document: its id and its topics, the highest score first."""
    import orjson

    for own, (_, topics) in zip(ids, piece.by_document(names), strict=True):
        done.documents += 1
        done.routed += bool(topics)
        for name, _ in topics:
            done.passes[name] = done.passes.get(name, 0) + 1
        if topics or every:
            row = {"id": own, "topics": [{"topic": name, "score": round(score, DIGITS)} for name, score in topics]}
            yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


@contextmanager
def added_to(path: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file to which lines are added."""
    if path is None:
        yield sys.stdout.buffer
        return
    with path.open("ab") as stream:
        yield stream
