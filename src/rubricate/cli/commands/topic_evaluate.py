"""rubricate topic evaluate"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import FILE, jobs_option, json_option, refuse_overwriting, require_output_file, setting
from ..output import next_command, number, print_json, report_rows, say, some_of, table
from ..topic_options import Pile, pile_options, topic_names_option, topics_flag, topics_option, without_documents

if TYPE_CHECKING:
    from ...relevance.routing import Run, RunEvaluation, Topics

Relevance = dict[str, dict[str, bool]]  # of each topic's documents


@click.command("evaluate")
@pile_options
@click.option("--qrels", type=FILE, help="Judgements in TREC's form.")
@click.option("--run", "run_file", type=FILE, help="A TREC run, instead of ranking documents.")
@topic_names_option
@click.option("--all-documents", is_flag=True, help="Also those that a topic has learned from.")
@setting("--at", "at", default="5,10,20", metavar="K,K", help="Precision at these places.")
@click.option("--run-out", type=FILE, help="Write the rankings as a TREC run, for trec_eval.")
@click.option("--qrels-out", type=FILE, help="Write what is true as TREC judgements.")
@topics_option
@jobs_option
@json_option
def evaluate(
    path: str | None,
    qrels: Path | None,
    run_file: Path | None,
    names: tuple[str, ...],
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
    from ...relevance.routing import Topics, read_run, relevant_by_topic, write_qrels, write_run
    from ...relevance.routing import evaluate as evaluate_runs

    places = parse_places(at)
    for out in (run_out, qrels_out):
        require_output_file(out)
    for input_file in (path, run_file, qrels):
        if input_file is not None:
            refuse_overwriting(input_file, run_out, qrels_out)
    if run_file is not None and qrels is None:
        raise InvalidSetting("--run needs --qrels FILE: what is true")
    runs = None if run_file is None else read_run(run_file)
    truth = None if qrels is None else relevant_by_topic(read_qrels(qrels))
    tally = assigned = None
    if runs is None:
        topics = Topics.open(folder)
        names = tuple(topics.topic(name).name for name in names) or tuple(topics.names)
        pile = Pile.open_or_last(topics, path, read_options)
        runs, truth, assigned = rankings(topics, names, pile, truth, all_documents, jobs=jobs, quiet=as_json)
        tally = pile.source.tally
    elif names:
        truth = {name: relevance for name, relevance in (truth or {}).items() if name in names}
    evaluation = evaluate_runs(runs, truth or {}, at=places, assigned=assigned)
    if run_out is not None:
        write_run(run_out, runs)
    if qrels_out is not None:
        write_qrels(qrels_out, truth or {})
    if as_json:
        print_json(jsonable(evaluation), tally=tally)
        return
    show_evaluation(evaluation, places)
    report_rows(tally, read_options["rejects"])
    subcommand = f"list{topics_flag(folder)}" if run_file is None else "evaluate --help"
    next_command(f"rubricate topic {subcommand}")


def parse_places(text: str) -> list[int]:
    from ...errors import InvalidSetting

    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words or not all(word.isdecimal() and int(word) > 0 for word in words):
        raise InvalidSetting(f"--at {text}: write whole numbers from 1 with commas between, as in 5,10,20")
    return [int(word) for word in words]


def rankings(
    topics: Topics,
    names: tuple[str, ...],
    pile: Pile,
    truth: Relevance | None,
    all_documents: bool,
    *,
    jobs: int | None,
    quiet: bool,
) -> tuple[dict[str, Run], Relevance, dict[str, list[str]]]:
    """The topics' rankings of the documents they have not learned from, what is true of these (by the labels where truth is
    None), and what passed the thresholds."""
    from ...errors import InvalidSetting

    queries, all_runs, labels = pile.rank(topics, names, jobs=jobs, quiet=quiet)
    if truth is None:
        truth = {
            name: {document: name in label_set for document, label_set in zip(run.documents, labels, strict=True)}
            for name, run in all_runs.items()
        }
    runs, unlearned, assigned = {}, {}, {}
    for name in names:
        if name not in truth:
            continue
        judgements = {} if all_documents else topics.topic(name).judged()
        run, threshold = without_documents(all_runs[name], judgements), queries[name].cut
        scored = zip(run.documents, run.scores.tolist(), strict=True)
        runs[name] = run
        unlearned[name] = {
            document: relevant for document, relevant in truth[name].items() if document not in judgements
        }
        assigned[name] = [document for document, score in scored if threshold and score > threshold.at]
    if not any(relevant for relevance in unlearned.values() for relevant in relevance.values()):
        raise InvalidSetting(
            "no document is known to be relevant to one of these topics: give --qrels FILE, or documents "
            "whose labels are the topics' names"
        )
    return runs, unlearned, assigned


def show_evaluation(evaluation: RunEvaluation, places: list[int]) -> None:
    def cells(row: Any) -> list[str]:
        values = (row.average_precision, row.r_precision, *(row.precision_at[k] for k in places), row.f1)
        return [number(value) for value in values]

    rows: list[Any] = [(row.topic, row.relevant, row.found, *cells(row)) for row in evaluation.topics]
    header = ["topic", "relevant", "ranked", "AP", "RPrec", *(f"P@{k}" for k in places), "F1"]
    table([*rows, ("mean", "", "", *cells(evaluation))], header, right=range(1, len(header)))
    for what, names in (
        ("judged topics are not in the run: 0", evaluation.missing),
        ("topics have no judgements", evaluation.unjudged),
    ):
        if names:
            say(f"{len(names):,} {what} ({some_of(names)})")
