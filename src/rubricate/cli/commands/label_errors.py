"""rubricate label-errors PATH"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options
from ..options import top_option
from ..output import echo, json_line, next_command, number, print_json, printable, progress, report_rows, say
from .train import labelled_corpus, learning_options, parse_learning_options, trial_printer

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...training.label_errors import Doubt, Doubted


@click.command("label-errors")
@options.reading_options
@learning_options
@top_option(default=20, help="Documents shown; 0 for all.")
@options.out_option("Write all of them to this file (JSON Lines).")
@options.json_option
def command(path: str, top: int, out: Path | None, as_json: bool, **arguments: Any) -> None:
    """Documents whose labels are probably wrong, the worst first.

    Each document is judged by models that have not seen it (out-of-fold); where their probabilities contradict its labels,
    either a person was mistaken or the model is. Look at these first.
    """
    from ...training.label_errors import doubts

    read_options = {name: arguments.pop(name) for name in options.READ_OPTIONS}
    labelled_only = arguments.pop("labelled_only")
    settings, candidates = parse_learning_options(**arguments)
    trial_settings = {name: settings[name] for name in ("measure", "folds", "budget", "jobs", "random_state")}
    source = options.open_corpus(path, outputs=[out], **read_options)
    with progress("judging", quiet=as_json) as show:
        corpus = labelled_corpus(options.with_progress(options.buffer_stdin(path, source), show), labelled_only)
        report = doubts(corpus, candidates, **trial_settings, progress=trial_printer(quiet=as_json))
    if out is not None:
        from ...foundation.files import write_atomically

        write_atomically(out, (json_line(as_row(doubt)) for doubt in report.doubts))
    worst = report.doubts[: top or None]
    if as_json:
        summary = {
            "documents": report.documents,
            "contradicted": len(report.doubts),
            "judged_by": report.trial.as_dict(),
            "calibration": report.calibration,
            "too_rare_to_doubt": list(report.rare),
            "worst": [as_row(doubt) for doubt in worst],
        }
        print_json(summary, tally=source.tally)
        return
    show_doubts(report, worst, corpus)
    report_rows(source.tally, read_options["rejects"])
    documents = options.source_arguments(path, read_options)
    next_command(f"rubricate train {documents} -o MODEL.rub   (after the labels are put right)")


def as_row(doubt: Doubt) -> dict[str, Any]:
    reasons = {"improbable": dict(doubt.improbable), "missing": dict(doubt.missing)}
    return {"id": doubt.id, "labels": list(doubt.labels), **reasons, "times": doubt.times}


def show_doubts(report: Doubted, worst: tuple[Doubt, ...], corpus: Corpus) -> None:
    """The worst documents, with the beginning of their texts."""
    candidate = str(report.trial.candidate)
    echo(f"{len(report.doubts):,} of {report.documents:,} documents have labels that {candidate} contradicts, unseen")
    if report.rare:
        say(f"too rare to be doubted: {printable(', '.join(report.rare), 200)}")
    rows = {doubt.row for doubt in worst}
    texts = {n: document.text for n, document in enumerate(corpus.documents()) if n in rows}
    for doubt in worst:
        labels = ", ".join(map(printable, doubt.labels)) or "no label"
        odds = f"others are {doubt.times:,.0f} times more probable"
        echo(f"  has {labels}; {odds}", bold=f"\n{printable(doubt.id)}")
        for heading, probabilities in (("improbable", doubt.improbable), ("probable, and not given", doubt.missing)):
            if probabilities:
                echo(f"  {heading}: " + ", ".join(f"{printable(label)} ({number(p)})" for label, p in probabilities))
        echo(f"  {printable(texts[doubt.row], 200)}")
    if len(worst) < len(report.doubts):
        echo(f"\n… and {len(report.doubts) - len(worst):,} more (--top 0 shows all, -o FILE writes them)")
