"""rubricate inspect MODEL"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..choice_text import more_labels, rule_of, runner_up
from ..options import as_json, loaded, model_file
from ..output import between, echo, next_command, number, print_json, printable, table

if TYPE_CHECKING:
    from ...training.text_classifier import TextClassifier


@click.command("inspect")
@model_file
@click.option("--label", metavar="LABEL", help="Only this label.")
@click.option("--terms", default=8, show_default=True, type=click.IntRange(min=0), help="Terms shown of each label.")
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
@as_json
def command(model: Path, label: str | None, terms: int, top: int, as_json: bool) -> None:
    """What a model is, how it was chosen, its cuts, and the terms it goes by.

    A term's weight is what one occurrence adds to the label's score (with one label a document: more than to the mean of all).
    Terms are ranked by what they add to a document of the label on average.
    """
    from ...errors import UnknownName
    from ...evaluation.predictions import names_of_labels

    own = loaded(model)
    names = names_of_labels(own)
    if label is not None and label not in names:
        raise UnknownName("label", label, names)
    told = described(model, own, terms)
    if label is not None:
        told["label_rows"] = [row for row in told["label_rows"] if row["label"] == label]
    if as_json:
        print_json(told)
        return
    show_whole(model, own, told)
    show_labels(told["label_rows"], top if label is None else 1, own.cuts_ is not None)
    first = printable(label or names[0])
    next_command(f"rubricate explain {shlex.quote(str(model))} TEXT --label {shlex.quote(first)}")


def described(file: Path, model: TextClassifier, terms: int) -> dict[str, Any]:
    """Everything, as plain values."""
    from ...evaluation.top_terms import top_terms

    cuts = None if model.cuts_ is None else model.cuts_.as_dict()
    found = top_terms(model, top=terms)
    rows = []
    for n, (label, own) in enumerate(found.items()):
        row: dict[str, Any] = {"label": label}
        if cuts is not None:
            row |= {key: cuts[key][n] for key in ("cut_low", "cut_high", "expected", "low", "high", "positives", "why")}
            row["cut"], row["pooled"] = cuts["cuts"][n], cuts["pooled"][n]
        row["terms"] = [{"term": one.term, "weight": one.weight, "average": one.average} for one in own]
        rows.append(row)
    calibrated = model.calibrated_
    return {
        "file": str(file),
        "bytes": file.stat().st_size,
        "several_labels": bool(model.several_labels_),
        "terms": len(model.terms_),
        "learns": how_it_learns(model),
        **model.report_,
        "recipe": model.recipe_.to_dict(),
        "calibration_losses": None if calibrated is None else dict(calibrated.losses),
        "label_rows": rows,
    }


def how_it_learns(model: TextClassifier) -> str:
    """What `learn` and `forget` would do."""
    if model.documents_ is None and model.counts_ is None:
        return "nothing more: it was saved slim"
    return (
        "exactly, from statistics"
        if model.documents_ is None
        else "by a refit, from the documents' counts that it keeps"
    )


def show_whole(file: Path, model: TextClassifier, told: dict[str, Any]) -> None:
    """What it is and how it was chosen."""
    labels = "several labels a document" if told["several_labels"] else "one label a document"
    echo(f"{printable(str(file), 200)}: {model.candidate_}, {told['bytes']:,} bytes")
    echo(f"{told['documents']:,} documents, {told['labels']:,} labels, {labels}, {told['terms']:,} terms")
    recipe = ", ".join(f"{name} {value}" for name, value in told["recipe"].items()) or "the usual one"
    echo(f"recipe: {printable(recipe, 300)}")
    echo(f"learns and forgets {told['learns']}")
    echo(f"decides by {rule_of(model)}")
    for change in told["changes"]:
        echo(change)
    echo(printable(told["statement"], 2000))
    for said in (runner_up(model), more_labels(model)):
        if said is not None:
            echo(printable(said, 1000))
    if told["calibration"] is not None:
        losses = ", ".join(f"{name} {number(loss, 4)}" for name, loss in told["calibration_losses"].items())
        echo(f"probabilities: {told['calibration']}, by log loss on documents not seen ({losses})")
    if len(told["tried"]) > 1:
        chosen = str(model.candidate_)
        rows = [
            (
                row["candidate"],
                number(row["value"], 4),
                between(row["low"], row["high"], 4),
                "chosen" if row["candidate"] == chosen else "significantly worse" if row["significantly_worse"] else "",
            )
            for row in told["tried"]
        ]
        echo()
        table(rows, ["tried, simplest first", told["measure"], "95 % interval", ""], right=[1])


def show_labels(rows: list[dict[str, Any]], top: int, with_cuts: bool) -> None:
    """Cuts and terms, label by label."""
    shown = sorted(rows, key=lambda row: -(row.get("positives") or 0))[: top or None]
    if with_cuts:
        echo()
        table(
            [
                (
                    row["label"],
                    row["positives"],
                    infinite(row["cut"]),
                    f"{infinite(row['cut_low'])} to {infinite(row['cut_high'])}",
                    number(row["expected"]),
                    between(row["low"], row["high"]),
                    row["why"],
                )
                for row in shown
            ],
            ["label", "documents", "cut", "its interval", "expected F", "interval", ""],
            right=[1, 2, 4],
        )
    echo()
    for row in shown:
        words = ", ".join(f"{printable(one['term'])} {one['weight']:.2f}" for one in row["terms"])
        echo(f": {words or '–'}", bold=printable(row["label"]))
    if len(shown) < len(rows):
        echo(f"… and {len(rows) - len(shown):,} more labels (--top 0 shows all)")


def infinite(value: Any) -> str:
    """A number that may be `inf`, as JSON has it."""
    return number(None if value is None else float(value))
