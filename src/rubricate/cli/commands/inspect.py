"""rubricate inspect MODEL"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import json_option, model_argument
from ..output import echo, interval, next_command, number, print_json, printable, table

if TYPE_CHECKING:
    from ...scoring.format_1 import Part


@click.command("inspect")
@model_argument
@click.option("--label", metavar="LABEL", help="Only this label.")
@click.option("--terms", default=8, show_default=True, type=click.IntRange(min=0), help="Terms shown of each label.")
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
@json_option
def command(model: Path, label: str | None, terms: int, top: int, as_json: bool) -> None:
    """What a model is, how it was chosen, its thresholds, and the terms it goes by.

    A term's weight is what one occurrence adds to the label's score (single-label: more than to the mean of all labels).
    Terms are ranked by what they add to a document of the label on average.
    """
    from ...errors import UnknownName
    from ...scoring.format_1 import fitted_parts, refuse_damage

    with refuse_damage(model):
        parts = fitted_parts(model)
        description = describe(model, parts, terms)
    names = [row["label"] for row in description["label_rows"]]
    if label is not None and label not in names:
        raise UnknownName("label", label, names)
    if label is not None:
        description["label_rows"] = [row for row in description["label_rows"] if row["label"] == label]
    if as_json:
        print_json(description)
        return
    show_model(model, parts, description)
    show_labels(description["label_rows"], top if label is None else 1, parts.decision_.cuts is not None)
    first = printable(label or names[0])
    next_command(f"rubricate explain {shlex.quote(str(model))} TEXT --label {shlex.quote(first)}")


def describe(file: Path, parts: Part, terms: int) -> dict[str, Any]:
    """All that is known of a model, as plain values."""
    from ...foundation.jsonable import jsonable
    from ...scoring.top_terms import top_terms

    thresholds, calibrated = parts.decision_.cuts, parts.calibrated_
    columns: dict[str, Any] = {}
    if thresholds is not None:
        keys = ("cut_low", "cut_high", "expected", "low", "high", "positives", "why", "cuts", "pooled")
        columns = {key.replace("cuts", "cut"): jsonable(getattr(thresholds, key), infinities=True) for key in keys}
    rows = []
    for n, (label, label_terms) in enumerate(top_terms(parts, top=terms).items()):
        row: dict[str, Any] = {"label": label} | {key: column[n] for key, column in columns.items()}
        row["terms"] = [{"term": term.term, "weight": term.weight, "average": term.average} for term in label_terms]
        rows.append(row)
    return {
        "file": str(file),
        "bytes": file.stat().st_size,
        "several_labels": bool(parts.several_labels_),
        "terms": len(parts.terms_),
        "learns": how_it_learns(parts),
        **parts.report_,
        "recipe": parts.recipe_.to_dict(),
        "calibration_losses": None if calibrated is None else dict(calibrated.losses),
        "label_rows": rows,
    }


def how_it_learns(parts: Part) -> str:
    """What `learn` and `forget` would do."""
    if parts.documents_ is None and parts.counts_ is None:
        return "nothing more: it was saved slim"
    return (
        "exactly, from statistics"
        if parts.documents_ is None
        else "by a refit, from the documents' counts that it keeps"
    )


def show_model(file: Path, parts: Part, description: dict[str, Any]) -> None:
    """What it is and how it was chosen."""
    from ...training.choice_sentences import candidate_text, more_labels_sentence, rule_text, runner_up_sentence

    labels = "several labels a document" if description["several_labels"] else "one label a document"
    chosen = candidate_text(parts.candidate_)
    echo(f"{printable(str(file), 200)}: {chosen}, {description['bytes']:,} bytes")
    echo(
        f"{description['documents']:,} documents, {description['labels']:,} labels, {labels}, {description['terms']:,} terms"
    )
    recipe = ", ".join(f"{name} {value}" for name, value in description["recipe"].items()) or "the usual one"
    echo(f"recipe: {printable(recipe, 300)}")
    echo(f"learns and forgets {description['learns']}")
    echo(f"decides by {rule_text(parts)}")
    for change in description["changes"]:
        echo(change)
    echo(printable(description["statement"], 2000))
    for sentence in (runner_up_sentence(parts), more_labels_sentence(parts.report_)):
        if sentence is not None:
            echo(printable(sentence, 1000))
    if description["calibration"] is not None:
        losses = ", ".join(f"{name} {number(loss, 4)}" for name, loss in description["calibration_losses"].items())
        echo(f"probabilities: {description['calibration']}, by log loss on documents not seen (held-out: {losses})")
    if len(description["tried"]) > 1:
        rows = [
            (
                row["candidate"],
                number(row["value"], 4),
                interval(row["low"], row["high"], 4),
                "chosen" if row["candidate"] == chosen else "significantly worse" if row["significantly_worse"] else "",
            )
            for row in description["tried"]
        ]
        echo()
        table(rows, ["tried, simplest first", description["measure"], "95 % interval", ""], right=[1])


def show_labels(rows: list[dict[str, Any]], top: int, with_thresholds: bool) -> None:
    """Thresholds and terms, label by label."""
    first_rows = sorted(rows, key=lambda row: -(row.get("positives") or 0))[: top or None]
    if with_thresholds:
        echo()
        table(
            [
                (
                    row["label"],
                    row["positives"],
                    number_or_infinity(row["cut"]),
                    f"{number_or_infinity(row['cut_low'])} to {number_or_infinity(row['cut_high'])}",
                    number(row["expected"]),
                    interval(row["low"], row["high"]),
                    row["why"],
                )
                for row in first_rows
            ],
            ["label", "documents", "threshold", "its interval", "expected F", "interval", ""],
            right=[1, 2, 4],
        )
    echo()
    for row in first_rows:
        words = ", ".join(f"{printable(term['term'])} {term['weight']:.2f}" for term in row["terms"])
        echo(f": {words or '–'}", bold=printable(row["label"]))
    if len(first_rows) < len(rows):
        echo(f"… and {len(rows) - len(first_rows):,} more labels (--top 0 shows all)")


def number_or_infinity(value: Any) -> str:
    """A number that may be `inf`, as JSON has it."""
    return number(None if value is None else float(value))
