"""rubricate topic rank NAME PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import RenamedOption, jobs_option, json_option, open_corpus, reading_options, require_output_file
from ..output import next_command, print_json, progress, report_rows, row_counts, table
from ..topic_options import pile_record, topics_flag, topics_option, with_background

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...relevance.routing import Query, Run, Topics


@click.command("rank")
@click.argument("name")
@reading_options
@topics_option
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=0), help="Documents shown; 0 for all.")
@click.option("--unjudged", is_flag=True, help="Leave out documents that were judged.")
@click.option(
    "--run-out",
    "--run",
    "run_out",
    cls=RenamedOption,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the whole ranking as a TREC run.",
)
@jobs_option
@json_option
def rank(
    name: str,
    path: str,
    folder: Path,
    top: int,
    unjudged: bool,
    run_out: Path | None,
    jobs: int | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """The documents of PATH, the likeliest for a topic first."""
    from ...relevance.routing import Run, Topics, write_run

    require_output_file(run_out)
    topics = Topics.open(folder)
    topic = topics.topic(name)
    source = open_corpus(path, outputs=[run_out], **read_options)
    corpus = with_background(topics, path, source, jobs=jobs, quiet=as_json, read_options=read_options)
    query, known = topics.query(topic), topic.judged()
    scores = rank_corpus(topics, {name: query}, corpus, jobs=jobs, quiet=as_json)[0][name]
    run = Run(*without_judged(scores.documents, scores.scores, known)) if unjudged else scores
    if path != "-":
        topics.remember_pile(pile_record(path, read_options))
    if run_out is not None:
        write_run(run_out, {name: run})
    order = run.ranked()[: top or None]
    threshold = None if query.cut is None else query.cut.at
    rows: list[dict[str, Any]] = [
        {
            "rank": place,
            "id": run.documents[row],
            "score": float(run.scores[row]),
            "passes": None if threshold is None else bool(run.scores[row] > threshold),
            "judged": known.get(run.documents[row]),
        }
        for place, row in enumerate(order, 1)
    ]
    tally = source.tally
    if as_json:
        print_json({"topic": name, "documents": len(run.documents), "ranking": rows, "rows": row_counts(tally)})
        return
    verdicts = {True: "yes", False: "no", None: ""}
    table(
        [
            (row["rank"], row["id"], f"{row['score']:.4f}", verdicts[row["passes"]], verdicts[row["judged"]])
            for row in rows
        ],
        ["rank", "document", "score", "passes", "judged"],
        right=[0, 2],
    )
    report_rows(tally, read_options["rejects"], labels_expected=False)
    first = next((row["id"] for row in rows if row["judged"] is None), None)
    if first is not None and path != "-":
        next_command(f"rubricate topic judge {name} {shlex.quote(first)} yes{topics_flag(folder)}")
    else:
        next_command(f"rubricate topic show {name}{topics_flag(folder)}")


def without_judged(documents: list[str], scores: Any, judged: dict[str, bool]) -> tuple[list[str], Any]:
    """Documents and their scores, without those that were judged."""
    rows = [row for row, document in enumerate(documents) if document not in judged]
    return [documents[row] for row in rows], scores[rows]


def rank_corpus(
    topics: Topics, queries: dict[str, Query], corpus: Corpus, *, jobs: int | None, quiet: bool
) -> tuple[dict[str, Run], list[list[str]]]:
    """All documents with their scores for each topic, in one pass; and the labels they came with."""
    import numpy as np

    from ...relevance.routing import Router, Run

    router = Router(queries, topics.collection, form=topics.form)
    ids: list[str] = []
    labels: list[list[str]] = []
    parts = []
    with progress("ranking", quiet=quiet) as show:
        for piece in router.scores(corpus, jobs=jobs, progress=show):
            ids += piece.ids
            labels += piece.labels
            parts.append(piece.scores)
    scores = np.concatenate(parts) if parts else np.zeros((0, len(queries)))
    return {name: Run(ids, scores[:, at]) for at, name in enumerate(router.names)}, labels
