"""rubricate topic evaluate"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import jobs_option, json_option, refuse_overwriting, require_output_file
from ..output import next_command, number, print_json, printable, report_rows, row_counts, say, table
from ..topic_options import open_pile, pile_options, topics_flag, topics_option, with_background
from .topic_rank import rank_corpus, without_judged

if TYPE_CHECKING:
    from ...corpus.readers.trec import Judgement
    from ...relevance.routing import Run, RunEvaluation


@click.command("evaluate")
@pile_options
@click.option("--qrels", type=click.Path(path_type=Path, dir_okay=False), help="Judgements in TREC's form.")
@click.option(
    "--run",
    "run_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A TREC run, instead of ranking documents.",
)
@click.option("--topic", "only", multiple=True, metavar="NAME", help="These topics alone; all if not given.")
@click.option("--all-documents", is_flag=True, help="Also those that a topic has learned from.")
@click.option("--at", "at", default="5,10,20", show_default=True, metavar="K,K", help="Precision at these places.")
@click.option(
    "--run-out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the rankings as a TREC run, for trec_eval.",
)
@click.option(
    "--qrels-out", type=click.Path(path_type=Path, dir_okay=False), help="Write what is true as TREC judgements."
)
@topics_option
@jobs_option
@json_option
def evaluate(
    path: str | None,
    qrels: Path | None,
    run_file: Path | None,
    only: tuple[str, ...],
    all_documents: bool,
    at: str,
    run_out: Path | None,
    qrels_out: Path | None,
    folder: Path,
    jobs: int | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """How well topics rank: average precision, R-precision, precision at k, F1 of the thresholds; for each topic and on average.

    What is true comes from --qrels, or from the labels of the documents, a topic being the label of its name. Documents that a
    topic has learned from are left out of its ranking. With --run and --qrels a run of any system is judged, as trec_eval does.
    """
    from ...corpus.readers.trec import read_qrels
    from ...errors import InvalidSetting
    from ...foundation.jsonable import jsonable
    from ...relevance.routing import evaluate as evaluate_runs
    from ...relevance.routing import read_run, relevant_by_topic, write_qrels, write_run

    places = parse_places(at)
    for out in (run_out, qrels_out):
        require_output_file(out)
    for input_file in (path, run_file, qrels):
        if input_file is not None:
            refuse_overwriting(input_file, run_out, qrels_out)
    assigned = None
    if run_file is not None:
        if qrels is None:
            raise InvalidSetting("--run needs --qrels FILE: what is true")
        runs, truth, tally = read_run(run_file), relevant_by_topic(read_qrels(qrels)), None
        if only:
            truth = {name: relevance for name, relevance in truth.items() if name in only}
    else:
        judgements = None if qrels is None else read_qrels(qrels)
        runs, truth, assigned, tally = rankings(
            folder,
            path,
            judgements,
            only,
            all_documents=all_documents,
            jobs=jobs,
            quiet=as_json,
            read_options=read_options,
        )
    evaluation = evaluate_runs(runs, truth, at=places, assigned=assigned)
    if run_out is not None:
        write_run(run_out, runs)
    if qrels_out is not None:
        write_qrels(qrels_out, truth)
    if as_json:
        print_json(jsonable(evaluation) | ({} if tally is None else {"rows": row_counts(tally)}))
        return
    show_evaluation(evaluation, places)
    if tally is not None:
        report_rows(tally, read_options["rejects"])
    next_command(
        f"rubricate topic list{topics_flag(folder)}" if run_file is None else "rubricate topic evaluate --help"
    )


def parse_places(text: str) -> list[int]:
    """5,10,20 as numbers."""
    from ...errors import InvalidSetting

    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words or not all(word.isdecimal() and int(word) > 0 for word in words):
        raise InvalidSetting(f"--at {text}: write whole numbers from 1 with commas between, as in 5,10,20")
    return [int(word) for word in words]


def rankings(
    folder: Path,
    path: str | None,
    judgements: list[Judgement] | None,
    only: tuple[str, ...],
    *,
    all_documents: bool,
    jobs: int | None,
    quiet: bool,
    read_options: dict[str, Any],
) -> tuple[dict[str, Run], dict[str, dict[str, bool]], dict[str, list[str]], Any]:
    """The topics' rankings of the documents they have not learned from, what is true of these, and what passed the thresholds."""
    from ...errors import InvalidSetting
    from ...relevance.routing import Run, Topics, relevant_by_topic

    topics = Topics.open(folder)
    names = [topics.topic(name).name for name in only] or topics.names
    path, read_options, source = open_pile(topics, path, read_options)
    corpus = with_background(topics, path, source, jobs=jobs, quiet=quiet, read_options=read_options)
    queries = {name: topics.query(topics.topic(name)) for name in names}
    all_runs, labels = rank_corpus(topics, queries, corpus, jobs=jobs, quiet=quiet)
    by_topic = None if judgements is None else relevant_by_topic(judgements)
    runs, truth, assigned = {}, {}, {}
    for name in names:
        known = {} if all_documents else topics.topic(name).judged()
        run = Run(*without_judged(all_runs[name].documents, all_runs[name].scores, known))
        if by_topic is None:
            relevance = dict(zip(all_runs[name].documents, (name in label_set for label_set in labels), strict=True))
        elif name in by_topic:
            relevance = by_topic[name]
        else:
            continue
        threshold = queries[name].cut
        runs[name] = run
        truth[name] = {document: relevant for document, relevant in relevance.items() if document not in known}
        scored = zip(run.documents, run.scores.tolist(), strict=True)
        assigned[name] = [document for document, score in scored if threshold and score > threshold.at]
    if not any(relevant for relevance in truth.values() for relevant in relevance.values()):
        raise InvalidSetting(
            "no document is known to be relevant to one of these topics: give --qrels FILE, or documents "
            "whose labels are the topics' names"
        )
    return runs, truth, assigned, source.tally


def show_evaluation(evaluation: RunEvaluation, places: list[int]) -> None:
    """A row a topic, the means last."""
    rows: list[Any] = [
        (
            row.topic,
            row.relevant,
            row.found,
            number(row.average_precision),
            number(row.r_precision),
            *(number(row.precision_at[k]) for k in places),
            number(row.f1),
        )
        for row in evaluation.topics
    ]
    means = (
        evaluation.average_precision,
        evaluation.r_precision,
        *(evaluation.precision_at[k] for k in places),
        evaluation.f1,
    )
    rows.append(("mean", "", "", *(number(value) for value in means)))
    header = ["topic", "relevant", "ranked", "AP", "RPrec", *(f"P@{k}" for k in places), "F1"]
    table(rows, header, right=range(1, len(header)))
    for what, names in (
        ("judged topics are not in the run: 0", evaluation.missing),
        ("topics have no judgements", evaluation.unjudged),
    ):
        if names:
            say(f"{len(names):,} {what} ({', '.join(printable(name) for name in names[:5])})")
