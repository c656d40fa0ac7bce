"""rubricate evaluate MODEL PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from ..evaluation_output import evaluate_corpus, evaluate_small_corpus, show_evaluation
from ..options import (
    FILE,
    buffer_stdin,
    check_output_file,
    is_small,
    jobs_option,
    json_option,
    load_model,
    model_argument,
    open_corpus,
    reading_options,
    refuse_overwriting,
    source_arguments,
)
from ..output import echo, next_command, print_json, printable, report_rows, row_counts, say


@click.command("evaluate")
@model_argument
@reading_options
@jobs_option
@click.option(
    "--report",
    type=FILE,
    metavar="PAGE.html",
    callback=check_output_file,
    help="Write all of it, with curves, mistakes and the words behind them, as one page that needs nothing else; with a name in "
    ".json, the same numbers as JSON.",
)
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the intervals.")
@json_option
def command(
    model: Path,
    path: str,
    jobs: int | None,
    report: Path | None,
    top: int,
    seed: int,
    as_json: bool,
    **read_options: Any,
) -> None:
    """How good a model is on labelled documents that it has not seen: overall and label by label, with intervals."""
    refuse_overwriting(model, report, read_options["rejects"])
    source = open_corpus(path, outputs=[report], **read_options)
    if report is None and is_small(path):
        evaluation = evaluate_small_corpus(model, source, seed=seed, quiet=as_json)
    else:
        corpus = buffer_stdin(path, source) if report is not None else source
        result = evaluate_corpus(load_model(model), corpus, jobs=jobs, seed=seed, quiet=as_json)
        evaluation = result.evaluation
    answer = {"model": str(model), "rows": row_counts(source.tally), **evaluation.as_dict()}
    if report is not None:
        write = result.to_json if report.suffix == ".json" else result.to_html
        write(report, title=f"{model.name} on {Path(path).name or path}")
        answer["report"] = str(report)
    if as_json:
        print_json(answer)
        return
    echo(f"{printable(str(model), 200)} on {evaluation.documents:,} documents of {printable(path, 200)}")
    echo()
    show_evaluation(evaluation, top=top)
    report_rows(source.tally, read_options["rejects"])
    name = shlex.quote(str(model))
    if report is not None:
        look = "" if report.suffix == ".json" else "; open it in a browser"
        say(f"\n{report}: {report.stat().st_size:,} bytes{look}")
        next_command(f"rubricate inspect {name}")
    else:
        next_command(f"rubricate evaluate {name} {source_arguments(path, read_options)} --report page.html")
