"""rubricate train PATH -o MODEL"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..choice_text import more_labels, runner_up
from ..learning_options import asked, learning, trials_told, with_labels
from ..options import (
    READING,
    as_json,
    held,
    is_collection,
    opened,
    out_file,
    reading,
    same_source,
    watched,
    with_folder,
)
from ..output import account, echo, next_command, print_json, printable, progress, rows_told, say

if TYPE_CHECKING:
    from ...training.text_classifier import TextClassifier


@click.command("train")
@reading
@learning
@click.option(
    "--decide",
    default="auto",
    show_default=True,
    metavar="HOW",
    help="How scores become labels: scut (a cut a label), precision:0.95, recall:0.9, half, top, top:3, pcut (a batch's shares), "
    "density, own. With one label a document: top, density, own.",
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
    help="Keep documents apart, train on the rest and evaluate at the end: 0.3, 200, 10pc (of each label), FILE (ids, one a "
    "line), field=value, field>=1987-04-08.",
)
@click.option(
    "--curve/--no-curve",
    default=True,
    show_default=True,
    help="Also learn from an eighth, a quarter and half of the documents: would more labels help?",
)
@out_file("File to write.", required=True)
@as_json
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
    significantly worse than the best. Cuts and probabilities come from documents that the model had not seen, too.
    """
    from ...corpus.splits import parse_split
    from ...decisions.rules import parse_rule
    from ...training.text_classifier import CALIBRATE, TextClassifier

    given = {name: options.pop(name) for name in READING}
    wanted = asked(**options)
    parse_rule(decide, multilabel=True)  # a wrong name raises before anything is read
    checked("--calibrate", calibrate, CALIBRATE)
    with_folder(out)
    how = None if test_set is None else parse_split(test_set)
    if is_collection(path) and given["part"] is None and how is None:
        say(f"{path} has a test part, and all of it is learned here; to keep that apart, say --part train")
    source = opened(path, keep=(how["field"],) if how and "field" in how else (), outputs=[out], **given)
    with progress("learning", quiet=as_json) as show:
        corpus = with_labels(watched(held(path, source), show), wanted.labelled_only)
        train, test = (corpus, None) if how is None else corpus.split(seed=wanted.seed, **how)
        model = TextClassifier(
            wanted.model,
            recipe=wanted.recipe,
            select=wanted.select,
            weighting=wanted.weighting,
            decide=decide,
            calibrate=calibrate,
            measure=wanted.measure,
            folds=wanted.folds,
            budget=wanted.budget,
            jobs=wanted.jobs,
            learning_curve=curve,
            random_state=wanted.seed,
        ).fit(train, progress=trials_told(quiet=as_json))
    model.jobs = None  # how many threads this machine had is nothing to keep
    model.save(out)
    told: dict[str, Any] = {
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
        from ..evaluation_output import evaluation_of, show_evaluation

        found = evaluation_of(model, test, jobs=wanted.jobs, seed=wanted.seed, quiet=as_json)
        told["test"] = found.as_dict()
        if not as_json:
            echo(f"\n{found.documents:,} documents were kept apart; on these:")
            show_evaluation(found, top=10)
    if as_json:
        print_json({**told, "rows": rows_told(source.tally)})
        return
    account(source.tally, given["rejects"])
    next_command(what_next(shlex.quote(str(out)), path, given, judged=test is not None))


def what_next(name: str, path: str, given: dict[str, Any], *, judged: bool) -> str:
    """Judge it on documents that it has not seen; if that is done, use it."""
    if judged:
        return f"rubricate predict {name} NEW-FILE"
    if given["part"] == "train":
        return f"rubricate evaluate {name} {same_source(path, {**given, 'part': 'test'})} --report page.html"
    return f"rubricate evaluate {name} LABELLED --report page.html   (on documents that it has not seen)"


def checked(flag: str, value: str, choices: tuple[str, ...]) -> None:
    """A choice that is in its table."""
    from ...errors import UnknownName

    if value not in choices:
        raise UnknownName(f"choice after {flag}", value, choices)


def show_model(out: Path, model: TextClassifier) -> None:
    """What was made, and why."""
    report = model.report_
    labels = "several labels a document" if model.several_labels_ else "one label a document"
    echo(
        f"{printable(str(out), 200)}: {model.candidate_}; {report['documents']:,} documents, {report['labels']:,} labels, "
        f"{labels}, {len(model.terms_):,} terms, {out.stat().st_size:,} bytes"
    )
    echo(printable(report["statement"], 2000))
    if (second := runner_up(model)) is not None:
        echo(printable(second, 1000))
    if report["calibration"] is not None:
        echo(f"probabilities: {report['calibration']}, learned from documents that it had not seen")
    if (more := more_labels(model)) is not None:
        echo(more)
