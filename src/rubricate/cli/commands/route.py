"""rubricate route STREAM"""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..options import (
    FILE,
    follow_documents,
    jobs_option,
    json_option,
    reading_options,
    refuse,
    refuse_overwriting,
    require_folder,
)
from ..output import json_line, next_command, print_json, progress, report_rows, say, some_of
from ..topic_options import Pile, topic_names_option, topics_flag, topics_option

if TYPE_CHECKING:
    from ...corpus import Corpus, Tally
    from ...relevance.routing import RoutedDocuments, Router

DIGITS = 6


@dataclass(slots=True)
class RoutedLines:
    """Routed documents as lines of JSON; how many came and were routed, and how many to each topic."""

    names: list[str]
    every_document: bool
    documents: int = 0
    routed: int = 0
    passes: Counter[str] = field(default_factory=Counter)

    def lines(self, ids: list[str], piece: RoutedDocuments) -> Iterator[bytes]:
        """An object a document: its id and its topics, the highest score first."""
        for document, (_, topics) in zip(ids, piece.by_document(self.names), strict=True):
            self.documents += 1
            self.routed += bool(topics)
            self.passes.update(name for name, _ in topics)
            if topics or self.every_document:
                scores = [{"topic": name, "score": round(score, DIGITS)} for name, score in topics]
                yield json_line({"id": document, "topics": scores})


@click.command("route")
@reading_options
@topics_option
@topic_names_option
@click.option("--follow", is_flag=True, help="Go on as the file grows (JSON Lines).")
@click.option(
    "--idle", type=click.FloatRange(min=0), metavar="SECONDS", help="With --follow: end when nothing came for so long."
)
@click.option("--every-document", is_flag=True, help="Write documents that pass no topic too.")
@click.option(
    "--out",
    "-o",
    type=FILE,
    help="File to write to; standard output if not given. With --follow lines are added to it.",
)
@jobs_option
@json_option
def command(
    path: str,
    folder: Path,
    names: tuple[str, ...],
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
    live = follow or path == "-"
    if live and read_options["format"] not in (None, "jsonl"):
        raise InvalidSetting(f"a stream is read as JSON Lines: -f {read_options['format']} is for files that are whole")
    require_folder(out)
    topics = Topics.open(folder)
    names = names or tuple(topics.names)
    refuse_overwriting(path, out, read_options["rejects"])
    pile = None
    if not live:
        pile = Pile.open(path, read_options, out)
        pile.become_background(topics, jobs=jobs, quiet=as_json)
    queries = {name: topics.query(topics.topic(name)) for name in names}
    unready = [name for name, query in queries.items() if query.cut is None]
    if len(unready) == len(names):
        raise InvalidSetting(
            f"no topic has a threshold yet ({', '.join(unready[:5])}): judge documents first, at least one yes and one no each "
            "(rubricate topic judge)"
        )
    router = Router(queries, topics.collection, form=topics.form)
    routed = RoutedLines(router.names, every_document)
    if pile is None:
        with nullcontext(sys.stdout.buffer) if out is None else out.open("ab") as stream:
            tally = route_live(router, path, stream, routed, idle, read_options)
    else:
        route_corpus(router, pile.corpus, out, routed, jobs, quiet=as_json or out is None)
        tally = pile.source.tally
    failure = tally.common_failure() if live and not read_options["keep_going"] else None
    if as_json:
        numbers = {"documents": routed.documents, "routed": routed.routed, "passes": routed.passes}
        summary = {"file": None if out is None else str(out), **numbers, "without_cut": unready}
        print_json(summary, tally=tally, err=out is None)
        refuse(path, failure)
        return
    say(f"{routed.documents:,} documents, {routed.routed:,} of them to {len(routed.passes):,} of {len(names):,} topics")
    if unready:
        what = f"nothing was sent to them ({some_of(unready)}): judge some yes and some no"
        say(f"{len(unready):,} topics have no threshold yet, and {what}")
    report_rows(tally, read_options["rejects"], labels_expected=False)
    refuse(path, failure)
    first = routed.passes.most_common(1)[0][0] if routed.passes else names[0]
    where = "PILE" if pile is None else pile.arguments()
    next_command(f"rubricate topic rank {shlex.quote(first)} {where}{topics_flag(folder)}")


def route_corpus(
    router: Router, corpus: Corpus, out: Path | None, routed: RoutedLines, jobs: int | None, *, quiet: bool
) -> None:
    """Route documents that are all there, in one pass; a file is written beside and renamed."""
    from ...foundation.files import write_atomically

    with progress("routing", quiet=quiet) as show:
        pieces = router.route(corpus, jobs=jobs, progress=show)
        lines = (line for piece in pieces for line in routed.lines(piece.ids, piece))
        if out is not None:
            write_atomically(out, lines)
        else:
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()


def route_live(
    router: Router, path: str, out: BinaryIO, routed: RoutedLines, idle: float | None, read_options: dict[str, Any]
) -> Tally:
    """Route documents as they come; the line of each is written before the next is waited for."""

    def handle(ids: list[str], corpus: Corpus) -> None:
        start = 0
        for piece in router.route(corpus, jobs=1):
            out.writelines(routed.lines(ids[start : start + len(piece.ids)], piece))
            start += len(piece.ids)
        out.flush()

    return follow_documents(path, handle, read_options, idle=idle)
