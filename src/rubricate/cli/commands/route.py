"""rubricate route STREAM"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..options import (
    follow_documents,
    jobs_option,
    json_option,
    open_corpus,
    reading_options,
    refuse,
    refuse_overwriting,
    require_folder,
    source_arguments,
)
from ..output import json_line, next_command, print_json, printable, progress, report_rows, row_counts, say
from ..topic_options import topics_flag, topics_option, with_background

if TYPE_CHECKING:
    from ...corpus import Corpus, Tally
    from ...relevance.routing import RoutedDocuments, Router

DIGITS = 6


@dataclass(slots=True)
class Totals:
    """How many documents came and were routed, and how many to each topic."""

    documents: int = 0
    routed: int = 0
    passes: dict[str, int] = field(default_factory=dict)


@click.command("route")
@reading_options
@topics_option
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
@jobs_option
@json_option
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
    **read_options: Any,
) -> None:
    """Send each document of a stream to the topics whose threshold it passes: a line of JSON with its id, topics and scores.

    All topics are looked at in one pass. `-` reads JSON Lines from standard input and answers each as soon as it is there;
    --follow does the same for a file that grows, until it is interrupted or --idle. --json prints the summary as JSON, on
    standard error where the lines are on standard output.
    """
    from ...errors import InvalidSetting
    from ...relevance.routing import Router, Topics

    if idle is not None and not follow:
        raise InvalidSetting("--idle goes with --follow")
    if (follow or path == "-") and read_options["format"] not in (None, "jsonl"):
        raise InvalidSetting(f"a stream is read as JSON Lines: -f {read_options['format']} is for files that are whole")
    require_folder(out)
    topics = Topics.open(folder)
    names = list(only) or topics.names
    live = follow or path == "-"
    refuse_overwriting(path, out, read_options["rejects"])
    source = None
    if not live:
        source = open_corpus(path, outputs=[out], **read_options)
        with_background(topics, path, source, jobs=jobs, quiet=as_json, read_options=read_options)
    queries = {name: topics.query(topics.topic(name)) for name in names}
    unready = [name for name, query in queries.items() if query.cut is None]
    if len(unready) == len(names):
        raise InvalidSetting(
            f"no topic has a threshold yet ({', '.join(unready[:5])}): judge documents first, at least one yes and one no each "
            "(rubricate topic judge)"
        )
    router, totals = Router(queries, topics.collection, form=topics.form), Totals()
    if live:
        with appending(out) as stream:
            tally = route_live(router, path, stream, totals, every_document, idle, read_options)
    else:
        tally = route_corpus(router, source, out, totals, every_document, jobs, quiet=as_json or out is None)
    summary = {
        "file": None if out is None else str(out),
        **asdict(totals),
        "without_cut": unready,
        "rows": row_counts(tally),
    }
    failure = tally.common_failure() if live and not read_options["keep_going"] else None
    if as_json:
        print_json(summary, err=out is None)
        refuse(path, failure)
        return
    say(f"{totals.documents:,} documents, {totals.routed:,} of them to {len(totals.passes):,} of {len(names):,} topics")
    if unready:
        some = ", ".join(printable(name) for name in unready[:5])
        say(
            f"{len(unready):,} topics have no threshold yet, and nothing was sent to them ({some}): judge some yes and some no"
        )
    report_rows(tally, read_options["rejects"], labels_expected=False)
    refuse(path, failure)
    first = max(totals.passes, key=lambda name: totals.passes[name], default=names[0])
    where = "PILE" if live else source_arguments(path, read_options)
    next_command(f"rubricate topic rank {shlex.quote(first)} {where}{topics_flag(folder)}")


def route_corpus(
    router: Router, source: Any, out: Path | None, totals: Totals, every: bool, jobs: int | None, *, quiet: bool
) -> Tally:
    """Route documents that are all there, in one pass; a file is written beside and renamed."""
    from ...foundation.files import write_atomically

    with progress("routing", quiet=quiet) as show:
        pieces = router.route(source, jobs=jobs, progress=show)
        output_lines = (line for piece in pieces for line in lines(router.names, piece.ids, piece, totals, every))
        if out is not None:
            write_atomically(out, output_lines)
        else:
            sys.stdout.buffer.writelines(output_lines)
            sys.stdout.buffer.flush()
    tally: Tally = source.tally
    return tally


def route_live(
    router: Router,
    path: str,
    out: BinaryIO,
    totals: Totals,
    every: bool,
    idle: float | None,
    read_options: dict[str, Any],
) -> Tally:
    """Route documents as they come; the line of each is written before the next is waited for."""

    def handle(ids: list[str], corpus: Corpus) -> None:
        start = 0
        for piece in router.route(corpus, jobs=1):
            out.writelines(lines(router.names, ids[start : start + len(piece.ids)], piece, totals, every))
            start += len(piece.ids)
        out.flush()

    return follow_documents(path, handle, read_options, idle=idle)


def lines(names: list[str], ids: list[str], piece: RoutedDocuments, totals: Totals, every: bool) -> Iterator[bytes]:
    """An object a document: its id and its topics, the highest score first."""
    for document, (_, topics) in zip(ids, piece.by_document(names), strict=True):
        totals.documents += 1
        totals.routed += bool(topics)
        for name, _ in topics:
            totals.passes[name] = totals.passes.get(name, 0) + 1
        if topics or every:
            line = {
                "id": document,
                "topics": [{"topic": name, "score": round(score, DIGITS)} for name, score in topics],
            }
            yield json_line(line)


@contextmanager
def appending(path: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file to which lines are added."""
    if path is None:
        yield sys.stdout.buffer
        return
    with path.open("ab") as stream:
        yield stream
