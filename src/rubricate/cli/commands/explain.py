"""rubricate explain MODEL TEXT"""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...foundation.share_text import decimals, per_cent
from ..options import json_option, load_predictor, model_argument
from ..output import echo, next_command, number, print_json, printable, say, table

if TYPE_CHECKING:
    from ...scoring.reasons import Reason


@click.command("explain")
@model_argument
@click.argument("text")
@click.option(
    "--label", metavar="LABEL", help="Why it has this label, or why not; otherwise the labels that it is given."
)
@click.option("--top", default=15, show_default=True, type=click.IntRange(min=1), help="Terms shown.")
@click.option(
    "--print-word-scores", is_flag=True, hidden=True, help="As rainbow has it: what this command does anyway."
)
@json_option
def command(model: Path, text: str, label: str | None, top: int, print_word_scores: bool, as_json: bool) -> None:
    """Why a text has its labels: what each term adds to the score, the threshold and the probability. `-` reads the text from
    standard input.

    The terms, the others together, and what is there before any term add up to the score. Where training documents decided
    (density, nearest neighbours), the nearest are named, with their part in the decision.
    """
    predictor = load_predictor(model)
    by_terms = predictor.goes_by_terms
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    reasons = predictor.explain(text, label, limit=top)
    if as_json:
        print_json([asdict(reason) for reason in reasons])
        return
    if predictor.decider.rule.of_batches:
        echo(
            f"the rule ({predictor.report['decide']}) decides on a batch of documents together, not on one; the most probable:"
        )
    elif label is None and not any(reason.decided for reason in reasons):
        echo("no label is given; the most probable:")
    for reason in reasons:
        show(reason, by_terms)
    if by_terms and not any(reason.terms for reason in reasons):
        say("the model knows none of its terms")
    file = shlex.quote(str(model))
    other = next((name for name in predictor.label_names if name not in {r.label for r in reasons}), None)
    next_command(
        f"rubricate inspect {file}"
        if label is not None or other is None
        else f"rubricate explain {file} TEXT --label {shlex.quote(printable(other))}"
    )


def show(reason: Reason, by_terms: bool) -> None:
    """One label: the decision, what each term adds, and the documents that decided."""
    decided = "" if reason.decided is None else " yes;" if reason.decided else " no;"
    threshold = "" if reason.cut is None else f", threshold {number(reason.cut)}"
    echo(
        f":{decided} probability {decimals(reason.probability)}, score {number(reason.score)}{threshold}",
        bold=printable(reason.label),
    )
    if by_terms:
        rows = [(f"{value:+.3f}", term) for term, value in reason.terms]
        rows += [(f"{reason.others:+.3f}", "(all other terms)")] if abs(reason.others) > 0 else []
        table([*rows, (f"{reason.base:+.3f}", "(before any term)")], ["adds", "term"], right=[0])
    if reason.neighbours:
        echo()
        rows = [(f"{per_cent(part, 1)} %", name) for name, part in reason.neighbours]
        table(rows, ["part", "training documents that decided, nearest first"], right=[0])
    echo()
