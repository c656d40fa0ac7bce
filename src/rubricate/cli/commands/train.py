"""rubricate train PATH -o MODEL; the options of learning, which `label-errors` has too; trials shown as they come."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options
from ..options import FROM_1, seed_option, setting
from ..output import echo, next_command, plural, print_json, printable, progress, report_rows, say

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...training.candidates import Candidate
    from ...training.text_classifier import TextClassifier
    from ...training.trial import Trial

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}

# of `train` and `label-errors`
learning_options = options.combine_options(
    setting(
        "--model",
        "-m",
        default="auto",
        metavar="NAME",
        help="auto tries the usual ones; or multinomial, support_vector (a linear SVM), … (a wrong name lists all), with "
        "settings: multinomial:smoothing=0.1",
    ),
    click.option(
        "--recipe",
        "-r",
        default="",
        metavar="RECIPE",
        callback=options.check_recipe,
        help="How text becomes terms, as in `rubricate count`.",
    ),
    click.option("--select", metavar="SCORE:N", help="Only the N best terms by a score, as in dkl:5000."),
    click.option("-T", "most_informative", type=FROM_1, metavar="N", help="--select mutual_information:N"),
    click.option("--weighting", metavar="FORM", help="For models of weighted documents: ltc, bm25, …"),
    setting(
        "--measure",
        default="auto",
        help="What choices are made by: microF1, macroF1, AP, … auto: microF1; single-label: accuracy.",
    ),
    setting("--budget", default="60s", metavar="TIME", help="For trials, about: 90s, 5m, 1h."),
    click.option("--labelled-only", is_flag=True, help="Leave out documents without labels."),
    setting("--folds", default=5, type=click.IntRange(min=2), help="Of the cross-validation."),
    seed_option("random_state", help="Of everything random."),
    options.jobs_option,
)


@click.command("train")
@options.reading_options
@learning_options
@click.option(
    "--multilabel/--single-label",
    default=None,
    help="Whether a document may have several labels, or has exactly one; without it, as the documents have them.",
)
@setting(
    "--decide",
    default="auto",
    metavar="HOW",
    help="How scores become labels: scut (a threshold a label), precision:0.95, recall:0.9, half, top, top:3, pcut (a "
    "batch's shares), density, own (the model's own rule). With one label a document (single-label): top, density, own.",
)
@setting(
    "--calibrate", default="auto", metavar="HOW", help="Probabilities: auto chooses; sigmoid, isotonic, … or none."
)
@click.option(
    "--test-set",
    metavar="HOW",
    help="Hold documents out, train on the rest, evaluate on them at the end: 0.3, 200, 10pc (of each label), FILE (ids, one a "
    "line), field=value, field>=1987-04-08.",
)
@setting(
    "--curve/--no-curve",
    "learning_curve",
    default=True,
    help="Also learn from an eighth, a quarter and half of the documents: would more labels help?",
)
@options.out_option("File to write.", required=True)
@options.json_option
def command(path: str, test_set: str | None, out: Path, as_json: bool, **arguments: Any) -> None:
    """Learn from labelled documents, and write the model into one file that runs no code.

    What is not given is chosen by cross-validation inside the training documents: of the usual ways, the simplest that is not
    significantly worse than the best. Thresholds and probabilities come from documents that the model had not seen
    (held-out), too.
    """
    from ...corpus.splits import parse_split
    from ...decisions.rules import parse_rule
    from ...errors import UnknownName
    from ...training.text_classifier import CALIBRATE, TextClassifier

    read_options = {name: arguments.pop(name) for name in options.READ_OPTIONS}
    labelled_only = arguments.pop("labelled_only")
    settings, _ = parse_learning_options(**arguments)
    # a wrong name is an error before anything is read
    parse_rule(settings["decide"], multilabel=settings["multilabel"] is not False)
    if settings["calibrate"] not in CALIBRATE:
        raise UnknownName("choice after --calibrate", settings["calibrate"], CALIBRATE)
    how = None if test_set is None else parse_split(test_set)
    if options.is_collection(path) and read_options["part"] is None and how is None:
        say(f"{path} has a test part, and all of it is learned here; to keep that apart, say --part train")
    keep = (how["field"],) if how and "field" in how else ()
    source = options.open_corpus(path, keep, outputs=[out], **read_options)
    with progress("learning", quiet=as_json) as show:
        corpus = labelled_corpus(options.with_progress(options.buffer_stdin(path, source), show), labelled_only)
        train, test = (corpus, None) if how is None else corpus.split(seed=settings["random_state"], **how)
        model = TextClassifier(**settings).fit(train, progress=trial_printer(quiet=as_json))
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

        jobs, seed = settings["jobs"], settings["random_state"]
        evaluation = evaluate_corpus(model, test, jobs=jobs, seed=seed, quiet=as_json).evaluation
        summary["test"] = evaluation.as_dict()
        if not as_json:
            echo(f"\n{evaluation.documents:,} documents were held out; on these:")
            show_evaluation(evaluation, top=10)
    if as_json:
        print_json(summary, tally=source.tally)
        return
    report_rows(source.tally, read_options["rejects"])
    next_command(next_step(shlex.quote(str(out)), path, read_options, evaluated=test is not None))


def next_step(name: str, path: str, read_options: dict[str, Any], *, evaluated: bool) -> str:
    """The command to type next: evaluate on held-out documents, or, if that is done, predict."""
    if evaluated:
        return f"rubricate predict {name} NEW-FILE"
    if read_options["part"] == "train":
        test_part = options.source_arguments(path, {**read_options, "part": "test"})
        return f"rubricate evaluate {name} {test_part} --report page.html"
    return f"rubricate evaluate {name} LABELLED --report page.html   (on documents that it has not seen)"


def show_model(out: Path, model: TextClassifier) -> None:
    from ...training.choice_sentences import more_labels_sentence, runner_up_sentence

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


def parse_learning_options(
    model: str, recipe: str, select: str | None, most_informative: int | None, measure: str, budget: str, **rest: Any
) -> tuple[dict[str, Any], list[Candidate]]:
    """Settings as TextClassifier has them, and the candidates to try; an error, before anything is read, for what makes no
    sense. rest: weighting, folds, jobs, random_state, and what else TextClassifier has."""
    from ...errors import InvalidSetting
    from ...measures.metrics import measure as measure_named
    from ...training.candidates import candidate, shortlist

    if select is not None and most_informative is not None:
        raise InvalidSetting("-T and --select both choose terms: give one")
    if model == "auto" and rest["weighting"] is not None:
        raise InvalidSetting("--weighting goes with a --model of weighted documents: name one")
    settings = {
        "model": model if model == "auto" else parse_model(model),
        "recipe": options.parse_recipe(recipe) if recipe else None,
        "select": select if most_informative is None else f"mutual_information:{most_informative}",
        "measure": measure if measure == "auto" else measure_named(measure).name,
        "budget": parse_seconds(budget),
        **rest,
    }
    if model == "auto":
        return settings, shortlist(recipe=settings["recipe"], select=settings["select"])
    features = {name: settings[name] for name in ("recipe", "select", "weighting")}
    return settings, [candidate(settings["model"], **features)]


def parse_model(text: str) -> Any:
    """A model as people write it: `multinomial`, `svm`, `multinomial:smoothing=0.1,priors=uniform`."""
    from ...errors import InvalidSetting
    from ...models import model_named

    name, colon, rest = text.partition(":")
    row, settings = model_named(name), dict[str, Any]()
    known = row.kind().get_params()
    for word in rest.split(",") if colon else ():
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            names = ", ".join(sorted(known))
            raise InvalidSetting(f"--model {text}: {word!r} is no setting of {row.name}; it has {names}")
        settings[key] = value
        with suppress(ValueError, RecursionError):  # what is no number, true, false or null is a word
            settings[key] = json.loads(value)
    return row.kind(**settings)


def parse_seconds(text: str) -> float:
    """A time as people write it: 90, 90s, 5m, 1h."""
    from ...errors import InvalidSetting

    number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    if not number.isascii() or not number.replace(".", "", 1).isdigit():
        raise InvalidSetting(f"--budget {text}: give a time, as in 90s, 5m or 1h")
    return float(number) * UNITS[unit]


def trial_printer(*, quiet: bool) -> Callable[[Trial], None] | None:
    """A function that prints each trial when it has been made, with a heading before the first."""
    headings = ["on documents not seen (held-out): value, 95 % interval, what was tried"]

    def print_trial(trial: Trial) -> None:
        while headings:
            say(headings.pop())
        say(f"  {trial.value:.4f}  {trial.low:.4f} to {trial.high:.4f}  {printable(str(trial.candidate), 90)}")

    return None if quiet else print_trial


def labelled_corpus(corpus: Corpus, labelled_only: bool) -> Corpus:
    """The documents to learn from; says what documents without labels stand for."""
    import numpy as np

    from ...errors import InputError

    sizes = np.array([len(labels) for labels in corpus.labels], dtype=np.int64)
    if not sizes.any():
        raise InputError(corpus.name, "no document has a label", "name the column of labels with --labels")
    without = int((sizes == 0).sum())
    if labelled_only and without:
        say(f"left out: {plural(without, 'document')} without labels")
        return corpus.at(sizes > 0)
    if without and sizes.max() == 1:
        say(
            f"{plural(without, 'document')} without labels, the others have one: each label is decided for itself, and to these "
            "none fits. If they are only not labelled yet, say --labelled-only"
        )
    return corpus
