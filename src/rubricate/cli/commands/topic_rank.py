"""rubricate topic rank NAME PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import as_json, jobs, opened, reading, with_folder
from ..output import account, next_command, print_json, progress, rows_told, table
from ..topic_options import pile_of, topics_folder, typed, with_collection

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...relevance.routing import Query, Run, Topics

__all__ = ["kept", "rank", "ranked"]


@click.command("rank")
@click.argument("name")
@reading
@topics_folder
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=0), help="Documents shown; 0 for all.")
@click.option("--unjudged", is_flag=True, help="Leave out documents that were judged.")
@click.option(
    "--run", "run_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the whole ranking as a TREC run."
)
@jobs
@as_json
def rank(
    name: str,
    path: str,
    folder: Path,
    top: int,
    unjudged: bool,
    run_file: Path | None,
    jobs: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """The documents of PATH, the likeliest for a topic first."""
    from ...relevance.routing import Run, Topics, write_run

    with_folder(run_file)
    topics = Topics.open(folder)
    topic = topics.topic(name)
    source = opened(path, outputs=[run_file], **given)
    corpus = with_collection(topics, path, source, jobs=jobs, quiet=as_json, given=given)
    query, known = topics.query(topic), topic.judged()
    scores = ranked(topics, {name: query}, corpus, jobs=jobs, quiet=as_json)[0][name]
    run = Run(*kept(scores.documents, scores.scores, known)) if unjudged else scores
    if path != "-":
        topics.remember_pile(pile_of(path, given))
    if run_file is not None:
        write_run(run_file, {name: run})
    order = run.ranked()[: top or None]
    cut = None if query.cut is None else query.cut.at
    rows: list[dict[str, Any]] = [
        {
            "rank": place,
            "id": run.documents[at],
            "score": float(run.scores[at]),
            "passes": None if cut is None else bool(run.scores[at] > cut),
            "judged": known.get(run.documents[at]),
        }
        for place, at in enumerate(order, 1)
    ]
    tally = source.tally
    if as_json:
        print_json({"topic": name, "documents": len(run.documents), "ranking": rows, "rows": rows_told(tally)})
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
    tally.repairs.pop("no label column found: documents have no labels", None)
    account(tally, given["rejects"])
    first = next((row["id"] for row in rows if row["judged"] is None), None)
    if first is not None and path != "-":
        next_command(f"rubricate topic judge {name} {shlex.quote(first)} yes{typed(folder)}")
    else:
        next_command(f"rubricate topic show {name}{typed(folder)}")


def kept(documents: list[str], scores: Any, judged: dict[str, bool]) -> tuple[list[str], Any]:
    """Without the judged ones."""
    places = [at for at, document in enumerate(documents) if document not in judged]
    return [documents[at] for at in places], scores[places]


def ranked(
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
