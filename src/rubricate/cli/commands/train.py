"""rubricate train PATH -o MODEL"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..learning_options import labelled_corpus, learning_options, parse_learning_options, trial_printer
from ..options import (
    READ_OPTIONS,
    buffer_stdin,
    is_collection,
    json_option,
    open_corpus,
    out_option,
    reading_options,
    require_output_file,
    source_arguments,
    with_progress,
)
from ..output import echo, next_command, print_json, printable, progress, report_rows, row_counts, say

if TYPE_CHECKING:
    from ...training.text_classifier import TextClassifier


@click.command("train")
@reading_options
@learning_options
@click.option(
    "--decide",
    default="auto",
    show_default=True,
    metavar="HOW",
    help="How scores become labels: scut (a threshold a label), precision:0.95, recall:0.9, half, top, top:3, pcut (a "
    "batch's shares), density, own (the model's own rule). With one label a document (single-label): top, density, own.",
)
@click.option(
    "--calibrate",
    default="auto",
    show_default=True,
    metavar="HOW",
    help="Probabilities: auto chooses; sigmoid, isotonic, … or none.",
)
@click.option(
    "--test-set",
    metavar="HOW",
    help="Hold documents out, train on the rest, evaluate on them at the end: 0.3, 200, 10pc (of each label), FILE (ids, one a "
    "line), field=value, field>=1987-04-08.",
)
@click.option(
    "--curve/--no-curve",
    default=True,
    show_default=True,
    help="Also learn from an eighth, a quarter and half of the documents: would more labels help?",
)
@out_option("File to write.", required=True)
@json_option
def command(
    path: str,
    decide: str,
    calibrate: str,
    test_set: str | None,
    curve: bool,
    out: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Learn from labelled documents, and write the model into one file that runs no code.

    What is not given is chosen by cross-validation inside the training documents: of the usual ways, the simplest that is not
    significantly worse than the best. Thresholds and probabilities come from documents that the model had not seen
    (held-out), too.
    """
    from ...corpus.splits import parse_split
    from ...decisions.rules import parse_rule
    from ...training.text_classifier import CALIBRATE, TextClassifier

    read_options = {name: options.pop(name) for name in READ_OPTIONS}
    learning = parse_learning_options(**options)
    parse_rule(decide, multilabel=True)  # a wrong name is an error before anything is read
    check_choice("--calibrate", calibrate, CALIBRATE)
    require_output_file(out)
    how = None if test_set is None else parse_split(test_set)
    if is_collection(path) and read_options["part"] is None and how is None:
        say(f"{path} has a test part, and all of it is learned here; to keep that apart, say --part train")
    source = open_corpus(path, keep=(how["field"],) if how and "field" in how else (), outputs=[out], **read_options)
    with progress("learning", quiet=as_json) as show:
        corpus = labelled_corpus(with_progress(buffer_stdin(path, source), show), learning.labelled_only)
        train, test = (corpus, None) if how is None else corpus.split(seed=learning.seed, **how)
        model = TextClassifier(
            learning.model,
            recipe=learning.recipe,
            select=learning.select,
            weighting=learning.weighting,
            decide=decide,
            calibrate=calibrate,
            measure=learning.measure,
            folds=learning.folds,
            budget=learning.budget,
            jobs=learning.jobs,
            learning_curve=curve,
            random_state=learning.seed,
        ).fit(train, progress=trial_printer(quiet=as_json))
    model.jobs = None  # the number of threads is this machine's, not the model's
    model.save(out)
    summary: dict[str, Any] = {
        "file": str(out),
        "bytes": out.stat().st_size,
        "several_labels": bool(model.several_labels_),
        "terms": len(model.terms_),
        "recipe": model.recipe_.to_dict(),
        **model.report_,
    }
    if not as_json:
        show_model(out, model)
    if test is not None:
        from ..evaluation_output import evaluate_corpus, show_evaluation

        evaluation = evaluate_corpus(model, test, jobs=learning.jobs, seed=learning.seed, quiet=as_json).evaluation
        summary["test"] = evaluation.as_dict()
        if not as_json:
            echo(f"\n{evaluation.documents:,} documents were held out; on these:")
            show_evaluation(evaluation, top=10)
    if as_json:
        print_json({**summary, "rows": row_counts(source.tally)})
        return
    report_rows(source.tally, read_options["rejects"])
    next_command(next_step(shlex.quote(str(out)), path, read_options, evaluated=test is not None))


def next_step(name: str, path: str, read_options: dict[str, Any], *, evaluated: bool) -> str:
    """The command to type next: evaluate on held-out documents, or, if that is done, predict."""
    if evaluated:
        return f"rubricate predict {name} NEW-FILE"
    if read_options["part"] == "train":
        test_part = source_arguments(path, {**read_options, "part": "test"})
        return f"rubricate evaluate {name} {test_part} --report page.html"
    return f"rubricate evaluate {name} LABELLED --report page.html   (on documents that it has not seen)"


def check_choice(flag: str, value: str, choices: tuple[str, ...]) -> None:
    """An error if a value is none of the choices."""
    from ...errors import UnknownName

    if value not in choices:
        raise UnknownName(f"choice after {flag}", value, choices)


def show_model(out: Path, model: TextClassifier) -> None:
    """The chosen model, its sizes, and why it was chosen."""
    from ...evaluation.sentences import more_labels_sentence, runner_up_sentence

    report = model.report_
    labels = "several labels a document" if model.several_labels_ else "one label a document"
    echo(
        f"{printable(str(out), 200)}: {model.candidate_}; {report['documents']:,} documents, {report['labels']:,} labels, "
        f"{labels}, {len(model.terms_):,} terms, {out.stat().st_size:,} bytes"
    )
    echo(printable(report["statement"], 2000))
    if (runner_up := runner_up_sentence(model)) is not None:
        echo(printable(runner_up, 1000))
    if report["calibration"] is not None:
        echo(f"probabilities: {report['calibration']}, learned from documents that it had not seen (held-out)")
    if (more_labels := more_labels_sentence(model.report_)) is not None:
        echo(more_labels)
