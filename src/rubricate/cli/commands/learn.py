"""rubricate learn MODEL PATH; rubricate forget MODEL PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options
from ..output import NO_LABELS, echo, next_command, plural, print_json, printable, progress, report_rows, say

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...training.text_classifier import TextClassifier

update_options = options.combine_options(
    options.model_argument,
    options.reading_options,
    options.jobs_option,
    options.out_option("File to write; MODEL itself if not given."),
)


@click.command("learn")
@update_options
@click.option("--again", is_flag=True, help="Learn all of them, also those that were learned before.")
@options.json_option
def command(**arguments: Any) -> None:
    """Learn further documents, without the old ones at hand.

    Models of counts add them to their statistics, exactly; others keep what their documents count to and are fitted anew. Labels
    that are new need thresholds of their own: train again for these. Documents that were learned before are left out; those that
    had other labels then (same id, or same text where there are no ids) are corrected.
    """
    update_model(**arguments, forget=False)


@click.command("forget")
@update_options
@options.json_option
def forget(**arguments: Any) -> None:
    """Take documents back out, as if they had never been learned: give them with the labels they were learned with.

    Models of counts subtract them, bit for bit; others are fitted anew on what is left. Documents that were never learned are
    refused, and nothing is changed.
    """
    update_model(**arguments, forget=True)


def update_model(
    model: Path,
    path: str,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
    *,
    forget: bool,
    again: bool = False,
    **read_options: Any,
) -> None:
    """Learn or forget the documents of a corpus, and write the model if that has changed it."""
    from ...foundation.files import check_folder, updating

    target = model if out is None else out
    check_folder(target)
    options.load_model(model)  # says what is wrong, before anything is read or waited for
    options.refuse_overwriting(model, read_options["rejects"])
    source = options.open_corpus(path, outputs=[target], **read_options)
    buffered = options.buffer_stdin(path, source)  # before the lock: nobody else waits for what somebody types
    with updating(target, waiting=say), progress("forgetting" if forget else "learning", quiet=as_json) as show:
        classifier = options.load_model(model)
        classifier.jobs = jobs
        corpus = options.with_progress(buffered, show)
        documents = check_labels(classifier, corpus, source, read_options)
        classifier.forget(corpus) if forget else classifier.learn(corpus, again=again)
        classifier.jobs = None
        change = classifier.last_change_
        is_changed = change["learned"] + change["corrected"] + change["forgotten"] > 0
        if is_changed or not (target.exists() and target.samefile(model)):
            classifier.save(target)
    in_all = classifier.report_["documents"]
    sentence = classifier.report_["changes"][-1] if is_changed else None
    if as_json:
        summary = {"file": str(target), "bytes": target.stat().st_size, "documents": documents, **change}
        summary |= {"exact": classifier.documents_ is None, "change": sentence}
        print_json({**summary, "documents_in_all": in_all}, tally=source.tally)
        return
    known = plural(change["known"], "document")
    what = sentence or f"nothing new: {known} learned before, and the model is as it was"
    echo(f"{printable(str(target), 200)}: {what}; {in_all:,} documents in all")
    if sentence and change["known"]:
        echo(f"left out: {known} learned before (--again learns them again)")
    if change["corrected"]:
        corrected = plural(change["corrected"], "document")
        echo(f"corrected: {corrected} learned with other labels, or another text, before")
    if sentence:
        echo("`rubricate train` on all documents renews thresholds and probabilities")
    report_rows(source.tally, read_options["rejects"])
    next_command(f"rubricate evaluate {shlex.quote(str(target))} LABELLED")


def check_labels(model: TextClassifier, corpus: Corpus, source: Corpus, read_options: dict[str, Any]) -> int:
    """How many documents there are; an error if there is none, or if a single-label model is given another number of labels."""
    from ...errors import InputError

    labels = corpus.labels
    if not labels:
        report_rows(source.tally, read_options["rejects"])
        raise InputError(corpus.name, "there is no row that can be used", "nothing was changed")
    if not any(labels) and NO_LABELS in source.tally.repairs:
        raise InputError(corpus.name, "no document has a label", "name the column of labels with --labels")
    odd = next((row for row, label_set in enumerate(labels) if len(label_set) != 1), None)
    if not model.several_labels_ and odd is not None:
        what = f"document {odd + 1} has {len(labels[odd])} labels, and the model was trained with one a document"
        raise InputError(corpus.name, what, "give it one, or leave it out")
    return len(labels)
