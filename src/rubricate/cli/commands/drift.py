"""rubricate drift MODEL PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    is_small,
    json_option,
    load_predictor,
    model_argument,
    named_texts,
    open_corpus,
    reading_options,
    refuse_overwriting,
)
from ..output import echo, next_command, number, print_json, printable, progress, report_rows, row_counts, table

if TYPE_CHECKING:
    from ...scoring.drift import Difference, Drift


@click.command("drift")
@model_argument
@reading_options
@click.option(
    "--reference",
    metavar="PATH",
    help="Compare with these documents instead of the training documents: read as PATH is, and not learned by the model.",
)
@click.option("--top", default=10, show_default=True, type=click.IntRange(min=0), help="Labels shown; 0 for all.")
@click.option("--fail", is_flag=True, help="Exit with 1 if a drift can be shown.")
@json_option
def command(
    model: Path, path: str, reference: str | None, top: int, fail: bool, as_json: bool, **read_options: Any
) -> None:
    """Whether new documents are like those that a model was trained on: labels given, unknown terms, certainty, length.

    Labels of the new documents are not needed. Each difference is tested, and the chance of any false alarm is held at 5 %. A
    drift does not say that the model has become worse, nor does no drift say that it has not: to know, label some of the new
    documents and `rubricate evaluate`.
    """
    from ...errors import InvalidSetting
    from ...scoring.drift import drift_of

    predictor = load_predictor(model)
    refuse_overwriting(model, read_options["rejects"])
    if path == "-" == reference:
        raise InvalidSetting(
            "standard input cannot be both the new documents and the reference: name a file for one of them"
        )
    source = open_corpus(path, **read_options)
    others = None if reference is None else open_corpus(reference, **{**read_options, "rejects": None})
    small = is_small(path) and (reference is None or is_small(reference))
    if not small:
        from ...training.compiled_vocabulary import with_compiled_vocabulary

        predictor = with_compiled_vocabulary(predictor)
    with progress("comparing", quiet=as_json, compiled=not small) as show:
        reference_texts = None if others is None else named_texts(others, show)
        result = drift_of(predictor, named_texts(source, show), reference=reference_texts)
    source.tally.repairs.pop("no label column found: documents have no labels", None)
    if as_json:
        print_json({"model": str(model), "rows": row_counts(source.tally), **result.as_dict()})
    else:
        show_drift(result, top)
        report_rows(source.tally, read_options["rejects"])
        next_command(f"rubricate evaluate {shlex.quote(str(model))} SOME-OF-THEM-LABELLED")
    if fail and result.changed:
        raise click.exceptions.Exit(1)


def show_drift(drift: Drift, top: int) -> None:
    """The sentences, then all numbers, labels with the smallest p first."""
    for sentence in drift.sentences():
        echo(printable(sentence, 1000))
    echo()
    labels = sorted(drift.labels, key=lambda label: (label.adjusted, label.p))
    rows = [row(label, percent=True, name=f"label {label.name}") for label in labels[: top or None]]
    length = drift.length
    in_terms = [
        length.name,
        f"{length.before:,.0f}",
        f"{length.now:,.0f}",
        f"{length.detectable:,.0f}",
        number(length.adjusted),
    ]
    rows += [row(drift.unknown_terms, percent=True), row(drift.certainty, percent=False), in_terms]
    table(rows, ["", "before", "now", "detectable", "p (Holm)"], right=(1, 2, 3, 4))
    if len(labels) > len(rows) - 3:
        echo(f"… and {len(labels) - len(rows) + 3:,} more labels; --top 0 shows all")


def row(difference: Difference, *, percent: bool, name: str | None = None) -> list[str]:
    times, unit, digits = (100, " %", 1) if percent else (1, "", 3)
    values = (difference.before, difference.now, difference.detectable)
    cells = [f"{times * value:.{digits}f}{unit}" for value in values]
    return [printable(name or difference.name, 40), *cells, number(difference.adjusted)]
