"""What the report of a training says of its choice: the chosen candidate beside the runner-up, with a test, in plain words.

The numbers are those of `rubricate.training.runner_up`, stored in `report_`; models saved before there was a test have none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..foundation.share_text import p_value
from ..measures.significance import Needed
from .sentences import Name, Parts

EQUAL = 1e-12
FIELDS = ("candidate", "value", "low", "high")


def choice(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """From the `report_` of a TextClassifier: the chosen candidate and those it was tested against, the best of them first; None
    if there was no test."""
    rows = report["tried"]
    tested = [row for row in rows if is_defined(row.get("against_chosen"))]
    name = tested[0]["against_chosen"]["chosen"] if tested else None
    chosen = next((row for row in rows if row["candidate"] == name), None)
    if chosen is None:
        return None
    tested.sort(key=lambda row: row["against_chosen"]["ahead"])
    return {
        "measure": report["measure"],
        "chosen": {key: chosen[key] for key in FIELDS},
        "rivals": [{key: row[key] for key in (*FIELDS, "against_chosen")} for row in tested],
    }


def is_defined(test: Mapping[str, Any] | None) -> bool:
    """Whether there was a test, and the measure is defined for both."""
    return test is not None and all(test[key] is not None for key in ("ahead", "low", "high", "adjusted"))


def choice_sentences(choice: Mapping[str, Any]) -> list[Parts]:
    """A sentence for each rival, and after the first, if that is ahead, why the chosen one was taken. choice: of `choice`."""
    chosen, rivals = Name(choice["chosen"]["candidate"]), choice["rivals"]
    sentences = [rival_sentence(chosen, rival, choice["measure"], first=n == 0) for n, rival in enumerate(rivals)]
    if rivals[0]["against_chosen"]["ahead"] < -EQUAL:
        reason = " was taken because it is simpler, and the best is not ahead of it beyond doubt."
        sentences.insert(1, (chosen, reason))
    return sentences


def said_of_choice(given: Mapping[str, Any]) -> list[Parts]:
    """The name of `choice_sentences` before."""
    return choice_sentences(given)


def rival_sentence(chosen: Name, rival: Mapping[str, Any], measure: str, *, first: bool) -> Parts:
    """Who is ahead of whom by how much, between which limits, and whether that may be chance."""
    other, test = Name(rival["candidate"]), rival["against_chosen"]
    ahead, low, high = test["ahead"], test["low"], test["high"]
    if abs(ahead) <= EQUAL:
        return (chosen, " and ", other, f" do equally well in {measure}: there is no difference to test.")
    start: Parts = chosen, " is ahead of ", other, ", the next best," if first else ""
    if ahead < 0:
        start, low, high = (other, " is ahead of ", chosen), -high, -low
    by = f" by {abs(ahead):.4f} in {measure} ({signed(low)} to {signed(high)} is likely)"
    return (*start, by, verdict(test, sure=low > 0))


def verdict(test: Mapping[str, Any], *, sure: bool) -> str:
    """More than chance or not, by the test; sure: whether the likely range says so."""
    p = p_value(test["adjusted"])
    if test["better"] is not None:
        doubt = "" if sure else "; the likely range still holds 0, so it is a close call"
        return f", and that is more than chance ({p}){doubt}."
    if sure:
        return f", which may still be chance ({p}), though the likely range is above 0: it is a close call."
    more = test["more_documents"]
    needed = "" if more is None else f": {Needed(math.nan, more)} to tell"
    return f", which may be chance ({p}){needed}."


def signed(value: float) -> str:
    """With a minus that is one."""
    return f"{value:.4f}".replace("-", "−")
