"""rubricate predict MODEL PATH"""

from __future__ import annotations

import gc
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...scoring.prediction_writer import FORMATS, LEAST, check_labels
from ..options import (
    SMALL,
    follow_documents,
    is_small,
    jobs_option,
    json_option,
    load_model,
    load_predictor,
    model_argument,
    named_texts,
    open_corpus,
    out_option,
    reading_options,
    refuse,
    refuse_overwriting,
)
from ..output import (
    escape_controls,
    next_command,
    plural,
    print_json,
    printable,
    progress,
    report_rows,
    row_counts,
    say,
)

if TYPE_CHECKING:
    from ...corpus import Corpus, Tally
    from ...scoring.prediction_rows import OutputSettings, Totals, WordsBehind
    from ...scoring.prediction_writer import Writer
    from ...scoring.predictions import Predictions
    from ...scoring.predictor import Predictor
    from ...training.text_classifier import TextClassifier


@click.command("predict")
@model_argument
@reading_options
@jobs_option
@click.option(
    "--to",
    default="jsonl",
    show_default=True,
    type=click.Choice(list(FORMATS)),
    help="Form of the answers. trec: a run, a line for each label and document, labels as topics; its rank is 0, the score "
    "ranks. fasttext: as its predict-prob. tsv: labels in one cell, | between them.",
)
@click.option("-k", type=click.IntRange(min=1), metavar="N", help="The N most probable labels of each document.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Labels more probable than P, instead of the model's thresholds.",
)
@click.option(
    "--abstain",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Leave a document to a person unless all its labels are right with probability P.",
)
@click.option("--every-label", is_flag=True, help=f"Write all probabilities, also those below {LEAST}.")
@click.option(
    "--words", "--print-word-scores", is_flag=True, help="Say which words speak for each label that is given (jsonl)."
)
@out_option("File to write; standard output if not given.")
@json_option
def command(
    model: Path,
    path: str,
    jobs: int | None,
    to: str,
    k: int | None,
    threshold: float | None,
    abstain: float | None,
    every_label: bool,
    words: bool,
    out: Path | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """Labels for new documents, one answer a document and in their order, however many there are.

    The answers are written as they are found, and memory holds a few megabytes of text at a time; only a model whose rule is of
    batches (pcut) must see all documents before it answers. --json prints the account as JSON, on standard error where the
    answers are on standard output.
    """
    from ...errors import InvalidSetting
    from ...scoring.prediction_rows import OutputSettings, Totals, output_rows

    if words and to != "jsonl":
        raise InvalidSetting(f"--words needs --to jsonl: {to} has no place for them")
    predictor = load_predictor(model)
    rule, names = predictor.decider.rule, predictor.label_names
    check_labels(to, names)
    refuse_overwriting(model, out, read_options["rejects"])
    settings, totals = OutputSettings(k, threshold, abstain, every_label, words), Totals()
    if rule.of_batches and not as_json:
        say(
            f"the rule ({predictor.report['decide']}) decides on all documents together: scores are held until the last is read"
        )
    gc.freeze()  # what was loaded stays: it need not be looked through again and again while rows come and go
    writer = FORMATS[to](names)
    if path == "-" and out is None and not rule.of_batches and is_live(read_options):
        tally = predict_live(model, predictor, settings, totals, writer, jobs, read_options)
    else:
        source = open_corpus(path, outputs=[out], **read_options)
        small = is_small(path)
        with progress("answering", quiet=as_json or (out is None and sys.stdout.isatty()), compiled=not small) as show:
            if small:
                blocks, words_behind = in_this_process(predictor, source, show)
            else:
                blocks, words_behind = by_kernels(load_model(model), source, jobs, words=words, show=show)
            rows = output_rows(blocks, settings, totals, multilabel=predictor.multilabel, words_behind=words_behind)
            write_lines(writer.lines(rows, person=abstain is not None), out)
        tally = source.tally
    tally.repairs.pop("no label column found: documents have no labels", None)
    if as_json:
        summary = {
            "model": str(model),
            "file": None if out is None else str(out),
            **asdict(totals),
            "decided_together": rule.of_batches,
            "rows": row_counts(tally),
        }
        print_json(summary, err=out is None)
        return
    person = "" if abstain is None and not totals.unknown else f", {totals.to_a_person:,} left to a person"
    labels_given, none = plural(totals.labels, "label"), f"{totals.without:,} without any"
    say(f"{plural(totals.documents, 'document')}, {labels_given} given; {none}{person}")
    if totals.unknown:
        say(unknown_words(predictor, totals.unknown, abstain=abstain is not None))
    report_rows(tally, read_options["rejects"])
    next_command(f"rubricate explain {shlex.quote(str(model))} TEXT")


def unknown_words(predictor: Predictor, documents: int, *, abstain: bool) -> str:
    """What is said of documents without a known word."""
    who, prior = f"{plural(documents, 'document')} without a word that the model knows", predictor.decider.prior
    if abstain:
        return f"{who}: left to a person"
    if prior is None or predictor.multilabel:
        return f"{who}: a person should look at them"
    commonest = printable(predictor.label_names[int(prior.argmax())], 60)
    return f"{who}: labelled {commonest}, the commonest, for want of anything better; a person should look at them"


Show = Callable[[int, int], None]


def in_this_process(predictor: Predictor, source: Corpus, show: Show) -> tuple[Iterator[Predictions], WordsBehind]:
    """Predictions by numpy alone: nothing is compiled, and a document of 200 words costs about 3 ms."""
    from ...scoring.prediction_rows import WORDS
    from ...scoring.predictions import predict_blocks, word_scores

    blocks = predict_blocks(predictor, named_texts(source, show))
    return blocks, lambda block, decisions: word_scores(predictor, block, decisions, top=WORDS)


def by_kernels(
    classifier: TextClassifier, source: Corpus, jobs: int | None, *, words: bool, show: Show
) -> tuple[Iterator[Predictions], WordsBehind]:
    """The same predictions by compiled loops, which take two seconds to load."""
    from ...evaluation.predictions import predictions, word_scores
    from ...scoring.prediction_rows import WORDS

    blocks = predictions(classifier, source, jobs=jobs, progress=show, terms=words)
    return blocks, lambda block, decisions: word_scores(classifier, block, decisions, top=WORDS)


def is_live(read_options: dict[str, Any]) -> bool:
    """Whether standard input can be answered line by line: JSON Lines in UTF-8."""
    from ...corpus.readers.live import begins_with_object

    if read_options["format"] not in (None, "jsonl") or read_options["encoding"] not in ("auto", "utf-8", "utf8"):
        return False
    return read_options["format"] == "jsonl" or begins_with_object()


def predict_live(
    model: Path,
    predictor: Predictor,
    settings: OutputSettings,
    totals: Totals,
    writer: Writer,
    jobs: int | None,
    options: dict[str, Any],
) -> Tally:
    """Answer documents as they come: what has been read is answered before more is waited for. The first megabyte goes by numpy
    alone, so that a few lines are answered at once; if more comes, it is worth loading the compiled loops."""
    from ...scoring.prediction_rows import output_rows

    classifier: TextClassifier | None = None
    characters = 0

    def count(documents: int, size: int) -> None:
        nonlocal characters
        characters += size

    def handle(ids: list[str], corpus: Corpus) -> None:
        nonlocal classifier
        if classifier is None and characters > SMALL:
            classifier = load_model(model)
        if classifier is None:
            blocks, words_behind = in_this_process(predictor, corpus, count)
        else:
            blocks, words_behind = by_kernels(classifier, corpus, jobs, words=settings.words, show=count)
        names = iter(ids)
        named = (replace(block, ids=list(islice(names, len(block.ids)))) for block in blocks)
        rows = output_rows(named, settings, totals, multilabel=predictor.multilabel, words_behind=words_behind)
        write_lines(map(writer.block, rows), None)

    write_lines(writer.lines([], person=settings.abstain is not None), None)
    tally = follow_documents("-", handle, options)
    refuse("-", None if options["keep_going"] else tally.common_failure())
    return tally


def write_lines(parts: Iterable[bytes], out: Path | None) -> None:
    """To a file, beside and renamed; or to standard output as they come."""
    from ...foundation.files import write_atomically

    if out is not None:
        write_atomically(out, parts)
        return
    terminal = sys.stdout.isatty()
    try:
        for part in parts:
            sys.stdout.buffer.write(escape_controls(part) if terminal else part)
    finally:  # the answers so far come before the sentence that says why there are no more
        sys.stdout.buffer.flush()
